"""Measures: what a record reads of another quantity, and the steps of that quantity's sheet behind it."""

from __future__ import annotations

import symparams
from symparams.expressions.parsing import parse
from symparams.expressions.symbols import letter
from symparams.practice.asking import ask
from symparams.practice.conditions import holds
from symparams.practice.equality import are_equal
from symparams.practice.kind import kinds
from symparams.practice.question import Question
from symparams.practice.readings import read


def question(kind: str, model: str) -> Question:
    """The question that a kind asks of a published model."""
    found = ask(kinds()[kind], symparams.load(model))
    assert found is not None
    return found


def test_a_quantity_is_read_with_what_the_record_says_of_it():
    for model, wanted, formula in (
        ("gpt2", {"quantity": "kv_cache", "b": 1, "t": 1}, "2*L*h*e"),
        ("gpt2", {"quantity": "kv_cache", "b": 1, "dtype": "bf16"}, "2*L*t*h*e"),
        ("gpt2", {"quantity": "forward_flops", "b": 1, "of": "layer"}, "24*s*h**2 + 4*s**2*h"),
        ("gpt2", {"quantity": "forward_flops", "b": 1, "of": "layer", "kind": "attention"}, "4*s**2*h"),
        ("gpt2", {"quantity": "forward_flops", "b": 1, "of": "lm_head"}, "2*s*h*V"),
        ("gpt2", {"quantity": "forward_flops", "b": 1, "s": 1, "of": "layer", "names": ["up", "down"]}, "16*h**2"),
        ("gpt2", {"recipe": "bf16_fp32_master", "names": ["weights", "gradients"]}, "4"),
    ):
        subject = symparams.load(model)
        found = read(subject, wanted)
        assert found is not None, model
        asked = question("flops.forward", "gpt2")
        assert asked.multiplied_out(found) == asked.multiplied_out(parse(formula, letter, is_evaluated=True)), model


def test_what_a_model_has_not_is_not_read():
    for model, wanted in (
        ("bert-base-uncased", {"quantity": "kv_cache"}),
        ("gpt-j-6b", {"quantity": "activations"}),
        ("gpt2", {"quantity": "forward_flops", "of": "encoder"}),
        ("t5-small", {"quantity": "forward_flops", "of": "layer"}),
    ):
        assert read(symparams.load(model), wanted) is None, model


def test_the_steps_are_those_of_the_quantity_s_sheet():
    token, layers = question("cache.gqa", "llama-2-70b").steps
    assert repr(token.written) == "2*(n_kv_heads*d_head)*e"
    assert token.value == 4_096
    assert layers.value == 327_680
    assert {token.name.symbol, layers.name.symbol} == {"M"}


def test_the_bytes_of_a_number_may_be_a_letter_or_a_number():
    asked = question("cache.gqa", "llama-2-70b")
    for typed in ("2*L*n_kv_heads*d_head*e", "4*L*n_kv_heads*d_head", "2*L*n_kv_heads*d_head*2"):
        assert are_equal(asked, parse(typed, letter), asked.written), typed


def test_a_question_can_ask_for_models_with_a_window():
    for model, windows in {"mistral-7b-v0.1": "all", "mistral-7b-v0.3": "none", "gemma-2-9b": "some"}.items():
        assert [word for word in ("all", "some", "none") if holds(symparams.load(model), {"windows": word})] == [windows]
