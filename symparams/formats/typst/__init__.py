"""Typst: a whole document, or a fragment to #include. Its pages are those of LaTeX, whose font the compiler has in it."""

ENDINGS = (".typ",)  # of its files
