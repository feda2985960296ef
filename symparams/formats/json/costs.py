"""The data of what a model costs: its number alone, and its derivation."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symparams.expressions.closed_form import as_written
from symparams.expressions.notation import Letters
from symparams.expressions.printing.printer import plain
from symparams.expressions.symbols import in_rank
from symparams.formats.json.blocks import exactly
from symparams.models.calculation import Calculation
from symparams.sheets.costs.sheet import calculation_of
from symparams.sheets.document import Document

if TYPE_CHECKING:
    from symparams.derivations.derivation import Derivation
    from symparams.derivations.fitting import Fit
    from symparams.formats.json.data import Data


def measure_data(calculation: Calculation, value: int | Fraction) -> dict[str, Any]:
    """A quantity alone; a fraction of a byte is text, exact."""
    return {
        "target": calculation.model.name,
        "quantity": calculation.quantity.name,
        "unit": calculation.quantity.unit,
        "closed_form": plain(as_written(calculation.polynomial)),
        "value": exactly(value),
        "features": calculation.model.features,
        "dimensions": {
            dimension.name: exactly(calculation.model.values.get(dimension)) for dimension in calculation.written.dimensions
        },
    }


def costs(data: Data) -> dict[str, Any]:
    """A quantity worked out: what it is of, its inputs, its steps, and the other ways to count it."""
    derivation: Derivation = data.document.subject
    calculation, model, data = (
        calculation_of(derivation),
        derivation.model,
        type(data)(replace(data.document, letters=as_counted(data.document))),
    )
    return {
        "target": model.name,
        "architecture": model.family,
        "source": model.source,
        "language": data.document.language,
        "quantity": calculation.quantity.name,
        "unit": calculation.quantity.unit,
        "view": derivation.view,
        "title": data.text(data.document.title),
        "closed_form": plain(as_written(calculation.polynomial)),
        "by_blocks": plain(calculation.blocks),
        "value": exactly(derivation.total.value),
        "features": model.features,
        **({"fits": [_fit(fit) for fit in derivation.fits]} if derivation.fits else {}),
        "dimensions": dimensions(calculation),
        "sections": [data.step(section) for section in derivation.sections],
        "total": data.step(derivation.total),
        "conventions": [data.convention(convention) for convention in derivation.conventions],
    }


def _fit(fit: Fit) -> dict[str, int | str | None]:
    return {"letter": fit.letter.name, "largest": fit.largest, "binds": fit.binds}


def dimensions(calculation: Calculation) -> dict[str, int | str | None]:
    """Return the letters of the formula by name, with their values or null."""
    letters = in_rank((*calculation.written.dimensions, *as_written(calculation.polynomial).dimensions))
    return {letter.name: exactly(calculation.model.values.get(letter)) for letter in letters}


def as_counted(document: Document) -> Letters:
    """The letters of a sheet without those for sums, which data writes out."""
    letters = document.letters
    return Letters(letters).counting(letters.count) if isinstance(letters, Letters) else Letters(letters)
