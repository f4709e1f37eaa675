"""Native files: a document model in, bytes and their text out, the same bytes every time."""
