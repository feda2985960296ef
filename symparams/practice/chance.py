"""Chance: what a seed chooses, the same on every machine and under every Python.

Things are sorted by SHA-256 of the seed, the edition of the bank and their names; ``random`` may sort otherwise in a later
release of Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import TypeVar

from symparams.practice.kind import EDITION

Thing = TypeVar("Thing")


def ordered(things: Iterable[Thing], *seed: object, key: Callable[[Thing], str] = str) -> list[Thing]:
    """Things in the order in which a seed puts them."""
    return sorted(things, key=lambda thing: drawn(*seed, key(thing)))


def drawn(*seed: object) -> int:
    """A number of 256 bits that a seed draws."""
    return int.from_bytes(sha256("\0".join(map(str, (EDITION, *seed))).encode()).digest())
