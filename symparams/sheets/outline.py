"""The outline of a model: its tree with shapes and formulas, and its features, as ``symparams show`` prints it."""

from __future__ import annotations

from collections.abc import Iterator

from symparams.components import Component
from symparams.derivations.layers import formula
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.printing import TextPrinter
from symparams.expressions.printing.text import columns
from symparams.expressions.written import ONE, ZERO, times
from symparams.models.model import Model
from symparams.sheets.catalogue import catalogue

PRINT = TextPrinter(NOTATIONS["hidden"], str)


def outline(model: Model) -> str:
    """Three columns, component, shapes and formula, then each feature with + or -, whether the model has it."""
    rows = [(model.name, "", ""), *list(_rows(model.tree, ""))]
    widths = [max(columns(row[i]) for row in rows) for i in range(2)]
    lines = [f"{name:{widths[0]}}  {shape:{widths[1]}}  {written}".rstrip() for name, shape, written in rows]
    lines.append("")
    for dimension in model.dimensions:
        value = model.values.get(dimension)
        meaning = catalogue("en").entries[f"dimensions.{dimension.name}"]
        lines.append(f"{dimension.name} = {value:,}  ({meaning})" if value is not None else f"{dimension.name}  ({meaning})")
    lines.append("")
    for name, is_default in model.architecture.features.items():
        default = "" if is_default == model.features[name] else f" (by default {'with' if is_default else 'without'})"
        lines.append(f"{'+' if model.features[name] else '-'} {name}: {catalogue('en').entries[f'features.{name}']}{default}")
    return "\n".join(lines) + "\n"


def _rows(component: Component, indent: str) -> Iterator[tuple[str, str, str]]:
    for i, (name, child) in enumerate(component.children):
        is_last = i == len(component.children) - 1
        branch, below = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
        copies = f" × {PRINT(child.times)}" if child.times != ONE else ""
        yield indent + branch + name + copies, _shapes(child), "" if child.children else _formula(child)
        yield from _rows(child, indent + below)


def _shapes(component: Component) -> str:
    shapes = ["(" + ", ".join(PRINT(side) for side in tensor.shape) + ")" for tensor in component.tensors]
    return " ".join(shapes)


def _formula(leaf: Component) -> str:
    if not leaf.tensors:
        return f"0, {leaf.kind}"
    owned = formula([tensor for tensor in leaf.tensors if not tensor.tied_to])
    owners = [f"shares {tensor.tied_to}" for tensor in leaf.tensors if tensor.tied_to]
    return ", ".join([PRINT(times(leaf.times, owned) if owned != ZERO else ZERO), *owners])
