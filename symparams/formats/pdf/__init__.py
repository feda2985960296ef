"""PDF: the pages of Typst as a file, without TeX. Needs the extra ``symparams[pdf]``."""

from __future__ import annotations

from symparams.formats import typst
from symparams.formats.format import Format, Typesetter
from symparams.formats.typst.compiler import compile_pdf

FORMAT = Format("pdf", endings=(".pdf",), options=typst.OF_PAGES, typeset=Typesetter("typst", compile_pdf))
