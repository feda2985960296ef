"""Shares: how wide boxes are that stand side by side.

Two boxes share their room so that both show their formulas, then with the fewest bad line breaks, then with the least height.
Three or more are of one width.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symparams.drawings.lettering.formulas import DOT
from symparams.drawings.lettering.lettering import Lettered
from symparams.expressions.nodes import Expression

FIRSTS = (0.5, 0.475, 0.525, 0.45, 0.55, 0.425, 0.575, 0.4, 0.6)  # of the room for the first of two, the most even first


def shared(room: float, gap: float, number: int, letter: Callable[[int, float], Lettered]) -> list[float]:
    """The widths of so many boxes with a gap between; ``letter`` is what stands in one of a width."""
    free = room - gap * (number - 1)
    if number != 2:
        return [free / max(number, 1)] * number

    def cost(widths: Sequence[float]) -> tuple[int, int, float]:
        boxes = [letter(i, width) for i, width in enumerate(widths)]
        return -sum(map(_has_formula, boxes)), sum(map(_bad_breaks, boxes)), round(max(box.height for box in boxes), 3)

    return min(([first * free, (1 - first) * free] for first in FIRSTS), key=cost)


def _has_formula(lettered: Lettered) -> bool:
    return any(isinstance(piece.value, Expression) for line in lettered.lines for piece in line.pieces)


def _bad_breaks(lettered: Lettered) -> int:
    """Return the number of lines that end within a tight product or within parentheses."""
    texts = ["".join(piece.value for piece in line.pieces if isinstance(piece.value, str)) for line in lettered.lines]
    return sum(line.endswith(DOT) or line.count("(") != line.count(")") for line in texts)
