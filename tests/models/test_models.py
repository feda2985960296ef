"""Published models have the counts that everybody can check, and a model is what its tensors add up to."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given, settings

from symparams import explain, load, published_models, render
from symparams.answers.explained import Explanations
from symparams.architectures import architecture, architecture_names, find
from symparams.errors import MissingDimensionError
from tests.refusals import refusal
from tests.strategies import models


def test_published_models_have_their_official_counts_and_every_family_says_where_it_comes_from():
    """The library's num_parameters(), and for GPT-3 its paper's table, as the family's table has it."""
    counted = {name: find(name)[1].count for name in published_models()}
    assert {name: load(name).count() for name, count in counted.items() if count} == {n: c for n, c in counted.items() if c}
    assert [family for family in architecture_names() if not architecture(family).source] == []


def test_a_model_is_a_target_whose_sizes_and_features_stay_but_for_those_that_are_given():
    config = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2}
    for target, first, then in (
        ("gpt2", {}, {}),
        ("gpt2", {}, {"h": 1_024, "n_heads": 16}),  # with d_ff = 4·h, which follows
        ("gpt2", {"d_ff": "3*h"}, {"h": 1_536}),
        ("gpt2", {"d_ff": 100}, {"d_ff": "4*h"}),
        ("llama", {}, {"h": 64}),
        ("t5-small", {}, {"L_enc": 3}),
        (config, {}, {"h": 128}),
        ("gpt2", {"exclude": ["tying"]}, {"include": ["tying"]}),
    ):
        assert load(load(target, **first), **then) == load(target, **{**first, **then, "exclude": ()}), (target, first, then)


def test_a_name_of_ones_own_is_what_a_model_is_called_and_nothing_is_looked_up_by_it():
    config = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2}
    named = load(config, name="llama-7b")
    assert (named.name, repr(named)) == ("llama-7b", f"Model('llama-7b', {load(config).count():,} parameters)")
    assert render(named).startswith("How many parameters does llama-7b have?\n")
    assert "llama-7b has this count." in shown(explain(named, "6738415616"))  # the published one, whose count it has not
    windowed = {"quantity": "kv_cache", "b": 1, "t": 100_000, "dtype": "bf16"}
    for name in ("gemma-3-4b", "gpt2"):
        assert load(name, name="mine").measure(**windowed) == load(name).measure(**windowed)
    assert "later called it an error" in shown(explain(load("gpt2", name="mine"), "117M"))
    assert load("gpt2", name="two\nlines").name == "two\ufffdlines"
    assert refusal(load, "gpt2", name=5) == "'5' is not a name of a model: write 1 to 200 characters, as in 'Tiny-3B'."


def shown(explanations: Explanations) -> str:
    return " ".join(render(explanations).split())


def test_features_change_the_count():
    for name, include, exclude, count in (
        ("bert-base-uncased", [], ["pooler"], 108_891_648),
        ("bert-base-uncased", ["mlm_head"], ["pooler"], 109_514_298),
        ("bert-base-uncased", ["mlm_head", "nsp_head"], [], 110_106_428),  # BertForPreTraining
        ("gpt2", [], ["lm_head"], 124_439_808),  # the shared head adds nothing
        ("gpt2", [], ["tying"], 163_037_184),
        ("llama-7b", [], ["lm_head"], 6_607_343_616),  # LlamaModel
        ("transformer-base", ["final_layer_norm"], ["embeddings"], 44_140_544),  # torch.nn.Transformer()
        ("transformer-base", [], ["decoder"], 37_858_304),
        ("transformer-base", [], ["tying"], 100_970_496),
    ):
        assert load(name, include=include, exclude=exclude).count() == count, name


def test_a_shared_tensor_counted_at_each_use():
    for name, count in {"gpt2": 163_037_184, "bloom-1b4-zh": 1_397_616_640, "llama-7b": 6_738_415_616}.items():
        assert load(name).count(shared="each") == count, name


def test_one_token_uses_of_the_experts_those_that_are_chosen():
    for name, count in {"mixtral-8x7b": 12_879_925_248, "jamba-v0.1": 12_110_311_296, "gpt2": 124_439_808}.items():
        model = load(name)
        values = {dimension.symbol: value for dimension, value in model.values.items()}
        assert model.active_count() == model.active_closed_form().xreplace(values) == count, name


def test_a_default_that_a_model_does_not_follow_need_not_be_whole():
    """d_head is 8, so that nobody asks what a fourth of 18 would be."""
    assert load("llama", V=5, h=18, L=1, n_heads=4, n_kv_heads=2, d_head=8, d_ff=7).count() == 2_340


@settings(max_examples=50)
@given(models())
def test_a_model_is_what_its_tensors_add_up_to(model):
    """Each tensor has a name of its own, and the closed form with the values put in is the count."""
    names, shapes = zip(*model.tensors(), strict=True)
    assert len(names) == len(set(names))
    assert model.count() == sum(map(prod, shapes))
    assert (
        model.closed_form().xreplace({dimension.symbol: model.values[dimension] for dimension in model.dimensions})
        == model.count()
    )


def test_a_value_is_found_by_the_name_of_its_dimension():
    assert load("llama-3-8b").values["h"] == 4_096
    with pytest.raises(KeyError):
        load("llama-3-8b").values["hidden_size"]


def test_values_follow_from_values():
    for target, values, bound in (
        ("bloom", {"h": 1024, "n_heads": 16}, {"h": 1024, "n_heads": 16, "d_head": 64, "d_ff": 4096}),
        ("bloom", {"h": 8, "d_ff": "3*h + 1"}, {"h": 8, "d_ff": 25}),
        ("bloom", {"h": "n_heads*64", "n_heads": 4}, {"h": 256, "n_heads": 4, "d_head": 64, "d_ff": 1024}),
        ("llama", {"n_heads": 32, "n_kv_heads": "n_heads/4"}, {"n_heads": 32, "n_kv_heads": 8}),
        ("gpt2", {"n_embd": 64, "n_head": 4}, {"h": 64, "n_heads": 4, "d_head": 16}),  # config keys name dimensions too
    ):
        model = load(target, **values)
        named = {dimension.name: value for dimension, value in model.values.items()}
        assert named.items() >= bound.items(), target


@pytest.mark.parametrize(("family", "letters"), [("bloom", "V=…, h=…, L=…"), ("llama", "V=…, h=…, L=…, n_heads=…, d_ff=…")])
def test_what_follows_from_a_relation_is_not_asked_for(family, letters):
    """d_ff = 4·h of BLOOM; of LLaMA d_head = h/n_heads, and n_kv_heads = n_heads."""
    with pytest.raises(MissingDimensionError, match=f", or give {letters}.$"):
        load(family).count()
    with pytest.raises(MissingDimensionError) as error:
        load(family).measure("weight_memory", dtype="bf16")
    assert set(error.value.names) == {letter.removesuffix("=…") for letter in letters.split(", ")}
