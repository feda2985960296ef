"""Memory of the weights: bytes for each number type, exactly, and whether they fit.

N parameters of 32 bits are 4·N bytes, of 4 bits N / 2: half a byte times an odd count stays half a byte. GB are 10⁹
bytes, GiB 2³⁰; neither is ever meant by the other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from symparams.errors import OptionError, UnknownNameError, quoted, suggestion
from symparams.expressions.amounts import BYTES, CAPACITY, read
from symparams.expressions.nodes import Expression, Named, Number, Quotient, Size
from symparams.expressions.written import times

BITS_IN_A_BYTE = 8
DTYPES: Mapping[str, int] = MappingProxyType({"fp32": 32, "fp16": 16, "bf16": 16, "int8": 8, "int4": 4})
# Other spellings of the number types: those of torch and of configs.
SPELLINGS: Mapping[str, str] = MappingProxyType(
    {"float32": "fp32", "float": "fp32", "float16": "fp16", "half": "fp16", "bfloat16": "bf16"}
)
GIGA, GIBI = (10, 9), (2, 30)
MEGA, MEBI = (10, 6), (2, 20)
SEVERAL = re.compile(r"([0-9]+)\s*[x×*]\s*(\S.*)", re.ASCII | re.IGNORECASE)  # 2x80GB


@dataclass(frozen=True)
class Footprint:
    """The weights in one number type: the formula in N, and the exact bytes if N is known."""

    dtype: str
    bits: int
    formula: Expression
    size: Fraction | None

    @property
    def bytes_each(self) -> Fraction:
        """Bytes for one parameter: 4, 2, 1 or 1/2."""
        return Fraction(self.bits, BITS_IN_A_BYTE)


@dataclass(frozen=True)
class Room:
    """A memory to fit into: its size in bytes, and the unit in which it was given."""

    size: Fraction
    unit: int
    unit_name: str


def footprints(written: Expression, count: int | None, dtypes: Sequence[str] = ()) -> list[Footprint]:
    """The weights that a formula counts in these number types, or in all; ``count`` is its value where it has one.

    UnknownNameError lists the types that there are.
    """
    chosen = [read_dtype(name) for name in dtypes] or list(DTYPES)
    return [_footprint(written, count, name) for name in dict.fromkeys(chosen)]


def read_dtype(value: object) -> str:
    """A number type by its name, in the spelling of ``DTYPES``: bfloat16 is bf16; UnknownNameError where it is none."""
    name = str(value).removeprefix("torch.").lower()
    name = SPELLINGS.get(name, name)
    if name not in DTYPES:
        raise UnknownNameError(f"Unknown number type {quoted(value)}. {suggestion(str(value), DTYPES)}")
    return name


def read_room(text: str) -> Room:
    """Return a memory to fit into: 12GB and 12G are 12·10⁹ bytes, 12GiB is 12·2³⁰; OptionError where no unit says which.

    That of several cards, 2x80GB, is refused, too: what fits them depends on how a model is split, which no size tells.
    """
    amount = read(text, CAPACITY)
    if amount is None and (several := SEVERAL.fullmatch(str(text).strip())) is not None and read(several[2], CAPACITY):
        raise OptionError(
            f"{quoted(text)} is several cards, and how they share a model decides what fits: give one, {several[2]}."
        )
    if amount is None or not amount.value:
        raise OptionError(f"{quoted(text)} is not a memory size: write a number and a unit, 12GB (10^9 bytes) or 12GiB (2^30).")
    return Room(amount.value, amount.scale, next(name for name, scale in BYTES.items() if scale == amount.scale))


def _footprint(written: Expression, count: int | None, dtype: str) -> Footprint:
    bits, total = DTYPES[dtype], Named("", written)
    if bits < BITS_IN_A_BYTE:
        formula: Expression = Quotient(total, Number(BITS_IN_A_BYTE // bits))
    else:
        formula = Size(times(Number(bits // BITS_IN_A_BYTE), total))
    return Footprint(dtype, bits, formula, Fraction(count * bits, BITS_IN_A_BYTE) if count is not None else None)
