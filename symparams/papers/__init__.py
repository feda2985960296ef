"""Papers: what a paper takes in: its numbers and its formulas, as they are now."""
