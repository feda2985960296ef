"""Patterns: in which layers of a stack something holds, such as a window or rotary positions; from it follows in how many."""

from __future__ import annotations

from typing import Any, TypeVar

from symparams.errors import DefinitionError, quoted
from symparams.expressions.nodes import Expression, Minimum, Number
from symparams.expressions.written import ONE, total
from symparams.records import frozen

Layers = TypeVar("Layers", int, Expression)


@frozen
class Pattern:
    """Every ``step``-th layer from ``offset`` on, of all or of those ``below`` one; some indices; or all ``but`` these.

    Layers are counted from 0; an offset of -1 is the last of each ``step``. A config may give the step, or the layer below
    which it holds, under one of ``keys``, or list layer by layer what holds: ``listed`` is that key, the value in question, and
    all others that there are.
    """

    step: int = 1
    offset: int = 0
    below: int | None = None
    at: tuple[int, ...] | None = None
    but: bool = False
    keys: tuple[str, ...] = ()
    listed: tuple[Any, ...] | None = None

    def __post_init__(self) -> None:
        numbers = (self.step, self.offset, *(() if self.below is None else (self.below,)), *(self.at or ()))
        is_whole = all(isinstance(number, int) and not isinstance(number, bool) for number in numbers)
        if not is_whole or not max(self.offset, 0) < self.step or self.offset < -1 or min(*numbers[2:], 0, 0) < 0:
            raise DefinitionError(f"{quoted(self)} is not a pattern of layers: write every(3) or first(4).")

    def number(self, layers: Layers) -> Layers:
        """In how many of so many layers it holds, as a number, or as a formula: ⌊(L + 1) / 2⌋."""
        named: Layers = self._named(layers)
        return layers - named if self.but else named

    def holds(self, layer: int) -> bool:
        """True if it holds in this layer."""
        is_named = (
            layer in self.at
            if self.at is not None
            else ((self.below is None or layer < self.below) and (layer - self.offset) % self.step == 0)
        )
        return is_named is not self.but

    @property
    def share(self) -> tuple[int, int] | None:
        """In how many of every so many layers it holds; None where that differs along the stack."""
        if self.at is not None or self.below is not None:
            return None
        return (self.step - 1 if self.but else 1, self.step)

    def _named(self, layers: Any) -> Any:
        if self.at is not None and isinstance(layers, Expression):
            return total([_is_there(layer, layers) for layer in self.at])
        if self.at is not None:
            return sum(layer < layers for layer in self.at)
        if self.below is not None:
            layers = Minimum((Number(self.below), layers)) if isinstance(layers, Expression) else min(self.below, layers)
        beyond = self.step - 1 - self.offset % self.step
        return layers if self.step == 1 else (layers + beyond if beyond else layers) // self.step


def _is_there(layer: int, layers: Expression) -> Expression:
    """1 where a stack has a layer of this index, 0 where it is shorter: min(1, ⌊L / 6⌋)."""
    return Minimum((ONE, layers // (layer + 1) if layer else layers))


def every(step: int, *, offset: int = 0, but: bool = False, keys: tuple[str, ...] = (), listed: Any = None) -> Pattern:
    """Return every ``step``-th layer from the index ``offset`` on, -1 for the last of each; with ``but`` all others."""
    return Pattern(step, offset, but=but, keys=keys, listed=listed)


def first(number: int, *, but: bool = False, keys: tuple[str, ...] = ()) -> Pattern:
    """Return the first so many layers; with ``but`` all that come after them."""
    return Pattern(below=number, but=but, keys=keys)


def indices(*layers: int, but: bool = False) -> Pattern:
    """Return the layers with these indices, counted from 0; with ``but`` all others."""
    return Pattern(at=tuple(dict.fromkeys(layers)), but=but)
