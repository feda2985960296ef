"""What one token uses is worked out as the whole count is; a long sublayer path by path, and nothing a second time."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import Architecture, block, derive, linear, load, mixture_of_experts, render
from symparams.derivations import views
from symparams.derivations.steps import renaming
from symparams.expressions.nodes import Number
from symparams.expressions.symbols import d_ff, h, n_active, n_experts
from symparams.quantities.parameters import ACTIVE
from tests.strategies import models


@settings(max_examples=50)
@given(models(), st.sampled_from(views.names()))
def test_what_one_token_uses_and_what_lies_idle_are_together_the_whole(model, view):
    if model.has_experts:
        derivation = derive(model, view=view)
        assert derivation.active.polynomial == model.polynomial(ACTIVE)
        assert derivation.active.value == model.active_count()
        assert derivation.active.value + derivation.idle.value == derivation.total.value
        assert sum(share.active.value for share in derivation.shares) == model.active_count()
        assert sum(share.active_part for share in derivation.shares) == (1 if model.active_count() else 0)


def test_the_image_encoder_of_clip_is_its_text_encoder_in_other_letters():
    sheet = render("clip-vit-base-patch32")
    assert "As N(text enc layer), with h_vision for h_text and d_ff_vision for d_ff_text." in sheet
    assert "N(image enc layer) = 12·h_vision² + 13·h_vision = 12 × 768² + 13 × 768" in sheet


def test_a_bias_that_balances_a_router_is_stored_and_not_counted():
    """In 27 layers of 64 experts there are 27 × 64 = 1,728 of them."""
    ernie, sheet = load("ernie-4.5-21b-a3b"), render("ernie-4.5-21b-a3b")
    assert ernie.count(frozen=True) - ernie.count() == 1_728
    assert "N(MoE) = N(routed) + N(router) =" in sheet
    assert "These numbers are stored but not trained, so they are not counted." in " ".join(sheet.split())


def test_an_expert_whose_gate_and_up_projection_are_apart():
    """Of 16 experts with 3 matrices of 6,144 × 10,752 the library has each kind as one matrix, one below another."""
    arrays = dict(load("dbrx").tensors(names="hf"))
    names = [f"transformer.blocks.39.ffn.experts.mlp.{name}" for name in ("w1", "v1", "w2")]
    assert [arrays[name] for name in names] == [(16 * 10_752, 6_144)] * 3
    assert load("dbrx").active_count() == load("dbrx").count() - 40 * 12 * 3 * 6_144 * 10_752


def test_a_sheet_says_only_what_its_model_has():
    for name in ("llama-3-8b", "bloom"):  # positions without parameters have a sentence and no equation
        assert "N(positions)" not in render(name)
    assert "The network of" not in render("mixtral-8x7b")  # whose experts are as wide as any network of it


def test_a_step_is_renamed_only_where_it_is_written_alike():
    steps = {str(step.name): step for step in derive("bert-base-uncased").walk()}
    assert renaming(steps["attention"], steps["attention"]) == {}
    assert renaming(steps["attention"], steps["feed_forward"]) is None


def test_the_closed_form_of_a_mixture_is_one_line_of_a_page():
    """All layers are L, what stands in a layer twice is N_expert; both are in the table or in the steps below."""
    sheet = render("deepseek-v3", "latex")
    assert r"L\,(N_{\text{attn}} + 2h) + 3L_{\text{dense}}\,h\,d_{\text{ff}} + L_{\text{moe}}\,(N_{\text{expert}}\," in sheet
    assert re.search(r"^L +number of layers +num_hidden_layers +61$", render("deepseek-v3"), re.MULTILINE)


def test_a_formula_for_programs_keeps_the_dimensions_of_the_config():
    closed = str(load("deepseek-v3").closed_form(form="blocks"))
    assert "L_dense + L_moe" in closed
    assert "N_" not in closed


def test_experts_that_stand_twice_in_a_block_are_counted_twice():
    """They are no shared experts of themselves: what stands in a block so often is added up so often."""
    mixture = mixture_of_experts(h, n_experts, n_active, d_ff)
    unrouted = replace(mixture, body=mixture.body[1:], times=Number(2))
    tree = block(body=block(first=linear(h, h, bias=False), mixture=unrouted))
    model = load(Architecture("twice", title="", source="", tree=tree), h=4, d_ff=3, n_experts=5, n_active=2)
    assert derive(model).total.value == model.count() == 4 * 4 + 2 * 5 * (3 * 4 * 3)
