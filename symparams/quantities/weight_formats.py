"""Formats of weights: the bits of a weight, with the constants that a block of them shares. Their table is data."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path

from symparams.records import frozen


@frozen
class WeightFormat:
    """A format in which weights are stored: numbers of so many bits, and ``constants`` in bits for each ``block`` of them.

    A mixture of such formats has the mean bits that were ``measured`` of one model.
    """

    source: str
    bits: int = 0
    block: int = 1
    constants: int = 0
    measured: str = ""
    of: str = ""

    @property
    def each(self) -> Fraction:
        """The bits of one weight: 9/2 of NF4."""
        return Fraction(self.measured) if self.measured else self.bits + Fraction(self.constants, self.block)


@cache
def weight_formats() -> Mapping[str, WeightFormat]:
    """Return the formats by name."""
    import tomllib

    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {name: WeightFormat(**entry) for name, entry in table.items()}
