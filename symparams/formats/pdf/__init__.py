"""PDF: the pages of Typst as a file, without TeX. Needs the extra ``symparams[pdf]``."""

from __future__ import annotations

from symparams.formats import typst
from symparams.formats.format import OF_A_DRAWING, Format, Typesetter
from symparams.formats.typst.compiler import compile_pdf

FORMAT = Format("pdf", endings=(".pdf",), options=typst.OF_PAGES, drawn=OF_A_DRAWING, typeset=Typesetter("typst", compile_pdf))
