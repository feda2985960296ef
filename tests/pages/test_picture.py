"""The picture of a page: every part of a tree once, counts that come to the total, blocks that lead to their steps and back."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from symparams import architectures, load
from symparams.components.walks import leaves
from symparams.pages.picture import entries
from symparams.pages.sheets import Sheets
from symparams.quantities.parameters import PARAMETERS
from tests.pages.cases import cases
from tests.pages.test_exact import WORDS, page_of
from tests.sweeps import swept

VIEWS = ("module", "per-head", "kind", "weights")


@cache
def sheets_of(family: str) -> Sheets:
    """The sheets of a family's page."""
    return Sheets(load(family))


def settings_of(sheets: Sheets) -> list[int]:
    """Some settings of the switches: as it is opened, none, all, each by itself changed."""
    every = (1 << sheets.switches) - 1
    return list(dict.fromkeys((sheets.usual, 0, every, *(sheets.usual ^ 1 << switch for switch in range(sheets.switches)))))


def drawn(sheets: Sheets, setting: int, kind: str) -> dict[str, tuple]:
    """The parts of a kind at a setting, by path."""
    places = sheets.at(setting)
    return {key[1]: sheets.pool.parts.entries[place] for key, place in places.items() if key[0] == kind}


@pytest.mark.parametrize("family", architectures())
def test_every_part_with_parameters_is_drawn_once(family):
    model = load(family)
    for present in (model.present, frozenset(model.features), frozenset()):
        tree = load(family, include=present, exclude=frozenset(model.features) - present).tree
        shown = [entry.part for entry in entries(tree)]
        assert Counter(part.path for part in shown).most_common(1)[0][1:] in ((1,), ()) if shown else True
        within = Counter(id(leaf.component) for part in shown for leaf in leaves(part.component))
        counted = Counter(id(leaf.component) for leaf in leaves(tree) if PARAMETERS.of(leaf.component).dimensions)
        assert sum(counted.values()) <= sum(within.values())
        assert counted.keys() <= within.keys()


@pytest.mark.parametrize("family", swept(architectures()))
def test_its_counts_come_to_the_total(node, family):
    asked = [case for case in cases(family, 40, seed=5) if case.count][:12]
    answers = node(data=page_of(family), words=WORDS, cases=[case.asked for case in asked])
    assert asked
    assert [each["picture"] for each in answers] == [case.count for case in asked]


@pytest.mark.parametrize("family", swept(architectures()))
def test_each_block_leads_to_what_there_is(family):
    sheets = sheets_of(family)
    for setting in settings_of(sheets):
        for number, (view, _, _) in enumerate(sheets.views):
            sections = drawn(sheets, setting, f"section {view}")
            blocks = [sheets.pool.blocks.entries[block] for _, held, _, _ in sections.values() for block in held]
            there = {"total", *(name.split("#")[0] for name in sections), *(block[3] for block in blocks if block[0] == "item")}
            for kind in ("picture", "frame"):
                for path, entry in drawn(sheets, setting, kind).items():
                    targets = next(each for each in entry if isinstance(each, tuple) and len(each) == len(sheets.views) and each[0] in there)
                    assert (targets[number] or targets[0]) in there, (view, path)
