"""HTML: a page of live numbers, which a browser works out anew."""

from __future__ import annotations

from typing import Any

from symparams.formats.format import Format
from symparams.formats.options import FIGURE, PLOT


def page(answer: Any, **options: Any) -> str:
    """The page of a model, of its derivation, or of models that were compared."""
    from symparams.pages.page import page_of

    return page_of(answer, **options)


FORMAT = Format("html", options=frozenset({FIGURE, PLOT}), answer=page, media_type="text/html")
