"""Agreement: the arrays that a definition gives, beside those of a model that was built."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from symparams.components.copies import starred
from symparams.discovery.observation import Module
from symparams.discovery.parts import ArrayRule, Part
from symparams.expressions.nodes import Dimension
from symparams.expressions.written import exact

MOST_BROKEN = 8  # one right sample of so many at most may break a condition
Shapes = Counter[tuple[str, tuple[int, ...], str, bool]]  # of arrays by name, copies not told apart, with what they share


def shapes_of(module: Module) -> Shapes:
    """The arrays of a built model, each name with its numbers of copies starred."""
    return Counter((starred(name), array.shape, starred(array.shares), array.trained) for name, array in module.named())


def shapes_by(part: Part, sizes: Mapping[str, int], switches: frozenset[str]) -> Shapes | None:
    """The arrays that a definition gives at some sizes; None where a side or a number of copies is not whole."""
    values = {Dimension(name): value for name, value in sizes.items()}
    given: Shapes = Counter()
    for name, rule, times in _arrays(part, "", 1, values, switches):
        sides = [exact(side, values) for side in rule.shape]
        if any(side.denominator != 1 or side < 0 for side in sides):
            return None
        if times.denominator != 1 or times < 0:
            return None
        if times:
            given[name, tuple(map(int, sides)), rule.shares, rule.trained] += int(times)
    return given


def _arrays(part: Part, path: str, times: Any, values: Any, switches: frozenset[str]) -> Iterator[tuple[str, ArrayRule, Any]]:
    if not all(feature.holds(switches) for feature in part.when):
        return
    here = times * exact(part.times, values)
    for rule in part.arrays:
        if all(feature.holds(switches) for feature in rule.when):
            yield starred(f"{path}{rule.name}"), rule, here
    for inner in part.parts:
        yield from _arrays(inner, f"{path}{inner.name}." if inner.name else path, here, values, switches)


def divisions(
    wrong: Sequence[Mapping[str, int]], right: Sequence[Mapping[str, int]], pairs: Sequence[tuple[str, str]]
) -> list[tuple[str, str]] | None:
    """The fewest divisions, (n_heads, h) for n_heads divides h, that no wrong sample keeps; None if they cannot tell.

    What many of the right samples do not keep either is no condition.
    """
    pairs = [pair for pair in pairs if MOST_BROKEN * len(_broken(pair, right)) <= len(right)]
    kept: list[tuple[str, str]] = []
    left = list(wrong)
    while left:
        told = {pair: (len(_broken(pair, left)), -len(_broken(pair, right))) for pair in pairs}
        best = max(pairs, key=told.__getitem__, default=None)
        if best is None or not _broken(best, left):
            return None
        kept.append(best)
        left = [sizes for sizes in left if sizes[best[1]] % sizes[best[0]] == 0]
    return kept


def _broken(pair: tuple[str, str], samples: Sequence[Mapping[str, int]]) -> list[Mapping[str, int]]:
    """The samples in which the first letter does not divide the second."""
    return [sizes for sizes in samples if sizes[pair[1]] % sizes[pair[0]] != 0]
