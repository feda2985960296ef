"""Storage: arrays of a checkpoint that are no parameters, and numbers of which several are packed in one."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from symparams.checkpoints.number_types import BITS_IN_A_BYTE, safetensors_types
from symparams.checkpoints.record import Shape, StoredTensor
from symparams.components.copies import MANY

PACKED_BITS = (1, 2, 3, 4, 8)  # of a weight in a number that is more than one
ANY = "n"
WHOLE_NUMBER = "I8"  # in which quantisers keep one weight


@cache
def _table() -> Mapping[str, Any]:
    with (Path(__file__).parent / "storage.toml").open("rb") as file:
        return tomllib.load(file)


def is_buffer(name: str, shape: Shape) -> bool:
    """True if a name ends as that of a buffer, and the shape is that of one."""
    for end, shapes in _table()["buffers"].items():
        if name == end or name.endswith(f".{end}"):
            return any(
                len(sides) == len(shape) and all(side in (ANY, str(given)) for side, given in zip(sides, shape, strict=True))
                for sides in shapes
            )
    return False


def owner_of_scales(name: str) -> str:
    """Return the module of the matrix that an array has scales or zeros of; "" if its name is not that of such an array."""
    return _before(name, _table()["scales"]["names"])


def owner_of_copy(name: str) -> str:
    """Return the array that one of this name holds again, as old files have it; "" if no table says so."""
    return str(_table()["copies"].get(name, ""))


def owner_of_packed(name: str) -> str:
    """Return the module of the matrix whose numbers are packed in an array; "" if its name is not that of such an array."""
    return _before(name, _table()["packed"]["names"])


def _before(name: str, ends: list[str]) -> str:
    for end in sorted(ends, key=len, reverse=True):  # nested_absmax is no absmax of something nested
        for mark in (".", "_"):
            if name.endswith(f"{mark}{end}"):
                return name.removesuffix(f"{mark}{end}").removesuffix(".weight")
    return ""


def packed_bits(dtype: str, stored: int, numbers: int) -> int:
    """Return the bits of each of so many numbers that ``stored`` numbers of a type hold; 0 if they do not hold just those."""
    kind = safetensors_types().get(dtype)
    if kind is None or not kind.is_packed or not numbers:
        return 0
    bits = stored * kind.bits / numbers
    return int(bits) if bits in PACKED_BITS and stored != numbers else 0


def unpacked(tensors: Iterable[StoredTensor]) -> dict[str, tuple[StoredTensor, int]]:
    """Return arrays of packed numbers by their names, each as it would be unpacked, and the bits of its numbers.

    As many zeros as there are scales are packed as the numbers are, so that their sides tell the bits: X.qweight is X.weight,
    outputs × inputs.
    """
    by_name = {tensor.name: tensor for tensor in tensors}
    found: dict[str, tuple[StoredTensor, int]] = {}
    for end, beside in _table()["unpacked"].items():
        for name, tensor in by_name.items():
            module = name.removesuffix(f".{end}")
            scales, zeros = (by_name.get(f"{module}.{beside[what]}") for what in ("scales", "zeros"))
            kind = safetensors_types().get(tensor.dtype)
            if (
                module == name
                or not scales
                or not zeros
                or kind is None
                or not (scales.shape and zeros.shape and scales.shape[-1])
            ):
                continue
            outputs, bits = scales.shape[-1], zeros.shape[-1] * kind.bits / scales.shape[-1]
            inputs = tensor.numbers * kind.bits / bits / outputs if bits else 0
            if bits in PACKED_BITS and inputs == int(inputs):
                found[name] = tensor._replace(name=f"{module}.weight", shape=(outputs, int(inputs))), int(bits)
    return found


def as_loaded(names: Mapping[str, Shape]) -> Iterator[dict[str, Shape]]:
    """Yield the arrays of a file as the library may load them: in today's words, experts stacked, modules called otherwise."""
    spelled: Mapping[str, str] = _table()["spelled"]
    parted = {name: name.rpartition(".") for name in names}
    now = {name: f"{before}{dot}{spelled.get(end, end)}" for name, (before, dot, end) in parted.items()}
    loaded = stacked({now[name]: shape for name, shape in names.items()})
    if loaded != names:
        yield loaded
    for form in _table()["forms"]:
        renamed = {_renamed(name, form): shape for name, shape in loaded.items()}
        if renamed.keys() != loaded.keys() and len(renamed) == len(loaded):
            yield renamed


def _renamed(name: str, form: Mapping[str, str]) -> str:
    dotted = f".{name}."
    for old, new in form.items():
        dotted = dotted.replace(f".{old}.", f".{new}.")
    return dotted[1:-1]


def stacked(names: Mapping[str, Shape]) -> dict[str, Shape]:
    """Return the arrays of a file as the library loads them: those of experts, one by one in a file, stacked in one.

    gate and up, outputs × inputs each, lie side by side: experts × 2 · outputs × inputs.
    """
    wholes: dict[str, Shape] = {}
    single: set[str] = set()
    for whole, ways in _table()["stacked"].items():
        for parts in ways:
            first, *others = (part.partition(MANY) for part in parts)
            rows: dict[str, list[int]] = defaultdict(list)
            for name in names:
                before, _, number = name.removesuffix(first[2]).rpartition(".")
                if name.endswith(first[2]) and number.isdecimal() and f".{before}.".endswith(f".{first[0]}"):
                    rows[f"{before}.".removesuffix(first[0])].append(int(number))
            for before, numbers in rows.items():
                own = [f"{before}{head}{number}{end}" for head, _, end in (first, *others) for number in numbers]
                shapes = {names.get(name, ()) for name in own}
                if len(shapes) == 1 and len(shape := shapes.pop()) == 2 and set(numbers) == set(range(len(numbers))):
                    wholes[f"{before}{whole}"] = len(numbers), len(parts) * shape[0], shape[1]
                    single.update(own)
    return {name: shape for name, shape in names.items() if name not in single} | wholes


def is_packed(dtype: str) -> bool:
    """True if a number of a type may be several."""
    kind = safetensors_types().get(dtype)
    return kind is not None and kind.is_packed and kind.name != WHOLE_NUMBER


def is_quantised(dtype: str) -> bool:
    """True if a number of a type has at most eight bits, or is several."""
    kind = safetensors_types().get(dtype)
    return kind is not None and (kind.is_packed or kind.bits <= BITS_IN_A_BYTE)
