"""Other projects load the rendered dataset: which, how, and whether they read what stands there."""
