"""Spans: the values of a letter over which something is plotted, t=1Ki..1Mi."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from symparams.answers.tokens import read_tokens
from symparams.errors import OptionError, quoted
from symparams.expressions.bisection import crossing
from symparams.records import frozen

WRITTEN = re.compile(r"\s*(?P<letter>\w+)\s*=\s*(?P<low>[^.\s]+)\s*\.\.\s*(?P<high>[^.\s]+)\s*")
DOUBLING, STEPS, MOST = 16, 14, 10**18  # from which ratio on values double; how many even steps; the largest value
EXAMPLE = "write a letter with its bounds, t=1Ki..1Mi"


@frozen
class Span:
    """A letter between two values, both included."""

    letter: str
    low: int
    high: int

    @property
    def doubles(self) -> bool:
        """True if equal ratios are equally long: the last value is at least 16 times the first."""
        return self.high >= DOUBLING * self.low

    def values(self, deciding: Iterable[int] = (), *, finer: int = 1) -> list[int]:
        """Its values, doubled or in even steps, ``finer`` ones between them, and of those that decide the ones within it."""
        if self.doubles:
            doublings = (self.high // self.low).bit_length()
            between = {round(self.low * 2 ** (i / finer)) for i in range(finer * doublings + 1)}
        else:
            step = max(1, -(-(self.high - self.low) // (STEPS * finer)))
            between = set(range(self.low, self.high, step))
        inside = {value for value in (*between, *deciding) if self.low <= value <= self.high}
        return sorted(inside | {self.low, self.high})

    def crossing(self, is_reached: Callable[[int], bool]) -> int | None:
        """Its first value at which what grows is reached; None where it never is."""
        found = crossing(is_reached, self.low, self.high)
        return found if found <= self.high else None

    def until(self, most: int | None) -> Span:
        """Return the span up to a largest value; all of it for None."""
        return self if most is None or most >= self.high else Span(self.letter, self.low, max(self.low, most))


def read_span(written: str) -> Span:
    """Return the span that a text names; OptionError for what is none."""
    match = WRITTEN.fullmatch(str(written))
    if match is None:
        raise OptionError(f"--over {quoted(written)} is not a span: {EXAMPLE}.")
    letter = match["letter"]
    low, high = (read_tokens(f"--over {letter}", match[end]) for end in ("low", "high"))
    if not low < high <= MOST:
        raise OptionError(f"--over {quoted(written)} goes from {low:,} to {high:,}: {EXAMPLE}, the larger one last.")
    return Span(letter, low, high)
