"""Groups: the arrays of one shape whose names differ in nothing but the numbers of copies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property
from math import prod

from symparams.checkpoints.record import Shape, StoredTensor
from symparams.checkpoints.trees import TreeArray
from symparams.components.copies import MANY, NUMBER, starred
from symparams.expressions.nodes import Expression
from symparams.records import frozen


@frozen
class Group:
    """Arrays of one shape, by the pattern of their names, layers.*.up.weight.

    ``names`` are all of them, none where a tree does not tell which copies have the array. Of a tree ``path`` is the part, and
    ``sides`` are in letters. Of a file ``own`` are the names as they stand there, whatever the pattern became.
    """

    pattern: str
    shape: Shape
    number: int
    names: tuple[str, ...] = ()
    path: str = ""
    sides: tuple[Expression, ...] = ()
    is_matrix: bool = False
    trained: bool = True
    own: tuple[str, ...] = ()
    dtype: str = ""
    bytes: int = 0

    @property
    def size(self) -> int:
        """The numbers in all of its arrays."""
        return self.number * prod(self.shape)

    @cached_property
    def segments(self) -> tuple[str, ...]:
        """The pattern, by its dots."""
        return tuple(self.pattern.split("."))

    @property
    def label(self) -> str:
        """The name of the one array, or the pattern of the names of several, in the words of whoever has it."""
        return self.first if self.number == 1 else starred(self.first)

    @property
    def first(self) -> str:
        """The name of one of them, in the words of whoever has it."""
        return (*self.own, *self.names, self.pattern)[0]

    def only(self, kept: Iterable[int]) -> Group | None:
        """Return the group with some of its arrays, by their places; None without any."""
        places = list(kept)
        if not places:
            return None
        each = self.bytes // self.number
        names, own = (tuple(texts[place] for place in places) if texts else () for texts in (self.names, self.own))
        return replace(self, number=len(places), names=names, own=own, bytes=each * len(places))


@frozen
class View:
    """Groups of copies seen as one array of each layer: as they are, or stacked along the numbers at one place of the name."""

    group: Group
    shape: Shape
    number: int
    segments: tuple[str, ...]
    stacked: int = field(default=1)


def of_tree(arrays: Iterable[TreeArray]) -> list[Group]:
    """The groups of a tree's own arrays, in its order."""
    found: dict[tuple[str, str, Shape], list[TreeArray]] = defaultdict(list)
    for array in arrays:
        found[array.path, starred(array.name), array.shape].append(array)
    return [
        Group(
            pattern,
            shape,
            sum(array.number for array in alike),
            _known(alike, pattern),
            path,
            alike[0].sides,
            alike[0].is_matrix and len(shape) > 1,
            alike[0].trained,
        )
        for (path, pattern, shape), alike in found.items()
    ]


def _known(alike: Sequence[TreeArray], pattern: str) -> tuple[str, ...]:
    names = tuple(array.name for array in alike)
    return () if MANY in pattern.split(".") and names[0] == pattern else names


def of_file(tensors: Iterable[StoredTensor], names: dict[str, str]) -> list[Group]:
    """The groups of stored arrays by the ``names`` that stand for theirs, in the order of the file."""
    found: dict[tuple[str, Shape, str], list[StoredTensor]] = defaultdict(list)
    for tensor in tensors:
        found[starred(names[tensor.name]), tensor.shape, tensor.dtype].append(tensor)
    return [
        Group(
            pattern,
            shape,
            len(alike),
            tuple(names[tensor.name] for tensor in alike),
            own=tuple(tensor.name for tensor in alike),
            dtype=dtype,
            bytes=sum(tensor.bytes for tensor in alike),
        )
        for (pattern, shape, dtype), alike in found.items()
    ]


def views(group: Group) -> Iterator[View]:
    """A group as it is, and stacked along each of the numbers in its names, where all stacks are as high."""
    yield View(group, group.shape, group.number, group.segments)
    places = [place for place, segment in enumerate(group.segments) if segment == MANY]
    for place in reversed(places if group.names else []):
        heights: dict[tuple[str, ...], int] = defaultdict(int)
        for name in group.names:
            segments = name.split(".")
            heights[*segments[:place], *segments[place + 1 :]] += 1
        height = next(iter(heights.values()))
        if height > 1 and set(heights.values()) == {height}:
            around = (*group.segments[:place], *group.segments[place + 1 :])
            yield View(group, (height, *group.shape), len(heights), around, height)


def are_siblings(groups: Sequence[View]) -> bool:
    """True if the names of groups differ in one place alone, as those of queries, keys and values."""
    first, *others = (view.segments for view in groups)
    if any(len(other) != len(first) for other in others):
        return False
    places = {place for other in others for place, segment in enumerate(other) if segment != first[place]}
    return len(places) == 1


def numbers_of(name: str) -> list[str]:
    """The numbers of copies in a name."""
    return NUMBER.findall(name)
