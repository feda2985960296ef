"""Arrays: what is taken for the values of a dimension, how it is read, and how numpy, dask and jax work through it."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Mapping
from functools import partial
from itertools import zip_longest
from math import isnan, prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from symparams.errors import DimensionError, quoted
from symparams.expressions.nodes import Dimension, Expression

if TYPE_CHECKING:
    import numpy

LARGEST = 2**63 - 1
BLOCK = 2**17  # values of an array that are worked out at a time: with what is met on the way they stay in a core's cache
Of = Callable[..., Any]  # of blocks by their letters, and of the product to begin with


def read(name: str, value: Any, least: int = 1) -> Any:
    """A value as it is worked with: a Python integer, or an array of integers; DimensionError for anything else."""
    if isinstance(value, int) or _root(value) not in ("numpy", "dask", "jax", "jaxlib") or _is_numpy_scalar(value):
        return _from(least, name, _integer(name, value))
    if _root(value) in ("jax", "jaxlib"):
        _refuse_untold(name, value)
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if type(value).__name__ not in ("ndarray", "memmap", "Array", "ArrayImpl") or kind not in ("i", "u", "O"):
        raise DimensionError(f"{name} is a {type(value).__name__} of {getattr(value, 'dtype', 'no type')}: give integers.")
    return value if _root(value) == "dask" else _checked(name, value, least)


def spread(of: Of, found: Mapping[Dimension, Any], least: Mapping[Dimension, int] = MappingProxyType({})) -> Any:
    """A function over arrays that were read: jax's at once, numpy's in blocks, dask's when they are computed.

    ``least`` are the smallest values of letters that may be 0.
    """
    roots = {_root(value) for value in found.values()}
    shape = _together(found) if found else ()
    if "dask" in roots:
        return _by_dask(of, found, least)
    if roots == {"numpy"}:
        return _in_blocks(of, found, shape)
    for dimension, value in found.items():
        if value.dtype == object:
            raise DimensionError(
                f"{dimension.name} holds Python integers, which jax has no room for: give all as numpy's arrays."
            )
    return of(found)


def _together(found: Mapping[Dimension, Any]) -> tuple[int, ...]:
    """The shape that arrays broadcast to; a side that dask does not know yet is left to it."""
    first, *others = (value.shape for value in found.values())
    if all(shape == first for shape in others):
        return first  # type: ignore[no-any-return]
    shapes = [tuple(1 if isnan(side) else side for side in value.shape) for value in found.values()]
    sides = [{side for side in column if side != 1} for column in zip_longest(*map(reversed, shapes), fillvalue=1)]
    if any(len(column) > 1 for column in sides):
        said = ", ".join(f"{d.name} {value.shape}" for d, value in found.items())
        raise DimensionError(f"These shapes do not broadcast: {said}.")
    return tuple(column.pop() if column else 1 for column in reversed(sides))


def is_bounded(value: Any) -> bool:
    """Whether its numbers have 64 bits, and no more."""
    return not isinstance(value, int) and value.dtype.kind != "O"  # quicker than to compare the types


def most(letter: Expression, value: Any, least: int = 1) -> int:
    """The largest of its values, whatever its sign; DimensionError where a dimension is below ``least``."""
    if not isinstance(value, int) and not value.size:
        return 0
    smallest, largest = (value, value) if isinstance(value, int) else (int(value.min()), int(value.max()))
    if isinstance(letter, Dimension):
        _from(least, letter.name, smallest)
    return max(-smallest, largest)


def least_of(value: Any) -> int | None:
    """The least of numbers that are there; None of what is worked out later."""
    if isinstance(value, int):
        return value
    return int(value.min()) if _root(value) in ("numpy", "jax", "jaxlib") and value.size else None


def any_of(found: Any) -> bool:
    """Whether any of these is true."""
    return found if isinstance(found, bool) else bool(found.any())


def _in_blocks(of: Of, found: Mapping[Dimension, Any], shape: tuple[int, ...]) -> Any:
    import numpy as np

    if any(value.dtype == object for value in found.values()):
        found = {d: value.astype(object) for d, value in found.items()}
    size = prod(shape)
    rows = max(1, BLOCK * shape[0] // size) if size and shape else 1
    if not size or not shape or shape[0] <= rows:
        whole = of(found)
        return whole if getattr(whole, "shape", None) == shape else np.broadcast_to(whole, shape).copy()
    result: numpy.ndarray[Any, Any] = np.empty(shape, dtype=next(iter(found.values())).dtype)
    for start in range(0, shape[0], rows):
        part = slice(start, start + rows)
        blocks = {d: _cut(value, part, len(shape)) for d, value in found.items()}
        worked = of(blocks, _into(result[part]))
        if getattr(worked, "base", None) is not result:
            result[part] = worked
    return result


def _into(room: Any) -> Callable[[Any, Any], Any]:
    """A product that takes the room of the result where it has its shape, once: what follows is worked out in place."""
    import numpy as np

    free = [room]

    def times(one: Any, other: Any) -> Any:
        if free and room.shape in (getattr(one, "shape", ()), getattr(other, "shape", ())):
            return np.multiply(one, other, out=free.pop())
        return one * other

    return times


def _cut(value: Any, part: slice, dimensions: int) -> Any:
    """The part of an array that meets a part of the rows of what it broadcasts to."""
    return value if value.ndim < dimensions or value.shape[0] == 1 else value[part]


def _by_dask(of: Of, found: Mapping[Dimension, Any], least: Mapping[Dimension, int]) -> Any:
    import dask.array as da
    import numpy as np

    kind = object if any(value.dtype == object for value in found.values()) else np.int64
    parts = [value if _root(value) == "dask" else da.from_array(np.asarray(value)) for value in found.values()]
    block = partial(_block, of, tuple(found), dict(least))
    return da.apply_gufunc(block, ",".join(["()"] * len(parts)) + "->()", *parts, output_dtypes=kind)


def _block(of: Of, letters: tuple[Dimension, ...], least: Mapping[Dimension, int], *blocks: Any) -> Any:
    found = {d: _checked(d.name, block, least.get(d, 1)) for d, block in zip(letters, blocks, strict=True)}
    return _in_blocks(of, found, _together(found))


def _checked(name: str, value: Any, least: int) -> Any:
    """An array of integers in 64 bits; of Python integers, as it is."""
    if value.dtype == object:
        for each in value.flat:
            _from(least, name, _integer(name, each))
        return value
    if value.dtype.kind == "u" and value.dtype.itemsize == 8 and value.size and int(value.max()) > LARGEST:
        raise DimensionError(f"{name} = {int(value.max()):,} is more than the 2^63 - 1 of 64 bits: give dtype=object.")
    is_ready = value.dtype.kind == "i" and value.dtype.itemsize == 8 and value.dtype.isnative
    return value if is_ready else value.astype("int64")


def _refuse_untold(name: str, value: Any) -> None:
    import jax

    if isinstance(value, jax.core.Tracer):
        raise DimensionError(
            f"{name} is traced, and its values are not known: call the function outside of jit, vmap and grad."
        )
    if not jax.config.jax_enable_x64:
        raise DimensionError(
            "jax counts in 32 bits here: write jax.config.update('jax_enable_x64', True) before anything else."
        )


def _integer(name: str, value: Any) -> int:
    if not isinstance(value, bool):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise DimensionError(
        f"{name} = {quoted(value, 30)} is a {type(value).__name__}: give an integer, or integers of numpy, dask or jax."
    )


def _from(least: int, name: str, value: int) -> int:
    if value < least:
        wanted = "a positive integer" if least else "0 or a positive integer"
        raise DimensionError(f"{name} = {value} must be {wanted}: {name} counts something.")
    return value


def _root(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


def _is_numpy_scalar(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.generic)
