"""A definition is counted exactly as it is written."""

from __future__ import annotations

from math import prod

import pytest
import sympy

from symparams import (
    Architecture,
    Component,
    Dimension,
    Model,
    Tensor,
    altup_correction,
    altup_prediction,
    attention,
    axis_attention,
    block,
    depthwise_convolution,
    derive,
    derive_expression,
    disentangled_attention,
    embedding,
    features,
    feed_forward,
    fourier_positions,
    fused_disentangled_attention,
    fused_gated_feed_forward,
    gated_feed_forward,
    group_norm,
    laurel,
    layer_norm,
    layer_scale,
    linear,
    load,
    local_global_attention,
    mixture_of_experts,
    normed_mixture_of_experts,
    parameter,
    per_layer_embeddings,
    per_layer_gate,
    perceptron,
    plain_mixture_of_experts,
    position_grid,
    pre_norm,
    render,
    residual,
    rms_norm,
    selective_state_space,
    sharing,
    stream_merging,
    stream_projection,
    tied,
    tokens,
    transposed_convolution,
    vectors,
    wide_attention,
    window_attention,
    with_adapters,
    with_output_width,
    with_query_key_norms,
    with_selection_norms,
    with_sinks,
    with_sparse_gate,
)
from symparams.architectures._bottlenecks import bottleneck, shortcut, stem
from symparams.architectures._masks import attention_map, mask_convolutions, mask_head, two_way_layer
from symparams.architectures._pyramids import refinement
from symparams.components import fused_cross_attention
from symparams.components.kinds import Kind, Role, Use
from symparams.derivations import views
from symparams.expressions.nodes import Expression, Product
from symparams.expressions.symbols import L, V, d_head, h, n_heads
from tests.refusals import refusal

r = Dimension("r")
SIZES = {"V": 5, "h": 4, "r": 2, "L": 3, "n_heads": 2}


def sized(family: Architecture, **sizes: int) -> Model:
    """The family with values for the letters that it has."""
    own = {dimension.name for dimension in family.dimensions}
    return load(family, **{name: value for name, value in (SIZES | sizes).items() if name in own})


def tiny(**parts: Component) -> Architecture:
    return Architecture("tiny", **parts)


def test_a_product_with_a_sympy_letter_keeps_its_order_on_either_side():
    assert (h * sympy.Symbol("r"), sympy.Symbol("r") * h) == (Product((h, r)), Product((r, h)))
    assert isinstance(2 * sympy.Symbol("r") + h, Expression)


def test_a_tree_may_be_a_single_layer_and_a_family_may_be_called_expression():
    one = linear(h, r, bias=False)
    for tree, count in ((one, 8), (3 * one, 24), (L * block(low=one), 24)):
        model = sized(Architecture("expression", title="Expression", tree=tree))
        assert model.count() == sum(prod(shape) for _, shape in model.tensors()) == count
        assert {derive(model, view=view).total.value for view in views.names()} == {count}


def test_one_name_twice_in_a_block_is_two_layers():
    layer = block(residual(norm=layer_norm(h), attention=attention(h, n_heads)), residual(norm=layer_norm(h), low=linear(h, h)))
    model = load(tiny(layers=L * layer), h=2, n_heads=1, L=2)
    names = [name for name, _ in model.tensors()]
    assert len(names) == len(set(names))
    assert [part for part, *_ in model.flow()["layers"]] == ["norm", "attention", "norm_2", "low", "out"]


@pytest.mark.parametrize("name", ["N", "E", "I", "lambda", "beta_1", "d_model", "π", "w2", "层"])
def test_any_name_is_a_letter(name):
    """Those of the field, of somebody's own, and those that sympy or Python claim for themselves."""
    letter, symbol = Dimension(name), sympy.Symbol(name)
    by_nodes = load(Architecture("tiny", tree=linear(letter, 2 * letter, bias=False)), **{name: 3})
    by_sympy = load(Architecture("tiny", tree=linear(symbol, 2 * symbol, bias=False)), **{name: 3})
    assert by_nodes.count() == by_sympy.count() == 18
    assert by_nodes.closed_form() == by_sympy.closed_form() == 2 * symbol**2
    formula = derive_expression(f"3*{name}**2", **{name: 5})
    assert (formula.total.value, formula.total.closed_form) == (75, 3 * symbol**2)
    assert render(formula, "text")
    assert render(formula, "latex")


def test_a_count_beside_a_letter_n_has_a_longer_name():
    assert "N(total) = 3·N²" in render(derive_expression("3*N**2"), "text")
    assert r"N_{\text{total}} = 3N^{2}" in render(derive_expression("3*N**2"), "latex").replace("&", "")


