"""How fast: python -m tests.benchmark."""
