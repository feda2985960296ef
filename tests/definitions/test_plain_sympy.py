"""A definition written in plain sympy is the one written with the project's letters."""

from __future__ import annotations

import re
from fractions import Fraction

import sympy
from hypothesis import event, given, settings
from hypothesis import strategies as st

from symparams import Architecture, Model, SymparamsError, block, derive, linear, render
from symparams.expressions.nodes import Dimension, as_expression
from symparams.models.load import load_with
from tests.definitions.strategies import NAMES
from tests.refusals import refusal
from tests.strategies import expressions


def model(size: object, values: dict[str, int]) -> Model | str:
    """The model of a definition with this size, or why there is none."""
    try:
        family = Architecture("tiny", layers=2 * block(low=linear(size, 3, bias=False)), relations={sympy.Symbol("zz"): size})
        own = {dimension.name for dimension in family.dimensions}
        return load_with(family, {name: value for name, value in values.items() if name in own})
    except SymparamsError as error:
        return type(error).__name__


SIZES = expressions([Dimension(name) for name in NAMES], divided=True, rounded=True)
values = st.fixed_dictionaries({name: st.integers(1, 12) for name in NAMES})


@given(size=SIZES, values=values)
@settings(max_examples=60, deadline=None)
def test_both_ways_of_writing_count_the_same_and_have_one_closed_form(size, values):
    nodes, plain = model(size, values), model(sympy.sympify(size), values)
    if isinstance(nodes, str) or isinstance(plain, str):
        # sympy may cancel what the nodes keep, h/2 × 2, or a letter that the other has: then only a value tells them apart
        event("refused")
        assert isinstance(nodes, str)
        return
    assert nodes.count() == plain.count()
    written = sympy.sympify(size).subs({sympy.Symbol(name): value for name, value in values.items()})
    assert nodes.count() == 6 * written
    assert nodes.polynomial().terms == plain.polynomial().terms or size.dimensions


@given(size=SIZES, values=values, format=st.sampled_from(["text", "latex", "markdown", "json"]))
@settings(max_examples=60, deadline=None)
def test_where_sympy_keeps_the_order_the_sheets_are_the_same(size, values, format):  # noqa: A002 - as in render
    if as_expression(sympy.sympify(size)) != size:
        event("sympy writes it in another order")
        return
    nodes, plain = model(size, values), model(sympy.sympify(size), values)
    if isinstance(nodes, str) or isinstance(plain, str):
        assert nodes == plain
        return
    assert render(derive(nodes), format) == render(derive(plain), format)
    assert render(derive(nodes.symbolic()), format) == render(derive(plain.symbolic()), format)


def test_sympy_is_read_as_sympy_writes_it_or_refused_by_its_name():
    x, L = sympy.symbols("h L")
    for plain, said in (
        (12 * x * L, "12*L*h"),  # sympy's own order
        (sympy.Mul(x, L, 12, evaluate=False), "h*L*12"),  # as it was written
        (sympy.Add(x, x, evaluate=False), "h + h"),
        (sympy.Symbol("h", positive=True) + sympy.Symbol("h", integer=True), "h + h"),  # a letter is its name
        (sympy.S.One / 2, "1/2"),
        (x / 2, "h/2"),
        (-x, "-h"),
        (x - 5, "h - 5"),
        (5 - x, "5 - h"),
        (sympy.Symbol("lambda") ** -2, "1/lambda**2"),
    ):
        assert repr(as_expression(plain)) == said
    no_size = [sympy.Dummy("h"), sympy.Wild("h"), sympy.Indexed("a", 1), sympy.nan, sympy.oo, sympy.I, sympy.pi, sympy.E,
               sympy.true, sympy.Symbol("a b"), sympy.Max(1, x), x > 1]  # fmt: skip
    for value in no_size:
        assert re.search(r"sympy's|is not the name of a letter", refusal(linear, value, 3))


def test_a_value_may_be_a_fraction_or_sympy_and_an_error_names_its_letter():
    family = Architecture("tiny", low=linear(sympy.Symbol("h"), sympy.Symbol("r"), bias=False))
    assert load_with(family, {"h": sympy.Integer(4), "r": 2 * sympy.Symbol("h")}).count() == 32
    assert load_with(family, {"h": Fraction(8, 2), "r": sympy.S(1) / 2 * sympy.Symbol("h")}).count() == 8
    assert refusal(load_with, family, {"h": 4, "r": sympy.nan}).startswith("r = 'nan' is not a positive integer")
