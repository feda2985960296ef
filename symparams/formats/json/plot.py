"""The data of a plot: its exact numbers as records, and the facts that it marks as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symparams.formats.json.blocks import exactly

if TYPE_CHECKING:
    from symparams.formats.json.data import Data
    from symparams.plots.pictures import Plot


def plot(data: Data) -> dict[str, Any]:
    """The kind of a plot, its models, what its numbers are for, its facts and its points."""
    made: Plot = data.document.subject
    return {
        "plot": made.kind,
        "targets": [model.name for model in made.models],
        "about": [data.text(value) for value in made.about],
        "facts": [data.text(fact) for fact in made.facts],
        "columns": list(made.columns),
        "points": [
            {name: value if isinstance(value, str) else exactly(value) for name, value in zip(made.columns, row, strict=True)}
            for row in made.rows
        ],
    }
