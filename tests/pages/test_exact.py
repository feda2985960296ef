"""The browser's arithmetic against Python's: counts, closed forms, chains, and what it says of what cannot be."""

from __future__ import annotations

import pytest

from symparams import derive, derive_expression, load
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.factoring import factored
from tests.pages.cases import FAMILIES, WORDS, Case, cases, page_of


@pytest.mark.parametrize("family", FAMILIES)
def test_counts_and_closed_forms_are_those_of_python(node, family):
    drawn = [case for case in cases(family, 80) if case.fault is None]
    assert len(drawn) > 8
    answers = node(data=page_of(family), words=WORDS, cases=[case.asked for case in drawn])
    assert [(each["count"], each["closed"]) for each in answers] == [(case.count, case.closed) for case in drawn]
    assert [set(each["views"]) for each in answers] == [{case.count} for case in drawn]


@pytest.mark.parametrize("family", FAMILIES)
def test_what_cannot_be_is_said_as_python_says_it(node, family):
    drawn = cases(family, 60, faults=True)
    answers = node(data=page_of(family), words=WORDS, cases=[case.asked for case in drawn])
    for case, answer in zip(drawn, answers, strict=True):
        assert answer["count"] == case.count
        assert _says(answer["fault"], case), (answer["fault"], case)
        assert not answer["fault"] or answer["about"] or "no part left" in answer["fault"]


def _says(said: str | None, case: Case) -> bool:
    """Whether it is what Python says, but for how the grammar of a size is explained there."""
    unread = "is not a positive integer or an expression such as 4*h."
    if case.fault is None or said is None:
        return case.fault is said
    return said == case.fault or (unread in said and case.fault.startswith(said))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_sheet_by_blocks_comes_to_the_count(node, family):
    for case in (case for case in cases(family, 8, seed=2) if case.count):
        [answer] = node(data=page_of(family), words=WORDS, cases=[case.asked])
        off = [feature for feature in load(family).features if feature not in case.on]
        values = load(family, include=case.on, exclude=off, **case.given).values
        letters = {letter.name for letter in derive_expression(answer["blocks"]).subject.dimensions}
        named = {letter.name: value for letter, value in values.items() if letter.name in letters}
        assert str(derive_expression(answer["blocks"], **named).total.value) == case.count


@pytest.mark.parametrize("family", ["bert", "llama", "jamba", "deepseek_v3", "mixtral", "deberta_v2"])
def test_what_is_drawn_out_is_what_python_draws_out(node, family):
    model = load(family)
    [answer] = node(data=page_of(family), words=WORDS, cases=[{"given": {}, "on": sorted(model.present)}])
    parts = [share.step.written for share in derive(model).shares]
    assert sorted(answer["parts"]) == sorted(repr(factored(multiply_out(part, model.relations))) for part in parts)


def test_a_chain_goes_from_the_formula_to_its_number(node):
    given = {"V": "30522", "h": "768", "L": "12", "n_heads": "12", "max_pos": "512", "n_types": "2"}
    case = {"given": given, "on": ["biases", "pooler", "segment_embeddings", "tying"]}
    [answer] = node(data=page_of("bert"), words=WORDS, cases=[case])
    steps = dict(map(tuple, answer["steps"]))
    assert answer["count"] == "109482240"
    assert steps["embeddings.token_embedding"] == ["V*h", "30522*768", "23440896"]
    assert steps["encoder.attention"] == [
        "3*(h*h + h) + (h*h + h)",
        "4*h**2 + 4*h",
        "3*(768*768 + 768) + (768*768 + 768)",
        "1771776 + 590592",
        "2362368",
    ]
    assert steps["encoder.feed_forward"][1] == "8*h**2 + 5*h", "since d_ff = 4*h"


def test_a_relation_that_a_value_breaks_is_not_used(node):
    given = {"V": "30522", "h": "768", "L": "12", "n_heads": "12", "max_pos": "512", "n_types": "2", "d_ff": "3000"}
    [answer] = node(data=page_of("bert"), words=WORDS, cases=[{"given": given, "on": ["biases"]}])
    assert dict(map(tuple, answer["steps"]))["encoder.feed_forward"][1] == "2*h*d_ff + h + d_ff"


def test_letters_are_exact_to_forty_digits(node):
    size = str(10**39 + 7)
    given = {"V": size, "h": "64", "L": "3", "n_heads": "1", "max_pos": size, "n_types": "1"}
    [answer] = node(data=page_of("bert"), words=WORDS, cases=[{"given": given, "on": ["segment_embeddings"]}])
    model = load("bert", include=["segment_embeddings"], exclude=["pooler", "tying", "biases"], **given)
    assert answer["count"] == str(model.count())
