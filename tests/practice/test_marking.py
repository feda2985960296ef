"""Marking: what replies are worth, and what is said of them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

import symparams
from symparams.expressions.nodes import Dimension
from symparams.expressions.polynomial import Polynomial
from symparams.models.load import load
from symparams.practice.asking import ask, forms
from symparams.practice.kind import SYMBOLIC, kinds
from symparams.practice.marking import Mark, Outcome, mark, symbols
from symparams.practice.question import Question
from symparams.practice.replies import read

COMPUTED = [kind for kind in kinds().values() if not kind.is_choice]


def marked(question: Question, typed: str) -> Mark:
    return mark(question, read(typed, symbols(question, {}), question.kind.unit))


def of(kind: str, model: str, form: str = "symbolic") -> Question:
    question = ask(kinds()[kind], load(model))
    assert question is not None
    return replace(question, form=next(each for each in kinds()[kind].forms if each.name == form))


def test_a_formula_is_right_in_any_form_and_a_usual_mistake_is_named():
    asked = of("attention.layer", "gpt2")
    for typed in ("4h²+4h", "4h(h+1)", "4*h*h + h*4", "3h(h+1) + h² + h", "(2h+2)(2h)", "(4h³ + 4h²)/h"):
        assert marked(asked, typed).outcome is Outcome.RIGHT, typed
    for typed, mistake in {"4h²": "no-bias", "3h²+3h": "no-output", "4h²+h": "one-bias", "2359296": "no-bias"}.items():
        found = marked(asked, typed)
        assert (found.outcome, found.mistakes) == (Outcome.WRONG, (mistake,)), typed


def test_a_number_for_a_formula_and_a_formula_for_a_number_cost_nothing():
    assert marked(of("attention.layer", "gpt2"), "2362368").outcome is Outcome.NUMBER
    assert marked(of("attention.layer", "gpt2"), "4*768*(768+1)").outcome is Outcome.NUMBER
    assert marked(of("attention.layer", "gpt2", "number"), "4h(h+1)").outcome is Outcome.FORMULA
    assert marked(of("attention.layer", "gpt2"), "3076h - 4h + 0h").outcome is Outcome.WRONG
    assert marked(of("attention.layer", "gpt2"), "3076h").outcome is Outcome.HERE


def test_a_rounded_number_is_right_where_no_mistake_rounds_to_it():
    question = of("attention.layer", "gpt2", "number")
    assert marked(question, "2.36M") == Mark(Outcome.COARSE, mistakes=("no-bias", "one-bias"), digits=3)
    for outcome, replies in {
        Outcome.RIGHT: ("2.3624M", "2,362,400", "236.2368万"),
        Outcome.COARSE: ("2M",),
        Outcome.WRONG: ("2.3625M", "2.3623M"),  # it rounds to 2.3624 M
    }.items():
        assert [marked(question, typed).outcome for typed in replies] == [outcome] * len(replies)


def test_a_number_of_all_digits_is_a_mistake_even_where_it_could_be_rounded():
    question = of("attention.qkv", "gpt2-xl", "number")
    assert marked(question, "7680000").mistakes == ("no-bias",)
    assert marked(question, "7.68M").outcome is Outcome.COARSE


def test_a_step_of_the_tree_says_by_how_much():
    question = of("embeddings.token", "gpt2")
    assert repr(marked(question, "V*h + max_pos*h").difference) == "max_pos*h"
    assert repr(marked(of("embeddings.token", "gpt2", "number"), str(50257 * 768 + 1024 * 768)).difference) == "max_pos*h"
    assert repr(marked(question, "V*h + 3h").difference) == "3*h", "in a few terms that are no step"
    twice = marked(question, "2*V*h")
    assert (twice.difference, twice.off) == (None, 1)
    assert marked(question, "V*h*104/100").off == Fraction(4, 100)


def test_the_whole_count_is_no_letter_where_it_is_the_answer():
    for kind in ("published.gemma-7b", "stacks.t5", "mixtures.total"):
        question = next(each for name in symparams.published_models() if (each := ask(kinds()[kind], load(name))))
        assert ("N" in symbols(question, {})) == (kind == "published.gemma-7b"), kind


def test_what_is_right_in_another_way_costs_no_try():
    for kind, model, form, outcomes in (
        ("cache.token", "mpt-7b", "number", {"512KB": "binary", "512 KiB": "right", "524.288 KB": "right", "510 KB": "wrong"}),
        ("cache.token", "mpt-7b", "symbolic", {"512KB": "binary", "2*L*d_model*e": "right"}),
        ("memory.bf16", "llama-2-7b", "number", {"13.5B": "right", "14GB": "near", "13 GB": "coarse", "12.55 GB": "binary"}),
        ("memory.bf16", "llama-2-7b", "estimate", {"13 GB": "right", "14GB": "near", "14.1 GB": "wrong"}),
        ("training.states", "gpt2", "number", {"12 B": "right", "16 B": "wrong"}),
        ("memory.cards", "deepseek-v3", "number", {"8.39": "up", "9 GPUs": "right", "10": "wrong", "10 cards": "wrong"}),
        ("embeddings.token-share", "llama-3-8b", "estimate", {"V*h/N": "fraction", "100Vh/N": "formula"}),
        ("attention.layer", "gpt2", "symbolic", {"2.36M": "number", "$4h^2+4h$": "right", "4 d_model² + 4 d_model": "right"}),
        ("gqa.attention", "llama-3-8b", "symbolic", {"2h(n_heads + n_kv)d_head": "right"}),
        ("embeddings.rotary", "llama-7b", "number", {"none": "right"}),
    ):
        for typed, outcome in outcomes.items():
            assert marked(of(kind, model, form), typed).outcome == outcome, (kind, typed)
    found = marked(of("cache.token", "mpt-7b", "number"), "512KB")
    assert (found.counted, found.binary) == (512_000, "KiB")


def test_an_estimate_says_how_far_off_it_is():
    question = of("gqa.two-savings", "llama-3-8b", "estimate")
    assert marked(question, "1.6").outcome is marked(question, "160%").outcome is Outcome.RIGHT
    found = marked(question, "1.62")
    assert (found.outcome, found.off) == (Outcome.RIGHT, Fraction(1, 80))
    assert marked(question, "4").mistakes == ("kv-only-shrink",)


ASKED = [question for kind in COMPUTED if (question := ask(kind, load("gpt2"))) is not None]
GPT2 = [replace(each, form=form) for each in ASKED for form in forms(each) if form.name == SYMBOLIC]
SIGNS, POWERS = st.sampled_from(["*", "·", " × ", " "]), st.sampled_from(["^", "**", "times"])


@st.composite
def rewritten(draw: st.DrawFn, polynomial: Polynomial) -> str:
    """A formula that multiplies out to a polynomial: terms and factors in any order, coefficients cut in two, brackets."""
    terms = []
    for monomial, coefficient in draw(st.permutations(list(polynomial.terms.items()))):
        part = draw(st.integers(-5, 5))
        terms += [f"({each})" + draw(SIGNS) + draw(factors(monomial)) for each in (coefficient - part, part) if monomial]
        terms += [] if monomial else [str(coefficient)]
    cut = draw(st.integers(0, len(terms)))
    sides = [" + ".join(part) for part in (terms[:cut], terms[cut:]) if part]
    return " + ".join(f"({side})" for side in sides) + draw(
        st.sampled_from(["", " + h − h", "(h+1)/(h+1)"] if len(sides) == 1 else [""])
    )


@st.composite
def factors(draw: st.DrawFn, monomial: tuple[tuple[Dimension, int], ...]) -> str:
    written = []
    for letter, power in draw(st.permutations(monomial)):
        sign = draw(POWERS)
        if power < 0:
            written.append(f"(1/{letter.name}**{-power})")
        elif sign == "times":
            written += [letter.name] * power
        else:
            written.append(letter.name + (f"{sign}{power}" if power > 1 else ""))
    return draw(SIGNS).join(written)


@given(st.data(), st.sampled_from(GPT2))
def test_any_equivalent_formula_is_right_and_no_other(data: st.DataObject, question: Question) -> None:
    assert marked(question, data.draw(rewritten(question.polynomial))).outcome is Outcome.RIGHT
    other = data.draw(st.sampled_from(list(question.polynomial.terms)))
    more = Polynomial({other: data.draw(st.integers(1, 9))})
    assert marked(question, data.draw(rewritten(question.polynomial + more))).outcome is not Outcome.RIGHT
