"""The families and their tables."""
