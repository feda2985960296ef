"""Variants: what of a page depends on which switches, and how it is for each of their settings.

A switch is a feature, or a relation that may be broken. Of n switches there are 2^n sheets; a part of them mostly depends
on a few switches, and is kept once for each setting of these: ``on`` are the switches, bit by bit, ``of`` the variants in
the order of the settings, None where the part is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from graphlib import TopologicalSorter
from random import Random
from typing import Any

from symparams.records import frozen

Key = tuple[Any, ...]  # of a part: its kind, and what tells it from others of its kind
Parts = Mapping[Key, int]
MOST_SWITCHES = 4  # of more, not every setting is looked at
PROBES, SEED = 48, 1


@frozen
class Variants:
    """The variants of one part."""

    key: Key
    on: tuple[int, ...]
    of: tuple[int | None, ...]

    def at(self, setting: int) -> int | None:
        """The variant of a setting of all switches."""
        return self.of[sum((setting >> switch & 1) << place for place, switch in enumerate(self.on))]


def variants(
    switches: int, usual: int, parts: Callable[[int], Parts], is_ordered: Callable[[Key], bool] = lambda _: True
) -> list[Variants]:
    """Return the variants of each part, in the order of the parts; ``parts`` returns those of a setting of the switches.

    Parts that are not ``is_ordered`` say themselves where they stand.
    """
    known: dict[int, Parts] = {}

    def at(setting: int) -> Parts:
        if setting not in known:
            known[setting] = parts(setting)
        return known[setting]

    if switches <= MOST_SWITCHES:
        for setting in range(1 << switches):
            at(setting)
    else:
        _probe(switches, usual, at)
    return [_variants(key, switches, usual, at, known) for key in _order(known, is_ordered)]


def _variants(key: Key, switches: int, usual: int, at: Callable[[int], Parts], known: Mapping[int, Parts]) -> Variants:
    """The variants of a part. A setting that contradicts the switches found so far adds a switch."""
    on = _depends(key, switches, known)
    while True:
        supposed = Variants(key, tuple(on), tuple(at(_setting(usual, on, setting)).get(key) for setting in range(1 << len(on))))
        belied = next((setting for setting, parts in list(known.items()) if parts.get(key) != supposed.at(setting)), None)
        if belied is None:
            return supposed
        on = sorted({*on, _culprit(key, supposed, belied, switches, usual, at)})


def _depends(key: Key, switches: int, known: Mapping[int, Parts]) -> list[int]:
    """The switches that change a part, of two settings that differ in one."""
    return [
        switch
        for switch in range(switches)
        if any(
            known[setting].get(key) != known[setting ^ 1 << switch].get(key)
            for setting in known
            if not setting >> switch & 1 and setting ^ 1 << switch in known
        )
    ]


def _culprit(key: Key, supposed: Variants, belied: int, switches: int, usual: int, at: Callable[[int], Parts]) -> int:
    """The switch that makes a setting another than the switches known so far say: on the way there from one that agrees."""
    setting = usual
    for switch in supposed.on:
        setting = setting & ~(1 << switch) | belied & 1 << switch
    for switch in range(switches):
        if (setting ^ belied) >> switch & 1:
            setting ^= 1 << switch
            if at(setting).get(key) != supposed.at(setting):
                return switch
    raise AssertionError("a setting differs from another by its switches alone")


def _probe(switches: int, usual: int, at: Callable[[int], Parts]) -> None:
    """Settings one switch away from some; of the switches that change anything all, or some by chance, the same each time."""
    chance = Random(SEED)  # noqa: S311 - for a choice that is the same each time, not for a secret
    changing = 0
    for start in (usual, 0, (1 << switches) - 1):
        for switch in range(switches):
            changing |= (at(start) != at(start ^ 1 << switch)) << switch
    on = [switch for switch in range(switches) if changing >> switch & 1]
    for chosen in range(min(1 << len(on), PROBES)):
        at(_setting(usual, on, chosen if 1 << len(on) <= PROBES else chance.getrandbits(len(on))))


def _setting(usual: int, on: list[int], chosen: int) -> int:
    for place, switch in enumerate(on):
        usual = usual & ~(1 << switch) | (chosen >> place & 1) << switch
    return usual


def _order(known: Mapping[int, Parts], is_ordered: Callable[[Key], bool]) -> list[Key]:
    """All parts, those of each kind in an order that is that of each setting; CycleError where there is none."""
    behind: dict[Key, set[Key]] = {}
    for parts in known.values():
        before: dict[Any, Key] = {}
        for key in parts:
            behind.setdefault(key, set()).update([before[key[0]]] if key[0] in before else [])
            before |= {key[0]: key} if is_ordered(key) else {}
    return list(TopologicalSorter({key: sorted(others, key=repr) for key, others in behind.items()}).static_order())
