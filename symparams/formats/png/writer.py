"""PNG: the pages of Typst as pictures, a file for each page. Needs the extra ``symparams[pdf]``."""

from __future__ import annotations

from symparams.formats.format import OF_A_DRAWING, Format, Typesetter
from symparams.formats.options import SCALE
from symparams.formats.typst.compiler import compile_png
from symparams.formats.typst.writer import OF_PAGES

FORMAT = Format(
    "png",
    options=OF_PAGES,
    drawn=OF_A_DRAWING | {SCALE},
    typeset=Typesetter("typst", compile_png),
    media_type="image/png",
)
