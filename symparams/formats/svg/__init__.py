"""SVG 1.1: a drawing that a browser, a printer and a screen reader show alike, light and dark, its text as text."""

ENDINGS = (".svg",)  # of its files
