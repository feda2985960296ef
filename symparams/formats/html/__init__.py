"""HTML: a page of live numbers, which a browser works out anew."""

ENDINGS = (".html",)  # of its files
