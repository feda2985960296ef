"""PNG: the pages of Typst as pictures, a file for each page. Needs the extra ``symparams[pdf]``."""

ENDINGS = (".png",)  # of its files
