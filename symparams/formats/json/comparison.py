"""Models side by side as data: exact integers, the same as digits in text, exact ratios as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from symparams.answers.aligned_components import Aligned
from symparams.answers.comparison_of_costs import AlignedCost, CostComparison, CostDifference
from symparams.answers.comparison_of_models import Difference, ModelComparison
from symparams.expressions.closed_form import as_written, written_term
from symparams.expressions.nodes import Dimension
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.printing import plain
from symparams.formats.json import costs
from symparams.formats.json.data import Data, dimensions, percent
from symparams.models.costing import Costing
from symparams.models.model import Model
from symparams.sheets.values import Capital, Name


def compared(data: Data) -> dict[str, Any]:
    """A comparison, as ``templates/json/comparison.schema.json`` describes it."""
    comparison: ModelComparison = data.document.subject
    models = comparison.models
    return {
        "title": data.text(data.document.title),
        "language": data.document.language,
        "models": [model_data(data, model) for model in models],
        "dimensions": [
            {"name": each.name, "values": [size(model, each) for model in models], "differs": differs(comparison, each)}
            for each in comparison.dimensions
        ],
        **_formulas(data, comparison),
        "components": [component(data, each) for each in comparison.components],
        "traits": [
            {"name": each.name, "kinds": [list(kinds) for kinds in each.kinds], "differs": each.differs}
            for each in comparison.traits
        ],
    }


def _formulas(data: Data, comparison: ModelComparison | CostComparison) -> dict[str, Any]:
    """The closed forms side by side, whatever they count."""
    differences: Sequence[Difference | CostDifference] = comparison.differences
    return {
        "terms": [
            {
                "term": plain(written_term(1, term.monomial)),
                "coefficients": [str(Fraction(each)) for each in term.coefficients],
                "differs": term.differs,
            }
            for term in comparison.terms
        ],
        "common": closed(comparison.common),
        "differences": [difference(data, each, i + 1) for i, each in enumerate(differences)],
    }


def model_data(data: Data, model: Model) -> dict[str, Any]:
    """One of the models: its name, its family, its closed form and its count."""
    count = None if model.unbound else model.count()
    return {
        "target": model.name,
        "architecture": model.family,
        "closed_form": closed(model.polynomial()),
        "latex": data.latex(as_written(model.polynomial())),
        **number(count),
        "active": model.active_count() if model.has_experts and count is not None else None,
        "features": model.features,
        "dimensions": dimensions(model),
    }


def component(data: Data, each: Aligned) -> dict[str, Any]:
    """A component, and what each model has of it; why, where it has none."""
    shares = [
        {
            "closed_form": plain(share.step.closed),
            **number(share.step.value),
            "percent": percent(share.part),
            "reason": share.reason or None,
        }
        for share in each.shares
    ]
    return {"name": each.name, "title": data.text(Capital(Name(each.name))), "shares": shares}


def difference(data: Data, each: Difference | CostDifference, number_of_other: int) -> dict[str, Any]:
    """The first less another: A − B in letters and in numbers, and A / B as an exact fraction."""
    ratio = str(each.ratio) if each.ratio is not None else None
    return {
        "first": 0,
        "other": number_of_other,
        "closed_form": closed(each.polynomial),
        "latex": data.latex(as_written(each.polynomial)),
        "same_sizes": each.has_same_sizes,
        **number(each.value),
        "ratio": ratio,
    }


def number(value: int | Fraction | None) -> dict[str, Any]:
    """An exact integer, and its digits for readers that keep numbers in 53 bits; half a byte is text alone."""
    return {"value": str(value) if isinstance(value, Fraction) else value, "digits": None if value is None else str(value)}


def closed(polynomial: Polynomial) -> str:
    """A closed form in the grammar of ``--expr``."""
    return plain(as_written(polynomial))


def size(model: Model, dimension: Dimension) -> int | str | None:
    """The value of a dimension in a model, what it follows from or its letter as text, null where the model has none."""
    if dimension not in model.dimensions:
        return None
    if dimension in model.values:
        return model.values[dimension]
    return plain(model.relations.get(dimension, dimension))


def differs(comparison: ModelComparison, dimension: Dimension) -> bool:
    """Whether the models do not all have one value."""
    return len({size(model, dimension) for model in comparison.models}) > 1


def compared_costs(data: Data) -> dict[str, Any]:
    """A comparison of a cost: the same, with the quantity, its unit and its inputs."""
    comparison: CostComparison = data.document.subject
    costings = comparison.costings
    return {
        "title": data.text(data.document.title),
        "language": data.document.language,
        "quantity": comparison.quantity,
        "unit": costings[0].cost.unit,
        "without": {name: list(models) for name, models in comparison.needless.items()},
        "models": [_costed(data, each) for each in costings],
        "dimensions": [
            {"name": each.name, "values": (found := [_letter(c, each) for c in costings]), "differs": len(set(found)) > 1}
            for each in comparison.dimensions
        ],
        **_formulas(data, comparison),
        "components": [_cost_of_component(data, each) for each in comparison.components],
    }


def _costed(data: Data, each: Costing) -> dict[str, Any]:
    return {
        "target": each.name,
        "architecture": each.model.family,
        "closed_form": closed(each.polynomial),
        "latex": data.latex(as_written(each.polynomial)),
        **number(each.value() if each.is_bound else None),
        "features": each.model.features,
        "dimensions": costs.dimensions(each),
    }


def _cost_of_component(data: Data, each: AlignedCost) -> dict[str, Any]:
    shares = [
        {"closed_form": plain(share.step.closed), **number(share.step.value), "percent": percent(share.part)}
        for share in each.shares
    ]
    return {"name": each.name, "title": data.text(Capital(Name(each.name))), "shares": shares}


def _letter(each: Costing, letter: Dimension) -> int | str | None:
    return costs.dimensions(each).get(letter.name)


COMPARISONS: Mapping[str, Callable[[Data], dict[str, Any]]] = {
    "comparison_of_models": compared,
    "comparison_of_costs": compared_costs,
}
