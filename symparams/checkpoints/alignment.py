"""Alignment: the arrays of a tree beside those of a checkpoint, first by their names, then by what is left of the shapes.

Each step takes groups that explain one another out of what is left on both sides. What remains is missing, or too much.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import cached_property
from itertools import combinations, islice
from math import prod

from symparams.checkpoints import storage
from symparams.checkpoints.findings import Finding, Relation, Way
from symparams.checkpoints.groups import Group, View, are_siblings, numbers_of, of_file, of_tree, views
from symparams.checkpoints.record import Checkpoint, Shape
from symparams.checkpoints.structure import MOST_TRIED, is_reshaped, joined_by, turned, way_to
from symparams.checkpoints.translation import translated
from symparams.checkpoints.trees import TreeArray
from symparams.components.copies import MANY, starred
from symparams.errors import CheckpointError, quoted
from symparams.expressions.nodes import Expression

FUSED, SPLIT = (Way.FUSED, Way.UNSTACKED, Way.STACKED), (Way.SPLIT, Way.STACKED, Way.UNSTACKED)
MOST_KINDS = 3_000  # of names that differ in more than the numbers of copies
MOST_COMPARED = 20_000  # pairs of names
LEAST_MULTIPLE = 8  # to which a number of words is padded


def align(tree: Sequence[TreeArray], checkpoint: Checkpoint, words: Mapping[Expression, int]) -> list[Finding]:
    """Return the findings about a tree and a checkpoint: those of the tree in its order, then those of the checkpoint alone.

    ``words`` are the numbers of words, which a checkpoint may have padded, in letters, with their values.
    """
    own = [array for array in tree if not array.owner]
    ties = [array for array in tree if array.owner]
    state = _Alignment(own, ties, checkpoint, words)
    for step in (
        state.ties_of_modules,
        state.same_names,
        lambda: state.unprinted(but_below=True),
        state.ties,
        state.buffers,
        state.packed,
        state.copies,
        state.other_shapes,
        state.merge,
        lambda: state.classes(lambda group: (group.number, group.shape, group.segments[-1]), is_whole=True),
        lambda: state.classes(lambda group: (group.number, group.shape), is_whole=True),
        state.apart,
        *(lambda may_turn=may_turn: state.joined(may_turn=may_turn) for may_turn in (False, True)),
        lambda: state.classes(lambda group: (group.number, min(group.shape, turned(group.shape))), is_whole=True),
        lambda: state.classes(lambda group: (group.number, group.shape, group.segments[-1]), is_whole=False),
        lambda: state.classes(lambda group: (group.number, group.shape), is_whole=False),
        state.reshaped,
        state.resized,
        state.unprinted,
        state.left,
    ):
        step()
    state.say_what_is_packed()
    places = {array.path: place for place, array in enumerate(tree)}
    return sorted(state.findings, key=lambda finding: places[finding.here[0].path] if finding.here else len(tree))


class _Alignment:
    """What is left of a tree and of a file, and what was found."""

    def __init__(
        self, own: Sequence[TreeArray], ties: Sequence[TreeArray], checkpoint: Checkpoint, words: Mapping[Expression, int]
    ) -> None:
        self.tied, self.words, self.knows = ties, words, checkpoint.knows_buffers
        self.checkpoint = checkpoint
        self.here = of_tree(own)
        self.paths = {group.path: group for group in reversed(self.here)}
        known = [*self.here, *of_tree(ties)]
        unpacked = storage.unpacked(checkpoint.tensors)
        self.bits = {name: bits for name, (_, bits) in unpacked.items()}
        whole = {tensor.name: unpacked.get(tensor.name, (tensor, 0))[0] for tensor in checkpoint.tensors}
        meant = translated({tensor.name: tensor.shape for tensor in whole.values()}, known)
        self.alias = {name: meant[tensor.name] for name, tensor in whole.items()}
        tied = {array.name for array in ties}
        for tensor in checkpoint.tensors:  # a module may register the head first, which then owns the array
            if tensor.shares and self.alias[tensor.shares] in tied and self.alias[tensor.name] not in tied:
                self.alias |= {tensor.name: self.alias[tensor.shares], tensor.shares: self.alias[tensor.name]}
        buffers = [tensor for tensor in checkpoint.tensors if tensor.is_buffer]
        self.shared = [tensor for tensor in checkpoint.tensors if tensor.shares and not tensor.is_buffer]
        aside = {tensor.name for tensor in (*buffers, *self.shared)}
        stored = (tensor._replace(name=name) for name, tensor in whole.items() if name not in aside)
        self.there = of_file(stored, self.alias)
        if len(self.there) > MOST_KINDS:
            raise CheckpointError(
                f"{quoted(checkpoint.name)} has {len(self.there):,} kinds of names, and at most {MOST_KINDS:,} are compared."
            )
        self.findings = [Finding(Relation.BUFFER, (), (group,)) for group in of_file(buffers, self.alias)]
        self.equal: list[Group] = []

    def found(self, finding: Finding) -> None:
        """Keep a finding, and take its groups out of what is left."""
        self.findings.append(finding)
        self.here = [group for group in self.here if not any(group is other for other in finding.here)]
        self.there = [group for group in self.there if not any(group is other for other in finding.there)]

    def ties_of_modules(self) -> None:
        """Arrays that a module shares, of which the tree says the same, or has two."""
        ties = {array.name: array for array in self.tied}
        for tensor in self.shared:
            name = self.alias[tensor.name]
            [stored] = of_file([tensor], self.alias)
            if name in ties or not (mine := [group for group in self.here if name in group.names]):
                self.findings.append(Finding(Relation.TIE_LEFT_OUT, (), (stored,), what=tensor.shares))
                continue
            self.found(Finding(Relation.TIED_THERE, tuple(mine), (), what=tensor.shares))

    def same_names(self) -> None:
        """Arrays of one name and one shape; where it is not known which copies have an array, as many as there are."""
        for mine in list(self.here):
            alike = [group for group in self.there if (group.pattern, group.shape) == (mine.pattern, mine.shape)]
            stored = [name for group in alike for name in group.names]
            common = set(mine.names).intersection(stored) if mine.names else set(stored[: mine.number])
            if common:
                ours, rest = _split(mine, common)
                halves = {id(group): _split(group, common) for group in alike if not common.isdisjoint(group.names)}
                self.here = _replaced(self.here, mine, [rest])
                self.there = [
                    kept
                    for group in self.there
                    for kept in (halves[id(group)][1:] if id(group) in halves else (group,))
                    if kept
                ]
                self.findings.append(Finding(Relation.SAME, (ours,), tuple(chosen for chosen, _ in halves.values())))
                self.equal.append(ours)

    def unprinted(self, *, but_below: bool = False) -> None:
        """Arrays of modules whose own arrays are not in a text, but for those that may be of a module below: a head's bias."""
        printed = self.checkpoint.printed
        for mine in list(self.here) if printed else ():
            if but_below and any(_is_below(theirs, mine) for theirs in self.there):
                continue
            group = self.in_its_words(mine)
            places = [place for place, name in enumerate(group.own or group.names) if printed and printed.holder(name)]
            if group.names:
                chosen, rest = group.only(places), mine.only({*range(mine.number)}.difference(places))
            else:
                chosen, rest = (group, None) if printed and printed.holder(group.pattern) else (None, mine)
            if chosen:
                self.here = _replaced(self.here, mine, [rest])
                self.findings.append(Finding(Relation.UNPRINTED, (chosen,)))

    def ties(self) -> None:
        """Tied arrays, which a file stores again or leaves out, and which a module has as parameters of their own."""
        chain = {array.path: array.owner for array in self.tied}
        for array in self.tied:
            place = array.owner
            while place in chain:  # BART's head is tied to the decoder's table, which is tied to that of both
                place = chain[place]
            owner = self.paths.get(place)
            shapes = self._stored_shapes(owner)
            again = [g for g in self.there if array.name in g.names and g.shape in (array.shape, *shapes)]
            [tied] = of_tree([array])
            name = owner.first if owner else place
            unstored = [group for group in self.here if group.path == place and group.shape == array.shape]
            if again and unstored and not shapes:  # the file has the one array under the name of the tied one
                self.found(Finding(Relation.SAME, tuple(unstored[:1]), tuple(again), (Way.RENAMED,)))
            elif again:
                relation = Relation.TIE_BROKEN if self.knows else Relation.TIE_STORED
                here = () if self.knows else (tied,)
                self.found(Finding(relation, here, tuple(again), what=name))
            elif not self.knows:
                self.findings.append(Finding(Relation.TIE_LEFT_OUT, (tied,), (), what=name))

        for group in list(self.there):
            owner_name = storage.owner_of_copy(group.names[0])
            owners = [mine for mine in (*self.here, *self.equal) if owner_name in mine.names]
            if owners and group.shape in {owners[0].shape, *self._stored_shapes(owners[0])}:
                again_here = replace(owners[0], number=group.number, own=(), names=group.names)
                self.found(Finding(Relation.TIE_STORED, (again_here,), (group,), what=owners[0].first))

    def _stored_shapes(self, owner: Group | None) -> Iterable[Shape]:
        """The shapes in which a file has an array that is not as the tree has it."""
        return [group.shape for group in self.there if owner and not set(owner.names).isdisjoint(group.names)]

    def buffers(self) -> None:
        """Constants, and the scales and zeros of packed numbers."""
        quantised = {
            storage.owner_of_packed(name) or name.rpartition(".")[0]
            for group in (*self.there, *(group for finding in self.findings for group in finding.there))
            if storage.is_quantised(group.dtype)
            for name in group.names
        }
        left: list[Group] = []
        for group in self.there:
            if storage.is_buffer(group.names[0], group.shape):
                self.findings.append(Finding(Relation.BUFFER, (), (group,)))
            elif (owner := storage.owner_of_scales(group.names[0])) and owner in quantised:
                self.findings.append(Finding(Relation.SCALES, (), (group,), what=owner))
            else:
                left.append(group)
        self.there = left

    def packed(self) -> None:
        """Matrices of which several numbers are packed in one."""
        for theirs in list(self.there):
            packed = {storage.owner_of_packed(name): name for name in theirs.names}
            for mine in list(self.here):
                modules = {name.rpartition(".")[0]: name for name in mine.names} | {name: name for name in mine.names}
                of_it = {modules[owner]: name for owner, name in packed.items() if owner in modules}
                each = prod(theirs.shape), prod(mine.shape)
                bits = storage.packed_bits(theirs.dtype, *each) if of_it else 0
                if bits:
                    ours, rest = _split(mine, set(of_it))
                    stored, remains = _split(theirs, set(of_it.values()))
                    self.here, self.there = _replaced(self.here, mine, [rest]), _replaced(self.there, theirs, [remains])
                    self.findings.append(Finding(Relation.SAME, (ours,), (stored,), (Way.PACKED,), numbers=(bits,)))
                    break

    def say_what_is_packed(self) -> None:
        """Of arrays that were compared as they are unpacked, the bits of each number; copies that are not packed are apart."""
        findings, self.findings = self.findings, []
        for finding in findings:
            by_bits: dict[int, list[Group]] = defaultdict(list)
            for group in finding.there:
                by_bits[self.bits.get(group.first, 0)].append(group)
            if finding.relation is not Relation.SAME or (len(by_bits) > 1 and finding.ways):
                self.findings.append(finding)
                continue
            for bits, stored in by_bits.items():
                names = {name for group in stored for name in group.names}
                here = finding.here if len(by_bits) == 1 else tuple(_split(group, names)[0] for group in finding.here)
                ways, numbers = ((*finding.ways, Way.PACKED), (bits,)) if bits else (finding.ways, finding.numbers)
                self.findings.append(replace(finding, here=here, there=tuple(stored), ways=ways, numbers=numbers))

    def copies(self) -> None:
        """Layers of which nothing is stored, and layers that are not in the tree."""
        for relation, mine, others in (
            (Relation.MISSING_COPIES, self.here, self.checkpoint_names()),
            (Relation.EXTRA_COPIES, self.there, self.tree_names()),
        ):
            whole = _copies(others)
            lacking: dict[tuple[str, ...], set[int]] = defaultdict(set)
            for stack, numbers in _copies(name for group in mine for name in group.names).items():
                if whole.get(stack):
                    lacking[stack] = numbers - whole[stack]
            for stack, numbers in lacking.items():
                self._without(relation, stack, numbers)

    def checkpoint_names(self) -> Iterable[str]:
        """Every name of the checkpoint."""
        return self.alias.values()

    def tree_names(self) -> Iterable[str]:
        """Every name of the tree."""
        return (
            name
            for group in (*self.here, *(group for finding in self.findings for group in finding.here))
            for name in group.names
        )

    def _without(self, relation: Relation, stack: tuple[str, ...], numbers: set[int]) -> None:
        """Find the arrays of some copies of a layer, on one side."""
        is_here = relation is Relation.MISSING_COPIES
        chosen: list[Group] = []
        rest: list[Group] = []
        for group in self.here if is_here else self.there:
            inside = [_number(name, stack) in numbers for name in group.names]
            chosen += filter(None, [group.only(place for place, is_in in enumerate(inside) if is_in)])
            kept = group.only(place for place in range(group.number) if not (inside and inside[place]))
            rest += filter(None, [kept])
        if chosen:
            chosen = list(map(self.in_its_words, chosen)) if is_here else chosen
            found = Finding(relation, what=".".join(stack), numbers=tuple(sorted(numbers)))
            self.findings.append(replace(found, here=tuple(chosen)) if is_here else replace(found, there=tuple(chosen)))
            self.here, self.there = (rest, self.there) if is_here else (self.here, rest)

    def other_shapes(self) -> None:
        """Arrays of one name and another shape: two that are swapped, or each turned, padded, or otherwise of another size."""
        pairs = self._of_one_name()
        turns = [(mine, theirs) for mine, theirs in pairs if turned(mine.shape) == theirs.shape]
        swaps = self._swaps(pairs)
        swapped = {id(group) for mine, other in swaps for group in (mine[0], other[0])}
        upright = [group for group in self.equal if group.is_matrix and group.shape != turned(group.shape)]
        are_turned = not upright and any(id(mine) not in swapped for mine, _ in turns)
        for (mine, theirs), (other, others) in [] if are_turned else swaps:
            self.found(Finding(Relation.SWAPPED, (mine, other), (theirs, others)))
        for mine, theirs in pairs:
            if any(mine is group for group in self.here):
                self.found(self._otherwise(mine, theirs, ()))

    def _of_one_name(self) -> list[tuple[Group, Group]]:
        """The groups of which all names are on both sides, with other shapes; parts of groups become groups."""
        pairs: list[tuple[Group, Group]] = []
        for mine in list(self.here):
            for theirs in list(self.there):
                common = set(mine.names) & set(theirs.names)
                if not mine.names and mine.pattern == theirs.pattern:
                    common = set(theirs.names[: mine.number])
                if not common:
                    continue
                ours, rest = _split(mine, common)
                stored, remains = _split(theirs, common)
                self.here = _replaced(self.here, mine, [ours, rest])
                self.there = _replaced(self.there, theirs, [stored, remains])
                pairs.append((ours, stored))
                if rest is None:
                    break
                mine = rest  # noqa: PLW2901 - what is left of it may have a third shape
        return pairs

    def _swaps(self, pairs: Sequence[tuple[Group, Group]]) -> list[tuple[tuple[Group, Group], tuple[Group, Group]]]:
        """Two pairs in the same copies, each of which has the shape of the other in the tree."""
        found: list[tuple[tuple[Group, Group], tuple[Group, Group]]] = []
        used: set[int] = set()
        for place, (mine, theirs) in enumerate(pairs):
            for other, others in pairs[place + 1 :]:
                is_free = not {id(mine), id(other)} & used
                if is_free and (mine.shape, other.shape) == (others.shape, theirs.shape) and _alike(mine, other):
                    found.append(((mine, theirs), (other, others)))
                    used |= {id(mine), id(other)}
        return found

    def _otherwise(self, mine: Group, theirs: Group, ways: tuple[Way, ...]) -> Finding:
        """What a pair of another shape is."""
        way = way_to(mine.shape, theirs.shape)
        if way is not None:
            return Finding(Relation.SAME, (mine,), (theirs,), (*ways, *way))
        differ = [place for place, pair in enumerate(zip(mine.shape, theirs.shape, strict=False)) if pair[0] != pair[1]]
        if len(mine.shape) == len(theirs.shape) and len(differ) == 1:
            here, there = mine.shape[differ[0]], theirs.shape[differ[0]]
            in_letters = mine.sides[differ[0]] if mine.sides else None
            is_of_words = in_letters in self.words if in_letters else differ == [0] and here in self.words.values()
            if is_of_words and there > here and _multiple(there) >= LEAST_MULTIPLE:
                return Finding(Relation.PADDED, (mine,), (theirs,), ways, numbers=(here, there, _multiple(there)))
        return Finding(Relation.OTHER_SHAPE, (mine,), (theirs,), ways)

    def merge(self) -> None:
        """Make one group of those that a name does not tell apart: the layers of two kinds may have the same attention."""
        alike: dict[tuple[str, Shape], list[Group]] = defaultdict(list)
        for group in self.here:
            alike[group.pattern, group.shape].append(group)
        self.here = [
            replace(
                groups[0],
                number=sum(group.number for group in groups),
                names=tuple(name for group in groups for name in group.names),
            )
            for groups in alike.values()
        ]

    def classes(self, key: Callable[[Group], object], *, is_whole: bool) -> None:
        """Arrays of other names that are as many and of one shape; of those that are not as many, the likest names."""
        here, there = defaultdict[object, list[Group]](list), defaultdict[object, list[Group]](list)
        for group in self.here:
            here[key(group)].append(group)
        for group in self.there:
            there[key(group)].append(group)
        for shared in [kind for kind in here if kind in there]:
            mine, theirs = here[shared], list(there[shared])
            if is_whole and len(mine) != len(theirs):
                continue
            ways = (Way.RENAMED, Way.BY_SHAPE) if len(mine) > 1 or len(theirs) > 1 else (Way.RENAMED,)
            for group, other in _paired(mine, theirs):
                self.found(Finding(Relation.SAME, (group,), (other,), (*ways, *(way_to(group.shape, other.shape) or ()))))

    def apart(self) -> None:
        """Copies of one part of the tree that have names of their own: a part that is there three times, and q, k and v."""
        for mine in list(self.here):
            for view in views(mine):
                alike = [next(views(group)) for group in self.there if (group.shape, group.number) == (mine.shape, view.number)]
                tries = islice(combinations(alike, view.stacked), MOST_TRIED) if view.stacked > 1 else ()
                if chosen := next(filter(are_siblings, tries), None):
                    groups = tuple(view.group for view in chosen)
                    self.found(Finding(Relation.SAME, (mine,), groups, (Way.RENAMED, Way.BY_SHAPE)))
                    break

    def joined(self, *, may_turn: bool) -> None:
        """Several arrays that are one on the other side, and copies that are stacked there."""
        seen = [view for group in self.here for view in views(group)]
        for theirs in list(self.there) if seen else ():
            if parts := joined_by(theirs, self.of_left(seen, self.here), FUSED, may_turn=may_turn):
                self.found(Finding(Relation.SAME, tuple(parts[0]), (theirs,), parts[1]))
        seen = [view for group in self.there for view in views(group)]
        for mine in list(self.here):
            if parts := joined_by(mine, self.of_left(seen, self.there), SPLIT, may_turn=may_turn):
                self.found(Finding(Relation.SAME, (mine,), tuple(parts[0]), parts[1]))

    @staticmethod
    def of_left(seen: Sequence[View], groups: Sequence[Group]) -> list[View]:
        """Return the views of groups that are left."""
        left = {id(group) for group in groups}
        return [view for view in seen if id(view.group) in left]

    def reshaped(self) -> None:
        """Arrays of other names with the same numbers in other sides, if there is one such pair alone."""
        for mine in list(self.here):
            alike = [group for group in self.there if group.number == mine.number and is_reshaped(mine.shape, group.shape)]
            if len(alike) == 1 and mine.shape != ():
                self.found(Finding(Relation.SAME, (mine,), (alike[0],), (Way.RENAMED, Way.RESHAPED)))

    def resized(self) -> None:
        """Arrays of other names that differ in one side, if there is one such pair alone."""
        for mine in list(self.here):
            alike = [group for group in self.there if group.number == mine.number and _differ_in_one(mine.shape, group.shape)]
            back = [group for group in self.here if len(alike) == 1 and _differ_in_one(group.shape, alike[0].shape)]
            if len(alike) == 1 and len(back) == 1 and len(mine.shape) > 1:
                self.found(self._otherwise(mine, alike[0], (Way.RENAMED,)))

    def left(self) -> None:
        """What is missing, and what is too much."""
        for group in list(self.here):
            table = self.table_of(group)
            if not group.trained:
                self.findings.append(Finding(Relation.CONSTANT_LEFT_OUT, (self.in_its_words(group),)))
            elif table is not None:
                self.findings.append(
                    Finding(Relation.UNSTORED_HEAD, (self.in_its_words(group),), (), what=table.there[0].first)
                )
            else:
                kind = self.hidden_in(group)
                relation = Relation.UNPRINTED if kind else Relation.MISSING
                self.findings.append(Finding(relation, (self.in_its_words(group),), what=kind))
        for group in self.there:
            table = self.table_of(group) if self.checkpoint.printed else None
            relation = Relation.MAY_SHARE if table else Relation.EXTRA
            self.findings.append(Finding(relation, (), (group,), what=table.here[0].first if table else ""))

    def hidden_in(self, group: Group) -> str:
        """Return a class in which a text may hide arrays whose modules it calls otherwise: there are as many of both."""
        printed = self.checkpoint.printed
        if printed is None:
            return ""
        unprinted = [finding for finding in self.findings if finding.relation is Relation.UNPRINTED and not finding.what]
        names = (name for finding in unprinted for mine in finding.here for name in mine.own or mine.names)
        known = {holder.kind for name in names if (holder := printed.holder(name))}
        return printed.hiding(group.number, known)

    def table_of(self, group: Group) -> Finding | None:
        """Return the table of words, the same on both sides, whose shape one array has."""
        same = [finding for finding in self.findings if finding.relation is Relation.SAME and len(finding.here) == 1]
        tables = [finding for finding in same if finding.here[0].shape == group.shape and group.number == 1]
        return next((table for table in tables if not self.words.keys().isdisjoint(table.here[0].sides)), None)

    @cached_property
    def modules(self) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
        """The modules of the tree that the file calls otherwise, both up to the first number of copies."""
        found: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()
        for own, name in {starred(own): starred(name) for own, name in self.alias.items() if own != name}.items():
            mine, theirs = name.split("."), own.split(".")
            while mine and theirs and mine[-1] == theirs[-1]:
                mine, theirs = mine[:-1], theirs[:-1]
            if MANY not in theirs:
                found.add((tuple(mine), tuple(theirs)))
        return found

    def in_its_words(self, group: Group) -> Group:
        """Return a group of the tree with the names that the file would have for it, as it has for others of its module."""
        around = [pair for pair in self.modules if pair[0] == group.segments[: len(pair[0])]]
        if not around:
            return group
        mine, theirs = max(around, key=lambda pair: (len(pair[0]), pair[1]))
        return replace(group, own=tuple(".".join((*theirs, *name.split(".")[len(mine) :])) for name in group.names))


