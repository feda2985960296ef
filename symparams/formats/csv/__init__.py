"""CSV: flash cards as a table, for Anki and for other programs."""

ENDINGS = (".csv",)  # of its files
