"""Models side by side: counts by component, terms, and differences that come out exactly, for any two of all families."""

from __future__ import annotations

import random

import pytest
import sympy

import symparams
from symparams import architectures, compare, load, published_models
from symparams.answers.comparison import Comparison
from symparams.errors import OptionError, UnknownNameError
from symparams.expressions.closed_form import as_sympy

DRAWN = random.Random(12)  # noqa: S311 - the same pairs in each run
BOUND = [tuple(DRAWN.sample(published_models(), 2)) for _ in range(25)]
# Each family beside another one, in symbols.
SYMBOLIC = list(zip(architectures(), DRAWN.sample(architectures(), len(architectures())), strict=True))


@pytest.mark.parametrize("names", BOUND)
def test_the_components_add_up_to_the_counts(names):
    compared = compare(*names)
    for i, model in enumerate(compared.models):
        shares = [each.shares[i] for each in compared.components]
        assert sum(share.step.value for share in shares) == model.count()
        assert sum(share.part for share in shares) == 1


@pytest.mark.parametrize("names", [*BOUND, *SYMBOLIC])
def test_the_difference_is_that_of_the_closed_forms(names):
    first, other = compare(*names).models
    [difference] = compare(first, other).differences
    assert sympy.expand(difference.closed_form - (first.closed_form() - other.closed_form())) == 0
    if difference.value is not None:
        assert difference.value == first.count() - other.count()
        assert difference.ratio * other.count() == first.count()


@pytest.mark.parametrize("names", SYMBOLIC)
def test_components_and_terms_add_up_to_the_closed_forms(names):
    compared = compare(*names)
    for i, model in enumerate(compared.models):
        parts = sum(as_sympy(each.shares[i].step.polynomial) for each in compared.components)
        assert sympy.expand(parts - model.closed_form()) == 0
        terms = {term.monomial: term.coefficients[i] for term in compared.terms if term.coefficients[i]}
        assert terms == model.polynomial().terms


def test_families_align_by_what_a_component_is():
    rows = {each.name: each.shares for each in compare("gpt2", "llama-2-7b").components}
    assert list(rows) == ["token_embedding", "positions", "norms", "attention", "feed_forward", "lm_head"]
    assert [(share.step.value, share.reason) for share in rows["positions"]] == [(1024 * 768, ""), (0, "rotary")]
    assert [(share.step.value, share.reason) for share in rows["lm_head"]] == [(0, "tied"), (32000 * 4096, "")]
    assert [repr(share.step.closed) for share in rows["norms"]] == ["4*L*h + 2*h", "2*L*h + h"]


def test_two_sizes_of_one_family_have_one_closed_form():
    compared = compare("llama-3-8b", "llama-3-70b")
    assert compared.differences[0].closed_form == 0
    assert not any(term.differs for term in compared.terms)
    assert compared.differences[0].value == 8_030_261_248 - 70_553_706_496
    assert not any(trait.differs for trait in compared.traits)


@pytest.mark.parametrize(
    ("names", "trait", "kinds"),
    [
        (("gpt2", "llama-2-7b"), "feed_forward", (("plain",), ("gated",))),
        (("gpt2", "llama-2-7b"), "norms", (("layer_norm",), ("rms_norm",))),
        (("gpt2", "llama-2-7b"), "positions", (("learned",), ("rotary",))),
        (("gpt2", "llama-2-7b"), "biases", (("attention_all", "feed_forward_all"), ())),
        (("gpt2", "llama-2-7b"), "output", (("tied",), ("own_matrix",))),
        (("llama-2-7b", "llama-3-8b", "falcon-7b"), "attention", (("multi_head",), ("grouped",), ("multi_query",))),
        (("qwen2-7b", "t5-small", "bloom"), "positions", (("rotary",), ("relative",), ("alibi",))),
        (("qwen2-7b", "mistral-7b-v0.1"), "biases", (("attention_in_part",), ())),
        (("deepseek-v3", "mamba-130m"), "attention", (("latent_attention",), ("state_space",))),
        (("mixtral-8x7b", "bert"), "feed_forward", (("experts",), ("plain",))),
    ],
)
def test_what_models_are_made_of(names, trait, kinds):
    found = {each.name: each for each in compare(*names).traits}
    assert found[trait].kinds == kinds
    assert found[trait].differs


def test_the_same_sizes_make_a_difference_of_formulas_one_of_counts():
    with_head = load("bert-base-uncased", include=["mlm_head"])
    [difference] = compare(with_head, "bert-base-uncased").differences
    assert difference.has_same_sizes
    assert difference.closed_form.subs({d.name: v for d, v in with_head.values.items()}) == difference.value
    assert not compare("gpt2", "llama-2-7b").differences[0].has_same_sizes


def test_models_without_values_are_compared_in_symbols_alone():
    [difference] = compare("bloom", "llama-2-7b").differences
    assert (difference.value, difference.ratio) == (None, None)


def test_what_cannot_be_compared():
    with pytest.raises(OptionError, match="two models or more"):
        compare("gpt2")
    with pytest.raises(UnknownNameError, match="'blom'"):
        compare("gpt2", "blom")


def test_it_is_of_the_package():
    assert "compare" in symparams.__all__
    assert isinstance(compare("gpt2", "gpt2-medium"), Comparison)
    assert repr(compare("gpt2", "gpt2-medium")) == "Comparison('gpt2', 'gpt2-medium', quantity='parameters')"
