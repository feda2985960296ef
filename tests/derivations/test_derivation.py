"""Derivations: every view of every model works the same count out, step by provable step."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import product

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from symparams import architectures, derive, load, render
from symparams.derivations import views
from symparams.derivations.layers import FUSED, PER_HEAD
from symparams.derivations.steps import StepKind
from symparams.errors import OptionError, SymparamsError
from symparams.expressions.printing import plain
from symparams.expressions.sympy_forms import to_sympy
from symparams.expressions.written import evaluate, substitute
from tests.strategies import models
from tests.sweeps import TARGETS, swept

ways = st.tuples(st.sampled_from(views.names()), st.sampled_from((FUSED, PER_HEAD)))


def relations_of(model):
    return {dimension.symbol: to_sympy(value) for dimension, value in model.relations.items()}


def with_relations(expression, model):
    """A sympy expression with the model's relations put in until none is left."""
    relations = relations_of(model)
    for _ in relations:
        expression = expression.xreplace(relations)
    return sympy.expand(expression)


@given(models(), ways)
def test_every_view_comes_to_the_same_closed_form_and_count(model, way):
    view, attention = way
    derivation = derive(model, view=view, attention=attention)
    assert derivation.total.polynomial == model.polynomial()
    assert derivation.total.value == model.count()


@pytest.mark.parametrize("family", architectures())
def test_no_feature_of_any_family_is_lost_in_a_view(family):
    """Each feature alone, and all but it: a part that a view forgets, or counts twice, would change the closed form."""
    names = list(load(family).features)
    choices = [{}, *({"include": [name]} for name in names), *({"exclude": [name]} for name in names), {"include": names}]
    for choice in choices:
        with suppress(OptionError):  # no part left
            model = load(family, **choice).symbolic()
            for view, attention in product(views.names(), (FUSED, PER_HEAD)):
                assert derive(model, view=view, attention=attention).total.polynomial == model.polynomial(), (choice, view)


@given(models(bound=False), ways)
def test_every_step_is_written_as_what_its_closed_form_says(model, way):
    for step in derive(model, view=way[0], attention=way[1]).walk():
        assert with_relations(to_sympy(step.written) - step.closed_form, model) == 0
        assert with_relations(to_sympy(step.closed) - step.closed_form, model) == 0


@given(models(), ways)
def test_every_step_has_the_value_of_what_it_substitutes(model, way):
    for step in derive(model, view=way[0], attention=way[1]).walk():
        assert step.value == evaluate(step.written, model.values)
        if step.substituted is not None:
            assert step.substituted == substitute(step.written, model.values)
            assert evaluate(step.substituted, {}) == step.value
        if step.by_parts is not None:
            assert evaluate(step.by_parts, {}) == step.value


@given(models())
def test_the_shares_are_the_whole(model):
    shares = derive(model).shares
    assert sum(share.step.value for share in shares) == model.count()
    assert sum(share.part for share in shares if share.part is not None) == (1 if model.count() else 0)


@given(models())
def test_each_convention_is_its_difference_from_the_count(model):
    for convention in derive(model).conventions:
        assert convention.result.value == model.count() + convention.difference.value
        assert convention.difference.value != 0 or convention.difference.polynomial


@given(models())
def test_the_sources_of_the_rule_of_thumb_add_up_to_what_it_misses(model):
    rule = derive(model).rule_of_thumb
    if rule is not None:
        assert rule.estimate.value + sum(source.value for source in rule.sources) == model.count()


