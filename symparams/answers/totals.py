"""Totals: how much of a quantity somebody wants, read exactly: 80GB and 40 GiB are bytes, 140 TFLOP are FLOPs, 1e21 either."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from symparams.answers.claims import read_claim
from symparams.errors import OptionError, quoted
from symparams.expressions.extent import MOST_DIGITS
from symparams.quantities.cost import BYTES, FLOPS, NUMBERS
from symparams.quantities.memory import SIZE_UNITS

PREFIXES = "KMGTPEZY"
AS_FLOPS = {f"{prefix}{word}": 1000 ** (i + 1) for i, prefix in enumerate(PREFIXES) for word in ("FLOP", "FLOPs")}
UNITS: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        BYTES: {**SIZE_UNITS, "PB": 10**15, "PiB": 2**50, "bytes": 1},
        FLOPS: {**AS_FLOPS, "FLOP": 1, "FLOPs": 1},
    }
)
WRITTEN = {
    BYTES: ("bytes", "80GB (10^9), 80GiB (2^30), or an integer"),
    FLOPS: ("FLOPs", "140TFLOP, 1e21, or an integer"),
    NUMBERS: ("parameter count", "an integer (6738415616) or a rounded one ('7e9', '7B')"),
}
NUMBER = re.compile(r"([0-9](?:[0-9]|[,_](?=[0-9]{3}))*)(?:\.([0-9]+))?(?:[eE]\+?([0-9]{1,3}))?\s*([A-Za-z]*)", re.ASCII)


def read_total(total: object, unit: str = NUMBERS) -> int:
    """A total of a unit, exactly; OptionError where it is none, or has a unit that does not fit."""
    found = _read(total, unit)
    if found is None:
        what, right = WRITTEN[unit]
        raise OptionError(f"{quoted(total)} is no {what if unit == NUMBERS else f'number of {what}'}: write {right}.")
    return found


def _read(total: object, unit: str) -> int | None:
    if unit == NUMBERS or (isinstance(total, int) and not isinstance(total, bool)):
        claim = read_claim(total)
        return claim.value if claim else None
    match = NUMBER.fullmatch(total.strip()) if isinstance(total, str) and len(total) <= MOST_DIGITS else None
    if match is None:
        return None
    whole, decimals, power, word = match[1].replace(",", "").replace("_", ""), match[2] or "", int(match[3] or 0), match[4]
    sizes = {name.lower(): size for name, size in {"": 1, **UNITS[unit]}.items()}
    if word.lower() not in sizes or power > MOST_DIGITS:
        return None
    value = Fraction(int(whole + decimals) * 10**power, 10 ** len(decimals)) * sizes[word.lower()]
    return int(value) if value.denominator == 1 and value > 0 else None
