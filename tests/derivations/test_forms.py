"""Both forms of a closed form are one polynomial, factoring changes none, and the parts of a brief make up the count."""

from __future__ import annotations

import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from symparams.derivations.parts import parts
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.factoring import MOST_TERMS, factored, gathered
from symparams.expressions.nodes import Dimension
from symparams.expressions.polynomial import Polynomial, added
from symparams.expressions.symbols import DIMENSIONS, V, d_expert, d_ff, h, n_experts, n_shared
from symparams.quantities.parameters import ACTIVE, PARAMETERS
from tests.strategies import models

quantities = st.sampled_from((PARAMETERS, ACTIVE))


@st.composite
def polynomials(draw: st.DrawFn) -> Polynomial:
    """Sums of up to so many terms as are factored, in a few letters, so that many terms share some."""
    letters = draw(st.lists(st.sampled_from(DIMENSIONS), min_size=1, max_size=5, unique=True))
    numbers = st.integers(-30, 30).filter(bool)
    powers = st.lists(st.integers(0, 3), min_size=len(letters), max_size=len(letters))
    terms = draw(st.lists(st.tuples(powers, numbers), min_size=1, max_size=MOST_TERMS + 2))
    return added([_term(letters, exponents, number) for exponents, number in terms])


def _term(letters: list[Dimension], powers: list[int], number: int) -> Polynomial:
    term = Polynomial({(): number})
    for letter, power in zip(letters, powers, strict=True):
        term *= multiply_out(letter, {}) ** power
    return term


@settings(max_examples=25)
@given(polynomials())
def test_what_is_factored_or_gathered_is_the_same_polynomial(polynomial):
    assert multiply_out(factored(polynomial), {}) == multiply_out(gathered(polynomial), {}) == polynomial


def test_what_several_terms_share_is_drawn_out_and_like_terms_are_gathered():
    assert repr(factored(multiply_out(h * V + h * d_ff + 2 * h, {}))) == "h*(V + d_ff + 2)"
    experts = 3 * n_experts * h * d_expert + 3 * n_shared * h * d_expert + h * n_experts
    assert repr(gathered(multiply_out(experts, {}))) == "3*h*d_expert*(n_experts + n_shared) + n_experts*h"


@settings(max_examples=50)
@given(models(), quantities)
def test_both_forms_are_one_polynomial_and_its_parts_make_it_up(model, quantity):
    for names in (None, {}):
        blocks = model.blocks(quantity, names=names)
        assert multiply_out(blocks.formula, model.relations) == model.polynomial(quantity)
        assert names is None or blocks.named == ()
    of_model = parts(model)
    steps = [part.active if quantity is ACTIVE else part.every for part in of_model]
    assert added([step.polynomial for step in steps] or [Polynomial({})]) == model.polynomial(quantity)
    assert sum(step.value for step in steps) == model.evaluate(model.formula(quantity))
    assert sum(part.share for part in of_model if part.share is not None) == (1 if model.count() else 0)
    assert all(part.one.value * part.copies.value == part.every.value for part in of_model)
    assert sympy.expand(model.closed_form(form="blocks") - model.closed_form()) == 0
