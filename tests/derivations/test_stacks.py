"""Two stacks said once: one letter for what they share, the decoder's layer as the encoder's and what it has more."""

from __future__ import annotations

import json
from itertools import cycle

import pytest
from hypothesis import given, settings

from symparams import derive, load, render
from symparams.components.letters import written_in
from symparams.derivations import views
from symparams.derivations.derivation import as_printed
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.notation import NOTATIONS
from symparams.models.stacks import COMMON, in_common_letters
from tests.strategies import models

TWO_STACKS = ("t5-small", "bart-base", "whisper-tiny", "transformer-base")


def lines(target, **options) -> list[str]:
    return [" ".join(line.split()) for line in render(derive(target), width=120, **options).splitlines()]


def test_a_config_without_d_kv_and_d_ff_has_those_of_the_library():
    config = {"model_type": "t5", "d_model": 256, "num_heads": 8, "architectures": ["T5ForConditionalGeneration"]}
    sizes = {dimension.name: value for dimension, value in load(config).values.items()}
    assert (sizes["d_head"], sizes["d_ff"]) == (64, 2_048)


@pytest.mark.parametrize("target", TWO_STACKS)
def test_a_sheet_has_one_letter_for_the_layers_of_both_stacks(target):
    """In whatever notation, format and language."""
    for notation, kind, language in zip(NOTATIONS, cycle(("text", "latex", "markdown")), cycle(("en", "zh")), strict=False):
        sheet = render(derive(target), kind, language=language, notation=notation)
        assert not [letter for letter in ("L_enc", "L_dec", r"L_{\text{enc}}", r"L_{\text{dec}}") if letter in sheet], notation


def test_data_and_the_formula_keep_the_letters_of_each_stack():
    sheet = json.loads(render(derive("bart-base"), "json"))
    assert sheet["closed_form"].startswith("4*L_enc*h**2 + 8*L_dec*h**2 + 2*L_enc*h*d_ff_enc")
    assert {"L_enc", "L_dec"} <= sheet["dimensions"].keys()
    assert "L_enc" in str(derive("t5-small").total.closed_form)


def test_what_the_stacks_do_not_share_keeps_its_letters():
    for sizes, line in (
        ({"L_dec": 3}, "N(dec) = L_dec × N(dec layer)"),
        ({"d_ff_dec": 1_024}, "N(dec FFN) = (h × d_ff_dec + d_ff_dec) [up] + (d_ff_dec × h + h) [down]"),
        ({"d_ff_dec": 1_024}, "N(cross) = N(attn) = 4·h² + 4·h = 2,362,368"),
    ):
        assert any(found.startswith(line) for found in lines(load("bart-base", **sizes))), sizes


def test_a_letter_of_ones_own_for_one_stack_keeps_them_apart():
    assert "where m = n" in render(derive("t5-small"), symbols={"L_enc": "n", "L_dec": "m"})


@settings(max_examples=60)
@given(models())
def test_a_sheet_in_common_letters_is_the_same_count(model):
    for subject in (model, model.symbolic()):
        shown = in_common_letters(subject)
        if shown is not subject:
            there = shown.architecture.dimensions
            letters = {each: common for common, pair in COMMON.items() if common in there for each in pair}
            assert multiply_out(written_in(as_written(subject.polynomial()), letters), shown.relations) == shown.polynomial()
            assert subject.unbound or shown.count() == subject.count()


def test_a_stack_is_one_sum_and_a_layer_is_told_by_what_it_has_more():
    for target, line in (
        ("bart-base", "N(dec layer) = N(enc layer) + (4·h² + 4·h) [cross-attention] + 2·h [its norm]"),
        ("whisper-tiny", "N(dec) = L × N(dec layer) + 2 × h [final norm]"),
        ("bart-base", "Decoder alone, with its embeddings −N(enc emb) − N(enc)"),
    ):
        assert any(shown.startswith(line) for shown in lines(target)), target


@pytest.mark.parametrize("target", TWO_STACKS)
def test_the_stacks_of_the_shares_are_those_of_the_sheet(target):
    """What the components have of a stack is what its step comes to: in every view that sums the stack up."""
    for view in (view for view in views.names() if view != "kind"):
        derivation = as_printed(derive(target, view=view))
        steps = {str(step.name): step.value for section in derivation.sections for step in section.walk()}
        sums = [sum(share.stacks[i].value for share in derivation.shares) for i in range(2)]
        assert sums == [steps["encoder"], steps["decoder"]]


def test_the_biases_that_the_paper_of_2017_does_not_write():
    without = load("transformer-base", exclude=["attention_bias"])
    rows = [line for line in lines("transformer-base") if line.startswith("Without the biases in attention, which the paper")]
    assert [row.split()[-2:] for row in rows] == [["−12·L·h", f"{without.count():,}"]]
    assert load("transformer-base", exclude=["biases"]).count() == without.count() - 10 * 6 * 512


@pytest.mark.parametrize("kind", ["whole", "brief"])
def test_a_published_figure_is_told_in_the_letters_of_both_stacks(kind):
    sheet = " ".join(lines("whisper-tiny", brief=kind == "brief"))
    assert "Where does 39 M come from? 39,000,000 is the figure published in https://github.com/openai/whisper" in sheet
    assert "39.0 M" not in " ".join(lines(load("whisper-tiny", d_ff_dec=1_024)))
