"""The parts of a model: what all observations have in common, how often each part is there, and the sides of its arrays.

Modules of one place are laid over each other. Copies that are counted, decoder.0, decoder.1, …, are one part that occurs as
often as a fitted expression says; a part or an array that only some settings of the switches have is there with these features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial

from symparams.components.copies import MANY, starred
from symparams.discovery.fitting import Sample, Table
from symparams.discovery.observation import Array, Module
from symparams.errors import DiscoveryError
from symparams.expressions.nodes import Ceiling, Expression, Floor
from symparams.expressions.written import ONE
from symparams.features import Feature
from symparams.records import frozen

MOST_STAGES = 24  # that are not copies: each has sizes of its own
MOST_UNFITTED = 20  # after which the rest is tried briefly


@frozen
class Observation:
    """A model that was built: its sizes, the switches that are on, its module, and lists that tell its layers apart."""

    sizes: Sample
    switches: frozenset[str]
    module: Module
    lists: Mapping[str, tuple[str | int, ...]] = field(default_factory=dict)


@frozen
class ArrayRule:
    """An array: the sides as expressions, the features that it is there with, the array that it shares."""

    name: str
    shape: tuple[Expression, ...]
    when: tuple[Feature, ...] = ()
    shares: str = ""
    trained: bool = True


@frozen
class Part:
    """A module: how often it occurs, with which features, its class, its arrays and parts; ``turns`` if kinds of copies mix."""

    name: str
    of: str
    times: Expression = ONE
    when: tuple[Feature, ...] = ()
    arrays: tuple[ArrayRule, ...] = ()
    parts: tuple[Part, ...] = ()
    turns: bool = False

    @property
    def roundings(self) -> int:
        """How many of its sides and numbers are rounded."""
        return sum(map(_is_rounded, self._sizes))

    @property
    def letters(self) -> frozenset[str]:
        """The letters of which its sides and numbers are made."""
        return frozenset(letter.name for size in self._sizes for letter in size.dimensions)

    @property
    def features(self) -> frozenset[str]:
        """The features with which it, or anything in it, is there."""
        gates = (*self.when, *(feature for rule in self.arrays for feature in rule.when))
        return frozenset(feature.name for feature in gates).union(*(part.features for part in self.parts))

    @property
    def _sizes(self) -> Iterator[Expression]:
        """Its numbers and sides, and those of its parts."""
        yield self.times
        yield from (side for rule in self.arrays for side in rule.shape)
        for part in self.parts:
            yield from part._sizes


Views = Sequence[tuple[Observation, Module]]
Seen = Sequence[tuple[Observation, Array]]


def merge(
    observations: Sequence[Observation],
    letters: Sequence[str],
    switches: Sequence[str],
    spare: Sequence[str] = (),
    before_each: Callable[[], None] = lambda: None,
) -> Part:
    """Return the one part that gives every observation; DiscoveryError names each array that has no form.

    ``spare`` are letters that alone changed nothing, but may matter beside others; ``before_each`` is called before each array,
    and may raise where that takes too long.
    """
    merging = _Merging(tuple(letters), tuple(switches), tuple(spare), before_each)
    part = merging.part("", [(seen, seen.module) for seen in observations], "", observations)
    if merging.unfitted:
        lines = list(dict.fromkeys(merging.unfitted))
        raise DiscoveryError(
            f"No form was found for {len(lines)} of its parts: {'; '.join(lines[:5])}{'; …' if len(lines) > 5 else ''}."
        )
    return part


class _Merging:
    def __init__(
        self, letters: tuple[str, ...], switches: tuple[str, ...], spare: tuple[str, ...], before_each: Callable[[], None]
    ) -> None:
        self.letters, self.switches, self.spare, self.before_each = letters, switches, spare, before_each
        self.unfitted: list[str] = []
        self.forms: dict[Expression, None] = {}  # in the order in which they were found
        self.tables: dict[tuple[int, ...], Table] = {}  # by the observations, which live as long as this

    def table(self, seen: Sequence[Observation]) -> Table:
        """What these observations tell of the letters; most arrays are in the same ones."""
        key = tuple(map(id, seen))
        if key not in self.tables:
            self.tables[key] = Table([observation.sizes for observation in seen], self.letters, self.spare)
        return self.tables[key]

    def form(
        self, table: Table, values: Sequence[int], near: Sequence[Expression] = (), *, brief: bool = False
    ) -> Expression | None:
        """A form of these values; briefly tried where so much has none already that the model has none."""
        return table.fit(values, near, self.forms, brief=brief or len(self.unfitted) > MOST_UNFITTED)

    def keep(self, rules: list[ArrayRule], near: list[Expression]) -> list[ArrayRule]:
        """The rules, whose sides become near forms to the arrays of their module that follow, and known ones to others."""
        for side in (side for rule in rules for side in rule.shape):
            if side.dimensions and side not in near:
                near.append(side)
                self.forms[side] = None
        return rules

    def part(self, name: str, views: Views, path: str, around: Sequence[Observation]) -> Part:
        """A module, as it is in the observations that have it, of those that have what is around it."""
        here = [seen for seen, _ in views]
        near: list[Expression] = []
        arrays = [
            rule
            for array in _united(module.arrays for _, module in views)
            for rule in self.array(
                array,
                [(seen, module.arrays[array]) for seen, module in views if array in module.arrays],
                f"{path}{array}",
                here,
                near,
            )
        ]
        parts: list[Part] = []
        turns = False
        names = _united(_held(module) for _, module in views)
        if names and all(segment.isdecimal() for segment in names) and self.is_counted(names, views):
            before = len(self.unfitted)
            parts, turns = self.kinds(views, path)
            if (
                len(self.unfitted) > before
                and len(names) <= MOST_STAGES
                and len({len(whole.modules) for _, whole in views}) == 1
            ):
                by_kinds, self.unfitted[before:] = self.unfitted[before:], []
                stages = self.each(names, views, path)
                if len(self.unfitted) - before < len(by_kinds):
                    parts, turns = stages, False
                else:
                    self.unfitted[before:] = by_kinds
        else:
            parts = self.each(names, views, path)
        of = next((module.of for _, module in views if module.of), "")
        when = self.when(here, around, path)
        return Part(name, of, when=when, arrays=tuple(arrays), parts=tuple(filter(_holds, parts)), turns=turns)

    def each(self, names: Sequence[str], views: Views, path: str) -> list[Part]:
        """The parts of a module, each by itself."""
        here = [seen for seen, _ in views]
        parts = []
        for segment in names:
            inner = [(seen, held[segment]) for seen, module in views if segment in (held := _held(module))]
            parts.append(self.part(segment, inner, f"{path}{segment}.", here))
        return parts

    def is_counted(self, names: Sequence[str], views: Views) -> bool:
        """True if the numbered modules are copies: their number varies or which are alike does, or all are alike."""
        extents = {len(module.modules) for _, module in views}
        if len(extents) > 1:
            return True
        patterns: dict[frozenset[str], set[tuple[int, ...]]] = {}
        for seen, module in views:
            patterns.setdefault(seen.switches, set()).add(_pattern(module))
        if any(len(of_same) > 1 for of_same in patterns.values()):  # by a list, not by a switch
            return True
        _, first = views[0]
        return (
            len(names) > 1
            and len({_structure(module) for module in first.modules.values()}) == 1
            and all(len({_shapes(module) for module in whole.modules.values()}) == 1 for _, whole in views)
        )

    def kinds(self, views: Views, path: str) -> tuple[list[Part], bool]:
        """The kinds of numbered copies and whether they take turns; where no number of them fits, each of their parts alone."""
        copies = [(seen, list(module.modules.values())) for seen, module in views]
        turns = any(_takes_turns([_structure(copy) for copy in of_one]) for _, of_one in copies)
        before = len(self.unfitted)
        parts = self.copies(copies, MANY, path)
        if len(self.unfitted) == before or len(parts) == 1:
            return parts, turns and len(parts) > 1
        by_kinds, self.unfitted[before:] = self.unfitted[before:], []
        apart = self.apart(copies, path)
        if len(self.unfitted) - before >= len(by_kinds):
            self.unfitted[before:] = by_kinds
            return parts, turns
        return [apart], False

    def copies(self, copies: Group, name: str, path: str) -> list[Part]:
        """The kinds of these modules, each as often as it occurs."""
        groups = [split for group in _grouped(copies) for split in _alike(group)]
        if not all(map(_is_alike, groups)):
            groups = next(filter(None, map(partial(_by_list, copies), _united(seen.lists for seen, _ in copies))), groups)
        parts = []
        for group in groups:
            where = f"{path}{name}."
            here = [seen for seen, _ in group]
            times = self.fitted([len(of_one) for _, of_one in group], here, f"the number of {where.rstrip('.')}")
            if not _is_alike(group):
                self.unfitted.append(f"{where.rstrip('.')} has copies of several shapes")
            inner = [(seen, of_one[0]) for seen, of_one in group if of_one]
            part = self.part(name, inner, where, [seen for seen, _ in inner])
            parts.append(replace(part, times=times if times is not None else ONE))
        return parts

    def apart(self, copies: Group, path: str) -> Part:
        """A stack of layers of which each part occurs in some of the layers: a mixer in these, another network in those."""
        held = [(seen, [_held(module) for module in of_one]) for seen, of_one in copies]
        names = _united(inner for _, of_one in held for inner in of_one)
        parts = [
            part
            for name in names
            for part in self.copies(
                [(seen, [inner[name] for inner in of_one if name in inner]) for seen, of_one in held], name, f"{path}{MANY}."
            )
        ]
        own = [(seen, [Module(module.of, module.arrays) for module in of_one if module.arrays]) for seen, of_one in copies]
        if any(of_one for _, of_one in own):
            parts += self.copies(own, "", f"{path}{MANY}")
        of = next(module.of for _, of_one in copies for module in of_one)
        return Part(MANY, of, parts=tuple(filter(_holds, parts)))

    def array(self, name: str, seen: Seen, path: str, around: Sequence[Observation], near: list[Expression]) -> list[ArrayRule]:
        """The rule of an array, or one for each setting of a switch on which its shape depends."""
        self.before_each()
        when = self.when([observation for observation, _ in seen], around, path)
        for brief in (True, False):  # a switch rather than a form of many letters
            rule = self.shape(name, seen, when, near, brief=brief)
            if rule is not None:
                return self.keep([rule], near)
            for is_twice in (False, True):  # one switch rather than two
                for sides in self.halved(seen):
                    rules = self.halves(name, sides, when, near, brief=brief, is_twice=is_twice)
                    if rules is not None:
                        return self.keep(rules, near)
        self.unfitted.append(f"{path} of shape {_shown(seen)}")
        return []

    def halved(self, seen: Seen) -> Iterator[tuple[tuple[Seen, Feature], tuple[Seen, Feature]]]:
        """The models in which an array was seen, by each switch that is on in some of them: those with it, those without."""
        for switch in self.switches:
            on = [one for one in seen if switch in one[0].switches]
            off = [one for one in seen if switch not in one[0].switches]
            if on and off:
                yield (on, Feature(switch)), (off, ~Feature(switch))

    def halves(
        self,
        name: str,
        sides: tuple[tuple[Seen, Feature], tuple[Seen, Feature]],
        when: tuple[Feature, ...],
        near: list[Expression],
        *,
        brief: bool,
        is_twice: bool,
    ) -> list[ArrayRule] | None:
        """The rules with a feature and without it, ``is_twice`` each by a second one; None where one of them has no form."""
        rules = [self.rules(name, of_one, (*when, has), near, brief=True, is_twice=is_twice) for of_one, has in sides]
        if not brief and any(rules):
            rules = [
                rule or self.rules(name, of_one, (*when, has), near, brief=False, is_twice=is_twice)
                for rule, (of_one, has) in zip(rules, sides, strict=True)
            ]
        return [rule for found in rules for rule in found] if all(rules) else None

    def rules(
        self, name: str, seen: Seen, when: tuple[Feature, ...], near: list[Expression], *, brief: bool, is_twice: bool
    ) -> list[ArrayRule]:
        """The rule of an array, ``is_twice`` or two where a switch says whether it shares another; none without a form."""
        if rule := self.shape(name, seen, when, near, brief=brief):
            return [rule]
        if not is_twice or len({starred(array.shares) for _, array in seen}) < 2:
            return []
        for sides in self.halved(seen):
            found = [self.shape(name, of_one, (*when, has), near, brief=brief) for of_one, has in sides]
            if all(found):
                return [rule for rule in found if rule is not None]
        return []

    def shape(
        self, name: str, seen: Seen, when: tuple[Feature, ...], near: list[Expression], *, brief: bool
    ) -> ArrayRule | None:
        """The rule of an array; None where a side has no form, or it is not the same array in all models."""
        if len({len(array.shape) for _, array in seen}) > 1 or len({array.trained for _, array in seen}) > 1:
            return None
        shares = {starred(array.shares) for _, array in seen}
        if len(shares) > 1:
            return None
        table = self.table([observation for observation, _ in seen])
        sides = []
        for place in range(len(seen[0][1].shape)):
            side = self.form(table, [array.shape[place] for _, array in seen], near, brief=brief)
            if side is None:
                return None
            sides.append(side)
        return ArrayRule(name, tuple(sides), when, shares.pop(), seen[0][1].trained)

    def fitted(self, values: Sequence[int], seen: Sequence[Observation], what: str) -> Expression | None:
        expression = self.form(self.table(seen), values)
        if expression is None:
            self.unfitted.append(f"{what}, {', '.join(map(str, values[:4]))}, …")
        return expression

    def when(self, here: Sequence[Observation], around: Sequence[Observation], path: str) -> tuple[Feature, ...]:
        """The features with which something is there: those that all have that have it, if they tell it from all others."""
        if len(here) == len(around):
            return ()
        has = {id(seen) for seen in here}
        without = [seen for seen in around if id(seen) not in has]
        literals = [
            feature
            for switch in self.switches
            for feature in (Feature(switch), ~Feature(switch))
            if all(feature.holds(seen.switches) for seen in here)
        ]
        needed = [feature for feature in literals if any(not feature.holds(seen.switches) for seen in without)]
        if any(all(feature.holds(seen.switches) for feature in needed) for seen in without):
            self.unfitted.append(f"{path.rstrip('.')} is there in some models only, and no switch says in which")
        return _fewest(needed, without)


def _fewest(needed: list[Feature], without: Sequence[Observation]) -> tuple[Feature, ...]:
    """The features without those that tell nothing that the others do not."""
    kept = list(needed)
    for feature in needed:
        others = [other for other in kept if other != feature]
        if all(any(not other.holds(seen.switches) for other in others) for seen in without):
            kept = others
    return tuple(kept)


def _united(each: Iterable[Iterable[str]]) -> list[str]:
    """The names of all, in an order that keeps the order of each as far as it can."""
    united: list[str] = []
    for names in each:
        place = 0
        for name in names:
            if name in united:
                place = united.index(name) + 1
            else:
                united.insert(place, name)
                place += 1
    return united


def _held(module: Module) -> dict[str, Module]:
    """The modules in a module that hold any array."""
    return {name: inner for name, inner in module.modules.items() if inner.holds}


def _structure(module: Module) -> tuple[object, ...]:
    """What a module is made of, without shapes; of numbered modules the kinds that there are."""
    inner = [(name, _structure(child)) for name, child in _held(module).items()]
    if inner and all(name.isdecimal() for name, _ in inner):
        kinds = tuple(dict.fromkeys(structure for _, structure in inner))
        if len(kinds) == 1:
            inner = [(MANY, kinds[0])]
    return module.of, tuple(module.arrays), tuple(inner)


def _pattern(module: Module) -> tuple[int, ...]:
    """Which of the numbered modules are alike: of each the first that is made of the same."""
    structures = [_structure(copy) for copy in module.modules.values()]
    return tuple(map(structures.index, structures))


def _names(module: Module) -> frozenset[str]:
    """The names of all arrays, whatever the numbers of copies are."""
    return frozenset(starred(name) for name, _ in module.named())


Group = list[tuple[Observation, list[Module]]]


def _grouped(copies: Group) -> list[Group]:
    """The copies by kind: within a model those of one structure, from model to model those that have most names in common."""
    split: list[tuple[int, list[list[Module]]]] = []
    for place, (_, of_one) in enumerate(copies):
        by_structure: dict[object, list[Module]] = {}
        for copy in of_one:
            by_structure.setdefault(_structure(copy), []).append(copy)
        split.append((place, list(by_structure.values())))
    kinds: list[set[str]] = []
    members: list[dict[int, list[Module]]] = []
    for place, groups in sorted(split, key=lambda one: -len(one[1])):
        free = list(range(len(kinds)))
        for like in groups:
            names = _names(like[0])
            best = max(free, key=lambda kind: len(names & kinds[kind]) / max(1, len(names | kinds[kind])), default=None)
            if best is None:
                best = len(kinds)
                kinds.append(set())
                members.append({})
            else:
                free.remove(best)
            kinds[best] |= names
            members[best][place] = like
    return [[(seen, known.get(place, [])) for place, (seen, _) in enumerate(copies)] for known in members]


def _shapes(module: Module) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return tuple((name, array.shape) for name, array in module.named())


def _alike(group: Group) -> list[Group]:
    """A kind of copies; where they have several shapes, the first, the last or both of them, and the others."""
    if _is_alike(group):
        return [group]
    first, last = slice(None, 1), slice(-1, None)
    for slices in ((first, slice(1, None)), (slice(None, -1), last), (first, slice(1, -1), last)):
        kinds = [[(seen, copies[own]) for seen, copies in group] for own in slices]
        if all(map(_is_alike, kinds)):
            return kinds
    return [group]


def _by_list(copies: Group, key: str) -> list[Group]:
    """The copies by the word that a list has at the place of each, or by whether it names the place; none if they differ."""
    named = [_named(seen.lists.get(key, ()), len(of_one)) for seen, of_one in copies]
    if any(len(names) != len(of_one) for names, (_, of_one) in zip(named, copies, strict=True)):
        return []
    groups = [
        [
            (seen, [copy for copy, own in zip(of_one, names, strict=True) if own == word])
            for names, (seen, of_one) in zip(named, copies, strict=True)
        ]
        for word in _united(map(str, names) for names in named)
    ]
    return groups if all(map(_is_alike, groups)) else []


def _named(entries: Sequence[str | int], number: int) -> list[str]:
    """The word of each place; of a list of places whether it is among them."""
    words = [str(entry) for entry in entries]
    if entries and all(isinstance(entry, str) for entry in entries):
        return words
    return [str(place in entries) for place in range(number)]


def _is_alike(group: Group) -> bool:
    """True if all copies in one model have the same shapes."""
    return all(len({_shapes(copy) for copy in copies}) <= 1 for _, copies in group)


def _takes_turns(structures: Sequence[object]) -> bool:
    """True if a kind of copies comes again after another."""
    runs = [structure for place, structure in enumerate(structures) if not place or structures[place - 1] != structure]
    return len(runs) > len(set(runs))


def _is_rounded(expression: Expression) -> bool:
    return isinstance(expression, (Floor, Ceiling)) or any(map(_is_rounded, expression.operands))


def _holds(part: Part) -> bool:
    """True if there is an array anywhere in a part."""
    return bool(part.arrays) or any(map(_holds, part.parts))


def _shown(seen: Seen) -> str:
    shapes = list(dict.fromkeys("×".join(map(str, array.shape)) for _, array in seen))
    return ", ".join(shapes[:3]) + (", …" if len(shapes) > 3 else "")
