"""Oddities: what a config says that the library builds, and that no such model is meant to be; it is counted, and told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from symparams.architectures import Architecture
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.written import evaluate
from symparams.models.values import is_broken

SAID: Mapping[str, str] = {
    "none": "{subject!r} = 0 in the config, and this is counted as the library builds it",
    "divides": "{subject!r} = {size} does not divide {other!r} = {of}: the library builds this model, and it cannot be run",
    "at_most": "{subject!r} = {size} is more than {other!r} = {of}: the library builds this model, and it cannot be run",
}


@dataclass(frozen=True)
class Oddity:
    """What is odd: that there is none of something, or that a size does not divide another, or is more than it."""

    kind: str
    subject: Expression
    size: int = 0
    other: Expression | None = None
    of: int = 0

    def __str__(self) -> str:
        return SAID[self.kind].format(**vars(self))


def oddities(architecture: Architecture, values: Mapping[Dimension, int]) -> Iterator[Oddity]:
    """What is odd about the values of a model; nothing in one whose values were checked."""
    for dimension, value in values.items():
        if value == 0 and dimension in architecture.dimensions:  # no input, and no layers that have a window
            yield Oddity("none", dimension)
    for law in architecture.laws:
        if is_broken(law, values):
            sizes = evaluate(law.subject, values), evaluate(law.value, values)
            yield Oddity(law.binding.name.lower(), law.subject, sizes[0], law.value, sizes[1])
