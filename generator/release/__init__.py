"""The release: what is published of a rendered dataset, bound to what it was built from, and checked by rebuilding."""
