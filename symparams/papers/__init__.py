"""Papers: the current numbers and formulas in a user's document."""
