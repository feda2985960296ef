"""The tree of a model as data: each component with its path, its copies, its tensors, and what it counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symparams.components import Component, Tensor
from symparams.components.walks import leaves
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.nodes import Expression
from symparams.expressions.printing.printer import plain
from symparams.expressions.written import evaluate
from symparams.models.model import Model
from symparams.quantities.parameters import PARAMETERS


def component(model: Model, node: Component, name: str, path: str = "") -> dict[str, Any]:
    """A component with all that stands in it; what is counted is all of its copies, within one copy of what holds it."""
    written = PARAMETERS.over(leaves(node))
    return {
        "name": name,
        "path": path,
        "kind": node.kind.name,
        "times": counted(model, node.times),
        "closed_form": plain(as_written(multiply_out(written, model.relations))),
        "count": value(model, written),
        "tensors": [tensor(model, array) for array in node.tensors],
        "components": [component(model, child, inner, f"{path}.{inner}" if path else inner) for inner, child in node.children],
    }


def tensor(model: Model, array: Tensor) -> dict[str, Any]:
    """Return one copy of an array: its shape in symbols and in numbers, and its owner."""
    return {
        "name": array.name,
        "shape": [plain(side) for side in array.shape],
        "sizes": [value(model, side) for side in array.shape],
        "count": counted(model, array.count),
        "tied_to": array.tied_to or None,
        "trained": array.trained,
    }


def counted(model: Model, expression: Expression) -> dict[str, Any]:
    """A formula in the grammar of ``--expr``, and its value."""
    return {"plain": plain(expression), "value": value(model, expression)}


def value(model: Model, expression: Expression) -> int | None:
    """The value of an expression; None where a dimension has none."""
    is_bound = all(dimension in model.values for dimension in expression.dimensions)
    return evaluate(expression, model.values) if is_bound else None


def readings(lines: Iterable[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Return the input of each part of a layer: the names that are summed, and what it reads besides."""
    return [{"part": part, "of": list(names), "beside": (*beside, None)[0]} for part, names, *beside in lines]
