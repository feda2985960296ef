"""Derivations: every view of every model works the same count out, step by provable step."""

from __future__ import annotations

from contextlib import suppress
from itertools import cycle

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from symparams import architectures, derive, load
from symparams.derivations import views
from symparams.derivations.derivation import as_printed
from symparams.derivations.layers import FUSED, PER_HEAD
from symparams.errors import OptionError
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.printing.nodes import Strong
from symparams.expressions.written import evaluate, substitute
from symparams.sheets.document import Equation
from symparams.sheets.whole import whole
from tests.definitions import strategies as definitions
from tests.strategies import models
from tests.sweeps import FAMILIES, swept

ways = st.tuples(st.sampled_from(views.names()), st.sampled_from((FUSED, PER_HEAD)))


# Models of the families, and random definitions.
subjects = st.one_of(models(), definitions.models())


@settings(max_examples=25)
@given(subjects, ways)
def test_every_view_comes_to_the_same_closed_form_and_count(model, way):
    view, attention = way
    derivation = derive(model, view=view, attention=attention)
    assert derivation.total.polynomial == model.polynomial()
    assert derivation.total.value == model.count()
    assert sum(share.step.value for share in derivation.shares) == model.count()
    assert sum(share.part for share in derivation.shares if share.part is not None) == (1 if model.count() else 0)
    for convention in derivation.conventions:
        assert convention.result.value == model.count() + convention.difference.value
        assert convention.difference.value != 0 or convention.difference.polynomial
    if (rule := derivation.rule_of_thumb) is not None:
        assert rule.estimate.value + sum(source.value for source in rule.sources) == model.count()


@pytest.mark.parametrize("family", swept(architectures(), FAMILIES))
def test_no_feature_of_any_family_is_lost_in_a_view(family):
    """Each feature alone, and all but it: a part that a view forgets, or counts twice, would change the closed form."""
    names = list(load(family).features)
    choices = [{}, *({"include": [name]} for name in names), *({"exclude": [name]} for name in names), {"include": names}]
    for choice in choices:
        with suppress(OptionError):  # no part left
            model = load(family, **choice).symbolic()
            for view, attention in zip(views.names(), cycle((FUSED, PER_HEAD))):
                assert derive(model, view=view, attention=attention).total.polynomial == model.polynomial(), (choice, view)


@settings(max_examples=25)
@given(subjects, ways)
def test_every_step_is_what_its_closed_form_says_and_has_the_value_of_what_it_substitutes(model, way):
    for step in derive(model.symbolic(), view=way[0], attention=way[1]).walk():
        assert multiply_out(step.written, model.relations) == multiply_out(step.closed, model.relations) == step.polynomial
    for step in derive(model, view=way[0], attention=way[1]).walk():
        assert step.value == evaluate(step.written, model.values)
        if step.substituted is not None:
            assert step.substituted == substitute(step.written, model.values)
            assert evaluate(step.substituted, {}) == step.value
        if step.by_parts is not None:
            assert evaluate(step.by_parts, {}) == step.value


def test_the_rule_of_thumb_and_what_it_misses():
    for target, error, sources in (
        ("bert-base-uncased", "-22.42", ["embedding_tables", "other_matrices", "biases_and_norms"]),
        ("bloom-1b4-zh", "-7.30", ["embedding_tables", "biases_and_norms"]),
        ("gpt3-175b", "-0.38", ["embedding_tables", "biases_and_norms"]),
        ("llama-7b", "-3.89", ["embedding_tables", "other_matrices", "biases_and_norms"]),
        ("llama-2-70b", "-0.76", ["embedding_tables", "other_matrices", "biases_and_norms"]),
        ("t5-small", "-27.21", ["embedding_tables", "biases_and_norms"]),
    ):
        rule = derive(load(target)).rule_of_thumb
        assert f"{float(rule.error) * 100:.2f}" == error, target
        assert [source.name for source in rule.sources] == sources, target


SIZES_OF_BART = ("V", "h", "max_pos", "L_enc", "L_dec", "n_heads_enc", "n_heads_dec", "d_ff_enc", "d_ff_dec")


def equations_of(derivation) -> list[Equation]:
    """The exact ones: what is done in one's head has words before it."""
    blocks = [block for section in whole(derivation).sections for block in section.blocks]
    return [block for block in blocks if isinstance(block, Equation) and block.label is None]


@settings(max_examples=20)
@given(models(), ways)
@example(load("bart", **dict.fromkeys(SIZES_OF_BART, 1)), (views.FIRST, PER_HEAD))  # whose stacks share all of their letters
@example(load("modernbert", V=1, h=1, L=1, n_heads=1, d_ff=1), (views.FIRST, PER_HEAD))  # whose one layer is no repeated one
def test_the_links_of_a_chain_are_equal_and_in_one_order(model, way):
    """Symbols as written, simplified, numbers, the result: no link with letters follows one without."""
    view, attention = way
    for either in (model, model.symbolic()):
        derivation = as_printed(derive(either, view=view, attention=attention))
        subject = derivation.model  # in one letter for what two stacks share
        for equation in equations_of(derivation):
            links = [link for link in equation.chain if link.relation == "="]
            contents = [link.content.inner if isinstance(link.content, Strong) else link.content for link in links]
            contents += [equation.left] if equation.left is not None else []
            polynomials = {multiply_out(content, subject.relations) for content in contents if content.dimensions}
            assert len(polynomials) <= 1 or equation.left is None  # a rule says what its numbers come to: 13·L·h²
            values = {subject.evaluate(c) for c in contents if all(d in subject.values for d in c.dimensions)}
            assert len(values) <= 1
            has_letters = [bool(link.content.dimensions) for link in links]
            assert has_letters == sorted(has_letters, reverse=True)
