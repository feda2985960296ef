"""Lengths: how wide a drawing comes out on paper."""

from __future__ import annotations

import re
from typing import NamedTuple

from symparams.errors import OptionError, quoted

UNITS = {"cm": 72 / 2.54, "mm": 7.2 / 2.54, "in": 72.0, "pt": 1.0}  # in points
WRITTEN = re.compile(rf"(\d{{1,9}}(?:\.\d{{1,9}})?) ?({'|'.join(UNITS)})")
LEAST, MOST = 1, 200  # centimetres


class Length(NamedTuple):
    """A length in the unit in which it was written; a point is that of the format."""

    amount: float
    unit: str

    def __str__(self) -> str:
        return f"{self.amount:.6f}".rstrip("0").rstrip(".") + self.unit

    def times(self, factor: float) -> Length:
        """The length so many times over."""
        return Length(self.amount * factor, self.unit)

    @property
    def points(self) -> float:
        """It in points, 72 of which are an inch."""
        return self.amount * UNITS[self.unit]


def length(written: object) -> Length:
    """The width of a drawing, 8.5cm; OptionError for what is none, and for one that no page and no wall has room for."""
    found = WRITTEN.fullmatch(written.strip()) if isinstance(written, str) else None
    if found is None:
        raise OptionError(f"{quoted(written)} is no width of a drawing: write a number with cm, mm, in or pt, as in 8.5cm.")
    read = Length(float(found[1]), found[2])
    if not LEAST <= read.points / UNITS["cm"] <= MOST:
        raise OptionError(f"A drawing is from {LEAST} cm to {MOST} cm wide, not {quoted(written)}: write one between.")
    return read