def _split(group: Group, names: set[str]) -> tuple[Group, Group | None]:
    """The arrays of a group that have these names, or as many as there are names, and the others."""
    inside = [name in names for name in group.names] if group.names else [place < len(names) for place in range(group.number)]
    chosen = group.only(place for place, is_in in enumerate(inside) if is_in)
    assert chosen is not None
    return chosen, group.only(place for place, is_in in enumerate(inside) if not is_in)


def _is_below(group: Group, other: Group) -> bool:
    """True if arrays have the last name, the shape and the number of others, and lie in modules inside of theirs."""
    around, inside = other.segments[:-1], group.segments
    alike = (group.number, group.shape, inside[-1]) == (other.number, other.shape, other.segments[-1])
    return alike and inside[: len(around)] == around and len(inside) > len(around) + 1


def _replaced(groups: list[Group], old: Group, new: Sequence[Group | None]) -> list[Group]:
    return [kept for group in groups for kept in (filter(None, new) if group is old else [group])]


def _alike(one: Group, other: Group) -> bool:
    """True if two groups are of the same copies, by the outermost numbers of their names."""
    return one.number == other.number and Counter(str(numbers_of(name)[:1]) for name in one.names) == Counter(
        str(numbers_of(name)[:1]) for name in other.names
    )


