"""Translation: a file's names into those of a tree, where whole modules are called otherwise or have a prefix less.

It goes by what names end in: if transformer.h.*.mlp.c_fc.weight is h.*.mlp.c_fc.weight in a file, "" is its "transformer".
Where names have no end in common, the layers whose arrays have the most shapes in common are taken for one another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from symparams.checkpoints.groups import Group, numbers_of
from symparams.checkpoints.record import Shape
from symparams.components.copies import MANY, starred

LEAST_IN_COMMON = 2  # segments at the end of two names
Segments = tuple[str, ...]
Prefixes = tuple[Segments, Segments]  # of a file, and what stands for it in the tree


def translated(names: Mapping[str, Shape], tree: Sequence[Group]) -> dict[str, str]:
    """Return for each name of a file the one that stands for it in a tree, if only its modules are called otherwise."""
    known: dict[str, set[Shape]] = defaultdict(set)
    for group in tree:
        known[group.pattern].add(group.shape)
    shapes: dict[str, set[Shape]] = defaultdict(set)
    for name, shape in names.items():
        shapes[starred(name)].add(shape)
    meant = {pattern: pattern for pattern in shapes}
    while chosen := _likeliest(meant, known, shapes):
        _apply(meant, known, chosen)
    for prefixes in _layers(meant, known, shapes, tree):
        _apply(meant, known, prefixes, everywhere=True)
    return {name: _named(meant[starred(name)], name) for name in names}


Known = Mapping[str, set[Shape]]  # the shapes of a tree's arrays, by the patterns of their names


def _left(meant: Mapping[str, str], known: Known) -> tuple[list[str], list[str]]:
    """The patterns of the file that stand for none of the tree, and those of the tree for which none stands."""
    taken = set(meant.values())
    return [pattern for pattern, other in meant.items() if other not in known], [name for name in known if name not in taken]


def _likeliest(meant: Mapping[str, str], known: Known, shapes: Known) -> Prefixes | None:
    """Return the prefixes by which the most names become names of arrays of their shape; None if there are none."""
    ours, theirs = _left(meant, known)
    ends: dict[tuple[Segments, Shape], list[Segments]] = defaultdict(list)
    for pattern in sorted(theirs):
        segments = tuple(pattern.split("."))
        for place in range(len(segments) - LEAST_IN_COMMON + 1):
            for shape in known[pattern]:
                ends[segments[place:], shape].append(segments[:place])
    votes: Counter[Prefixes] = Counter()
    for pattern in ours:
        segments = tuple(meant[pattern].split("."))
        for place in range(len(segments) - LEAST_IN_COMMON + 1):
            before = segments[:place]
            afters = {other for shape in shapes[pattern] for other in ends.get((segments[place:], shape), ())}
            if alike := [other for other in afters if other.count(MANY) == before.count(MANY)]:
                votes.update((before, other) for other in alike)
                break
    return max(votes, key=lambda prefixes: (votes[prefixes], -len(prefixes[0]), prefixes)) if votes else None


def _layers(meant: Mapping[str, str], known: Known, shapes: Known, tree: Sequence[Group]) -> Iterable[Prefixes]:
    """Return the stacks of layers of a file beside those of the tree that have the most shapes in common with them."""
    ours, theirs = _left(meant, known)
    of_file: dict[Segments, Counter[Shape]] = defaultdict(Counter)
    for pattern in ours:
        if before := _stack(meant[pattern]):
            of_file[before].update(shapes[pattern])
    of_tree: dict[Segments, Counter[Shape]] = defaultdict(Counter)
    left = set(theirs)
    for group in tree:
        if group.pattern in left and (before := _stack(group.pattern)):
            of_tree[before][group.shape] += 1
    pairs = sorted(
        ((-(here & there).total(), place, before, other)
         for place, (before, here) in enumerate(of_file.items()) for other, there in of_tree.items() if here & there),
    )  # fmt: skip
    used: set[Segments] = set()
    for _, _, before, other in pairs:
        if before not in used and other not in used and before != other:
            used |= {before, other}
            yield before, other


def _stack(pattern: str) -> Segments:
    """Return the name of a stack of layers, up to its number; () of what is in none."""
    segments = tuple(pattern.split("."))
    return segments[: segments.index(MANY) + 1] if MANY in segments else ()


def _apply(meant: dict[str, str], known: Known, prefixes: Prefixes, *, everywhere: bool = False) -> None:
    """Put a prefix of the tree in the place of one of the file where it has such a module, or ``everywhere``.

    What another name has become already, none becomes.
    """
    before, after = prefixes
    taken = set(meant.values())
    modules = {tuple(pattern.split(".")[: len(after) + 1]) for pattern in known}
    for pattern, other in meant.items():
        segments = tuple(other.split("."))
        if other not in known and segments[: len(before)] == before:
            new = ".".join((*after, *segments[len(before) :]))
            is_module = everywhere or (*after, *segments[len(before) : len(before) + 1]) in modules
            if is_module and new not in taken:
                meant[pattern] = new
                taken.add(new)


def _named(pattern: str, name: str) -> str:
    """Return a pattern with the numbers of a name."""
    numbers = iter(numbers_of(name))
    return ".".join(next(numbers) if segment == MANY else segment for segment in pattern.split("."))
