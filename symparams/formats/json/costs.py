"""The data of what a model costs: its number alone, and its derivation."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symparams.expressions.closed_form import as_written
from symparams.expressions.notation import Letters
from symparams.expressions.printing import plain
from symparams.expressions.symbols import in_rank
from symparams.models.costing import Costing
from symparams.sheets.costs.sheet import costing_of
from symparams.sheets.document import Document

if TYPE_CHECKING:
    from symparams.derivations.derivation import Derivation
    from symparams.derivations.fitting import Fit
    from symparams.formats.json.data import Data


def measure_data(costing: Costing, value: int | Fraction) -> dict[str, Any]:
    """A quantity alone; a fraction of a byte is text, exact."""
    return {
        "target": costing.model.name,
        "quantity": costing.cost.name,
        "unit": costing.cost.unit,
        "closed_form": plain(as_written(costing.polynomial)),
        "value": value if isinstance(value, int) else str(value),
        "features": costing.model.features,
        "dimensions": {
            dimension.name: _number(costing.model.values.get(dimension)) for dimension in costing.written.dimensions
        },
    }


def costs(data: Data) -> dict[str, Any]:
    """A quantity worked out: what it is of, its inputs, its steps, and the other ways to count it."""
    derivation: Derivation = data.document.subject
    costing, model, data = (
        costing_of(derivation),
        derivation.model,
        type(data)(replace(data.document, letters=as_counted(data.document))),
    )
    return {
        "target": model.name,
        "architecture": model.family,
        "source": model.source,
        "language": data.document.language,
        "quantity": costing.cost.name,
        "unit": costing.cost.unit,
        "view": derivation.view,
        "title": data.text(data.document.title),
        "closed_form": plain(as_written(costing.polynomial)),
        "by_blocks": plain(costing.blocks),
        "value": derivation.total.value,
        "features": model.features,
        **({"fits": [_fit(fit) for fit in derivation.fits]} if derivation.fits else {}),
        "dimensions": dimensions(costing),
        "sections": [data.step(section) for section in derivation.sections],
        "total": data.step(derivation.total),
        "conventions": [data.convention(convention) for convention in derivation.conventions],
    }


def _fit(fit: Fit) -> dict[str, int | str | None]:
    return {"letter": fit.letter.name, "largest": fit.largest, "binds": fit.binds}


def dimensions(costing: Costing) -> dict[str, int | str | None]:
    """Each letter of the formula by name, with its value or null."""
    letters = in_rank((*costing.written.dimensions, *as_written(costing.polynomial).dimensions))
    return {letter.name: _number(costing.model.values.get(letter)) for letter in letters}


def _number(value: int | Fraction | None) -> int | str | None:
    """A number as JSON has it: half a byte as text, exact."""
    return str(value) if isinstance(value, Fraction) else value


def as_counted(document: Document) -> Letters:
    """The letters of a sheet without those for sums, which data writes out."""
    letters = document.letters
    return Letters(letters).counting(letters.count) if isinstance(letters, Letters) else Letters(letters)


def cost_explanation(data: Data) -> dict[str, Any]:
    """Each explanation of a claimed cost: what is supposed, our number, and what it comes to; a fraction as text."""
    from symparams.sheets.costs.explanation import supposition
    from symparams.sheets.values import Capital

    subject = data.document.subject
    found = [
        {
            "quantity": each.costing.cost.name,
            "unit": each.costing.cost.unit,
            "of": "token" if each.is_of_token else "whole",
            "start": _exact(each.start),
            "supposed": [data.text(Capital(supposition(data.composer, supposed))) for supposed in each.supposed],
            "result": _exact(each.result),
            "claimed": _exact(each.claim.value),
            "exact": not each.met,
        }
        for each in subject.explanations
    ]
    return {"target": subject.model.name, "claimed": subject.claim.text, "explanations": found}


def _exact(number: int | Fraction) -> int | str:
    return number if isinstance(number, int) else str(number)
