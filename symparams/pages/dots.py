"""The published models of other families that a page's chart shows beside those of its own."""

from __future__ import annotations

from math import ceil
from typing import Any

from symparams.models.counts import kept
from symparams.models.model import Model

MOST, FARTHEST = 36, 100  # models; times larger or smaller than the model's own


def dots(model: Model) -> list[list[Any]]:
    """Return the name, the count and the sizes of models of other families, spread over all counts near the model's own.

    Sizes are those of letters that the model has, too.
    """
    letters = [letter.name for letter in model.architecture.dimensions]
    own = next((each.parameters for each in kept() if each.name == model.name), None)
    others = sorted(
        (each for each in kept() if each.family != model.family and any(name in each.sizes for name in letters)),
        key=lambda each: each.parameters,
    )
    near = [each for each in others if own is None or own < FARTHEST * each.parameters < FARTHEST**2 * own]
    every = max(1, ceil(len(near) / MOST))
    return [
        [each.name, str(each.parameters), {name: each.sizes[name] for name in letters if name in each.sizes}]
        for each in near[::every]
    ]
