"""Arrays: which values a function takes for a dimension, how large they are, and how it works through dask's."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Mapping
from math import isnan, prod
from typing import Any

from symparams.errors import DimensionError, quoted
from symparams.expressions.nodes import Dimension

LARGEST = 2**63 - 1
BLOCK = 2**15  # numbers of an array that are worked out at a time: all that is met on the way stays in a core's cache
ARRAYS = ("ndarray", "memmap", "Array", "ArrayImpl")  # numpy's, dask's and jax's; numpy's masked arrays and matrices differ


def read(name: str, value: Any, least: int = 1) -> Any:
    """Return a Python integer, or an array of integers in 64 bits or of Python's; DimensionError for anything else."""
    if type(value).__name__.endswith("Tracer"):
        raise DimensionError(
            f"{name} is traced, and its values are not known: call the function outside of jit, vmap and grad."
        )
    if type(value).__name__ not in ARRAYS:
        return checked(name, _integer(name, value), least)
    if value.dtype.kind not in "iuO":
        raise DimensionError(f"{name} is a {type(value).__name__} of {value.dtype}: give integers.")
    if is_dask(value):
        return value
    if value.dtype.kind == "O":
        for number in value.flat:
            checked(name, _integer(name, number), least)
        return value
    if type(value).__name__ == "ArrayImpl" and not sys.modules["jax"].config.jax_enable_x64:
        raise DimensionError(
            "jax counts in 32 bits here: write jax.config.update('jax_enable_x64', True) before anything else."
        )
    if value.dtype == "uint64" and value.size and int(value.max()) > LARGEST:
        raise DimensionError(f"{name} = {int(value.max()):,} is more than the 2^63 - 1 of 64 bits: give dtype=object.")
    return checked(name, value if value.dtype == "int64" and value.dtype.isnative else value.astype("int64"), least)


def checked(name: str, value: Any, least: int) -> Any:
    """Return an integer or an array; DimensionError if one of its values is below ``least``."""
    smallest = least_of(value)
    if smallest is not None and smallest < least:
        wanted = "a positive integer" if least else "0 or a positive integer"
        raise DimensionError(f"{name} = {smallest} must be {wanted}: {name} counts something.")
    return value


def shape_of(arrays: Mapping[Dimension, Any]) -> tuple[int, ...]:
    """Return the shape to which arrays broadcast, 1 for a length that dask has yet to find; DimensionError if there is none."""
    from numpy import broadcast_shapes

    try:
        shape: tuple[int, ...] = broadcast_shapes(
            *[tuple([1 if isnan(side) else side for side in array.shape]) for array in arrays.values()]
        )
    except ValueError:
        shapes = ", ".join(f"{dimension.name} {array.shape}" for dimension, array in arrays.items())
        raise DimensionError(f"These shapes do not broadcast: {shapes}.") from None
    return shape


def in_python_integers(arrays: Mapping[Dimension, Any]) -> dict[Dimension, Any]:
    """Return all arrays as Python's integers, since one of them is; DimensionError for jax, which has none."""
    if any(type(array).__name__ == "ArrayImpl" for array in arrays.values()):
        name = next(dimension.name for dimension, array in arrays.items() if array.dtype.kind == "O")
        raise DimensionError(f"{name} holds Python integers, which jax has no room for: give all as numpy's arrays.")
    return {dimension: array.astype(object) for dimension, array in arrays.items()}


def in_blocks(function: Callable[..., Any], arrays: Mapping[Dimension, Any], shape: tuple[int, ...]) -> Any:
    """Return a function over arrays; over long ones of numpy's by blocks of rows, since those stay in a core's cache."""
    import numpy as np

    rows = max(1, BLOCK // max(1, prod(shape[1:])))
    if not shape or shape[0] <= rows or any(type(array).__name__ == "ArrayImpl" for array in arrays.values()):
        result = function(arrays)
        return result if getattr(result, "shape", None) == shape else np.broadcast_to(result, shape).copy()
    result = np.empty(shape, next(iter(arrays.values())).dtype)
    long = {dimension for dimension, array in arrays.items() if array.shape[-len(shape) :][:1] == shape[:1]}
    for part in (slice(start, start + rows) for start in range(0, shape[0], rows)):
        result[part] = function({d: array[part] if d in long else array for d, array in arrays.items()})
    return result


def by_dask(function: Callable[..., Any], integers: Mapping[str, int], arrays: Mapping[Dimension, Any]) -> Any:
    """Return dask's array of a function over arrays by name, worked out and checked block by block when it is computed."""
    import dask.array as da
    import numpy as np

    kind = object if any(array.dtype.kind == "O" for array in arrays.values()) else np.int64
    parts = [array if is_dask(array) else da.from_array(np.asarray(array)) for array in arrays.values()]

    def block(*blocks: Any) -> Any:
        return function(**integers, **{d.name: block for d, block in zip(arrays, blocks, strict=True)})

    sides = [tuple(range(part.ndim))[::-1] for part in parts]
    indexed = [argument for pair in zip(parts, sides, strict=True) for argument in pair]
    return da.blockwise(block, max(sides, key=len), *indexed, dtype=kind, meta=np.empty(0, kind))


def is_dask(value: Any) -> bool:
    """True if a value is an array of dask's."""
    return type(value).__module__.partition(".")[0] == "dask"


def least_of(value: Any) -> int | None:
    """Return the least of numbers that are there; None for an empty array and for one that is worked out later."""
    if isinstance(value, int):
        return value
    return int(value.min()) if getattr(value, "size", 0) and not is_dask(value) else None


def most_of(value: Any, *, is_size: bool) -> int:
    """Return what no number exceeds, whatever its sign, 1 or more; a size is never below 0."""
    if not value.size:
        return 1
    return max(1, int(value.max()), 0 if is_size else -int(value.min()))


def _integer(name: str, value: Any) -> int:
    if not isinstance(value, bool):
        try:
            return operator.index(value)
        except TypeError:
            pass
    if getattr(value, "shape", ()):
        raise DimensionError(f"{name} is a {type(value).__name__} of {value.dtype}: give integers.")
    raise DimensionError(
        f"{name} = {quoted(value, 30)} is a {type(value).__name__}: give an integer, or integers of numpy, dask or jax."
    )
