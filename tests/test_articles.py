"""Five hand-worked articles: every figure that they give is in a sheet, in their order, in a step that means the same."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import sympy

from symparams import derive, derive_expression, load
from symparams.derivations.derivation import Derivation
from symparams.derivations.steps import Step
from symparams.expressions.notation import BY_KEY
from symparams.expressions.parsing import parse
from symparams.expressions.sympy_forms import to_sympy

HERE = Path(__file__).parent
ARTICLES = tomllib.loads((HERE / "articles" / "figures.toml").read_text(encoding="utf-8"))["article"]


def derivation_of(article: dict) -> Derivation:
    model = load(article["target"], exclude=article["exclude"])
    return derive(model, view=article["view"], attention=article["attention"])


def steps_of(derivation: Derivation) -> Iterator[Step]:
    yield from derivation.walk()
    for convention in derivation.conventions:
        yield convention.result


def mean_the_same(step: Step, written: str, derivation: Derivation) -> bool:
    """Whether sympy proves the article's expression and the step's to be equal, with the model's values put in."""
    values = {dimension.symbol: value for dimension, value in derivation.model.values.items()}
    theirs = to_sympy(parse(written, BY_KEY)).xreplace(values)
    return sympy.expand(theirs - to_sympy(step.written).xreplace(values)) == 0


@pytest.mark.parametrize("article", ARTICLES, ids=lambda article: article["name"])
def test_every_figure_is_in_the_sheet_in_the_articles_order(article):
    derivation = derivation_of(article)
    steps = steps_of(derivation)
    for figure in article["figures"]:
        step = next((step for step in steps if step.value == figure["value"]), None)
        assert step is not None, f"{figure['what']} = {figure['value']:,} does not follow in the sheet"
        if "written" in figure:
            assert mean_the_same(step, figure["written"], derivation), figure["what"]


# The fifth article has formulas for a generic Transformer without biases, in the words of a config.
FORMULAS = {
    "token embedding": "vocab_size * hidden_size",
    "one head": "3 * hidden_size * head_dim",
    "all heads": "num_attention_heads * 3 * hidden_size * head_dim",
    "attention output": "num_attention_heads * head_dim * hidden_size",
    "feed-forward": "hidden_size*4*hidden_size + 4*hidden_size*hidden_size",
    "layer norm": "2 * hidden_size",
    "output layer": "hidden_size * vocab_size",
}


def test_the_generic_formulas_are_steps():
    derivation = derive(load("gpt3", exclude=["biases", "tying"]), attention="per-head")
    relations = {dimension.symbol: to_sympy(value) for dimension, value in derivation.model.relations.items()}
    steps = {sympy.expand(to_sympy(step.written).xreplace(relations)) for step in derivation.walk()}
    for name, formula in FORMULAS.items():
        assert sympy.expand(to_sympy(parse(formula, BY_KEY)).xreplace(relations)) in steps, name


def test_fixed_positions_count_nothing_and_the_sheet_says_why():
    steps = {step.name: step for step in derive(load("transformer")).walk()}
    assert steps["positions"].value == 0
    assert steps["positions"].notes[0].keys == ("absent.sinusoidal",)


def test_one_line_sums_are_worked_out_as_they_stand():
    line = "V*h + 2*h + 512*h + 2*h + (4*h*h + 4*h + h*4*h + 4*h + 4*h*h + h + 2*2*h)*L + h*h + h"
    derivation = derive_expression(line, V=21_128, h=768, L=12)
    assert derivation.total.value == 102_267_648
    assert derivation.total.written == parse(line, BY_KEY)