def test_letters_of_ones_own_stand_in_the_order_of_the_alphabet_those_of_the_field_in_that_of_its_papers():
    """So that b beside a is not the batch, and nobody's letter is changed for the field's."""
    written = {"(a + b)**2": "a**2 + 2*a*b + b**2", "s*r + q": "r*s + q", "N + a*N": "N*a + N",
               "2*b*s*h + b*L": "2*b*s*h + b*L", "12*d_model*n_layer": "12*d_model*n_layer"}  # fmt: skip
    assert {text: repr(derive_expression(text).total.closed) for text in written} == written


def test_a_size_of_heads_may_be_a_letter_of_ones_own():
    width = Dimension("d_k")
    model = load(tiny(attention=attention(h, n_heads, d_head=width)), h=8, n_heads=2)
    assert model.values[width] == 4
    assert d_head not in model.architecture.dimensions


def test_a_builder_counts_what_its_docstring_says():
    """Biases among it, where nobody says otherwise."""
    square, norm = 4 * 4 + 4, rms_norm(h)
    plain = attention(h, n_heads, bias=False)
    for part, count in (
        (linear(h, r), 4 * 2 + 2),
        (attention(h, n_heads), 4 * square),
        (attention(h, n_heads, 1, 2), square + 2 * (4 * 2 + 2) + square),
        (attention(h, 4, 2, 8, bias=False), 2 * 4 * 32 + 2 * 4 * 16),
        (attention(h, n_heads, d_head=h / n_heads, bias=False), 64),
        (with_sinks(plain, n_heads), 64 + 2),
        (with_query_key_norms(plain, norm, norm), 64 + 8),
        (sharing(with_query_key_norms(attention(h, n_heads, 1, 2, bias=False), norm, norm)), 4 * 4 + 4 * 4 + 4),
        (with_output_width(attention(h, n_heads, n_heads, 2, bias=False), 3), 3 * 4 * 4 + 4 * 3),
        (with_adapters(attention(h, n_heads, 1, 2, bias=False), 3, key_value=2), 2 * 4 * 4 + 2 * 4 * 2 + 2 * (4 * 3 + 3 * 2)),
        (with_adapters(fused_gated_feed_forward(h, r), 3, gate_up=4), 4 * 4 + (4 * 3 + 3 * 4) + 2 * 4),
        (fused_cross_attention(h, n_heads), square + (4 * 8 + 8) + square),
        (disentangled_attention(h, n_heads), 4 * square),
        (local_global_attention(h, n_heads, 8, h / n_heads), 7 * square),
        (fused_disentangled_attention(h, n_heads), 3 * 4 * 4 + 2 * 4 + square),
        (window_attention(h, n_heads, h / n_heads, 3), 4 * square + (2 * 3 - 1) ** 2 * 2),
        (axis_attention(h, n_heads, h / n_heads, 3, bias=True), 4 * square),  # without the feature of relative positions
        (wide_attention(h, n_heads, 3, bias=True), 3 * (4 * 6 + 6) + 6 * 4 + 4),
        (layer_scale(h), 4),
        (vectors(3, h), 3 * 4),
        (group_norm(h, in_groups=True), 2 * 4),
        (bottleneck(h, 8), 2 * 4 + 2 * 2 * 9 + 8 * 2),
        (shortcut(h, 8), 8 * 4),
        (stem(h, 3, 16), 4 * 3 * 7 * 7),
        (attention_map(h, 5, 6), 2 * (4 * 4 + 4)),
        (refinement("refinement", h, r), (4 * 2 * 3 * 3 + 2) + 2 * 2),
        (
            two_way_layer(h, 2, 16, seen=linear(h, h), shown=linear(h, h), patches=9, is_first=True),
            4 * (4 * 4 + 4) + 2 * (4 * 4 + 4) + (4 * 16 + 16 + 16 * 4 + 4) + 4 * 2 * 4,
        ),
        (fourier_positions(h), 2 * 2),
        (transposed_convolution(h, r, 2, 2), 4 * 2 * 2 * 2 + 2),
        (perceptron(3, h, r, 2), (3 * 4 + 4) + 2 * (4 * 4 + 4) + (4 * 2 + 2)),
        (mask_convolutions(5, h, 9), (1 * 4 + 1) + 2 * 1 + (4 * 1 * 4 + 4) + 2 * 4 + (5 * 4 + 5)),
        (mask_head(8, 3, 9), (8 * 2 * 4 + 2) + 2 * 2 + (2 * 1 * 4 + 1) + 3 * (2 * (8 * 8 + 8) + (8 * 1 + 1))),
        (depthwise_convolution(h, 7, 7), 4 * 7 * 7 + 4),
        (tokens(3, h), 3 * 4),
        (position_grid(2, h), 2 * 2 * 4),
        (feed_forward(h, r), (4 * 2 + 2) + (2 * 4 + 4)),
        (gated_feed_forward(h, r), 3 * 4 * 2),
        (mixture_of_experts(h, 4, 2, r), 4 * 4 + 4 * 3 * 4 * 2),
        (plain_mixture_of_experts(h, 5, 2, r), 4 * 5 + 5 * 2 * 4 * 2),
        (plain_mixture_of_experts(h, 5, 2, r, latent=3, bias=True), 4 * 5 + (4 * 3 + 3) + 5 * 2 * 3 * 2 + (3 * 4 + 4)),
        (normed_mixture_of_experts(h, 4, 2, r), 4 * 4 + 4 * 3 * 4 * 2 + 4 + 4 + 4),
        (per_layer_gate(h, r, "inputs"), 4 * 2 + 2 * 4),
        (with_sparse_gate(gated_feed_forward(h, r), features.gate_sparsity), 3 * 4 * 2),
        (stream_projection(h, 3), 2 * 4 * 4),
        (altup_prediction(h, 3), 4 + 4 * 3 + 3 * 9),
        (altup_correction(h, 3, ""), 3 * 3),
        (stream_merging(h, 3), 2 * 4 * 4),
        (laurel(h, r), 4 * 2 + 2 * 4),
        (per_layer_embeddings(10, 3, r, h, "embedding"), 10 * 3 * 2 + 4 * 3 * 2 + 2),
        (  # no bias but that of Δ: h × 2r in, a convolution of r × 4, r × (3 + 2·2), 3 × r + r, A, D, r × h out, and the norms
            with_selection_norms(selective_state_space(h, r, 2, 4, 3, conv_bias=False), rms_norm(3), rms_norm(2), rms_norm(2)),
            4 * 4 + 2 * 4 + 2 * 7 + (3 * 2 + 2) + 2 * 2 + 2 + 2 * 4 + (3 + 2 + 2),
        ),
        (selective_state_space(h, r, 2, 4, 3, n_heads=2), 4 * 4 + (2 * 4 + 2) + 2 * 7 + (3 * 2 + 2) + 2 * 2 + 2 + 2 * 4),
        (parameter(), 1),
        (Component(Kind("own", Role.OTHER), tensors=(Tensor("gain", (3, sympy.Symbol("h")), Use.GAIN),), times=2), 2 * 3 * 4),
        (Component(Kind("attention", Role.ATTENTION), body=(("low", linear(h, h, bias=False)),)), 16),
    ):
        model = sized(tiny(part=part))
        assert model.count() == count, part
        for view, way in zip(views.names(), ("fused", "per-head", "fused"), strict=True):
            assert derive(model, view=view, attention=way).total.value == count, part


