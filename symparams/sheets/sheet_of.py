"""The sheet of a derivation, whole or brief, whatever quantity it works out: the one place that asks which."""

from __future__ import annotations

from collections.abc import Mapping

from symparams.derivations.derivation import Derivation
from symparams.sheets.document import Document


def sheet_of(
    derivation: Derivation,
    language: str = "en",
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
    *,
    brief: bool = False,
) -> Document:
    """The document of a derivation; OptionError and UnknownNameError for a language, a notation or a letter that is none."""
    if derivation.is_by_terms and brief:
        from symparams.sheets.costs.brief import costs_brief as compose
    elif derivation.is_by_terms:
        from symparams.sheets.costs.sheet import costs as compose
    elif brief:
        from symparams.sheets.brief import brief as compose
    else:
        from symparams.sheets.whole import whole as compose
    return compose(derivation, language, notation, symbols)
