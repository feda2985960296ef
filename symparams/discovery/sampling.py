"""Samples of sizes: those from which forms are found, and those of another kind, on which they are checked."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from math import lcm

Sizes = Mapping[str, int]
SMALL = 32  # a size below it is a number of heads, layers, experts; from here on a width
COUNTS = (1, 2, 3, 4, 6)
MOST = 24  # of what is small, so that a width that all divide stays a width
FACTORS = 40


def one_at_a_time(base: Sizes, letters: list[str]) -> Iterator[dict[str, int]]:
    """The base with one size changed, each to several others."""
    for letter in letters:
        value = base[letter]
        for other in (value * 2, value * 3, value + 1, value // 2 if value % 2 == 0 else 0):
            if other > 0:
                yield {**base, letter: other}


def by_role(base: Sizes, letters: list[str], rng: random.Random) -> dict[str, int]:
    """All sizes at once, so that what divides another at the base divides it again, and no two widths are the same."""
    small = sorted((letter for letter in letters if base[letter] < SMALL), key=base.__getitem__)
    drawn: dict[str, int] = {}
    for letter in small:
        below = lcm(*(drawn[other] for other in drawn if base[other] > 1 and base[letter] % base[other] == 0))
        drawn[letter] = below * rng.choice([count for count in COUNTS if below * count <= MOST] or [1])
    unit = 2 * lcm(*drawn.values())
    factors = rng.sample(range(2, FACTORS), k=min(FACTORS - 2, len(letters)))
    for letter, factor in zip([letter for letter in letters if letter not in drawn], factors, strict=False):
        drawn[letter] = unit * factor
    return {**base, **drawn}


def at_random(base: Sizes, letters: list[str], rng: random.Random) -> dict[str, int]:
    """One to all sizes anywhere from 1 to thrice the base, whatever divides what."""
    changed = rng.sample(letters, k=rng.randint(1, len(letters))) if letters else []
    return {**base, **{letter: rng.randint(1, 3 * base[letter] + 2) for letter in changed}}


def divisors(base: Sizes, letters: list[str]) -> list[tuple[str, str]]:
    """The pairs of letters of which the first divides the second at the base, and is not 1."""
    return [(a, b) for a in letters for b in letters if a != b and base[a] > 1 and base[b] % base[a] == 0]
