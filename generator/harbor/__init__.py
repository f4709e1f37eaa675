"""The Harbor side: a task directory's files, the dataset's manifests, digests, and running the real program."""
