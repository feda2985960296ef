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
def test_the_effort_grows_with_the_length(kind):
    """Brackets around a long sum are no effort; twice as many terms are at most two and a half times the effort."""
    assert len(nested(700, DEPTH)) < MOST_CHARACTERS
    flat, deep = (effort(nested(700, depth), kind) for depth in (0, DEPTH))
    assert deep < 2 * flat
    assert flat < 2.5 * effort(nested(350, 0), kind)
    assert deep < 2.5 * effort(nested(350, DEPTH), kind)


def test_many_terms_of_a_product_are_an_effort_each():
    """Two sums of n terms have n·n when multiplied out, twice as many four times: 1,600 terms."""
    few, many = (f"({sums(n, 'V', 'h')})*({sums(n, 'L', 'd_ff')})" for n in (20, 40))
    for kind in ("latex", "text"):
        assert effort(many, kind) < 5 * effort(few, kind), kind


def sums(number: int, first: str, second: str) -> str:
    return "+".join(f"{first}**{i % 8 + 1}*{second}**{i // 8 + 1}" for i in range(number))