def _multiple(number: int) -> int:
    """Return the largest power of two that divides a number."""
    return number & -number


def _differ_in_one(one: Shape, other: Shape) -> bool:
    return len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) == 1


def _paired(here: Sequence[Group], there: list[Group]) -> list[tuple[Group, Group]]:
    """Pair groups by how like their names are, what all have aside; of groups that are more on one side some are left."""
    if len(here) * len(there) > MOST_COMPARED:
        return list(zip(here, there, strict=False))
    ends = {group.segments[-1] for group in (*here, *there)}
    names = {id(group): ".".join(group.segments[: -1 if len(ends) == 1 else None]) for group in (*here, *there)}
    ranks = sorted(
        (-SequenceMatcher(None, names[id(mine)], names[id(theirs)]).ratio(), place, other)
        for place, mine in enumerate(here)
        for other, theirs in enumerate(there)
    )
    pairs: dict[int, int] = {}
    for _, place, other in ranks:
        if place not in pairs and other not in pairs.values():
            pairs[place] = other
    return [(here[place], there[pairs[place]]) for place in sorted(pairs)]


def _copies(names: Iterable[str]) -> dict[tuple[str, ...], set[int]]:
    """The numbers of copies of each stack of layers that names lie in, outermost first."""
    found: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for name in names:
        segments = name.split(".")
        place = next((place for place, segment in enumerate(segments) if segment.isdecimal()), None)
        if place is not None:
            found[(*segments[:place], MANY)].add(int(segments[place]))
    return found


def _number(name: str, stack: tuple[str, ...]) -> int:
    """The number of the copy in which a name lies; -1 if it lies in none of this stack."""
    segments = tuple(name.split("."))
    inside = segments[: len(stack) - 1] == stack[:-1] and len(segments) > len(stack) and segments[len(stack) - 1].isdecimal()
    return int(segments[len(stack) - 1]) if inside else -1
