"""The world: six MCP servers over one SQLite file. Imports nothing of the generator or the verifier."""

__version__ = "1.0.0"
