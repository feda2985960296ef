"""PDF: the pages of Typst as a file, without TeX. Needs the extra ``symparams[pdf]``."""

from __future__ import annotations

from symparams.formats.format import OF_A_DRAWING, Format, Typesetter
from symparams.formats.typst.compiler import compile_pdf
from symparams.formats.typst.writer import OF_PAGES

FORMAT = Format(
    "pdf",
    options=OF_PAGES,
    drawn=OF_A_DRAWING,
    typeset=Typesetter("typst", compile_pdf),
    media_type="application/pdf",
)
