"""The attacks on the benchmark, kept as tests, and the table of what each met."""