def test_a_tie_ties_unless_the_architecture_or_the_model_says_otherwise():
    parts = {"e": embedding(V, h), "o": linear(h, V, bias=False, tied_to="e")}
    tied, untied = Architecture("tied", **parts), Architecture("untied", **parts, has=[~features.tying])
    assert (tied.features, untied.features) == ({"tying": True}, {"tying": False})
    assert sized(tied).count() == load(untied, include=["tying"], V=5, h=4).count() == 5 * 4
    assert sized(untied).count() == load(tied, exclude=["tying"], V=5, h=4).count() == 2 * 5 * 4


def test_layers_share_the_tensors_of_a_part_and_have_each_what_is_their_own():
    """Weights and biases alike; FLOPs count every use."""
    network = feed_forward(h, r)
    first = block("layer", *pre_norm(rms_norm(h), feed_forward=network))
    other = block("layer", *pre_norm(rms_norm(h), feed_forward=with_adapters(tied(network, "first.feed_forward"), 3, up=r)))
    sharing_layers = Architecture("tiny", first=first, others=5 * other)
    model, matrices = sized(sharing_layers), 4 * 2 + 2 * 4
    assert model.count() == (matrices + 2 + 4) + 4 + 5 * (4 + 4 * 3 + 3 * 2)
    assert model.count(shared="each") == model.count() + 5 * (matrices + 2 + 4)
    assert load(sharing_layers, exclude=["tying"], h=4, r=2).count() == model.count(shared="each")
    assert model.measure("forward_flops", b=1, s=1) == 2 * (6 * matrices + 5 * (4 * 3 + 3 * 2))


def test_a_matrix_that_a_part_has_not_gets_no_adapter_and_no_other_width():
    assert "feed_forward has no gate: give the names of its matrices." in refusal(with_adapters, feed_forward(h, r), 3, gate=4)
    assert "has no matrix of the output" in refusal(with_output_width, feed_forward(h, r), 3)


def test_a_feature_of_the_flow_that_gates_a_parameter_too_is_one_that_counts():
    parts = {
        "memory": features.Feature("memory") * linear(h, h, bias=False),
        "attention": attention(h, n_heads, bias=False, causal=features.Feature("memory", is_flow=True)),
    }
    family = Architecture("tiny", **parts)
    assert (family.features, family.switches) == ({"memory": False}, {})
    assert load(family, h=4, n_heads=2, include=["memory"]).count() == 4 * 16 + 16
    always_there = Architecture("tiny", **parts, has=[features.Feature("memory", is_flow=True)])
    assert always_there.features == {"memory": True}
