"""JSON: a document as data, every formula in the grammar of ``--expr`` and in LaTeX, every sentence in a language."""

ENDINGS = (".json",)  # of its files
