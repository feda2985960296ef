"""What one token uses is worked out as the whole count is; a long sublayer path by path, and nothing a second time."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given

from symparams import Architecture, block, derive, linear, load, mixture_of_experts, render
from symparams.derivations import views
from symparams.derivations.renaming import renaming
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.factoring import gathered
from symparams.expressions.nodes import Number
from symparams.expressions.symbols import d_expert, d_ff, h, n_active, n_experts, n_shared
from symparams.quantities.parameters import ACTIVE
from tests.derivations.test_forms import polynomials
from tests.strategies import models

MIXTURES = ("mixtral-8x7b", "deepseek-v3", "deepseek-v2-lite", "glm-4.5", "jamba-v0.1", "qwen3-30b-a3b", "gpt-oss-20b")


@pytest.mark.parametrize("view", views.names())
@pytest.mark.parametrize("name", MIXTURES)
def test_what_one_token_uses_and_what_lies_idle_are_together_the_whole(name, view):
    found = derive(name, view=view)
    assert found.active.polynomial == load(name).polynomial(ACTIVE)
    assert found.active.value + found.idle.value == found.total.value


@given(models())
def test_the_active_shares_are_what_one_token_uses(model):
    if model.has_experts:
        shares = derive(model).shares
        assert sum(share.active.value for share in shares) == model.active_count()
        assert sum(share.active_part for share in shares) == (1 if model.active_count() else 0)


def lines(name: str, **options: str) -> list[str]:
    return [line.strip() for line in render(derive(name), "text", **options).splitlines()]


def test_the_attention_of_deepseek_is_three_paths_and_is_said_once():
    said = lines("deepseek-v3")
    assert "= 1,536 × (7,168 + 24,576 + 1) = 48,760,320" in said
    assert "= 48,760,320 + 20,906,496 + 117,440,512 = 187,107,328" in said
    assert said.index("What every layer has") < said.index("One dense layer") < said.index("One MoE layer")
    assert [line for line in said if line.startswith("N(attn) =")] == ["N(attn) = N(Q) + N(KV) + N(O)"]


def test_an_expert_is_the_network_of_another_width_where_there_is_one():
    assert "The network of N(FFN), of width d_expert." in lines("deepseek-v3")
    assert "= 58 × (256 − 8) × 44,040,192 = 633,474,121,728" in lines("deepseek-v3")
    assert "由于 d_ff = (n_active + n_shared)·d_expert，每个词元在各层的前馈网络中用到的参" in lines(
        "deepseek-v3", language="zh"
    )
    assert not [line for line in lines("mixtral-8x7b") if line.startswith("The network of")]


def test_a_number_of_layers_says_where_it_comes_from():
    said = [" ".join(line.split()) for line in lines("deepseek-v3")]
    assert "L number of layers num_hidden_layers 61" in said
    assert "L_dense number of dense layers first_k_dense_replace 3" in said
    assert "L_moe number of MoE layers L − L_dense 58" in said


def test_mamba_keeps_its_inner_size():
    said = lines("mamba-130m")
    assert "= d_inner·(3·h + 3·d_state + d_conv + 2·r_dt + 3)" in said
    assert next(line for line in said if line.startswith("E ")).split()[-2:] == ["expand", "2"]


def test_positions_without_parameters_have_a_sentence_and_no_equation():
    for name in ("llama-3-8b", "bloom", "deepseek-v3"):
        assert not [line for line in lines(name) if line.startswith("N(positions)")]
    assert "N(head) = 0" in lines("gpt2")


def test_the_image_encoder_of_clip_is_its_text_encoder_in_other_letters():
    said = lines("clip-vit-base-patch32")
    assert "As N(text enc layer), with h_vision for h_text and d_ff_vision for d_ff_text." in said
    assert "N(image enc layer) = 12·h_vision² + 13·h_vision = 12 × 768² + 13 × 768" in said


def test_a_step_is_renamed_only_where_it_is_written_alike():
    steps = {str(step.name): step for step in derive("bert-base-uncased").walk()}
    assert renaming(steps["attention"], steps["attention"]) == {}
    assert renaming(steps["attention"], steps["feed_forward"]) is None


@given(polynomials())
def test_terms_that_are_gathered_are_the_same_polynomial(polynomial):
    assert multiply_out(gathered(polynomial), {}) == polynomial


def test_terms_of_all_letters_but_one_alike_are_gathered():
    experts = 3 * n_experts * h * d_expert + 3 * n_shared * h * d_expert + h * n_experts
    assert repr(gathered(multiply_out(experts, {}))) == "3*h*d_expert*(n_experts + n_shared) + n_experts*h"


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
