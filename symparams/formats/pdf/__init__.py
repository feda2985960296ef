"""PDF: the pages of Typst as a file, without TeX. Needs the extra ``symparams[pdf]``."""

ENDINGS = (".pdf",)  # of its files
