"""Totals: the exact amount of a quantity to reach: 80GB and 40 GiB of bytes, 140 TFLOP, 1e21 and 7e9 of anything."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from symparams.errors import OptionError, quoted
from symparams.expressions import amounts
from symparams.quantities.quantity import BYTES, FLOPS, NUMBERS

# The words of each unit, what it is called and how it may be written.
UNITS: Mapping[str, tuple[amounts.Words, str, str]] = MappingProxyType(
    {
        BYTES: ({"": 1, **amounts.CAPACITY}, "number of bytes", "80GB (10^9), 80GiB (2^30), or an integer"),
        FLOPS: ({"": 1, **amounts.FLOPS}, "number of FLOPs", "140TFLOP, 1e21, or an integer"),
        NUMBERS: (amounts.COUNTS, "parameter count", "an integer (6738415616) or a rounded one ('7e9', '7B')"),
    }
)


def read_total(total: object, unit: str = NUMBERS) -> int:
    """Return a total of a unit, exactly; OptionError for anything else, and for a unit that does not fit."""
    words, called, right = UNITS.get(unit, (amounts.COUNTS, f"number of {unit}", "an integer"))
    amount = amounts.read(total, words)
    if amount is None or amount.value.denominator != 1 or amount.value <= 0:
        raise OptionError(f"{quoted(total)} is not a {called}: write {right}.")
    return amount.value.numerator
