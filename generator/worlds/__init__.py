"""The seeded world: a tenant's and a task's rows in, a SQLite file with the same bytes everywhere out."""
