"""The figures that the project holds itself to, measured: `make bench`."""
