"""What one token uses, counted with and without the tables at both ends, and which of these counts is published."""

from __future__ import annotations

from symparams import derive, load, published_models
from symparams.answers.active_counts import active_counts, published_count
from symparams.answers.claims import Met
from symparams.architectures import find
from symparams.sheets.document import Table
from symparams.sheets.whole import whole


def test_with_and_without_what_stands_at_both_ends():
    for target, changes, counts in (
        ("deepseek-v3", {}, {"both": 37_552_282_624, "no_table": 36_625_603_584, "layers": 35_698_924_544}),
        # One matrix for both ends is left out at once.
        ("mixtral-8x7b", {"include": ["tying"]}, {"shared": 12_748_853_248, "no_shared": 12_617_781_248}),
        ("mixtral-8x7b", {"exclude": ["lm_head"]}, {"table": 12_748_853_248, "no_table": 12_617_781_248}),
    ):
        assert {str(count.name): count.value for count in active_counts(load(target, **changes))} == counts, target


PUBLISHED = {
    "dbrx": ("36B", ("both", "no_table"), Met.ROUNDED),
    "deepseek-v2": ("21B", ("both", "no_table"), Met.ROUNDED),
    "deepseek-v2-lite": ("2.4B", ("no_table",), Met.TRUNCATED),
    "deepseek-v3": ("37B", ("no_table",), Met.ROUNDED),
    "ernie-4.5-21b-a3b": ("3B", ("shared", "no_shared"), Met.ROUNDED),
    "ernie-4.5-300b-a47b": ("47B", ("no_table",), Met.ROUNDED),
    "gemma-4-26b-a4b": ("3.8B", ("shared",), Met.ROUNDED),
    "glm-4.5": ("32B", ("layers",), Met.ROUNDED),
    "glm-4.5-air": ("12B", ("layers",), Met.ROUNDED),
    "gpt-oss-120b": ("5.1B", ("no_table",), Met.ROUNDED),
    "gpt-oss-20b": ("3.6B", ("no_table",), Met.ROUNDED),
    "granite-3.1-1b-a400m": ("400M", ("shared", "no_shared"), Met.ROUNDED),
    "granite-3.1-3b-a800m": ("800M", ("no_shared",), Met.ROUNDED),
    "granite-4.0-h-tiny": ("1B", ("shared", "no_shared"), Met.ROUNDED),
    "hunyuan-a13b": ("13B", ("shared",), Met.ROUNDED),
    "jamba-v0.1": ("12B", ("both", "no_table", "layers"), Met.ROUNDED),
    "kimi-k2": ("32B", ("no_table",), Met.ROUNDED),
    "llama-4-maverick": ("17B", ("no_table",), Met.ROUNDED),
    "llama-4-scout": ("17B", ("no_table",), Met.ROUNDED),
    "lfm2-8b-a1b": ("1.5B", ("shared",), Met.TRUNCATED),
    "minimax-m1-80k": ("45.9B", ("layers",), Met.ROUNDED),
    "minimax-m2": ("10B", ("no_table", "layers"), Met.ROUNDED),
    "minimax-text-01": ("45.9B", ("layers",), Met.ROUNDED),
    "mixtral-8x22b": ("39B", ("both", "no_table", "layers"), Met.ROUNDED),
    "mixtral-8x7b": ("12.9B", ("both",), Met.ROUNDED),
    "nemotron-3-nano-30b-a3b": ("3.2B", ("no_table",), Met.ROUNDED),
    "olmoe-1b-7b": ("1.3B", ("both",), Met.ROUNDED),
    "phi-3.5-moe": ("6.6B", ("both",), Met.ROUNDED),
    "qwen3-30b-a3b": ("3.3B", ("both",), Met.TRUNCATED),
    "qwen3.5-122b-a10b": ("10B", ("both",), Met.ROUNDED),
    "qwen3.5-35b-a3b": ("3B", ("no_table", "layers"), Met.ROUNDED),
    "qwen3.5-397b-a17b": ("17B", ("no_table",), Met.ROUNDED),
    "qwen3-coder-next": ("3B", ("layers",), Met.ROUNDED),
    "qwen3-next-80b-a3b": ("3B", ("layers",), Met.ROUNDED),
}


def test_each_published_active_count_is_one_of_them():
    published = {}
    for name in (name for name in published_models() if find(name)[1].active):
        model = load(name)
        count = published_count(model, active_counts(model))
        published[name] = (count.claimed, count.names, count.met)
    assert published == PUBLISHED
    changed = load("deepseek-v3", exclude=["lm_head"])
    assert published_count(changed, active_counts(changed)) is None


def test_the_sheet_sets_them_beside_one_another_where_there_are_values():
    def blocks(target):
        sections = whole(derive(load(target))).sections
        return [block for section in sections if section.heading and section.key == "active" for block in section.blocks]

    [table] = [block for block in blocks("mixtral-8x7b") if isinstance(block, Table)]
    assert [type(row[1]).__name__ for row in table.rows] == ["Strong", "Number", "Number"]
    assert blocks("mixtral-8x7b")[-1].sentences[0].key == "active.published.both"
    assert not any(isinstance(block, Table) for block in blocks("mixtral"))
