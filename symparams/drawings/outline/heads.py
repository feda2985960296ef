"""Heads: what reads the end of the layers and gives something out of the model; everything else there is passed in order."""

from __future__ import annotations

from dataclasses import dataclass

from symparams.components.facts import Gives
from symparams.components.tree import Component
from symparams.components.walks import is_over_rows, rows_of
from symparams.drawings.outline.parts import Part


@dataclass(frozen=True)
class OutputHead:
    """A head by its path: what it gives out of the model, and its parts."""

    path: str
    gives: Gives
    parts: tuple[Part, ...]


def gives(tree: Component, part: Component) -> Gives | None:
    """What a part above the layers gives out of the model, as it says or as its outputs, the rows of a table, do."""
    is_head = part.gives is None and part.tokens is None and is_over_rows(part, rows_of(tree))
    return Gives.NEXT_TOKEN if is_head else part.gives
