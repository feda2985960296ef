"""A module of torch as ``print(model)`` writes it: the parameters that the arguments of its classes tell.

Torch prints classes with their arguments, and no arrays. ``printed.toml`` says which arrays the arguments of a class mean.
What a module of another class holds itself is not in the text: ``Printed`` knows which modules these are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from symparams.checkpoints.printed_classes import Kind, Side, Unread, Values, classes, value_of
from symparams.checkpoints.printed_text import MOST_COPIES, Module, parsed
from symparams.checkpoints.record import (
    LARGEST_SIDE,
    LONGEST_NAME,
    MOST_TENSORS,
    Checkpoint,
    StoredTensor,
    checked_name,
    too_many,
)
from symparams.errors import CheckpointError, quoted
from symparams.records import frozen

INSTEAD = "give the module, --module package:build, or a checkpoint"


class Found(NamedTuple):
    """A module of a text with its path, in which copies are 0-11, and how many there are of it."""

    path: str
    module: Module
    number: int


@frozen
class Printed:
    """The text of a module: what it does not tell.

    ``untold`` are the modules of classes that hold arrays, or may do, of which no argument tells the shapes. ``unseen`` are
    other classes that print modules and may hold arrays as well. ``assumed`` are classes of which the text does not tell if
    they have a bias.
    """

    place: str
    root: Module
    untold: tuple[Found, ...] = ()
    unseen: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    def holder(self, name: str) -> Module | None:
        """Return the module that would hold an array of this name, if the text does not tell the arrays that it holds."""
        modules = [self.root]
        for segment in name.split(".")[:-1]:
            modules = [part for module in modules for part in module.named(segment)]
        return next((module for module in modules if not module.is_told), None)

    def hiding(self, number: int, but: Collection[str]) -> str:
        """Return a class of which there are as many modules, whose arrays are not told, but for some classes; "" if none."""
        numbers = Counter[str]()
        for found in self.untold:
            numbers[found.module.kind] += found.number
        return next((kind for kind, modules in numbers.items() if modules == number and kind not in but), "")

    def refusal(self, untold: Found) -> CheckpointError:
        """The error for a module whose arrays have to be told."""
        where = _where(self.place, untold.module, untold.path)
        if untold.module.kind in classes().unprinted:
            return CheckpointError(f"{where} may hold parameters that torch does not print: {INSTEAD}.")
        return CheckpointError(f"{where} is not a class whose parameters its printed arguments tell: {INSTEAD}.")


def checkpoint_of(text: str, place: str) -> Checkpoint:
    """Return the parameters that a text tells; CheckpointError names the line that torch did not print.

    A hook that replaces arrays, such as weight_norm, is not in a text: its module is read as what it prints.
    """
    root = parsed(text, place)
    reader = _Reader(place)
    arrays = reader.read(root, "")
    if reader.number(arrays) > MOST_TENSORS:
        raise too_many(place)
    printed = Printed(place, root, tuple(reader.untold), tuple(reader.unseen), tuple(reader.assumed))
    tensors = tuple(arrays.tensors(()))
    if not tensors and printed.untold:
        raise printed.refusal(printed.untold[0])
    if not tensors:
        raise CheckpointError(f"{quoted(place)} prints no module with parameters.")
    return Checkpoint(place, tensors, has_bytes=False, is_module=True, printed=printed)


def _where(place: str, module: Module, path: str) -> str:
    return f"{quoted(place)}, line {module.line}: {quoted(module.kind)[1:-1]}" + (f" at {quoted(path)[1:-1]}" if path else "")


@dataclass(frozen=True, slots=True)
class _Arrays:
    """The arrays of a module and of those inside it that have some, once for each of its names."""

    module: Module
    own: tuple[StoredTensor, ...]
    parts: tuple[_Arrays, ...]

    def tensors(self, path: tuple[str, ...]) -> Iterator[StoredTensor]:
        for name in self.module.names:
            here = (*path, name) if name else path
            for tensor in self.own:
                yield tensor._replace(name=checked_name(".".join((*here, tensor.name)), ".".join(here) or tensor.name))
            for part in self.parts:
                yield from part.tensors(here)


class _Reader:
    """What was read of a text besides its arrays."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.arrays = 0
        self.untold: list[Found] = []
        self.unseen: dict[str, None] = {}
        self.assumed: dict[str, None] = {}

    def number(self, arrays: _Arrays) -> int:
        """Return the number of arrays, once for each copy."""
        copies = 1 if arrays.module.copies is None else len(arrays.module.copies)
        return copies * (len(arrays.own) + sum(map(self.number, arrays.parts)))

    def read(self, module: Module, around: str, number: int = 1) -> _Arrays:
        """Return the arrays of a module that are told, and keep what is not."""
        name = module.name if module.copies is None else f"{module.copies[0]}-{module.copies[-1]}"
        path = f"{around}.{name}" if around and name else name or around
        number *= 1 if module.copies is None else len(module.copies)
        if len(path) > LONGEST_NAME:
            raise CheckpointError(f"{quoted(self.place)}, line {module.line}: a name has more than {LONGEST_NAME} characters.")
        own: tuple[StoredTensor, ...] = ()
        if kind := classes().kinds.get(module.kind) if module.is_told else None:
            try:
                own = tuple(self._told(kind, module))
            except Unread as reason:
                raise CheckpointError(f"{_where(self.place, module, path)} {reason}.") from None
        elif not module.is_told and (module.kind in classes().unprinted or not module.is_container):
            self.untold.append(Found(path, module, number))
        elif not module.is_told:
            self.unseen.setdefault(module.kind)
        parts = [self.read(part, path, number) for part in module.parts]
        return _Arrays(module, own, tuple(part for part in parts if part.own or part.parts))

    def _told(self, kind: Kind, module: Module) -> Iterator[StoredTensor]:
        """Yield the arrays that the arguments of a module tell."""
        values, is_assumed = _values(kind, module.arguments or "")
        if is_assumed:
            self.assumed.setdefault(module.kind)
        for array in kind.recurrent(values, MOST_COPIES) if kind.gates else kind.arrays:
            if all(values[condition] is True for condition in array.conditions):
                shape = tuple(side for written in array.sides for side in _sides(written, values))
                if prod(shape) > LARGEST_SIDE:
                    raise Unread("has more numbers than any array")
                self.arrays += 1
                if self.arrays > MOST_TENSORS:
                    raise too_many(self.place)
                yield StoredTensor(array.name, shape, is_buffer=array.is_buffer)


