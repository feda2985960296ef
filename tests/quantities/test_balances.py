"""The page of costs says where one cost becomes larger than another, and over how many cards memory goes: exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparams import derive, load, render
from symparams.derivations.balances import more_attention, more_cache, more_than_rule
from symparams.derivations.fitting import cards
from symparams.errors import OptionError
from symparams.quantities.memory import read_room


def page(target, *, brief=False, language="en", **given):
    return " ".join(render(derive(target, quantity="all", **given), brief=brief, language=language, width=120).split())


def decoding(target, t, **parts):
    """The FLOPs of one token after t, and the part of it that is attention."""
    after, alone = (load(target).measure("forward_flops", b=1, s=1, t=tokens, logits="last", **parts) for tokens in (t, 0))
    return after, after - alone


@pytest.mark.parametrize("target", ["llama-3-8b", "gemma-2-9b"])
def test_from_there_on_attention_is_more_than_all_else_and_not_before(target):
    first = more_attention(derive(target, quantity="all"))
    _, one = decoding(target, 1)  # what a token in the cache adds, and what the new token's own key takes
    alone, _ = decoding(target, 0)
    others = alone - one
    for t, is_more in ((first - 1, False), (first, True)):
        assert (decoding(target, t)[0] - others > others) is is_more


@pytest.mark.parametrize("target", ["llama-3-8b", "mistral-7b-v0.1"])
def test_from_there_on_decoding_takes_more_than_twice_the_parameters(target):
    first, rule = more_than_rule(derive(target, quantity="all")), 2 * load(target).count()
    assert decoding(target, first - 1)[0] <= rule < decoding(target, first)[0]


@pytest.mark.parametrize(("target", "b"), [("llama-3-8b", 1), ("gemma-2-9b", 3), ("deepseek-v3", 3)])
def test_from_there_on_the_cache_is_more_than_the_weights(target, b):
    first, model = more_cache(derive(target, quantity="all", b=b, dtype="bf16")), load(target)
    weights = model.measure("weight_memory", dtype="bf16")
    assert model.measure("kv_cache", b=b, t=first - 1, dtype="bf16") <= weights
    assert model.measure("kv_cache", b=b, t=first, dtype="bf16") > weights


def test_the_balances_of_families():
    for target, balances in (
        ("llama-3-8b", (28_628, 2_005, 122_533)),
        ("mistral-7b-v0.1", (None, 501, None)),  # the window ends what grows
        ("deepseek-v3", (None, None, 19_097_974)),  # the products that expand the latent vector grow, too
        ("gpt2", (None, 49, None)),  # the table of positions ends before
        ("mixtral-8x7b", (48_632, None, 712_629)),  # no rule by all experts
        ("mamba-130m", (None, None, None)),
        ("t5-small", (None, None, None)),  # nobody says how long the source is
        ("bert-base-uncased", (None, None, None)),
        ("llama", (None, None, None)),
    ):
        derivation = derive(target, quantity="all", dtype="bf16")
        assert (more_attention(derivation), more_than_rule(derivation), more_cache(derivation)) == balances, target


@given(st.integers(1, 10**15), st.integers(1, 10**12))
def test_so_many_cards_hold_it_and_one_less_does_not(size, room):
    number = cards(size, read_room(f"{room}B"))
    assert Fraction(size, number) <= room
    assert number == 1 or Fraction(size, number - 1) > room


def test_what_fits_a_card_is_not_shared_out():
    """As llama-3-8b's training is, in a golden."""
    assert "ZeRO" not in page("gpt2", dtype="bf16", fits="80GB", brief=True)


def test_the_rule_of_a_mixture_goes_by_what_a_token_uses():
    shown = page("mixtral-8x7b", b=1, s=1024, dtype="bf16")
    assert "Rules of thumb go by the parameters that one token uses, N_active = 12,879,925,248." in shown
    assert "2·N_active 25.76 G" in shown


def test_positions_end_what_is_read_and_cached():
    for target, length in (("bert-base-uncased", {"s": 513}), ("gpt2", {"t": 1025}), ("whisper-tiny", {"s": 449})):
        with pytest.raises(OptionError, match=r"is more than the .* positions of"):
            derive(target, quantity="all", **length)
    assert "448*" in page("whisper-tiny", b=1, dtype="bf16", fits="80GB")
    assert "s_src = 1,500: tokens of the source" in page("whisper-tiny", b=1, dtype="bf16", brief=True)


def test_beside_an_encoder_no_token_stands_for_all():
    shown = page("whisper-tiny", b=1, s=400, t=20)
    assert "2·N" not in shown
    assert "FLOPs of training, a batch" in shown


def test_what_has_no_mask_does_not_speak_of_one():
    assert "causal mask hides" in page("llama-3-8b")
    for target in ("bert-base-uncased", "mamba-130m", "vit-base-patch16-224"):
        assert "causal mask hides" not in page(target)


def test_a_sheet_of_flops_knows_its_number_of_parameters():
    shown = " ".join(render(derive("mixtral-8x7b", quantity="forward_flops", b=1, s=4)).split())
    assert "number of parameters 46,702,792,704" in shown
    assert "unused experts, norms, embeddings and any biases, and" in shown
    assert "L_window = 0" not in shown


def test_a_brief_has_no_formula_that_nobody_takes_in():
    shown = " ".join(render(derive("deepseek-v3", quantity="forward_flops", b=1, s=1024), brief=True).split())
    assert "F(forward) = 80,247,034,740,736 FLOPs" in shown
    shown = " ".join(render(derive("deepseek-v3", quantity="training_memory", recipe="bf16"), brief=True).split())
    assert "Weights 2·N 1 1,342,052,808,704" in shown
    assert "M(train) = 8·N = 5,368,211,234,816 bytes" in shown
