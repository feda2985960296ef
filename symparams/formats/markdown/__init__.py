"""Markdown with formulas in TeX, as pandoc reads them or as GitHub does."""

ENDINGS = (".md",)  # of its files
FLAVORS = ("pandoc", "github")
