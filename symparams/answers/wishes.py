"""Wishes: the free dimensions of a search, their bounds and multiples, read and checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from symparams.answers.designs import Design
from symparams.errors import OptionError, quoted
from symparams.expressions.extent import MOST_DIGITS
from symparams.expressions.nodes import Dimension
from symparams.models.load import keys_of
from symparams.models.model import Model
from symparams.models.values import by_dimension

MOST_FREE = 3


def free_dimensions(model: Model, for_: str | Iterable[str], inputs: Sequence[Dimension]) -> tuple[Dimension, ...]:
    """Return the dimensions that are solved for; OptionError and UnknownNameError for what is none."""
    names = [name.strip() for name in for_.split(",")] if isinstance(for_, str) else list(for_)
    if not 0 < len(names) <= MOST_FREE or not all(isinstance(name, (str, Dimension)) for name in names):
        raise OptionError(f"{quoted(for_)} is not a list of dimensions: name one, two or three, as in 'L,h'.")
    free = tuple(_named(model, getattr(name, "name", name), inputs) for name in names)
    if len(set(free)) < len(free):
        raise OptionError(f"{quoted(','.join(map(str, names)))} names a dimension twice: name it once.")
    return free


def steps(design: Design, multiple_of: object) -> dict[Dimension, int]:
    """Return what each is to be a multiple of; a number alone is for the widths among them."""
    if isinstance(multiple_of, Mapping):
        wished = _of_free(design, multiple_of, "multiple_of")
    else:
        numbers = counted(design.model)
        wished = {d: multiple_of for d in design.free if d not in numbers and multiple_of is not None}
        if multiple_of is not None and not wished:
            names = [d.name for d in design.free]
            raise OptionError(
                f"{', '.join(names)} is not a width: name the dimension for the multiple, as in {names[0]}={multiple_of}."
            )
    for step in wished.values():
        if isinstance(step, bool) or not isinstance(step, int) or not 0 < step < 10**MOST_DIGITS:
            raise OptionError(f"{quoted(step)} cannot have multiples: write a whole number of at least 1, such as 128.")
    return wished


def bounds(design: Design, between: object) -> dict[Dimension, tuple[int, int]]:
    """Return the bounds of each that has any."""
    if between is None:
        return {}
    given = between if isinstance(between, Mapping) else {}
    is_pair = [isinstance(pair, (tuple, list)) and [type(end) for end in pair] == [int, int] for pair in given.values()]
    if not given or not all(is_pair):
        raise OptionError(f"between = {quoted(between)} does not give bounds by dimension: write {{'h': (512, 8192)}}.")
    pairs = _of_free(design, given, "between")
    for dimension, (low, high) in pairs.items():
        if not 0 < low <= high < 10**MOST_DIGITS:
            raise OptionError(f"{dimension.name} between {low} and {high}: write the smaller bound first, from 1.")
    return {dimension: (low, high) for dimension, (low, high) in pairs.items()}


def _of_free(design: Design, given: Mapping[Any, Any], option: str) -> dict[Dimension, Any]:
    """Return what is given by dimension; OptionError for one that is not solved for."""
    wished = {_named(design.model, name, design.quantity.inputs): value for name, value in given.items()}
    for dimension in wished:
        if dimension not in design.free:
            raise OptionError(f"{option} names {dimension.name}, which is not solved for: leave it out, or solve for it, too.")
    return wished


def counted(model: Model) -> set[Dimension]:
    """Return the dimensions that are numbers of layers, heads or experts, and no widths."""
    numbers: set[Dimension] = set()
    for leaf in model.leaves:
        numbers |= set(leaf.times.dimensions)
        numbers |= set(leaf.component.heads.number.dimensions) if leaf.component.heads else set()
        for tensor in leaf.component.tensors:
            sides = zip(tensor.shape, tensor.active or tensor.shape, strict=True)
            numbers |= {d for side, active in sides if side != active for d in side.dimensions}
    return numbers


def _named(model: Model, name: object, inputs: Sequence[Dimension]) -> Dimension:
    """Return the input or the dimension that a name, or a config key, stands for; UnknownNameError."""
    letters = {letter.name: letter for letter in inputs}
    return letters.get(str(name).strip()) or next(
        iter(by_dimension(model.architecture, {name: 1}, keys_of(model.architecture)))
    )
