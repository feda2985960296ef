"""Groups: marks that are moved together, within a width and a height of their own, from the upper left corner (0, 0) on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from symparams.drawings.marks import Mark


@dataclass(frozen=True)
class Group:
    """Marks with the width and the height that they take."""

    width: float
    height: float
    marks: tuple[Mark, ...]

    def moved(self, dx: float, dy: float) -> Group:
        """The same so far to the right and so far down."""
        return replace(self, marks=tuple(mark.moved(dx, dy) for mark in self.marks))
