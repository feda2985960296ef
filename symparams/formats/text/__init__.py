"""Plain text: lines that a terminal shows whole."""

ENDINGS = (".txt",)  # of its files
