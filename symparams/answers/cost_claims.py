"""Claims of costs: "320 KB a token", "327,680 bytes", "140 TFLOPs": a number, its unit, and what it is said of.

KB are read as 10³ bytes, and as 2¹⁰ where that explains more; a MAC, a multiplication with its addition, is two FLOPs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import cast

from symparams.answers.claims import MOST_ROUNDED, Claim, read_claim
from symparams.expressions.extent import MOST_DIGITS
from symparams.quantities.cost import BYTES, FLOPS

PREFIXES: Mapping[str, int] = MappingProxyType({"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5, "e": 6, "z": 7, "y": 8})
AS_WRITTEN, BINARY, MACS = "", "binary", "macs"
TOKEN = r"(?:\s*(?:/|per\s|a\s|each\s|每个?)\s*(?:token|tok|词元))"
CLAIM = re.compile(
    rf"(?:(?P<before>{TOKEN})\s*)?"
    r"(?P<whole>[0-9](?:[0-9]|[,_ ](?=[0-9]{3}))*)(?:\.(?P<decimals>[0-9]+))?(?:e\+?(?P<power>[0-9]{1,3}))?"
    r"\s*(?P<prefix>[kmgtpezy]?)(?P<kind>bytes?|字节|flops?|macs?|i?b|次浮点运算)"
    rf"(?P<token>{TOKEN})?(?:\s+of)?(?P<of>(?:\s*\w[\w ]*?)?)(?P<late>{TOKEN})?"
)
# What a claim may say that it is about, in its own words.
ABOUT: Mapping[str, str] = MappingProxyType({
    "cache": "kv_cache", "kv cache": "kv_cache", "缓存": "kv_cache", "kv 缓存": "kv_cache",
    "weights": "weight_memory", "权重": "weight_memory", "activations": "activations", "激活值": "activations",
    "to train": "training_memory", "训练": "training_memory", "forward": "forward_flops", "training": "training_flops",
})  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """One way to read a claim: the number that it claims in the unit of a quantity, and what is supposed of its unit."""

    claim: Claim
    supposed: str = AS_WRITTEN


@dataclass(frozen=True)
class CostClaim:
    """A claimed cost: its readings, the likeliest first, its unit, whether it is of one token, and the quantity it names."""

    text: str
    readings: tuple[Reading, ...]
    unit: str = ""
    is_of_token: bool = False
    quantity: str = ""


def read_cost_claim(claimed: object) -> CostClaim | None:
    """A claimed cost as people write it; None where it is a plain count, or no number."""
    if not isinstance(claimed, str) or len(claimed) > MOST_DIGITS:
        return None
    text = unicodedata.normalize("NFKC", claimed).strip()
    match = CLAIM.fullmatch(text.lower())
    if match is None or int(match["power"] or 0) > MOST_DIGITS:
        return None
    about = match["of"].strip()
    if about and about not in ABOUT:
        return None
    unit = BYTES if match["kind"] in ("byte", "bytes", "字节", "b", "ib") else FLOPS
    if (match["kind"] == "ib" and not match["prefix"]) or (match["kind"] == "b" and match["prefix"] in ("", "e")):
        return None  # 70B are billions of parameters
    is_of_token = any(match[name] for name in ("before", "token", "late"))
    return CostClaim(text, tuple(_readings(match)), unit, is_of_token, ABOUT.get(about, ""))


def plain_claim(claimed: int | str) -> CostClaim | None:
    """A claim without a unit, where the quantity is named."""
    claim = read_claim(claimed)
    return CostClaim(str(claimed), (Reading(claim),)) if claim else None


def _readings(match: re.Match[str]) -> list[Reading]:
    power, kind = PREFIXES[match["prefix"]], match["kind"]
    if kind == "ib":
        return [_reading(match, 2 ** (10 * power), AS_WRITTEN)]
    if kind.startswith("mac"):
        return [_reading(match, 2 * 10 ** (3 * power), MACS)]
    found = [_reading(match, 10 ** (3 * power), AS_WRITTEN)]
    is_size = power and kind in ("b", "byte", "bytes", "字节")
    return [*found, _reading(match, 2 ** (10 * power), BINARY)] if is_size else found


def _reading(match: re.Match[str], unit: int, supposed: str) -> Reading:
    """The value of the digits, and what the last of them counts."""
    whole, decimals = re.sub("[,_ ]", "", match["whole"]), match["decimals"] or ""
    last = Fraction(unit * 10 ** int(match["power"] or 0), 10 ** len(decimals))
    value = int(whole + decimals) * last
    digit = max(last, Fraction(1))
    coarse, zeros = digit, 0 if decimals or digit == 1 else len(whole) - len(whole.rstrip("0"))
    for _ in range(zeros):
        coarse *= 10 if 10 * coarse * MOST_ROUNDED <= 2 * value else 1
    return Reading(Claim(_plain(value), _plain(digit), _plain(coarse)), supposed)


def _plain(number: Fraction) -> int:
    """A whole number as one; any other as the fraction that it is, which claims are compared with just as well."""
    return number.numerator if number.denominator == 1 else cast(int, number)
