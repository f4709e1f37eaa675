"""One script a consumer, run by the Python of that consumer's own environment; they import nothing of the project."""
