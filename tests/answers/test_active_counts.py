"""What one token uses, counted with and without the tables at both ends, and which of these counts is published."""

from __future__ import annotations

import pytest

from symparams import derive, load, published_models
from symparams.answers.active_counts import active_counts, published_count
from symparams.answers.claims import Met
from symparams.architectures import find
from symparams.sheets.document import Table
from symparams.sheets.whole import whole


def counts_of(target, **changes):
    return {str(each.name): each.value for each in active_counts(load(target, **changes))}


def test_with_and_without_what_stands_at_both_ends():
    assert counts_of("deepseek-v3") == {"both": 37_552_282_624, "no_table": 36_625_603_584, "layers": 35_698_924_544}


def test_one_matrix_for_both_ends_is_left_out_at_once():
    assert counts_of("mixtral-8x7b", include=["tying"]) == {"shared": 12_748_853_248, "no_shared": 12_617_781_248}


def test_without_a_head_there_is_the_table_alone():
    assert counts_of("mixtral-8x7b", exclude=["lm_head"]) == {"table": 12_748_853_248, "no_table": 12_617_781_248}


PUBLISHED = {
    "deepseek-v2": ("21B", ("both", "no_table"), Met.ROUNDED),
    "deepseek-v2-lite": ("2.4B", ("no_table",), Met.TRUNCATED),
    "deepseek-v3": ("37B", ("no_table",), Met.ROUNDED),
    "glm-4.5": ("32B", ("layers",), Met.ROUNDED),
    "glm-4.5-air": ("12B", ("layers",), Met.ROUNDED),
    "gpt-oss-120b": ("5.1B", ("no_table",), Met.ROUNDED),
    "gpt-oss-20b": ("3.6B", ("no_table",), Met.ROUNDED),
    "jamba-v0.1": ("12B", ("both", "no_table", "layers"), Met.ROUNDED),
    "mixtral-8x22b": ("39B", ("both", "no_table", "layers"), Met.ROUNDED),
    "mixtral-8x7b": ("12.9B", ("both",), Met.ROUNDED),
    "olmoe-1b-7b": ("1.3B", ("both",), Met.ROUNDED),
    "phi-3.5-moe": ("6.6B", ("both",), Met.ROUNDED),
    "qwen3-30b-a3b": ("3.3B", ("both",), Met.TRUNCATED),
}


@pytest.mark.parametrize("name", [name for name in published_models() if find(name)[1].active])
def test_each_published_active_count_is_one_of_them(name):
    model = load(name)
    found = published_count(model, active_counts(model))
    assert (found.claimed, found.names, found.met) == PUBLISHED[name]


def test_a_model_that_is_changed_is_not_the_published_one():
    model = load("deepseek-v3", exclude=["lm_head"])
    assert published_count(model, active_counts(model)) is None


def test_the_sheet_sets_them_beside_one_another():
    sections = {section.key: section for section in whole(derive(load("mixtral-8x7b"))).sections if section.heading}
    [table] = [block for block in sections["active"].blocks if isinstance(block, Table)]
    assert [type(row[1]).__name__ for row in table.rows] == ["Strong", "Number", "Number"]
    assert sections["active"].blocks[-1].sentences[0].key == "active.published.both"


def test_without_values_there_is_nothing_to_set_beside():
    sections = [section for section in whole(derive(load("mixtral"))).sections if section.key == "active"]
    assert not any(isinstance(block, Table) for section in sections for block in section.blocks)
