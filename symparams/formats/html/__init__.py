"""HTML: a page of live numbers, which a browser recomputes."""

ENDINGS = (".html",)  # of its files
