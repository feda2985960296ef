"""A brief is one page in every format: what stands on it is short, true of the family, and adds up."""

from __future__ import annotations

import re
import subprocess
from fractions import Fraction

import pytest

from symparams import load, published_models, render
from symparams.derivations.estimates import in_the_head
from symparams.derivations.reasons import reasons
from symparams.expressions.printing.metric import columns
from symparams.sheets.catalogue import catalogue, languages

from .conftest import TARGETS

MOST_LINES, MOST_COLUMNS = 50, 80
ONE_EACH = ("bert-base-uncased", "llama-3-8b", "deepseek-v3", "t5-small", "llava-1.5-7b-hf", "jamba-v0.1", "mamba-130m")


def brief(target: str, language: str = "en", format: str = "text") -> str:  # noqa: A002 - the name is part of the surface
    return render(target, format, language=language, brief=True)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("target", TARGETS)
def test_as_text_it_is_fifty_lines_of_eighty_columns(target, language):
    lines = brief(target, language).splitlines()
    assert len(lines) <= MOST_LINES
    assert max(map(columns, lines)) <= MOST_COLUMNS


@pytest.mark.tex
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("target", ONE_EACH)
def test_as_latex_it_is_one_page(target, language, tmp_path, tool):
    engine = catalogue(language).head["latex.engine"]
    tool(engine)
    (tmp_path / "brief.tex").write_text(brief(target, language, "latex"), encoding="utf-8")
    command = [engine, "-interaction=nonstopmode", "-halt-on-error", "brief.tex"]
    log = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stdout.decode(errors="replace")
    assert re.search(r"\(1 page[,)]", log.replace("\n", ""))
    assert "Overfull" not in log


@pytest.mark.parametrize("target", published_models())
def test_what_adds_up_in_the_head_misses_little(target):
    model = load(target)
    found = in_the_head(model)
    assert found is not None
    assert 0 <= 1 - Fraction(found.value, model.count()) < Fraction(1, 20)


@pytest.mark.parametrize(
    ("target", "asked"),
    [
        ("bert-base-uncased", ["heads", "positions", "dropped.not_tables"]),
        ("mistral-7b-v0.1", ["grouped", "query_heads", "untied", "gated.exact", "rotary", "dropped.plain"]),
        ("deepseek-v3", ["experts", "latent", "heads_count", "untied", "rotary", "dropped_all.plain"]),
        ("albert-base-v2", ["shared_layers", "heads", "positions", "dropped.not_tables"]),
        ("t5-small", ["cross_attention", "tied", "relative", "dropped.not_tables"]),
        ("falcon-7b", ["multi_query_saves", "query_heads", "tied", "rotary", "dropped.plain"]),
        ("mamba-130m", ["mixer", "tied", "dropped.not_tables"]),
        ("llava-1.5-7b-hf", ["largest.text_model", "untied", "dropped.plain"]),
    ],
)
def test_what_is_asked_follows_from_the_tree(target, asked):
    assert [reason.key for reason in reasons(load(target), 9)] == asked


def test_every_reason_has_a_question_and_an_answer():
    for target in TARGETS:
        for reason in reasons(load(target), 99):
            for language in languages():
                assert f"reasons.{reason.key}.question" in catalogue(language).entries


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("bert-base-uncased", "N = 109,482,240 ≈ 109 M"),
        ("bert-base-uncased", "12·L·h²         = 12 × 12 × 768² ≈ 84.9 M"),
        ("bert-base-uncased", "Done exactly, the terms make 108.8 M: 0.65% below the count."),
        ("deepseek-v3", "active  37,552,282,624 ≈ 37.6 B"),
        ("deepseek-v3", "r_kv + d_rope = 576"),
        ("llama-3-8b", "A layer is 13·h²: 2.5 for attention, 10.5 for feed-forward."),
        ("t5-small", "Three RMSNorms, decoder"),
    ],
)
def test_what_it_says(target, said):
    assert said in brief(target)


@pytest.mark.parametrize("format", ["latex", "markdown", "json"])
def test_a_question_stands_out(format):  # noqa: A002 - the name is part of the surface
    marked = {
        "latex": r"\textbf{Why does the number of heads not matter?}",
        "markdown": "**Why does the number of heads not matter?**",
        "json": '"item": "Why does the number of heads not matter?"',
    }
    assert marked[format] in brief("bert-base-uncased", format=format)
