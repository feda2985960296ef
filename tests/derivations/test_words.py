"""What a sheet says of a model is true of that model: its heads, its projections, its tables, what a token uses of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from symparams import Architecture, Component, block, derive, embedding, linear, load, render
from symparams.components.kinds import BIAS, Use
from symparams.components.tree import Tensor
from symparams.expressions.symbols import V, h


def text_of(target: object, **how: object) -> str:
    """The text of a sheet without its line breaks."""
    return " ".join(render(target, "text", **how).split())


def test_a_sheet_says_what_its_model_has():
    for target, sentence in (
        ("llama", "Each query head has a key-value head of its own."),
        ("llama-3-8b", "Grouped-query attention (GQA): each of the n_kv_heads key-value heads serves"),
        ("deberta-v3-base", "those of query and key serve the relative positions, too."),
        (
            "deberta-base",
            "without a bias, and queries from one of the same shape with a bias.",
        ),
        ("longformer", "Their queries have a matrix of their own, and so have the keys and values that they meet:"),
        ("deberta_v2", "Query, key, value and output each have a matrix of shape h × h and a bias. Each of n_heads"),
        ("deepseek-v3", "One stands before each of these: attention, feed-forward network or mixture of experts."),
        ("t5-small", "One row of length h for each of the V tokens of the vocabulary, for the encoder and the decoder."),
        ("t5-small", "Without the token embedding and relative"),
        ("t5-small", "Its matrices have the same shapes as those of the attention above. Queries come from"),
        ("deepseek-v3", "Router L_moe·n_experts·h 106,430,464 0.02% Routed experts L_moe·N(routed) 653,908,770,816 97.45%"),
        ("deepseek-v3", "With the module for +N(MoE layer) + 2·h² 684,489,830,400 multi-token prediction"),
        ("gemma-7b", "8,537,680,896 − 786,432,000 = 7,751,248,896, truncated to 7 B."),
    ):
        assert sentence in text_of(target), target


def test_a_rounded_number_stands_behind_a_sign_that_says_so():
    for target, sentence in (
        ("llama-3-8b", "V·h ≈ 525 M (6.54%)"),
        ("t5-base", "2·n_buckets·n_heads = 768 in all"),
        ("bert-base-uncased", "It is the exact count, 109,482,240, rounded to 2 digits; the difference is 517,760."),
    ):
        assert sentence in text_of(target), target


def test_a_mixture_is_told_as_its_files_have_it():
    for target, sentence in (
        ("mixtral-8x7b", "N(expert) = h × d_ff [gate] + h × d_ff [up] + d_ff × h [down] = 3·h·d_ff"),
        ("gpt-oss-20b", "N(expert) = (h × 2·d_ff + 2·d_ff) [gate, up] + (d_ff × h + h) [down]"),
        ("gpt-oss-20b", "Gate and up are stored side by side, in one matrix"),
        ("deepseek-v3", "In each layer with experts, a token uses n_active of the n_experts routed experts."),
    ):
        assert sentence in text_of(target), target


def test_vectors_that_a_rule_leaves_out_are_not_all_called_biases():
    for target in ("llama", "mamba"):
        sheet = text_of(target)
        assert "Vectors, such as those of norms" in sheet
        assert "Norms and biases" not in sheet


def test_biases_of_the_query_that_a_feature_leaves_out_are_nothing():
    told = text_of(derive(load("deberta-base", exclude=["biases"]), view="kind"))
    assert "Query bias None of its parts is left: 0." in told


def test_a_discovered_part_is_told_as_one_of_a_family():
    for config, sentence in (
        ({"model_type": "glm_image_text"}, "the key and value matrices h × n_kv_heads·d_head each; all three have biases."),
        ({"model_type": "siglip2"}, "Logit scale One learned number."),
        ({"model_type": "siglip2"}, "Text model: head"),
        ({"model_type": "recurrent_gemma"}, "Feed-forward network: as in every layer, described above."),
        ({"model_type": "siglip2"}, "Query, key and value share one matrix of shape h_vision × 3·h_vision"),
        ({"model_type": "recurrent_gemma"}, "weights, and there is a bias of length"),
    ):
        assert sentence in text_of(config), sentence


def test_what_is_tied_has_no_equation_without_a_left_side():
    sheet = " ".join(render(derive("bloom-560m", view="kind"), "text").split())
    assert "Uses the matrix of the token embedding, which is already counted: 0." in sheet
    assert "N(head) = 0" not in sheet


@pytest.mark.parametrize(
    ("weight", "bias", "sentence"),
    [
        ("tokens", "", "The matrix is that of the tokens, which is already counted. Only the bias is new."),
        ("", "shift", "A matrix of shape h × V. Its bias is that of the shift, which is already counted."),
        ("tokens", "shift", "Uses the matrix of the tokens and the bias of the shift, which are already counted: 0."),
    ],
)
def test_a_tie_is_told_of_the_tensors_that_are_tied(weight, bias, sentence):
    last, owners = linear(h, V, bias=True), {Use.WEIGHT: weight, Use.BIAS: bias}
    last = replace(last, tensors=tuple(replace(tensor, tied_to=owners[tensor.use]) for tensor in last.tensors))
    shift = Component(BIAS, tensors=(Tensor("bias", (V,), Use.BIAS),))
    family = Architecture("own", tree=block(tokens=embedding(V, h), shift=shift, last=last))
    assert sentence in text_of(family)


def test_a_discovered_head_stands_after_the_layers_and_uses_the_matrix_of_the_tokens():
    sheet = text_of("camembert")
    tied = "Uses the matrix of the token embedding and the bias of the LM head, which are already counted: 0."
    assert sheet.index("N(emb norm) = 2 × h") < sheet.index("One layer") < sheet.index(tied)


def test_a_brief_says_what_its_model_has():
    for target, sentence in (
        ("deepseek-v3", "Without rounding: 670.9 B and 37.44 B. What they leave out is 0.02% and 0.29% of"),
        ("mixtral-8x7b", "L·(N(attn) + 3·n_experts·h·d_ff + n_experts·h + 2·h) [layers]"),
        ("mixtral-8x7b", "12.62 B without either. Only the count with token embedding and LM head matches 12.9B."),
        ("mamba-130m", "N(mixer) = d_inner·(3·h + 3·d_state + d_conv + 2·r_dt + 3)"),
        ("mamba-130m", "Its input and output projections have 3·L·h·d_inner ≈ 84.9 M"),
        ("albert-base-v2", "h = 768 L = 12 n_heads = 12"),
        ("whisper-tiny", "Since n_heads·d_head = h, the heads together fill matrices of h × h"),
        ("gpt2", "What does tying the LM head save?"),
    ):
        assert sentence in text_of(target, brief=True), target


def test_the_projector_has_a_name_of_its_own():
    sheet = render(derive("gemma-3-4b"), "text")
    assert "N(projector) = N(projector norm) + N(proj) = " in sheet
    assert "proj proj" not in sheet


def test_the_sum_in_the_head_rounds_as_the_exact_sum_does():
    """Three digits of each addend would make 173 B + 3.60 B ≈ 177 B of 176.2 B."""
    assert "172.6 B + 3.597 B ≈ 176 B" in text_of("bloom-176b")
    assert "Experts 58 × 257 × 44.04 M ≈ 656.5 B" in text_of("deepseek-v3")


def test_a_width_is_a_rounded_multiple_where_no_small_fraction_gives_it():
    sheet = " ".join(render(derive("gemma-3-4b"), "text").split())
    assert "d_ff_vision ≈ 3.74·h_vision" in sheet


def test_no_rule_rests_on_widths_that_nobody_remembers():
    config = {"model_type": "bamba", "architectures": ["BambaForCausalLM"], "hidden_size": 576, "num_hidden_layers": 9}
    sheet = text_of(config | {"num_attention_heads": 9, "intermediate_size": 1537}, brief=True)
    assert "Feed-forward 9 × 3 × 576 × 1,537 ≈ 23.90 M" in sheet
    assert "A layer is about" not in sheet


def test_sublayers_outside_of_the_layers_are_told_by_what_holds_them():
    sheet = text_of({"model_type": "siglip2_vision_model", "architectures": ["Siglip2VisionModel"]}, brief=True)
    assert "(4·h² + 2·h·d_ff + 8·h + d_ff) [head]" in sheet


def test_what_stands_before_the_layers_is_no_output():
    sheet = text_of("bigbird_pegasus")
    assert sheet.index("Embeddings ──") < sheet.index("Position embedding One learned row") < sheet.index("Output ──")


def test_a_discovered_size_has_the_key_of_its_config():
    assert "moe_step step from one moe_layer_freq" in text_of("axk1")
