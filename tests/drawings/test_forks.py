"""Forks: a dot where a wire goes more than one way, and nowhere else."""

from __future__ import annotations

import pytest

from symparams.drawings.layout.forks import dotted
from symparams.drawings.marks import Stroke, Wire

UP = ((0, 40), (0, 0))


@pytest.mark.parametrize(
    ("wires", "dots"),
    [
        ([Wire(UP), Wire(((0, 20), (20, 20), (20, 0)))], [(0, 20)]),  # what leaves a wire on its way
        (
            [Wire(((0, 40), (0, 20), (20, 20), (20, 0))), Wire(((0, 40), (0, 20), (-20, 20), (-20, 0)))],
            [(0, 20)],
        ),  # to both sides
        ([Wire(UP), Wire(((20, 40), (20, 20), (0, 20)), arrow=False), Wire(((0, 20), (0, 0)))], []),  # what joins one
        ([Wire(UP), Wire(((-20, 20), (20, 20)))], []),  # what crosses one
        ([Wire(((0, 40), (0, 20)), arrow=False), Wire(((0, 20), (20, 20)))], []),  # what goes on
        ([Wire(UP), Wire(((0, 20), (20, 20)), Stroke.TIED)], []),  # what carries nothing
    ],
)
def test_where_the_dots_are(wires: list[Wire], dots: list[tuple[float, float]]) -> None:
    assert [mark.points[0] for mark in dotted(wires) if isinstance(mark, Wire) and mark.dot] == dots


def test_a_wire_that_turns_at_a_fork_is_not_round_there() -> None:
    turned = Wire(((0, 40), (0, 20), (20, 20), (20, 0)))
    below, above = [mark for mark in dotted([Wire(UP), turned]) if isinstance(mark, Wire)][1:]
    assert (below.points, below.arrow) == (((0, 40), (0, 20)), False)
    assert (above.points, above.arrow, above.dot) == (((0, 20), (20, 20), (20, 0)), True, True)