def _sides(side: Side, values: Values) -> Iterator[int]:
    """Yield the sizes of a side of an array, or of several sides that one argument tells."""
    size, divisor = values[side.name], values[side.divisor] if side.divisor else 1
    if isinstance(size, tuple):
        yield from size
        return
    quotient, rest = divmod(size * side.factor, divisor)  # type: ignore[operator] # one that divides is not a tuple
    if rest:
        raise Unread(f"prints {side.divisor}={divisor}, which does not divide {side.name}={size}")
    yield quotient


def _values(kind: Kind, text: str) -> tuple[Values, bool]:
    """Return the arguments that tell parameters, and True if one was assumed that decides about an array.

    Raises ``Unread`` for an argument that is unknown, missing, of another type, or printed twice.
    """
    values: dict[str, int | bool | tuple[int, ...]] = {}
    positions = iter(kind.positions)
    for written in _arguments(text):
        name, equals, value = written.partition("=")
        if not equals:
            name, value = next(positions, ""), written
        if name in values:
            raise Unread(f"prints {name} twice")
        if name in kind.types:
            values[name] = value_of(name, value, kind)
        elif name not in kind.aside:
            raise Unread(f"prints {quoted(written, 40)}, and it is not known what that does to parameters")
    if lacking := [name for name in kind.needed if name not in values]:
        raise Unread(f"prints no {lacking[0]}, which tells the parameters")
    assumed = [name for name in kind.assumed if name not in values]
    values = {**kind.left_out, **kind.assumed, **values}
    return values, any(all(values[other] for other in kind.deciding(name)) for name in assumed)


def _arguments(text: str) -> Iterator[str]:
    """Yield the arguments of a module, without those of tuples."""
    depth, start = 0, 0
    for place, sign in enumerate(text):
        depth += (sign in "([") - (sign in ")]")
        if depth < 0:
            break
        if not depth and text.startswith(", ", place):
            yield text[start:place]
            start = place + 2
    if depth:
        raise Unread(f"prints {quoted(text, 40)}, whose brackets do not match")
    if text:
        yield text[start:]
