"""Variants: which switches a part depends on, and how it is for each of their settings."""

from __future__ import annotations

import pytest

from symparams import load
from symparams.pages.sheets import Sheets
from symparams.pages.variants import out_of_order, variants


def parts(setting: int) -> dict[str, int]:
    """Of three switches: a that is always there, b by the first switch, c by the first and the third."""
    first, third = setting & 1, setting >> 2 & 1
    return {"a": 7, **({"b": 1} if first else {}), "c": first * 2 + third}


def test_a_part_is_kept_for_the_switches_that_change_it():
    found = {each.key: each for each in variants(3, 0, parts)}
    assert (found["a"].on, found["a"].of) == ((), (7,))
    assert (found["b"].on, found["b"].of) == ((0,), (None, 1))
    assert (found["c"].on, found["c"].of) == ((0, 2), (0, 2, 1, 3))


def test_of_many_switches_not_every_setting_is_looked_at():
    asked = set()

    def parity(setting: int) -> dict[str, int]:
        asked.add(setting)
        return {"p": (setting >> 3 & 1) ^ (setting >> 17 & 1), "q": int(setting >> 5 & 7 == 7)}

    found = {each.key: each for each in variants(20, 0, parity)}
    assert found["p"].on == (3, 17)
    assert found["q"].on == (5, 6, 7)
    assert len(asked) < 1_000


@pytest.mark.parametrize("family", ["bert", "bart", "deepseek_v3", "electra", "gemma3"])
def test_what_is_kept_is_each_sheet(family):
    sheets = Sheets(load(family))
    found = variants(sheets.switches, sheets.usual, sheets.at)
    for setting in range(0, 1 << sheets.switches, 37):
        expected = sheets.at(setting)
        assert {each.key: each.at(setting) for each in found if each.at(setting) is not None} == expected
        assert list(out_of_order(found, setting, expected)) == []
