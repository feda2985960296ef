"""Explanations: which conventions turn this count into somebody else's, as sums that come out exactly."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparams import SymparamsError, explain, load


def keys_of(explanation):
    return [(term.note.keys[0], term.note.terms.get("part", "")) for term in explanation.terms]


@pytest.mark.parametrize(
    ("target", "claimed", "terms"),
    [
        ("bert-base-uncased", 109_482_240, []),
        ("bert-base-uncased", 108_891_648, [("convention.without", "part:pooler")]),
        ("bert-base-uncased", 110_106_428, [("convention.with", "part:mlm_head"), ("convention.with", "part:nsp_head")]),
        ("bloom-1b4-zh", 1_397_616_640, [("convention.each_head", "")]),
        ("bloom-1b4-zh", 1_303_107_584, [("explain.one_norm", "layer_norm")]),
        ("gpt2", 163_037_184, [("convention.each_head", "")]),
        ("gpt2", 124_337_664, [("explain.every_bias", "")]),
        ("gpt2", 124_439_808 + 47 * 768, [("explain.padded", "")]),  # 50,304 rows, a multiple of 64
        ("gpt2", 84_934_656, [("explain.estimate", "")]),
        ("llama-7b", 6_607_343_616, [("convention.no_embeddings", "")]),
        ("gpt2", 124_439_808 + 3 * 768**2, [("explain.residual", "")]),
    ],
)
def test_the_simplest_explanation_comes_first(target, claimed, terms):
    first = explain(load(target), claimed)[0]
    assert keys_of(first) == terms
    assert first.result == claimed


def test_another_member_of_the_family():
    [found] = explain(load("gpt2"), 354_823_168)
    assert (found.model, found.terms) == ("gpt2-medium", ())


def test_a_rounded_claim_is_met_by_every_count_that_rounds_to_it():
    results = [explanation.result for explanation in explain(load("bert-base-uncased"), "110M")]
    assert results[0] == 109_482_240
    assert {108_891_648, 110_106_428} <= set(results)
    assert explain(load("gpt2"), "85M")[0].result == 85_056_000


def test_what_nothing_explains_is_said(cli):
    text = "109,482,241 is not explained: it is 1 away from 109,482,240, the count of\nbert-base-uncased.\n"
    assert cli("explain bert-base-uncased 109482241") == (1, text, "")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["bloom-1b4-zh", "1397616640"], "    1,303,111,680 + 94,504,960 = 1,397,616,640\n"),
        (["bloom-1b4-zh", "1303107584", "--lang", "zh"], "不计层归一化 (−2·h)：\n    1,303,111,680 − 4,096 = 1,303,107,584\n"),
        (["gpt2", "354823168"], "gpt2-medium has this count.\n    354,823,168\n"),
    ],
)
def test_the_command(arguments, says, cli):
    assert says in cli(["explain", *arguments]).out


def test_the_same_as_data(cli):
    data = json.loads(cli("explain gpt2 163037184 --json").out)
    [explanation] = data["explanations"]
    assert explanation["terms"][0]["formula"] == "V*h"
    assert explanation["start"] + sum(term["value"] for term in explanation["terms"]) == data["claimed"]


@pytest.mark.parametrize("claimed", ["", "many", "-5", "1.5", "0", True, None, 3.5])
def test_what_is_no_count(claimed):
    with pytest.raises(SymparamsError, match="is no parameter count"):
        explain(load("gpt2"), claimed)


@given(st.sampled_from(["bert-base-uncased", "gpt2", "bloom-560m", "llama-7b"]), st.integers(1, 10**12))
def test_every_explanation_adds_up_exactly(target, claimed):
    for explanation in explain(load(target), claimed):
        assert explanation.start + sum(term.step.value for term in explanation.terms) == explanation.result == claimed
