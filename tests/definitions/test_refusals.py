"""What cannot be is refused in one line that names it, whoever writes it, and never counted as something else."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from symparams import (
    Architecture,
    Component,
    Feature,
    Published,
    Tensor,
    always,
    attention,
    block,
    embedding,
    features,
    feed_forward,
    linear,
    load,
    mixture_of_experts,
    rms_norm,
    with_query_key_norms,
    with_selection_norms,
)
from symparams.components.kinds import Kind, Role, Use
from symparams.expressions.nodes import Dimension, Expression, Number
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads
from tests.refusals import refusal

r = Dimension("r")
OTHER = Kind("other", Role.OTHER)


def nested(levels: int) -> Component:
    tree = linear(h, h, bias=False)
    for _ in range(levels):
        tree = block(inner=tree)
    return tree


def deep(levels: int) -> Expression:
    formula: Expression = h
    for _ in range(levels):
        formula = 1 + 2 * formula
    return formula


def deep_sympy() -> sympy.Expr:
    formula = sympy.Symbol("h")
    for _ in range(3_000):
        formula = sympy.Add(1, sympy.Mul(2, formula, evaluate=False), evaluate=False)
    return formula


def tiny(**parts: object) -> Architecture:
    return Architecture("tiny", **parts)


def published(values: object) -> Architecture:
    return Architecture("tiny", low=linear(h, h), models={"small": values})


REFUSED = [
    # sizes
    (lambda: 1.5 * h, "'1.5' is a float, not a size: write an integer, a letter or sympy."),
    (lambda: h + None, "'None' is a NoneType, not a size: write an integer, a letter or sympy."),
    (lambda: features.pooler * L, "'pooler' is a Feature, not a size: write pooler * (L * linear(h, h))."),
    (lambda: h**-1, "(h)**'-1': an exponent is a whole number from 0; for less divide."),
    (lambda: 2**h, "'2'**h: an exponent is a whole number, not a dimension."),
    (lambda: sympy.sqrt(sympy.Symbol("h")) * h, "'sqrt(h)' has the exponent 1/2: an exponent is an integer."),
    (lambda: h + sympy.sin(sympy.Symbol("h")), "'sin(h)' is sympy's sin: a size holds exact numbers, letters"),
    (lambda: h * sympy.Float(2.5), "'2.50000000000000' is sympy's Float: a size holds exact numbers, letters"),
    (lambda: Number(1.5), "'1.5' is not an exact integer: write 3, or a fraction of two integers."),
    (lambda: tiny(low=linear(h, 0)),
     "tiny: low has a side of 0: write a whole number from 1, or an expression in letters."),
    (lambda: tiny(low=-1 * linear(h, h)),
     "tiny: low is repeated -1 times: write a whole number from 1, or an expression in letters."),
    (lambda: tiny(low=h * (0 * linear(h, h))),
     "tiny: low is repeated h*0 times: write a whole number from 1, or an expression in letters."),
    (lambda: load(tiny(low=linear(h, h - 5)), h=5), "low: h - 5 is less than 1 for h = 5: choose other values."),
    (lambda: load(tiny(low=linear(h, Fraction(3, 2) * h)), h=5), "h = 5"),
    # as large as no model is
    (lambda: linear(h, deep(1_000)),
     "A formula is nested deeper than 120 levels or longer than 20,000 signs: write it flatter."),
    (lambda: linear(h, deep_sympy()), "A Add of sympy's is nested too deeply: write it flatter."),
    (lambda: linear(h, h**10**9),
     "A formula multiplies out to more than 4,000 terms or 4,000 digits: write a smaller one."),
    (lambda: tiny(low=L * block(low=10**3_900 * linear(h, 10**90))),
     "tiny: A formula multiplies out to more than 4,000 terms"),
    (lambda: tiny(low=nested(300)), "tiny: the tree is nested deeper than 50 levels: write it flatter."),
    # gates
    (lambda: linear(h, h, bias="no"), "'no' is a str, not a gate: write True, False or a feature."),
    (lambda: Feature("a b"), "'a b' is not the name of a feature: write letters, digits and _."),
    # ties
    (lambda: linear(h, h, tied_to=linear(h, h)), "a text in tied_to"),
    (lambda: tiny(table=embedding(V, h), head=linear(h, V, tied_to="tabel")),
     "tiny: head is tied to 'tabel', which does not exist. Did you mean 'table'?"),
    (lambda: tiny(inner=block(table=embedding(V, h)), head=linear(h, V, tied_to="inner")),
     "tiny: head is tied to inner, which has no tensor of its own: tie it to a part with a tensor."),
    (lambda: tiny(one=linear(h, V, tied_to="two"), two=linear(h, V, tied_to="one")),
     "tiny: one is tied in a circle, to two: tie it to a part with a tensor of its own."),
    (lambda: tiny(e=block(features.pooler * block(t=embedding(V, h)), ~features.pooler * block(t=embedding(V, r))),
                  head=linear(h, V, tied_to="e.t")),
     "tiny: head, h*V, is tied to e.t, V*r: only tensors of equal size can be tied."),
    # one letter for two things
    (lambda: tiny(low=linear(Dimension("q"), Dimension("q", r"\theta"))),
     r"tiny: two letters are called q, printed as q and as \theta: rename one."),
    (lambda: tiny(one=attention(h, n_heads), two=attention(r, n_heads)),
     "tiny: d_head is r/n_heads and h/n_heads: give one of the two a letter of its own."),
    (lambda: Architecture("tiny", low=attention(h, n_heads), relations={d_head: h}),
     "tiny: d_head is h/n_heads and h: give one of the two a letter of its own."),
    (lambda: Architecture("tiny", low=linear(h, d_ff), laws=[always(d_ff, h), always(d_ff, 2 * h)]),
     "tiny: d_ff is 2*h and h: give one of the two a letter of its own."),
    (lambda: attention(h, n_heads, d_head=64),
     "n_heads heads of size 64 do not add up to h: leave d_head out, or write wide_attention(…)."),
    (lambda: with_query_key_norms(linear(h, h), rms_norm(h), rms_norm(h)), "linear has no queries and keys to norm"),
    (lambda: with_selection_norms(linear(h, h), *3 * [rms_norm(h)]), "linear has no Δ, B and C to norm"),
    # records
    (lambda: Component(OTHER, body=[("low", linear(h, h))]), "A component needs a Kind and a tuple of tensors"),
    (lambda: Tensor("weight", (h, h), None), "A tensor needs a Use"),
    (lambda: tiny(low=Component(OTHER, tensors=(Tensor("gain", (h,), Use.GAIN),), body=(("in", linear(h, h)),))),
     "tiny: low has both tensors and parts: move the tensors into a part of their own."),
    (lambda: tiny(low=Component(Kind("mine", Role.BLOCK), tensors=(Tensor("gain", (h,), Use.GAIN),))),
     "tiny: low is a block with tensors of its own: give its kind another role, Role.OTHER."),
    (lambda: Dimension("q", "q\x1b[2J"), "'q\N{REPLACEMENT CHARACTER}[2J' is not LaTeX for q"),
    (lambda: Kind("a\nb", Role.OTHER), "'a\N{REPLACEMENT CHARACTER}b' is not the name of a kind: write a text of one line."),
    (lambda: tiny(low=linear(h, h / (h + 1))), "tiny: low has a side of h/(h + 1), which divides by zero or by a sum."),
    # an architecture's own arguments
    (lambda: Architecture("mine"), "give a tree, or its parts by name"),
    (lambda: Architecture("mine", low=3), "is a int, and a part is a component"),
    (lambda: block(2 * feed_forward(h, d_ff)), "needs a name"),
    (lambda: Architecture("tiny", tree=linear(h, d_ff), relations={4 * h: d_ff}),
     "is not a single letter: only a letter can have a relation"),
    (lambda: Architecture("tiny", title=linear(h, h), low=linear(h, h)),
     "tiny: a part cannot be called title here: write tree=block(title=…)."),
    (lambda: Architecture("tiny", low=linear(h, h), relations=[(d_ff, h)]),
     "is not a mapping: write relations={d_ff: 4 * h}."),
    (lambda: Architecture("tiny", low=linear(h, h), relations={"d_ff": 4 * h}), "'d_ff' is a text, not a letter"),
    (lambda: Architecture("tiny", low=linear(h, h), relations={d_ff: h / 0}), "tiny: d_ff = h/0 divides by zero."),
    (lambda: Architecture("tiny", low=linear(h, h), source=3), "tiny: source = '3' is not a text of one line."),
    (lambda: Architecture("tiny", low=linear(h, h), has="tying"),
     "has = 'tying' is not a list of features: write has=[features.tying]."),
    (lambda: Architecture("tiny", low=linear(h, h), has=[features.biases]),
     "tiny: has gives biases, but nothing in the tree depends on it: write biases * linear(h, h) "
     "or bias=biases, or leave it out."),
    (lambda: Architecture("tiny", low=linear(h, h), has=[features.tying, ~features.tying]),
     "tiny: has gives both tying and ~tying: leave one of them out."),
    (lambda: Architecture("tiny", low=linear(h, h), laws=["d_ff = h"]), "is not a list of laws"),
    # published models
    (lambda: published({h: "3"}), "'3' is a str, not a size: write an integer, a letter or sympy."),
    (lambda: published({h: True}), "h of a published model: 'True' is a bool"),
    (lambda: published({h: 0}), "h = '0' of a published model is not a positive integer."),
    (lambda: published({h: 4 * r}), "h = '4*r' of a published model is not a positive integer."),
    (lambda: published({h: 3, sympy.Symbol("h"): 4}), "h is given twice to a published model: give it once."),
    (lambda: published({"h": 3}), "'h' is a text, not a letter: write symbols.h or sympy.Symbol('h')."),
    (lambda: published({V: 3}), "tiny: small gives V, which is not there. Known: h"),
    (lambda: published([3]), "'[3]' does not hold the values of a published model: write {h: 768, L: 12}."),
    (lambda: published(Published({h: 3}, "", include=(features.pooler,))), "small gives pooler, which is not there"),
    (lambda: Published({h: 3}, "", include=("biases",)), "include = 'biases' is not a list of features"),
    (lambda: Architecture("tiny", low=linear(h, h), models={"a\nb": {h: 3}}), "is not the name of a published model"),
    # laws between numbers
    (lambda: load(tiny(part=mixture_of_experts(h, 4, 5, r)), h=4, r=2), "5 is more than 4: choose a smaller one."),
    (lambda: load(tiny(part=attention(h, 5, 2, 8)), h=4), "5/2 is not an integer: choose values that divide."),
    (lambda: load(tiny(part=attention(h, n_heads, n_heads / 2, 8)), h=4, n_heads=3),
     "n_heads/2 is not an integer for n_heads = 3"),
]  # fmt: skip


def test_what_cannot_be_is_refused():
    for define, said in REFUSED:
        told = refusal(define)
        assert told.endswith(said) if said.endswith(".") else said in told, said
    with pytest.raises(TypeError):  # of Python's errors a wrong size is one too
        linear(h, 1.5)
    assert load(tiny(low=nested(49)), h=2).count() == 4  # the deepest


def test_sizes_of_a_published_model_may_be_sympys():
    family = Architecture("tiny", low=linear(h, h, bias=False), models={"small": {sympy.Symbol("h"): sympy.Integer(3)}})
    assert dict(family.models["small"].values) == {h: 3}


def test_values_that_part_two_tied_matrices_are_refused():
    family = Architecture("tiny", table=embedding(V, h), head=linear(r, V, bias=False, tied_to="table"), relations={r: h})
    assert load(family, V=5, h=2).count() == load(family, V=5, h=2, r=2).count() == 10
    assert load(family, exclude=["tying"], V=5, h=2, r=3).count() == 10 + 15
    assert "head, r*V, is tied to table, V*h, which these values make another size" in refusal(load, family, V=5, h=2, r=3)


def test_a_tie_goes_on_to_what_its_owner_is_tied_to():
    family = tiny(
        table=embedding(V, h),
        middle=features.pooler * linear(h, V, bias=False, tied_to="table"),
        head=linear(h, V, bias=False, tied_to="middle"),
    )
    assert load(family, V=5, h=2).count() == load(family, include=["pooler"], V=5, h=2).count() == 10


def test_layers_that_take_turns_in_two_ways_are_as_many_in_both():
    """Jamba's 32 layers: 4 attend and 28 have a state space, 16 have experts and 16 none."""
    told = refusal(load, "jamba-v0.1", L_moe=8)
    assert told == "L_attn + L_mamba = 32 is not L_dense + L_moe = 24: choose values that agree."
    assert load("jamba-v0.1", L_moe=8, exclude=["attention_layers"]).values  # nothing is asked of what is not all there
    fewer = load("jamba-v0.1", L_moe=8, L_dense=24)
    assert load("jamba-v0.1").count() - fewer.count() == 8 * (15 * 3 * 4_096 * 14_336 + 16 * 4_096)
