"""Models side by side as data: exact integers, the same as digits in text, exact ratios as text."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symparams.answers.aligned_components import AlignedComponent
from symparams.answers.comparison import Comparison, Difference
from symparams.expressions.closed_form import as_written, written_term
from symparams.expressions.nodes import Dimension
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.printing.printer import plain
from symparams.expressions.symbols import in_rank
from symparams.formats.json.blocks import exactly, percent
from symparams.formats.json.reading import reading
from symparams.models.calculation import Calculation
from symparams.sheets.values import Capital, Name

if TYPE_CHECKING:
    from symparams.formats.json.data import Data


def comparison(data: Data) -> dict[str, Any]:
    """Models side by side: the dimensions, terms and components of each, and by how much they differ."""
    compared: Comparison = data.document.subject
    calculations = compared.calculations
    return {
        "quantity": compared.quantity.name,
        "unit": compared.quantity.unit,
        "without": {name: list(models) for name, models in compared.unused.items()},
        "models": [model_data(data, calculation) for calculation in calculations],
        "dimensions": [
            {"name": letter.name, "values": sizes, "differs": len(set(sizes)) > 1}
            for letter in compared.dimensions
            for sizes in [[size(calculation, letter) for calculation in calculations]]
        ],
        "terms": [
            {
                "term": plain(written_term(1, term.monomial)),
                "coefficients": [str(Fraction(coefficient)) for coefficient in term.coefficients],
                "differs": term.differs,
            }
            for term in compared.terms
        ],
        "common": closed(compared.common),
        "differences": [difference(data, other, i + 1) for i, other in enumerate(compared.differences)],
        "components": [component(data, aligned) for aligned in compared.components],
        "traits": [
            {"name": trait.name, "kinds": [list(kinds) for kinds in trait.kinds], "differs": trait.differs}
            for trait in compared.traits
        ],
    }


def model_data(data: Data, calculation: Calculation) -> dict[str, Any]:
    """Return the data of one model: its name, its family, its closed form and its number."""
    model = calculation.model
    has_active = calculation.has_active and calculation.is_bound
    return {
        "target": model.name,
        "architecture": model.family,
        "closed_form": closed(calculation.polynomial),
        "latex": data.latex(as_written(calculation.polynomial)),
        **number(calculation.value() if calculation.is_bound else None),
        "active": model.active_count() if has_active else None,
        "features": model.features,
        **reading(model),
        "dimensions": {letter.name: exactly(model.values.get(letter)) for letter in in_rank(calculation.letters)},
    }


def component(data: Data, aligned: AlignedComponent) -> dict[str, Any]:
    """A component, and what each model has of it; why, where it has none."""
    shares = [
        {
            "closed_form": plain(share.step.closed),
            **number(share.step.value),
            "percent": percent(share.part),
            "reason": share.reason or None,
        }
        for share in aligned.shares
    ]
    return {"name": aligned.name, "title": data.text(Capital(Name(aligned.name))), "shares": shares}


def difference(data: Data, other: Difference, number_of_other: int) -> dict[str, Any]:
    """The first less another: A − B in letters and in numbers, and A / B as an exact fraction."""
    ratio = str(other.ratio) if other.ratio is not None else None
    return {
        "first": 0,
        "other": number_of_other,
        "closed_form": closed(other.polynomial),
        "latex": data.latex(as_written(other.polynomial)),
        "same_sizes": other.has_same_sizes,
        **number(other.value),
        "ratio": ratio,
    }


def number(value: int | Fraction | None) -> dict[str, Any]:
    """An exact integer, and its digits for readers that keep numbers in 53 bits; half a byte is text alone."""
    return {"value": exactly(value), "digits": None if value is None else str(value)}


def closed(polynomial: Polynomial) -> str:
    """A closed form in the grammar of ``--expr``."""
    return plain(as_written(polynomial))


def size(calculation: Calculation, letter: Dimension) -> int | str | None:
    """The value of a letter in a model, what it follows from or its name as text, null if the model has none."""
    model = calculation.model
    if letter not in calculation.letters:
        return None
    if letter in model.values:
        return exactly(model.values[letter])
    return plain(model.relations.get(letter, letter))
