"""Claims: a number of parameters as somebody wrote it, and which counts it can mean.

A number that is written with a unit is rounded to its last digit, or cut off after two digits: 1.5B can be 1,557,611,200. Zeros
at the end of "110M" may be rounded too.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction

from symparams.expressions.amounts import COUNTS, Amount, read
from symparams.expressions.written import whole

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

    value: int | Fraction
    last: int | Fraction = 1
    rounded_to: int | Fraction = 1

    @classmethod
    def of(cls, amount: Amount) -> Claim:
        """Return the claim that an amount is."""
        last = rounded_to = whole(max(amount.last, Fraction(1)))
        for _ in range(amount.zeros if last > 1 else 0):
            rounded_to *= 10 if 10 * rounded_to * MOST_ROUNDED <= 2 * amount.value else 1
        return cls(whole(amount.value), last, rounded_to)

    @property
    def is_exact(self) -> bool:
        """Whether every digit is written."""
        return self.last == 1

    @property
    def is_precise(self) -> bool:
        """Whether two digits of it are written at least: a single one is met by too many counts."""
        return 10 * self.last <= self.value

    def met_by(self, count: int | Fraction) -> Met | None:
        """How a count meets it to its last digit; None where it does not."""
        if count == self.value:
            return Met.EXACT
        return Met.ROUNDED if not self.is_exact and 2 * abs(Fraction(count) - self.value) <= self.last else None

    def plainly_met_by(self, count: int | Fraction) -> Met | None:
        """The same for what a model is known by: zeros at the end may be rounded, and further digits cut off."""
        if self.is_exact or count == self.value:
            return self.met_by(count)
        if 2 * abs(Fraction(count) - self.value) <= self.rounded_to:
            return Met.ROUNDED
        is_cut_off = self.value < MOST_CUT_OFF * self.last and 0 < count - self.value < self.last
        return Met.TRUNCATED if is_cut_off else None


def read_claim(claimed: object) -> Claim | None:
    """A claimed count, from an integer or as people write it; None where it is no number of parameters."""
    amount = read(claimed, COUNTS)
    return Claim.of(amount) if amount is not None and amount.value > 0 and amount.value.denominator == 1 else None


def rounded(value: int) -> Claim:
    """A number that is known to be rounded, to the last of its digits that is no zero: 37,000,000,000 as 37B."""
    last = 10 ** (len(str(value)) - len(str(value).rstrip("0")))
    return Claim(value, last, last)
