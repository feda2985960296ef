"""Activations: what a layer keeps for the backward pass, by the formulas of the literature and term by term."""

from __future__ import annotations

import pytest
import sympy

from symparams import (
    Architecture,
    attention,
    block,
    convolution,
    derive,
    feed_forward,
    layer_norm,
    linear,
    load,
    patch_embedding,
    render,
    residual,
    reused,
    selective_state_space,
)
from symparams.models.calculation import calculate
from tests.refusals import refusal

b, s, e, h, L, n_heads = sympy.symbols("b s e h L n_heads")


def of_gpt2(activation: str, **choices: object) -> sympy.Expr:
    """What GPT-2's layers keep, in 16 bits."""
    model = load({"model_type": "gpt2", "activation_function": activation}).symbolic()
    return sympy.expand(calculate(model, "activations", {"dtype": "bf16", **choices}).closed_form().subs(e, 2))


def test_gpt2_is_korthikantis_layer_and_its_statistics():
    """Korthikanti et al., 2022, arXiv:2205.05198, equation 1: 34·s·b·h + 5·a·s²·b, beside which norms keep statistics."""
    layer = 34 * s * b * h + 5 * n_heads * s**2 * b + 8 * b * s
    assert of_gpt2("gelu", dropout="0.1") == sympy.expand(L * layer)
    assert of_gpt2("gelu_new", dropout="0.1") == sympy.expand(L * (layer + 24 * s * b * h))


def test_what_is_chosen_takes_away_what_it_says():
    """Without dropout there are no masks; a checkpointed layer keeps its input alone, and a fused kernel no scores."""
    assert of_gpt2("gelu") == sympy.expand(L * (32 * s * b * h + 2 * n_heads * s**2 * b + 8 * b * s))
    assert of_gpt2("gelu", checkpoint=True) == 2 * L * b * s * h
    assert sympy.degree(of_gpt2("gelu", attention="flash"), s) == 1


def test_llama_in_fp32():
    """4·(T·(6h + 2 + 4·H·d + 4·d_ff) + b·H·s²) a layer: keys and values are kept for each of a group's queries."""
    model = load("llama-3-8b")
    length, (width, heads, inner) = 100, (4096, 32, 14336)
    layer = 4 * (2 * length * (6 * width + 2 + 4 * width + 4 * inner) + 2 * heads * length**2)
    assert model.measure("activations", b=2, s=length, dtype="float32") == 32 * layer


def test_two_bytes_do_not_halve_llama():
    """Norms and the softmax are computed in fp32, which is kept beside what the product takes."""
    model = load("llama-3-8b")
    short, long = (model.measure("activations", b=1, s=128, dtype=dtype) for dtype in ("bf16", "fp32"))
    assert long < 2 * short < 2 * long


def test_a_sheet_leaves_out_what_is_not_derived_in_its_setting():
    """Eager attention of GPT-NeoX has a softmax in fp32, which takes a number type; a fused kernel takes none."""
    keys = [convention.note.keys[0] for convention in derive("gpt_neox", quantity="activations", attention="flash").conventions]
    assert keys == ["convention.korthikanti", "convention.checkpointed"]


def test_keys_wider_than_their_heads_are_said_to_be_copied():
    """Only where several queries share a head, more than one is shared, and no fused kernel takes it as it is."""
    for model, attention_way, told in (
        ("llama-3-8b", "eager", ["kept.copied"]),
        ("llama-3-8b", "flash", [""]),
        ("llama-2-7b", "eager", [""]),
        ("falcon-7b", "eager", ["kept.seen_by_all"]),
    ):
        terms = calculate(load(model), "activations", {"dtype": "bf16", "attention": attention_way, "b": 1}).terms
        assert [term.note for term in terms if term.name == "key"] == told, (model, attention_way)


def test_a_tensor_that_several_operations_read_is_kept_once():
    terms = calculate(load("bert-base-uncased"), "activations", {"dtype": "fp32"}).terms
    assert [term.name for term in terms if term.path.endswith("query_key_value")] == ["input_of:attention"]


