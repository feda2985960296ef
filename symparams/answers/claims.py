"""Claims: numbers as somebody wrote them, "110M", "320 KB a token", "140 TFLOPs", and which of ours each can mean.

A number that is written with a unit is rounded to its last digit, or truncated after two digits: 1.5B can be 1,557,611,200.
Zeros at the end of "110M" may be rounded too. KB are read as 10³ bytes, and as 2¹⁰ where that explains more; a MAC, a
multiplication with its addition, is two FLOPs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntEnum
from fractions import Fraction
from types import MappingProxyType

from symparams.errors import OptionError, quoted
from symparams.expressions import amounts
from symparams.expressions.amounts import Amount, Words
from symparams.expressions.symbols import t
from symparams.expressions.written import whole
from symparams.quantities.quantity import BYTES, FLOPS, PARAMETERS, Quantity, find
from symparams.records import frozen

MOST_ROUNDED = 8  # zeros at the end count as rounded as long as that is at most an eighth of the claim
MOST_CUT_OFF = 100  # whoever cuts digits off writes two at most: 1.5B, 37B
AS_WRITTEN, BINARY, MACS = "", "binary", "macs"
# The words of a claim with their unit and what is supposed of it, the likeliest first.
READINGS: tuple[tuple[str, str, Words], ...] = (
    (BYTES, AS_WRITTEN, {name: scale for name, scale in amounts.BYTES.items() if name not in ("B", "EB")}),  # 70B are billions
    (BYTES, BINARY, amounts.BINARY_BYTES),
    (FLOPS, AS_WRITTEN, amounts.FLOPS),
    (FLOPS, MACS, amounts.MACS),
)
# What a claim may say that it is about, in its own words; and what its unit says where it is of one kind.
ABOUT: Mapping[str, str] = MappingProxyType({
    "cache": "kv_cache", "kv cache": "kv_cache", "缓存": "kv_cache", "kv 缓存": "kv_cache",
    "weights": "weight_memory", "权重": "weight_memory", "activations": "activations", "激活值": "activations",
    "to train": "training_memory", "训练": "training_memory", "forward": "forward_flops", "training": "training_flops",
})  # fmt: skip
BY_UNIT: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"": (PARAMETERS,), FLOPS: ("forward_flops", "training_flops", "backward_flops")}
)
TOKEN = r"(?:\s*(?:/|per\s|a\s|each\s|每个?)\s*(?:token|tok|词元))"
CLAIM = re.compile(
    rf"(?:(?P<before>{TOKEN})\s*)?(?P<amount>.+?)(?P<token>{TOKEN})?(?:\s+of)?(?:\s*(?P<of>{'|'.join(ABOUT)}))?(?P<late>{TOKEN})?"
)

NUMBERS, LONGEST = re.compile(r"[0-9][0-9.,]*\s?[A-Za-z]+"), 60  # in a name or a sentence: 30B-A3B, 671B total, 37B active


class Met(IntEnum):
    """The ways in which a number meets a claim, the plainest first."""

    EXACT = 0
    ROUNDED = 1
    TRUNCATED = 2  # its digits go on where the claim ends: 2,779,683,840 as 2.7B


@frozen
class Reading:
    """One way to read a claim: its number, and ``last``, what its last written digit counts: 1 where every digit is written.

    ``rounded_to`` is the same where the zeros at its end are taken for rounded too: 10,000,000 for 110M. ``supposed`` is the
    key of what is supposed of its unit.
    """

    value: int | Fraction
    last: int | Fraction = 1
    rounded_to: int | Fraction = 1
    supposed: str = AS_WRITTEN

    @classmethod
    def of(cls, amount: Amount, supposed: str = AS_WRITTEN) -> Reading:
        """Return an amount as a reading."""
        last = rounded_to = whole(max(amount.last, Fraction(1)))
        for _ in range(amount.zeros if last > 1 else 0):
            rounded_to *= 10 if 10 * rounded_to * MOST_ROUNDED <= 2 * amount.value else 1
        return cls(whole(amount.value), last, rounded_to, supposed)

    @property
    def is_exact(self) -> bool:
        """True if every digit is written."""
        return self.last == 1

    @property
    def is_precise(self) -> bool:
        """True if two digits of it are written at least: a single one is met by too many numbers."""
        return 10 * self.last <= self.value

    def met_by(self, number: int | Fraction) -> Met | None:
        """Return the way in which a number meets this reading to its last digit; None where it does not."""
        if number == self.value:
            return Met.EXACT
        return Met.ROUNDED if not self.is_exact and 2 * abs(Fraction(number) - self.value) <= self.last else None

    def plainly_met_by(self, number: int | Fraction) -> Met | None:
        """Return the same for a model's usual figure: zeros at the end may be rounded, further digits truncated."""
        if self.is_exact or number == self.value:
            return self.met_by(number)
        if 2 * abs(Fraction(number) - self.value) <= self.rounded_to:
            return Met.ROUNDED
        is_cut_off = self.value < MOST_CUT_OFF * self.last and 0 < number - self.value < self.last
        return Met.TRUNCATED if is_cut_off else None


