"""The formats agree: the same integers, whatever the language, the columns, the width."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparams import derive, load, render
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Negative, Product, Size, Sum
from symparams.expressions.printing.form import spread
from symparams.sheets.document import Equation, Table
from symparams.sheets.whole import whole
from tests.strategies import expressions

from .conftest import SHEETS, WAYS, derivation

RAISED, SUPERSCRIPTS = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+"), str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
LAYOUT = {"100", "9000", "9500", "10000"}  # of TeX and Typst, not of a model


def integers(sheet: str) -> list[str]:
    """The integers of a sheet, digits grouped or not, raised or not."""
    plain = RAISED.sub(lambda match: f"^{match[0].translate(SUPERSCRIPTS)}", sheet)
    return re.findall(r"\d+", re.sub(r"(?<=\d)(?:\{,\}|,)(?=\d{3})", "", plain))


FEW = [("deepseek-v3", "en"), ("t5-small", "en"), ("bert-base-uncased", "zh")]


@pytest.mark.parametrize("sheets", [FEW, pytest.param(SHEETS, marks=pytest.mark.sweep)], ids=["few", "all"])
def test_every_format_has_the_same_integers(sheets: list[tuple[str, str]]) -> None:
    """Where a line is too narrow, columns go and brackets are multiplied out: a part of a paper has some, and no other."""
    for (target, language), (view, attention) in zip(sheets, WAYS * 5, strict=False):
        derived = derivation(target, attention, view)
        text = integers(render(derived, "text", language=language, width=10_000))
        for flavor in ("pandoc", "github"):
            assert sorted(integers(render(derived, "markdown", language=language, flavor=flavor))) == sorted(text), target
        steps = {str(step.value) for step in derived.walk() if step.value and step.value > 999} & set(text)
        assert len(steps) > 5 or derived.total.value is None, target
        for kind, columns in product(("latex", "typst"), (1, 2)):
            part = integers(render(derived, kind, language=language, columns=columns, standalone=False))
            assert steps <= {number for number in part if len(number) > 2} <= {*text, *LAYOUT}, (target, kind, columns)


@given(st.lists(expressions(), min_size=2, max_size=3).map(tuple), expressions(), st.booleans())
def test_brackets_that_are_multiplied_out_keep_their_value(terms, factor, is_tight):
    product = Product((factor, Sum((*terms, Negative(factor)))))
    term = Size(product) if is_tight else product
    assert multiply_out(Sum(spread(term)), {}) == multiply_out(term, {})


def test_a_table_holds_what_it_counts_not_what_is_printed():
    for target in ["bloom-1b4-zh", "deepseek-v3"]:
        document = whole(derivation(target))
        tables = {block.key: block for section in document.sections for block in section.blocks if isinstance(block, Table)}
        assert [row[2] for row in tables["shares"].rows] == [
            *(s.step.value for s in derivation(target).shares),
            load(target).count(),
        ]
        assert tables["shares"].rows[0][1] == derivation(target).shares[0].step.closed


def test_a_document_is_the_same_for_every_format() -> None:
    document = whole(derive(load("gpt2")))
    chains = [block.chain for section in document.sections for block in section.blocks if isinstance(block, Equation)]
    assert chains[0][0].content == derive(load("gpt2")).sections[0].steps[0].written
    assert {kind: render(document, kind) for kind in ("text", "latex", "markdown", "json")} == {
        kind: render(derive(load("gpt2")), kind) for kind in ("text", "latex", "markdown", "json")
    }