@pytest.mark.parametrize(
    ("target", "error", "sources"),
    [
        ("bert-base-uncased", "-22.42", ["embedding_tables", "biases_and_norms", "other_matrices"]),
        ("bloom-1b4-zh", "-7.30", ["embedding_tables", "biases_and_norms"]),
        ("gpt3-175b", "-0.38", ["embedding_tables", "biases_and_norms"]),
        ("llama-7b", "-4.39", ["embedding_tables", "feed_forward_matrices", "biases_and_norms", "other_matrices"]),
        (
            "llama-2-70b",
            "-6.60",
            ["embedding_tables", "attention_matrices", "feed_forward_matrices", "biases_and_norms", "other_matrices"],
        ),
    ],
)
def test_the_rule_of_thumb_and_what_it_misses(target, error, sources):
    rule = derive(load(target)).rule_of_thumb
    assert f"{float(rule.error) * 100:.2f}" == error
    assert [source.name for source in rule.sources] == sources


def integers(text: str) -> list[str]:
    """The integers of a text, those that are raised too; no digit of a letter's name."""
    plainly = re.sub(r"(?<=\d),(?=\d{3})", "", text.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")))
    return re.findall(r"(?<![\w.])\d+|(?<=[a-zA-Z])\d+(?!\w)", plainly)


def figures_of(step) -> set[str]:
    """The integers of a step's formulas and its value."""
    formulas = [formula for formula in (step.written, step.substituted, step.closed, step.by_parts) if formula is not None]
    return {*integers(" ".join(map(plain, formulas)).replace("**", "")), *integers(str(step.value))}


def equations_of(sheet: str) -> list[str]:
    """The equations of a sheet in text, without the names on their left."""
    found = re.findall(r"^ {4}N.*\n(?: {5}.*\n)*", sheet, re.MULTILINE)
    return [re.sub(r"N\([^=]*?\)(?= [-+−=≈·×]|\n|$)|\[.*?\]", "", equation) for equation in found]


def inner_first(step):
    for inner in step.steps:
        yield from inner_first(inner)
    if step.kind != StepKind.GROUP:
        yield step


@pytest.mark.parametrize("target", swept(TARGETS))
def test_an_equation_holds_no_number_that_is_not_its_steps(target):
    """Each equation of a sheet in its order: 768 in one is no reason for 768 in another."""
    derivation = derive(load(target))
    steps = [step for section in derivation.sections for step in inner_first(section)]
    ends = [derivation.total], [derivation.active] if derivation.active else [], [derivation.total]
    steps = [*ends[0], *ends[1], *steps, *ends[2]]
    equations = equations_of(render(derivation))
    rounded = {figure for equation in equations for figure in integers("".join(re.findall("≈.*", equation)))}
    strays = [set(integers(equation)) - figures_of(step) for equation, step in zip(equations, steps, strict=True)]
    assert [stray for stray in strays[1:] if stray] == []
    assert strays[0] <= rounded
    pairs = list(zip(equations, steps, strict=True))[1:]
    assert [step for equation, step in pairs if step.value is not None and integers(equation)[-1] != str(step.value)] == []


@given(models(), ways, st.sampled_from(("latex", "markdown", "text", "json")), st.sampled_from(("en", "zh")))
def test_the_same_input_gives_the_same_bytes(model, way, kind, language):
    view, attention = way
    first = render(derive(model, view=view, attention=attention), kind, language=language)
    again = model.with_features(frozenset(sorted(model.present, reverse=True)))
    assert render(derive(again, view=view, attention=attention), kind, language=language) == first


def test_symbols_only_is_the_same_sheet_without_numbers():
    symbols, numbers = derive(load("bloom")), derive(load("bloom-1b4-zh"))
    assert [step.name for step in symbols.walk()] == [step.name for step in numbers.walk()]
    assert [step.written for step in symbols.walk()] == [step.written for step in numbers.walk()]
    assert all(step.value in (None, 0) for step in symbols.walk())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"view": "modules"}, "Unknown view 'modules': choose one of module, kind, weights."),
        ({"attention": "heads"}, "Unknown attention 'heads': choose fused or per-head."),
    ],
)
def test_unknown_ways_to_derive(options, message):
    with pytest.raises(SymparamsError) as error:
        derive(load("bert"), **options)
    assert str(error.value) == message
