"""Claims: a number of parameters as somebody wrote it, and which counts it can mean.

1.1e8, 124 million, 110M and 1.1亿 are read exactly, as fractions. A number that is written with a unit is rounded to its last
digit, or cut off after two digits: 1.5B can be 1,557,611,200. Zeros at the end of "110M" may be rounded too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from types import MappingProxyType

from symparams.expressions.extent import MOST_DIGITS

UNITS: Mapping[str, int] = MappingProxyType({
    "": 1, "k": 10**3, "m": 10**6, "b": 10**9, "t": 10**12, "mn": 10**6, "bn": 10**9, "tn": 10**12, "g": 10**9,
    "thousand": 10**3, "million": 10**6, "millions": 10**6, "billion": 10**9, "billions": 10**9, "trillion": 10**12,
    "trillions": 10**12, "千": 10**3, "万": 10**4, "萬": 10**4, "百万": 10**6, "百萬": 10**6, "千万": 10**7, "千萬": 10**7,
    "亿": 10**8, "億": 10**8, "十亿": 10**9, "十億": 10**9, "百亿": 10**10, "百億": 10**10, "千亿": 10**11, "千億": 10**11,
    "万亿": 10**12, "萬億": 10**12,
})  # fmt: skip
AFTER = r"(?:\s*(?:parameters|params|个?参数|個?參數))?"
NUMBER = re.compile(
    rf"(?P<whole>[0-9](?:[0-9]|[,_ ](?=[0-9]{{3}}))*)(?:\.(?P<decimals>[0-9]+))?(?:[eE]\+?(?P<power>[0-9]{{1,3}}))?"
    rf"\s*(?P<unit>[^\W\d_]*?){AFTER}"
)
MOST_ROUNDED = 8  # zeros at the end count as rounded as long as that is at most an eighth of the claim

MOST_CUT_OFF = 100  # whoever cuts digits off writes two at most: 1.5B, 37B


class Met(IntEnum):
    """How a count meets a claim, the plainest first."""

    EXACT = 0
    ROUNDED = 1
    TRUNCATED = 2  # its digits go on where the claim ends: 2,779,683,840 as 2.7B


@dataclass(frozen=True)
class Claim:
    """A claimed number: its value, and ``last``, what its last written digit counts: 1 where every digit is written.

    ``rounded_to`` is the same where the zeros at its end are taken for rounded too: 10,000,000 for 110M.
    """

    value: int
    last: int = 1
    rounded_to: int = 1

    @property
    def is_exact(self) -> bool:
        """Whether every digit is written."""
        return self.last == 1

    @property
    def is_precise(self) -> bool:
        """Whether two digits of it are written at least: a single one is met by too many counts."""
        return 10 * self.last <= self.value

    def met_by(self, count: int) -> Met | None:
        """How a count meets it to its last digit; None where it does not."""
        if count == self.value:
            return Met.EXACT
        return Met.ROUNDED if not self.is_exact and 2 * abs(count - self.value) <= self.last else None

    def plainly_met_by(self, count: int) -> Met | None:
        """The same for what a model is known by: zeros at the end may be rounded, and further digits cut off."""
        if self.is_exact or count == self.value:
            return self.met_by(count)
        if 2 * abs(count - self.value) <= self.rounded_to:
            return Met.ROUNDED
        is_cut_off = self.value < MOST_CUT_OFF * self.last and 0 < count - self.value < self.last
        return Met.TRUNCATED if is_cut_off else None


def read_claim(claimed: object) -> Claim | None:
    """A claimed count, from an integer or as people write it; None where it is no number of parameters."""
    if isinstance(claimed, int) and not isinstance(claimed, bool):
        return Claim(claimed) if claimed > 0 else None
    if not isinstance(claimed, str) or len(claimed) > MOST_DIGITS:
        return None
    match = NUMBER.fullmatch(unicodedata.normalize("NFKC", claimed).strip())
    if match is None or match["unit"].lower() not in UNITS:
        return None
    return _claim(re.sub("[,_ ]", "", match["whole"]), match["decimals"] or "", match["power"] or "0", match["unit"].lower())


def rounded(value: int) -> Claim:
    """A number that is known to be rounded, to the last of its digits that is no zero: 37,000,000,000 as 37B."""
    last = 10 ** (len(str(value)) - len(str(value).rstrip("0")))
    return Claim(value, last, last)


def read_count(text: str) -> int | None:
    """A count as people say it: 7B is 7·10⁹, 1.5B is 1,500,000,000; None where the text is no count."""
    claim = read_claim(text)
    return claim.value if claim else 0 if text.strip() == "0" else None


def _claim(whole: str, decimals: str, power: str, unit: str) -> Claim | None:
    """The value of the digits, and how far up the last of them stands."""
    if int(power) > MOST_DIGITS:
        return None
    last = Fraction(UNITS[unit] * 10 ** int(power), 10 ** len(decimals))
    value = int(whole + decimals) * last
    if value.denominator != 1 or value <= 0:
        return None
    digit = max(int(last), 1)
    coarse = digit
    zeros = 0 if decimals or digit == 1 else len(whole) - len(whole.rstrip("0"))
    for _ in range(zeros):
        if 10 * coarse * MOST_ROUNDED <= 2 * value:
            coarse *= 10
    return Claim(int(value), digit, coarse)
