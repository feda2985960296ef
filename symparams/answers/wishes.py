"""Wishes: what somebody asks of a design, read and checked: which dimensions are free, their bounds, their multiples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from symparams.errors import OptionError, quoted
from symparams.expressions.extent import MOST_DIGITS
from symparams.expressions.nodes import Dimension
from symparams.models.load import keys_of
from symparams.models.model import Model
from symparams.models.values import by_dimension

MOST_FREE = 3
Letters: TypeAlias = Sequence[Dimension]


def free_dimensions(model: Model, for_: str | Iterable[str], letters: Letters = ()) -> tuple[Dimension, ...]:
    """The dimensions that are solved for; OptionError and UnknownNameError for what is none."""
    names = [name.strip() for name in for_.split(",")] if isinstance(for_, str) else list(for_)
    if not 0 < len(names) <= MOST_FREE or not all(isinstance(name, (str, Dimension)) for name in names):
        raise OptionError(f"{quoted(for_)} are no dimensions to solve for: name one, two or three, as in 'L,h'.")
    free = tuple(named(model, str(getattr(name, "name", name)), letters) for name in names)
    if len(set(free)) < len(free):
        raise OptionError(f"{quoted(','.join(map(str, names)))} names a dimension twice: name it once.")
    return free


def steps(model: Model, free: tuple[Dimension, ...], multiple_of: object, letters: Letters = ()) -> dict[Dimension, int]:
    """What each is to be a multiple of; a number alone is for the widths among them."""
    if multiple_of is None:
        return {}
    if isinstance(multiple_of, Mapping):
        found = {named(model, str(name), letters): _step(value) for name, value in multiple_of.items()}
        _refuse_others(found, free, "multiple_of")
        return found
    numbers = counted(model)
    widths = [each for each in free if each not in numbers]
    if not widths:
        [*names] = (each.name for each in free)
        raise OptionError(f"{', '.join(names)} is no width: name what is to be a multiple, as in {names[0]}={multiple_of}.")
    return dict.fromkeys(widths, _step(multiple_of))


def _step(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 10**MOST_DIGITS:
        raise OptionError(f"{quoted(value)} is no number to be a multiple of: write one from 1, as in 128.")
    return value


def bounds(
    model: Model, free: tuple[Dimension, ...], between: object, letters: Letters = ()
) -> dict[Dimension, tuple[int, int]]:
    """The bounds of each that has any."""
    if between is None:
        return {}
    given = between if isinstance(between, Mapping) else {}
    pairs = {named(model, str(name), letters): tuple(pair) for name, pair in given.items()}
    if not pairs or not all(len(pair) == 2 and all(type(end) is int for end in pair) for pair in pairs.values()):
        raise OptionError(f"between = {quoted(between)} are no bounds by dimension: write {{'h': (512, 8192)}}.")
    for dimension, (low, high) in pairs.items():
        if not 0 < low <= high < 10**MOST_DIGITS:
            raise OptionError(f"{dimension.name} between {low} and {high}: write the smaller bound first, from 1.")
    _refuse_others(pairs, free, "between")
    return {dimension: (low, high) for dimension, (low, high) in pairs.items()}


def _refuse_others(chosen: Iterable[Dimension], free: tuple[Dimension, ...], option: str) -> None:
    for dimension in chosen:
        if dimension not in free:
            raise OptionError(
                f"{option} speaks of {dimension.name}, which is not solved for: leave it out, or solve for it too."
            )


def counted(model: Model) -> set[Dimension]:
    """The dimensions that are numbers of layers, heads or experts, and no widths."""
    found: set[Dimension] = set()
    for leaf in model.leaves:
        found |= set(leaf.times.dimensions)
        found |= set(leaf.component.heads.number.dimensions) if leaf.component.heads else set()
        for tensor in leaf.component.tensors:
            sides = zip(tensor.shape, tensor.active or tensor.shape, strict=True)
            found |= {d for side, active in sides if side != active for d in side.dimensions}
    return found


def named(model: Model, name: str, letters: Letters = ()) -> Dimension:
    """The dimension of a model's family that a name, or a config key, stands for, or one of ``letters``; UnknownNameError."""
    for letter in letters:
        if letter.name == name.strip():
            return letter
    [dimension] = by_dimension(model.architecture, {name: 1}, keys_of(model.architecture))
    return dimension