@frozen
class Claim:
    """A claim: its readings, the likeliest first, its unit, "" of a plain number; whether it is of one token, and of what."""

    text: str
    readings: tuple[Reading, ...]
    unit: str = ""
    is_of_token: bool = False
    quantity: str = ""

    @property
    def plainest(self) -> Reading:
        """The likeliest reading, the only one of a plain number."""
        return self.readings[0]

    def quantities(self, given: Mapping[str, object], quantity: str | Quantity = "") -> tuple[Quantity, ...]:
        """Return the quantities that it can be of, by name, unit, words or inputs; OptionError where nothing says it."""
        if quantity:
            named = find(quantity)
            if self.unit not in ("", named.unit):
                counts = f"which counts {named.unit}: name another quantity."
                raise OptionError(f"{quoted(self.text)} is not an amount of {named.spelled}, {counts}")
            return (named,)
        if self.quantity and find(self.quantity).unit == self.unit:
            return (find(self.quantity),)
        names = BY_UNIT.get(self.unit) or (("kv_cache",) if self.is_of_token or t.name in given else ())
        if not names:
            raise OptionError(
                f"{quoted(self.text)} may be several quantities: add --quantity kv-cache, in Python quantity='kv_cache'; or "
                "weight-memory, activations, training-memory."
            )
        return tuple(map(find, names))


def read_claim(claimed: object) -> Claim | None:
    """A claim, from an integer or as people write it; None for what is not a number of anything that is counted here."""
    count = amounts.read(claimed, amounts.COUNTS)
    if count is not None:
        is_number = count.value > 0 and count.value.denominator == 1
        return Claim(str(claimed), (Reading.of(count),)) if is_number else None
    text = amounts.plain(claimed).strip() if isinstance(claimed, str) else ""
    match = CLAIM.fullmatch(text.lower())
    if match is None:
        return None
    read = [(unit, supposed, amounts.read(match["amount"], words)) for unit, supposed, words in READINGS]
    known = [(unit, Reading.of(amount, supposed)) for unit, supposed, amount in read if amount is not None]
    if not known:
        return None
    is_of_token = any(match[name] for name in ("before", "token", "late"))
    return Claim(text, tuple(reading for _, reading in known), known[0][0], is_of_token, ABOUT.get(match["of"] or "", ""))


def claim_of(claimed: object, quantity: str | Quantity = "") -> Claim:
    """A claim about a quantity, of any where none is named; OptionError for what is none."""
    claim = read_claim(claimed)
    if quantity in ("", PARAMETERS):
        if claim is None or (quantity and claim.unit):
            numbers = [number for number in NUMBERS.findall(str(claimed)[:LONGEST]) if read_claim(number)]
            if claim is None and numbers:
                told = "holds several numbers: explain each by itself," if numbers[1:] else "is not a parameter count: write"
                raise OptionError(f"{quoted(claimed)} {told} {' and '.join(numbers)}.")
            raise OptionError(
                f"{quoted(claimed)} is not a parameter count: write an integer (108891648) or a rounded one (110M)."
            )
    elif claim is None:
        raise OptionError(f"{quoted(claimed)} is not a number of bytes or FLOPs: write 327680, 320 KB a token or 140 TFLOPs.")
    return claim


def rounded(value: int) -> Reading:
    """A number that is known to be rounded, to the last of its digits that is not zero: 37,000,000,000 as 37B."""
    last = 10 ** (len(str(value)) - len(str(value).rstrip("0")))
    return Reading(value, last, last)
