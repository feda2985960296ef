"""The closed form of a model by itself."""

from __future__ import annotations

from collections.abc import Mapping

from symparams.expressions.closed_form import as_written
from symparams.models.formula import Subject
from symparams.sheets.document import Document
from symparams.sheets.whole import letters_of


def formula(model: Subject, notation: str = "hidden", symbols: Mapping[str, str] | None = None) -> Document:
    """The closed form alone, which is its own title."""
    letters = letters_of(model, notation, symbols or {})
    return Document("formula", "en", as_written(model.polynomial()), None, (), letters=letters, subject=model)
