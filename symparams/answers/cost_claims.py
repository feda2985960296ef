"""Claims of costs: "320 KB a token", "327,680 bytes", "140 TFLOPs": a number, its unit, and what it is said of.

KB are read as 10³ bytes, and as 2¹⁰ where that explains more; a MAC, a multiplication with its addition, is two FLOPs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from symparams.answers.claims import Claim, read_claim
from symparams.expressions import amounts
from symparams.expressions.amounts import Words
from symparams.quantities.quantity import BYTES, FLOPS

AS_WRITTEN, BINARY, MACS = "", "binary", "macs"
# The words of a claim with their unit and what is supposed of it, the likeliest first.
READINGS: tuple[tuple[str, str, Words], ...] = (
    (BYTES, AS_WRITTEN, {name: scale for name, scale in amounts.BYTES.items() if name not in ("B", "EB")}),  # 70B are billions
    (BYTES, BINARY, amounts.BINARY_BYTES),
    (FLOPS, AS_WRITTEN, amounts.FLOPS),
    (FLOPS, MACS, amounts.MACS),
)
# What a claim may say that it is about, in its own words.
ABOUT: Mapping[str, str] = MappingProxyType({
    "cache": "kv_cache", "kv cache": "kv_cache", "缓存": "kv_cache", "kv 缓存": "kv_cache",
    "weights": "weight_memory", "权重": "weight_memory", "activations": "activations", "激活值": "activations",
    "to train": "training_memory", "训练": "training_memory", "forward": "forward_flops", "training": "training_flops",
})  # fmt: skip
TOKEN = r"(?:\s*(?:/|per\s|a\s|each\s|每个?)\s*(?:token|tok|词元))"
CLAIM = re.compile(
    rf"(?:(?P<before>{TOKEN})\s*)?(?P<amount>.+?)(?P<token>{TOKEN})?(?:\s+of)?(?:\s*(?P<of>{'|'.join(ABOUT)}))?(?P<late>{TOKEN})?"
)


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
    text = amounts.plain(claimed).strip() if isinstance(claimed, str) else ""
    match = CLAIM.fullmatch(text.lower())
    if match is None:
        return None
    readings = [(unit, supposed, amounts.read(match["amount"], words)) for unit, supposed, words in READINGS]
    known = [(unit, Reading(Claim.of(amount), supposed)) for unit, supposed, amount in readings if amount is not None]
    if not known:
        return None
    is_of_token = any(match[name] for name in ("before", "token", "late"))
    return CostClaim(text, tuple(reading for _, reading in known), known[0][0], is_of_token, ABOUT.get(match["of"] or "", ""))


def plain_claim(claimed: int | str) -> CostClaim | None:
    """A claim without a unit, where the quantity is named."""
    claim = read_claim(claimed)
    return CostClaim(str(claimed), (Reading(claim),)) if claim else None
