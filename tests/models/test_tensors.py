"""The tensors of a model one by one, under the names of its tree and under those of the transformers library."""

from __future__ import annotations

import re

import pytest

from symparams import load, published_models
from symparams.errors import OptionError
from symparams.models.library import families
from symparams.models.tensors import patterns
from tests.refusals import refusal
from tests.sweeps import FAMILIES, FEW, swept


def named(target, **options):
    return dict(load(target, **options).tensors(names="hf"))


def test_the_librarys_names_and_shapes():
    for target, some in (
        (
            "gpt2",  # whose matrices are stored as inputs × outputs
            {
                "transformer.wte.weight": (50257, 768),
                "transformer.h.11.attn.c_attn.weight": (768, 2304),
                "transformer.h.11.attn.c_attn.bias": (2304,),
                "transformer.ln_f.bias": (768,),
            },
        ),
        (
            "t5-small",
            {
                "shared.weight": (32128, 512),
                "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight": (32, 8),
                "encoder.block.5.layer.1.DenseReluDense.wi.weight": (2048, 512),
                "decoder.block.5.layer.1.EncDecAttention.q.weight": (512, 512),
                "decoder.block.5.layer.2.layer_norm.weight": (512,),
            },
        ),
        (
            "mixtral-8x7b",  # all experts stand in one array
            {
                "model.layers.0.mlp.gate.weight": (8, 4096),
                "model.layers.0.mlp.experts.gate_up_proj": (8, 28672, 4096),
                "model.layers.31.mlp.experts.down_proj": (8, 4096, 14336),
            },
        ),
    ):
        assert named(target).items() >= some.items(), target
        assert len(named(target)) == len(list(load(target).tensors())), target


def test_the_order_is_that_of_the_librarys_modules():
    assert [name.removeprefix("model.layers.0.") for name in list(named("llama-3-8b"))[:10]] == [
        "model.embed_tokens.weight",
        "self_attn.q_proj.weight",
        "self_attn.k_proj.weight",
        "self_attn.v_proj.weight",
        "self_attn.o_proj.weight",
        "mlp.gate_proj.weight",
        "mlp.up_proj.weight",
        "mlp.down_proj.weight",
        "input_layernorm.weight",
        "post_attention_layernorm.weight",
    ]


def test_a_modules_own_arrays_stand_before_those_of_the_modules_in_it_a_weight_before_its_bias():
    mixer = [name.partition(".mixer.")[2] for name in named("mamba-130m")][2:6]
    assert mixer == ["A_log", "D", "conv1d.weight", "conv1d.bias"]


def test_layers_with_experts_and_without_are_numbered_as_they_stand():
    config = {"model_type": "qwen2_moe", "num_hidden_layers": 5, "decoder_sparse_step": 2, "mlp_only_layers": [3]}
    dense = [int(name.split(".")[1]) for name in named(config) if name.endswith("mlp.down_proj.weight")]
    experts = [int(name.split(".")[1]) for name in named(config) if name.endswith("experts.down_proj")]
    assert (dense, experts) == ([0, 2, 3, 4], [1])
    with pytest.raises(OptionError, match="qwen2_moe does not say which layers"):
        named("qwen2_moe", include=["dense_layers"], L_dense=2, L_moe=2, **dict.fromkeys(SIZES, 8))


SIZES = ("V", "h", "n_heads", "n_kv_heads", "d_head", "d_ff", "n_experts", "d_expert", "d_shared")


def test_a_head_takes_the_names_of_the_class_that_has_it():
    model = load("bert-base-uncased", include=["mlm_head", "nsp_head"])
    names = [name for name, _ in model.tensors(names="hf")]
    assert names[0] == "bert.embeddings.word_embeddings.weight"
    assert names[-2:] == ["cls.seq_relationship.weight", "cls.seq_relationship.bias"]
    assert "cls.predictions.bias" in names


def test_what_has_no_names():
    for message, target, options in (
        ("The tensor names of GPT-3 in the transformers library are not known.", "gpt3-175b", {}),
        ("bert is a family, so its sizes have no values", "bert", {}),
        ("No class of transformers has exactly", "bert-base-uncased", {"include": ["mlm_head", "classifier"], "n_labels": 2}),
    ):
        assert message in refusal(named, target, **options)
    assert "Unknown names 'hg'" in refusal(lambda: list(load("gpt2").tensors(names="hg")))
    assert "gpt2 is a family, so its sizes have no values" in refusal(lambda: list(load("gpt2").symbolic().tensors()))


@pytest.mark.parametrize("name", swept([*families(), *sorted(FEW & {*published_models()})], FEW | FAMILIES))
def test_a_pattern_stands_for_every_tensor_of_the_tree(name):
    """The outline of a model names each of its tensors, under the name that a count of its copies gives."""
    model = load(name)
    assert model.library.names.modules
    owned = {(leaf.path, tensor.name) for leaf in model.leaves for tensor in leaf.component.tensors if not tensor.tied_to}
    assert {(pattern.path, pattern.tensor.name) for pattern in patterns(model)} == owned
    if not model.unbound:
        numbered = {re.sub(r"\b\d+\b", "#", tensor) for tensor, _ in model.tensors(names="hf", frozen=True)}
        assert {re.sub(r"\{[ij]\}|\b\d+\b", "#", pattern.name) for pattern in patterns(model)} == numbered
