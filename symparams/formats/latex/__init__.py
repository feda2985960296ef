"""LaTeX: a whole document, or a fragment to \\input."""

ENDINGS = (".tex",)  # of its files
