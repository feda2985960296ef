"""The closed form of a model by itself."""

from __future__ import annotations

from collections.abc import Mapping

from symparams.errors import OptionError
from symparams.expressions.closed_form import EXPANDED, as_written, check_form
from symparams.expressions.nodes import Equality, Expression
from symparams.models.calculation import Calculation
from symparams.models.formula import Formula, Subject
from symparams.sheets.catalogue import USUAL_LANGUAGE
from symparams.sheets.document import Document, Equation, Link, Section
from symparams.sheets.whole import letters_of


def formula(
    model: Subject | Calculation, notation: str = "hidden", symbols: Mapping[str, str] | None = None, form: str = EXPANDED
) -> Document:
    """The closed form alone, which is its own title; by blocks with an equation for each part that it calls by a name.

    OptionError for another form, or for a bare formula by blocks.
    """
    letters = letters_of(model.model if isinstance(model, Calculation) else model, notation, symbols or {})
    sections: list[Section] = []
    if check_form(form) == EXPANDED:
        closed = as_written(model.polynomial if isinstance(model, Calculation) else model.polynomial())
    elif isinstance(model, Calculation):
        closed = model.blocks
    elif isinstance(model, Formula):
        raise OptionError("A bare formula has no blocks: leave out the form.")
    else:
        blocks = model.blocks()
        closed, named = blocks.formula, [Equation(block, [Link(block.definition)]) for block in blocks.named]
        sections = [Section("blocks", None, named)] if named else []
    return Document("formula", USUAL_LANGUAGE, closed, None, sections, letters=letters, subject=model)


def formulas_of(document: Document) -> list[Expression]:
    """The formulas of such a document, one for each line: the closed form, then what each name in it stands for."""
    blocks = [block for section in document.sections for block in section.blocks]
    named = [Equality(block.left, block.chain[0].content) for block in blocks if isinstance(block, Equation) and block.left]
    return [*([document.title] if isinstance(document.title, Expression) else []), *named]