REFUSED = [
    ("gpt-j-6b", {}, "Activations of gpt-j-6b are not derived"),
    ("bloom", {"attention": "flash"}, "has no flash attention"),
    ("t5-small", {"dtype": "fp16"}, "not derived in fp16"),
    ("gpt2", {"dtype": "int8"}, "not derived in int8"),
    ({"model_type": "llama"}, {"dtype": ""}, "depends on the number type"),
    ("gpt2", {"scope": "most"}, "Unknown scope"),
    ("gpt2", {"dropout_mask": 3}, "choose 1, 2 or 4 bytes"),
    ({"model_type": "gpt2", "reorder_and_upcast_attn": True}, {}, "if its config sets reorder_and_upcast_attn"),
    ({"model_type": "llama", "hidden_act": "prelu"}, {}, "What the activation 'prelu' of decoder.feed_forward saves"),
    ({"model_type": "gpt2", "architectures": ["GPT2ForSequenceClassification"]}, {"scope": "all"}, "choose scope layers"),
]


def test_what_is_not_derived_is_an_error_in_one_line():
    for target, choices, said in REFUSED:
        asked = {name: value for name, value in {"dtype": "bf16", **choices}.items() if value != ""}
        assert said in refusal(load(target).measure, "activations", b=1, s=8, **asked), said
    no_pooler = load("bert-base-uncased", include=["nsp_head"], exclude=["pooler"])
    told = refusal(no_pooler.measure, "activations", b=1, s=8, dtype="bf16", scope="all")
    assert "What nsp_head saves is not derived" in told


def test_a_source_is_as_long_as_what_is_written_where_s_alone_is_given():
    model, given = load("t5-small"), {"b": 2, "s": 12, "dtype": "fp32"}
    assert model.measure("activations", **given) == model.measure("activations", **given, s_src=12)


@pytest.mark.parametrize("family", ["bert", "llama", "vit", "t5"])
def test_every_tensor_has_a_name_in_each_language(family):
    classed = {"bert": "BertForPreTraining", "t5": "T5ForConditionalGeneration"}.get(family)
    config = {"model_type": family, **({"architectures": [classed]} if classed else {})}
    for choices in ({"dtype": "bf16", "checkpoint": True}, {"dtype": "fp32", "scope": "all", "dropout": "0.1"}):
        derivation = derive(load(config), quantity="activations", **choices)
        for language in ("en", "zh"):
            assert "b·s" in render(derivation, language=language) or family == "vit"


def test_a_definition_of_ones_own_saves_what_its_parts_say():
    """GPT-2's layer under names of one's own saves what GPT-2's does; a mixture says that it is not derived."""
    layer = block(
        residual(one=layer_norm(h), two=attention(h, n_heads, causal=True)),
        residual(three=layer_norm(h), four=feed_forward(h, 4 * h)),
    )
    mine = load(Architecture("mine", tree=block(layers=L * layer)))
    kept = sympy.expand(calculate(mine, "activations", {"dtype": "bf16"}).closed_form().subs(e, 2))
    assert kept == of_gpt2("gelu")
    state = Architecture("state", tree=block(layers=L * block(residual(mixer=selective_state_space(h, 2 * h, 16, 4, 8)))))
    assert "what layers.mixer, state_space, saves" in refusal(load(state).measure, "activations", b=1, s=8, dtype="bf16")


def test_copies_keep_as_much_as_layers_written_out():
    def kept(**parts):
        return load(Architecture("mine", **parts)).measure("activations", b=2, s=8, dtype="fp32", scope="all")

    def layer():
        return block("layer", residual(norm=layer_norm(4), up=linear(4, 4)))

    written_out = kept(one=layer(), two=layer(), three=layer())
    assert kept(layers=3 * layer()) == kept(layers=reused(layer(), 3)) == written_out
    assert kept(layers=block("layer", inner=3 * layer())) == kept(tower=block(layers=3 * layer())) == written_out


def test_two_stacks_have_a_width_of_their_own():
    def stack(width):
        return 2 * block("layer", residual(norm=layer_norm(width), feed_forward=feed_forward(width, 12)))

    def kept(**parts):
        return load(Architecture("mine", **parts)).measure("activations", b=2, s=8, dtype="fp32")

    assert kept(narrow=stack(4), wide=stack(6)) == kept(narrow=stack(4)) + kept(wide=stack(6))


def test_data_say_how_much_of_them_is_read():
    image = Architecture("image", patches=patch_embedding(8, 3, 4, patches=6))
    assert load(image).measure("activations", b=2, dtype="fp32", scope="all") == 2 * 3 * 6 * 4**2 * 4
    sound = Architecture("sound", filters=convolution(8, 3, 5, reads_data=True), up=linear(8, 8))
    told = refusal(load(sound).measure, "activations", b=2, s=6, dtype="fp32", scope="all")
    assert "filters reads data but does not say how many numbers" in told
