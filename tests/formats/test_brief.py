"""A brief is one page in every format: what stands on it is short, true of the family, and adds up."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

from symparams import derive, load, published_models, render
from symparams.derivations.estimates import in_the_head
from symparams.derivations.reasons import reasons
from symparams.expressions.printing.metric import columns
from symparams.expressions.written import evaluate
from symparams.sheets.brief import brief as compose
from symparams.sheets.catalogue import catalogue, languages

from .conftest import EVERY_FAMILY, FEW

MOST_LINES, MOST_COLUMNS = 56, 80
# Of families with several kinds of layers, or of several models: as many lines at most as their longest.
LONGER = {
    "convnext": 61, "deepseek_v32": 60, "detr": 66, "dinov3_convnext": 58, "gemma3n_text": 71, "gemma4": 125,
    "gemma4_text": 76, "internvl": 62, "lfm2_moe": 57, "llama4": 72, "qwen3_5": 65, "qwen3_5_moe": 76, "qwen3_next": 59,
    "qwen3_vl": 73, "qwen3_vl_moe": 80, "sam": 85, "siglip": 65, "swin": 63,
}  # fmt: skip
WIDER = {("siglip-base-patch16-224", "zh"): 82}  # a closing bracket hangs into the gap between two columns
SHORT = ("llava-1.5-7b-hf", "jamba-v0.1")


def brief(target: str, language: str = "en", format: str = "text") -> str:  # noqa: A002 - the name is part of the surface
    return render(target, format, language=language, brief=True)


@pytest.mark.parametrize(
    "targets", [[*FEW, *SHORT], pytest.param([*EVERY_FAMILY, *published_models()], marks=pytest.mark.sweep)], ids=["few", "all"]
)
def test_a_brief_is_short_and_what_adds_up_in_the_head_misses_little(targets):
    """As text a brief is fifty-six lines of eighty columns; its sum, done in the head, is at most 5% below the count."""
    for target in targets:
        for language in languages() if target in {*EVERY_FAMILY, *FEW} else ["en"]:
            lines = brief(target, language).splitlines()
            assert len(lines) <= LONGER.get(load(target).family, MOST_LINES), (target, language)
            assert max(map(columns, lines)) <= WIDER.get((target, language), MOST_COLUMNS), (target, language)
        model = load(target)
        if not model.unbound:
            estimate = in_the_head(model)
            assert estimate is not None
            assert 0 <= 1 - Fraction(estimate.value, model.count()) < Fraction(1, 20), target


@pytest.mark.parametrize(
    "targets", [[*FEW, *SHORT], pytest.param(published_models(), marks=pytest.mark.sweep)], ids=["few", "all"]
)
def test_its_blocks_add_up_to_the_count(targets):
    for model in map(load, targets):
        [[total, *_]] = (section.blocks for section in compose(derive(model)).sections if section.key == "blocks")
        numbers = [evaluate(link.content, {}) for link in total.chain[1:-1]]  # none in letters, or of a single block
        assert not numbers or numbers == [model.count()], model.name


def test_its_table_adds_up_by_row_and_by_column():
    """Also in the columns that follow from the others, for which a terminal has no room."""
    sections = json.loads(brief("deepseek-v3", format="json"))["document"]["sections"]
    [[table]] = [section["blocks"] for section in sections if section["key"] == "parts"]
    *parts, whole = table["rows"]
    assert [per_layer * times for *_, per_layer, times, _, _, _ in parts if per_layer] == [row[4] for row in parts if row[2]]
    assert [sum(row[i] for row in parts) for i in (4, 6)] == [whole[4], whole[6]]


def test_what_is_asked_follows_from_the_tree_and_has_an_answer():
    for target, asked in [
        ("bert-base-uncased", ["heads", "positions", "dropped.not_tables"]),
        (
            "mistral-7b-v0.1",
            ["grouped", "number_of_heads.ratio", "untied", "gated.exact", "encoding.rotary", "dropped.plain"],
        ),
        (
            "deepseek-v3",
            ["idle.experts", "latent", "number_of_heads.size", "untied", "encoding.rotary", "dropped.all"],
        ),
        ("albert-base-v2", ["shared_layers", "heads", "positions", "dropped.not_tables"]),
        ("t5-small", ["cross_attention", "tied", "encoding.relative", "dropped.not_tables"]),
        ("falcon-7b", ["multi_query_saves", "number_of_heads.ratio", "tied", "encoding.rotary", "dropped.plain"]),
        ("mamba-130m", ["mixer", "tied", "dropped.not_tables"]),
        ("llava-1.5-7b-hf", ["largest.text_model", "untied", "dropped.plain"]),
    ]:
        assert [reason.key for reason in reasons(load(target), 9)] == asked
    for target in EVERY_FAMILY:
        for reason in reasons(load(target), 99):
            for language in languages():
                assert f"reasons.{reason.key.partition('.')[0]}.question" in catalogue(language).entries, target


def test_what_it_says_and_how_a_question_stands_out():
    for target, said in [
        ("bert-base-uncased", "N = 109,482,240 ≈ 109 M"),
        ("bert-base-uncased", "12·L·h²         = 12 × 12 × 768² ≈ 84.9 M"),
        ("bert-base-uncased", "Without rounding, these terms add up to 108.8 M; what they leave out is 0.65%"),
        ("deepseek-v3", "active  37,552,282,624 ≈ 37.6 B"),
        ("deepseek-v3", "A token uses 37.55 B parameters with token embedding"),
        ("deepseek-v3", "r_kv + d_rope = 576"),
        ("llama-3-8b", "A layer is 13·h²: 2.5·h² for attention, 10.5·h² for feed-forward."),
        ("t5-small", "Three RMSNorms, decoder"),
    ]:
        assert said in brief(target)
    question = "Why does the number of heads not matter?"
    assert "| $50{,}257$ | $768$ | $12$ | $12$ | $64$ |" in brief("gpt2", format="markdown")
    marked = {"latex": rf"\textbf{{{question}}}", "markdown": f"**{question}**", "json": f'"item": "{question}"'}
    assert [kind for kind, text in marked.items() if text not in brief("bert-base-uncased", format=kind)] == []


@pytest.mark.parametrize("target", ["mixtral-8x7b", "deepseek-v3", "jamba-v0.1", "gpt-oss-20b"])
def test_a_rounded_number_in_the_head_is_worked_out_before_it_is_used(target):
    """44.0 M of one expert stands behind the product that leads to it."""
    _, _, head = brief(target).partition("In your head")
    known = set()
    for sign, number in re.findall(r"([≈=]\s)?\b(\d[\d.]* [MB])\b", head.partition("Without rounding")[0]):
        assert sign or number in known, number
        known.add(number)
