"""The card of a model, for whoever looks at it in passing: its name, closed form and count, and its dimensions."""

from __future__ import annotations

from symparams.derivations.steps import StepKind, step
from symparams.models.model import Model
from symparams.models.stacks import in_common_letters
from symparams.quantities.quantity import PARAMETERS, find
from symparams.sheets.catalogue import catalogue
from symparams.sheets.chosen import choice
from symparams.sheets.dimensions import dimensions
from symparams.sheets.document import Document, Section
from symparams.sheets.values import Prose
from symparams.sheets.whole import answer, is_users, letters_of


def card(model: Model, language: str = "en") -> Document:
    """The model in a few lines: what it is called, what was chosen of its features, the answer and the dimensions."""
    shown = in_common_letters(model)
    total = step(shown, "", "total", shown.formula(), kind=StepKind.TOTAL)
    table = [Section("dimensions", None, [dimensions(shown, shown.dimensions, "hidden", model)])] if shown.dimensions else []
    return Document(
        kind="card",
        language=language,
        title=None,
        answer=answer(total, find(PARAMETERS), catalogue(language)),
        sections=table,
        preface=[Prose(model.name), *choice(model)],
        letters=letters_of(shown, "hidden", {}),
        subject=model,
        is_users=is_users(model),
    )
