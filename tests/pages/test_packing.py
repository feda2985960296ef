"""Packing: what repeats stands once, and the runtime reads what was written."""

from __future__ import annotations

import json

import pytest

from symparams.pages.data import as_json
from symparams.pages.packing import paired
from tests.pages.cases import FAMILIES, content_of, page_of


@pytest.mark.parametrize(
    ("lists", "written", "pairs"),
    [
        ([[1, 2], [1, 2], [1, 2]], [[1, 2], [1, 2], [1, 2]], []),
        ([[1, 2], [1, 2], [3, 1, 2], [1, 2, 1]], [[9], [9], [3, 9], [9, 1]], [(1, 2)]),
        ([[1, 2, 3], [1, 2, 3], [1, 2, 3, 4], [0, 1, 2, 3]], [[10], [10], [10, 4], [0, 10]], [(1, 2), (9, 3)]),
        ([[1, 1, 1, 1, 1]], [[9, 9, 1]], [(1, 1)]),
        ([[], []], [[], []], []),
    ],
)
def test_a_pair_that_stands_in_many_lists_is_one_place(lists, written, pairs):
    assert paired(lists, 9) == (written, pairs)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_runtime_reads_what_was_written(node, family):
    written = json.loads(as_json(content_of(family)))
    [read] = node(packed=page_of(family))
    assert {key: read[key] for key in written} == written


@pytest.mark.xdist_group("page of deepseek_v3")
def test_it_takes_less_than_three_quarters_of_the_room():
    assert 4 * len(as_json(page_of("deepseek_v3"))) < 3 * len(as_json(content_of("deepseek_v3")))
