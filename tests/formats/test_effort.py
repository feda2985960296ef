"""Setting a long formula is an effort that grows with its length, not with its square nor with its depth."""

from __future__ import annotations

import sys

import pytest

from symparams import derive_expression, render
from symparams.expressions.parsing import DEEPEST_NESTING, MOST_CHARACTERS

DEPTH = DEEPEST_NESTING - 10


def nested(terms: int, depth: int) -> str:
    """A sum within so many brackets: h·(h·(… (V·L + V·L + …)))."""
    return "h*(" * depth + "+".join(["V*L"] * terms) + ")" * depth


def effort(expression: str, kind: str) -> int:
    """How many functions Python calls to set an expression's sheet, which no other program on the machine changes."""
    derivation, calls = derive_expression(expression), 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        render(derivation, kind)
    finally:
        sys.setprofile(None)
    return calls


@pytest.fixture(autouse=True)
def prepared() -> None:
    """What is read and compiled once is no effort of a formula."""
    for kind in ("latex", "markdown", "text"):
        render(derive_expression("h"), kind)


@pytest.mark.parametrize("kind", ["latex", "markdown", "text"])
def test_brackets_around_a_long_sum_are_no_effort(kind):
    assert effort(nested(700, DEPTH), kind) < 2 * effort(nested(700, 0), kind)


@pytest.mark.parametrize("kind", ["latex", "markdown", "text"])
@pytest.mark.parametrize("depth", [0, DEPTH])
def test_twice_as_long_is_twice_the_effort(kind, depth):
    assert len(nested(700, depth)) < MOST_CHARACTERS
    assert effort(nested(700, depth), kind) < 2.5 * effort(nested(350, depth), kind)


@pytest.mark.parametrize("kind", ["latex", "markdown", "text"])
def test_many_terms_of_a_product_are_an_effort_each(kind):
    """Two sums of n terms have n·n when multiplied out: 3,600 is nearly as many as there may be."""
    few, many = (f"({sums(n, 'V', 'h')})*({sums(n, 'L', 'd_ff')})" for n in (30, 60))
    assert effort(many, kind) < 5 * effort(few, kind)


def sums(number: int, first: str, second: str) -> str:
    return "+".join(f"{first}**{i % 8 + 1}*{second}**{i // 8 + 1}" for i in range(number))
