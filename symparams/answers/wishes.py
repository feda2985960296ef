"""Wishes: the free dimensions of a search, their bounds and multiples, read and checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from symparams.answers.designs import Design
from symparams.errors import OptionError, quoted
from symparams.expressions.amounts import read
from symparams.expressions.extent import MOST_DIGITS
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.parsing import parse
from symparams.expressions.symbols import INPUTS, LONG_NAMES
from symparams.models.calculation import input_of
from symparams.models.load import keys_of
from symparams.models.model import Model
from symparams.models.values import by_dimension
from symparams.quantities.quantity import Quantity
from symparams.quantities.setting import CHOICES

MOST_FREE = 3


def free_dimensions(model: Model, for_: str | Iterable[str], inputs: Sequence[Dimension]) -> tuple[Dimension, ...]:
    """Return the dimensions that are solved for; OptionError and UnknownNameError for what is none."""
    names = re.split(r"[,;\s]+", for_.strip()) if isinstance(for_, str) else list(for_)
    if not 0 < len(names) <= MOST_FREE or not all(isinstance(name, (str, Dimension)) for name in names):
        raise OptionError(f"{quoted(for_)} is not a list of dimensions: name one, two or three, as in 'L,h'.")
    free = tuple(_named(model, getattr(name, "name", name), inputs) for name in names)
    if len(set(free)) < len(free):
        raise OptionError(f"{quoted(','.join(map(str, names)))} names a dimension twice: name it once.")
    return free


def divided(model: Model, quantity: Quantity, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[Dimension, Any]]:
    """Return what is given to a quantity, and the sizes of the model by dimension; UnknownNameError for what is neither."""
    known = {letter.name for letter in (*INPUTS, *LONG_NAMES.values())}
    others = {*CHOICES, *known} - {dimension.name for dimension in model.architecture.dimensions}
    inputs = {name: value for name, value in given.items() if name in others or input_of(quantity, name, model)}
    sizes = {name: value for name, value in given.items() if name not in inputs}
    return inputs, by_dimension(model.architecture, sizes, keys_of(model.architecture))


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


def bounds(
    design: Design, between: object
) -> tuple[dict[Dimension, tuple[int, int]], dict[Expression, tuple[Fraction, Fraction]]]:
    """Return the bounds of each free dimension that has any, and those of ratios and of what follows."""
    if between is None:
        return {}, {}
    if not isinstance(between, Mapping) or not between:
        raise _no_bounds(between)
    simple, within = dict[Dimension, tuple[int, int]](), dict[Expression, tuple[Fraction, Fraction]]()
    for name, pair in between.items():
        low, high = _ends(between, pair)
        subject, spelled = _subject(design, name), getattr(name, "name", name)
        if subject in simple or subject in within:
            raise OptionError(f"{subject!r} is given bounds twice, once as {quoted(spelled)}: give them once.")
        if not 0 < low <= high < 10**MOST_DIGITS:
            raise OptionError(f"{spelled} between {low} and {high}: write the smaller bound first, from 1.")
        if isinstance(subject, Dimension) and subject in design.free:
            if low.denominator != 1 or high.denominator != 1:
                raise OptionError(f"{spelled} between {float(low)} and {float(high)}: write whole numbers.")
            simple[subject] = int(low), int(high)
        else:
            within[subject] = low, high
    return simple, within


def _ends(between: object, pair: object) -> tuple[Fraction, Fraction]:
    """Return two bounds, exactly: 512, 1e9, 2.5."""
    ends = [read(end, {"": 1}) for end in pair] if isinstance(pair, (tuple, list)) else []
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        raise _no_bounds(between)
    return ends[0].value, ends[1].value


def _no_bounds(between: object) -> OptionError:
    return OptionError(f"between = {quoted(between)} does not give bounds by dimension or ratio: write {{'h': (512, 8192)}}.")


def _subject(design: Design, name: object) -> Expression:
    """Return the dimension or the ratio that has bounds; OptionError for one on which nothing free has an influence."""
    names = {d.name: d for d in (*design.model.architecture.dimensions, *design.quantity.inputs)}
    written = not isinstance(name, Dimension) and "/" in str(name)
    subject = parse(str(name), {**keys_of(design.model.architecture), **names}) if written else None
    subject = subject or _named(design.model, getattr(name, "name", name), design.quantity.inputs)
    moving = {*design.free, *design.follows}
    if not moving & {*subject.dimensions}:
        others = ", ".join(d.name for d in design.free)
        verb = "is" if len(subject.dimensions) == 1 else "are"
        spoken = " and ".join(d.name for d in subject.dimensions)
        raise OptionError(
            f"between names {spoken}, which {verb} not solved for: leave it out, or solve for it too, beside {others}."
        )
    for dimension in subject.dimensions:
        if dimension not in moving and dimension not in design.known:
            raise OptionError(f"{subject!r} has no value for {dimension.name}: give one, or solve for {dimension.name} too.")
    return subject


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
