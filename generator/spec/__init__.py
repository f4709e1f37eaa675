"""The models at the file boundaries and inside the generator. Imports nothing else of the project."""
