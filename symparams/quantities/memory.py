"""Memory of the weights: bytes for each number type, exactly, and whether they fit.

N parameters of 32 bits are 4·N bytes, of 4 bits N / 2: half a byte times an odd count stays half a byte. GB are 10⁹
bytes, GiB 2³⁰; neither is ever meant by the other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from symparams.errors import OptionError, UnknownNameError, quoted, suggestion
from symparams.expressions.amounts import BYTES, CAPACITY, read
from symparams.expressions.nodes import Expression, Named, Number, Quotient, Size
from symparams.expressions.written import times
from symparams.records import frozen

BITS_IN_A_BYTE = 8
DTYPES: Mapping[str, int] = MappingProxyType({"fp32": 32, "fp16": 16, "bf16": 16, "fp8": 8, "int8": 8, "fp4": 4, "int4": 4})
USUAL = ("fp32", "fp16", "bf16", "int8", "int4")  # those of a table, where nobody names any: one of each size, and BF16
COMPUTED = ("fp32", "fp16", "bf16")  # in which models run: what is cached has the type of weights in these, and of no others
SCALED = ("fp8", "int8", "fp4", "int4")  # which mean something only beside scales, of which each format has its own
# Other spellings of the number types: those of torch and of configs.
SPELLINGS: Mapping[str, str] = MappingProxyType(
    {"float32": "fp32", "float": "fp32", "float16": "fp16", "half": "fp16", "bfloat16": "bf16",
     "float8_e4m3fn": "fp8", "float8_e5m2": "fp8"}
)  # fmt: skip
GIGA, GIBI = (10, 9), (2, 30)
MEGA, MEBI = (10, 6), (2, 20)
IN_BITS = re.compile(r"([0-9]+)[-_ ]?bits?")
SEVERAL = re.compile(r"([0-9]+)\s*[x×*]\s*(\S.*)", re.ASCII | re.IGNORECASE)  # 2x80GB


@frozen
class Footprint:
    """The weights in one number type: the formula in N, and the exact bytes if N is known."""

    dtype: str
    bits: int | Fraction
    formula: Expression
    size: Fraction | None


@frozen
class Room:
    """A memory to fit into: its size in bytes, and the unit in which it was given."""

    size: Fraction
    unit: int
    unit_name: str


def footprints(written: Expression, count: int | None, dtypes: Sequence[str] = ()) -> list[Footprint]:
    """The weights that a formula counts in these number types, or in the usual; ``count`` is its value where it has one.

    UnknownNameError lists the types that there are.
    """
    chosen = [read_dtype(name) for name in dtypes] or list(USUAL)
    return [_footprint(written, count, name) for name in dict.fromkeys(chosen)]


def read_dtype(value: object) -> str:
    """A number type, or a format of weights, by its name: bfloat16 is bf16, Q4_K_M q4_k_m; UnknownNameError for none."""
    name = str(value).removeprefix("torch.").lower()
    name = SPELLINGS.get(name, name)
    if name not in DTYPES and not is_format(name := name.replace("-", "_")):
        bits = IN_BITS.fullmatch(str(value).lower())
        known = [kind for kind in types() if not bits or kind.endswith(bits[1])]  # of 4bit those of four bits
        raise UnknownNameError(f"Unknown number type {quoted(value)}. {suggestion(str(value), known or types())}")
    return name


def types() -> list[str]:
    """Return every number type, and every format of weights, by name."""
    from symparams.quantities.weight_formats import weight_formats

    return [*DTYPES, *weight_formats()]


def is_format(dtype: str) -> bool:
    """True if weights alone are stored so, with constants for blocks of them."""
    return bool(dtype) and dtype not in DTYPES and dtype in types()


def bits_of(dtype: str) -> int | Fraction:
    """Return the bits of a number of this type, of a weight in this format."""
    if dtype in DTYPES:
        return DTYPES[dtype]
    from symparams.quantities.weight_formats import weight_formats

    return weight_formats()[dtype].each


def bytes_of(dtype: str) -> Fraction:
    """Return the bytes of a number of this type: 1/2 of four bits."""
    return Fraction(bits_of(dtype)) / BITS_IN_A_BYTE


def read_room(text: str) -> Room:
    """Return a memory to fit into: 12GB and 12G are 12·10⁹ bytes, 12GiB is 12·2³⁰; OptionError where no unit says which.

    That of several cards, 2x80GB, is refused, too: what fits them depends on how a model is split, which no size tells.
    """
    amount = read(text, CAPACITY)
    if amount is None and (several := SEVERAL.fullmatch(str(text).strip())) is not None and read(several[2], CAPACITY):
        raise OptionError(
            f"{quoted(text)} names several GPUs, and what fits depends on how they share a model: give one, {several[2]}."
        )
    if amount is None or not amount.value:
        raise OptionError(f"{quoted(text)} is not a memory size: write a number and a unit, 12GB (10^9 bytes) or 12GiB (2^30).")
    return Room(amount.value, amount.scale, next(name for name, scale in BYTES.items() if scale == amount.scale))


def _footprint(written: Expression, count: int | None, dtype: str) -> Footprint:
    each = bytes_of(dtype)
    formula = times_bytes(Named("", written), each)
    return Footprint(dtype, bits_of(dtype), formula, count * each if count is not None else None)


def times_bytes(total: Expression, each: Fraction) -> Expression:
    """Return so many times the bytes of one: 4·N, N / 2."""
    formula: Expression = Size(times(Number(each.numerator), total)) if each.numerator > 1 or each >= 1 else total
    return Quotient(formula, Number(each.denominator)) if each.denominator > 1 else formula
