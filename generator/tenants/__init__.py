"""Tenants: profiles and facts read from their folders, and the documents every tenant has (memo, source map, audit
log)."""
