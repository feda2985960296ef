"""Variants: which switches a part depends on, and how it is for each of their settings."""

from __future__ import annotations

import pytest

from symparams import architectures, load
from symparams.architectures import architecture
from symparams.derivations.conventions import switches
from symparams.pages.features import FeatureSwitches
from symparams.pages.sheets import Sheets
from symparams.pages.variants import variants

A, B, C = ("part", "a"), ("part", "b"), ("part", "c")


def parts(setting: int) -> dict[tuple[str, str], int]:
    """Of three switches: a that is always there, b by the first switch, c by the first and the third."""
    first, third = setting & 1, setting >> 2 & 1
    return {A: 7, **({B: 1} if first else {}), C: first * 2 + third}


def test_a_part_is_kept_for_the_switches_that_change_it():
    found = {each.key: each for each in variants(3, 0, parts)}
    assert (found[A].on, found[A].of) == ((), (7,))
    assert (found[B].on, found[B].of) == ((0,), (None, 1))
    assert (found[C].on, found[C].of) == ((0, 2), (0, 2, 1, 3))


def test_parts_stand_in_an_order_that_is_that_of_each_setting():
    shown = {0: [A], 1: [B, C], 2: [A, C], 3: [A, B]}
    assert [each.key for each in variants(2, 0, lambda setting: dict.fromkeys(shown[setting], 1))] == [A, B, C]


def test_of_many_switches_not_every_setting_is_looked_at():
    asked = set()

    def parity(setting: int) -> dict[tuple[str, str], int]:
        asked.add(setting)
        return {A: (setting >> 3 & 1) ^ (setting >> 17 & 1), B: int(setting >> 5 & 7 == 7)}

    found = {each.key: each for each in variants(20, 0, parity)}
    assert found[A].on == (3, 17)
    assert found[B].on == (5, 6, 7)
    assert len(asked) < 1_000


@pytest.mark.parametrize("family", ["vit", *(pytest.param(name, marks=pytest.mark.sweep) for name in ("t5", "bart", "gemma3"))])
def test_what_is_kept_is_each_sheet(family):
    sheets = Sheets(load(family))
    found = variants(sheets.switches, sheets.usual, sheets.at, sheets.is_ordered)
    ordered = [each for each in found if sheets.is_ordered(each.key)]
    for setting in range(5, 1 << sheets.switches, (1 << sheets.switches) // 20 + 1):
        expected = sheets.at(setting)
        assert {each.key: each.at(setting) for each in found if each.at(setting) is not None} == expected
        for kind in {key[0] for key in expected if sheets.is_ordered(key)}:
            shown = [each.key for each in ordered if each.key[0] == kind and each.at(setting) is not None]
            assert shown == [key for key in expected if key[0] == kind]
        kinds = [place for key, place in expected.items() if key[0] == "section kind"]
        assert sorted(kinds, key=lambda place: sheets.pool.parts.entries[place][2]) == kinds


@pytest.mark.parametrize(
    "family", ["hubert", *(pytest.param(name, marks=pytest.mark.sweep) for name in architectures() if name != "hubert")]
)
def test_the_conventions_of_a_page_are_the_features_that_switch_a_part(family):
    """HuBERT also has a switch that changes the data flow alone: no convention is about it."""
    model = load(next(iter(architecture(family).models), family))
    sheets = Sheets(model)
    shown = {key[1] for key in sheets.at(sheets.usual) if key[0] == "convention"}
    assert shown & model.features.keys() == switches(model)


def test_a_reader_ticks_parts_and_has_the_kinds_of_layers_that_a_published_model_has():
    jamba, gemma = (FeatureSwitches.of(load(family)) for family in ("jamba", "gemma4_text"))
    assert jamba.kinds == {"attention_layers", "mamba_layers", "dense_layers", "moe_layers"}
    assert jamba.layers == (jamba.kinds,)
    sharing = {"sharing_layers", "local_shared_layers", "global_shared_layers"}
    assert {frozenset(gemma.kinds - layers) for layers in gemma.layers} == {frozenset(), frozenset(sharing)}
    assert gemma.number == len(gemma.ticked) + 1
    for setting in range(1 << gemma.number):
        assert gemma.setting(gemma.present(setting)) == setting
    assert FeatureSwitches.of(load("stablelm")).kinds == frozenset(), "norms of heads are no layers"
