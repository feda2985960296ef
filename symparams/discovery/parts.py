"""The parts of a model: what all observations have in common, how often each part is there, and the sides of its arrays.

Modules of one place are laid over each other. Copies that are counted, decoder.0, decoder.1, …, are one part that occurs as
often as a fitted expression says; a part or an array that only some settings of the switches have is there with these features.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from symparams.discovery.fitting import Sample, fit
from symparams.discovery.observation import Array, Module
from symparams.errors import DiscoveryError
from symparams.expressions.nodes import Ceiling, Expression, Floor
from symparams.expressions.written import ONE
from symparams.features import Feature

MANY = "*"  # stands for the numbers of copies in a name


@dataclass(frozen=True)
class Observation:
    """A model that was built: its sizes, the switches that are on, and its module."""

    sizes: Sample
    switches: frozenset[str]
    module: Module


@dataclass(frozen=True)
class ArrayRule:
    """An array: the sides as expressions, the features that it is there with, the array that it shares."""

    name: str
    shape: tuple[Expression, ...]
    when: tuple[Feature, ...] = ()
    shares: str = ""
    trained: bool = True


@dataclass(frozen=True)
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
        own = [self.times, *(side for rule in self.arrays for side in rule.shape)]
        return sum(map(_is_rounded, own)) + sum(part.roundings for part in self.parts)


Views = Sequence[tuple[Observation, Module]]


def merge(observations: Sequence[Observation], letters: Sequence[str], switches: Sequence[str]) -> Part:
    """Return the one part that gives every observation; DiscoveryError names each array that has no form."""
    merging = _Merging(tuple(letters), tuple(switches))
    part = merging.part("", [(seen, seen.module) for seen in observations], "", observations)
    if merging.unfitted:
        lines = list(dict.fromkeys(merging.unfitted))
        raise DiscoveryError(
            f"No form was found for {len(lines)} of its parts: {'; '.join(lines[:5])}{'; …' if len(lines) > 5 else ''}."
        )
    return part


class _Merging:
    def __init__(self, letters: tuple[str, ...], switches: tuple[str, ...]) -> None:
        self.letters, self.switches = letters, switches
        self.unfitted: list[str] = []

    def part(self, name: str, views: Views, path: str, around: Sequence[Observation]) -> Part:
        """A module, as it is in the observations that have it, of those that have what is around it."""
        here = [seen for seen, _ in views]
        arrays = [
            rule
            for array in _united(module.arrays for _, module in views)
            for rule in self.array(
                array,
                [(seen, module.arrays[array]) for seen, module in views if array in module.arrays],
                f"{path}{array}",
                here,
            )
        ]
        parts: list[Part] = []
        turns = False
        names = _united(module.modules for _, module in views)
        if names and all(segment.isdecimal() for segment in names) and self.is_counted(names, views):
            parts, turns = self.kinds(views, path)
        else:
            for segment in names:
                inner = [(seen, module.modules[segment]) for seen, module in views if segment in module.modules]
                parts.append(self.part(segment, inner, f"{path}{segment}.", here))
        of = next((module.of for _, module in views if module.of), "")
        when = self.when(here, around, path)
        return Part(name, of, when=when, arrays=tuple(arrays), parts=tuple(filter(_holds, parts)), turns=turns)

    def is_counted(self, names: Sequence[str], views: Views) -> bool:
        """True if the numbered modules are copies: their number varies, or they are several that are all alike."""
        extents = {len(module.modules) for _, module in views}
        if len(extents) > 1:
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
        parts = []
        for group in groups:
            where = f"{path}{name}."
            here = [seen for seen, _ in group]
            times = self.fitted([len(of_one) for _, of_one in group], here, f"the number of {where.rstrip('.')}")
            if any(len({_shapes(copy) for copy in of_one}) > 1 for _, of_one in group):
                self.unfitted.append(f"{where.rstrip('.')} has copies of several shapes")
            inner = [(seen, of_one[0]) for seen, of_one in group if of_one]
            part = self.part(name, inner, where, [seen for seen, _ in inner])
            parts.append(replace(part, times=times if times is not None else ONE))
        return parts

    def apart(self, copies: Group, path: str) -> Part:
        """A stack of layers of which each part occurs in some of the layers: a mixer in these, another network in those."""
        names = _united(module.modules for _, of_one in copies for module in of_one)
        parts = [
            part
            for name in names
            for part in self.copies(
                [(seen, [module.modules[name] for module in of_one if name in module.modules]) for seen, of_one in copies],
                name,
                f"{path}{MANY}.",
            )
        ]
        own = [(seen, [Module(module.of, module.arrays) for module in of_one if module.arrays]) for seen, of_one in copies]
        if any(of_one for _, of_one in own):
            parts += self.copies(own, "", f"{path}{MANY}")
        of = next(module.of for _, of_one in copies for module in of_one)
        return Part(MANY, of, parts=tuple(filter(_holds, parts)))

    def array(
        self, name: str, seen: Sequence[tuple[Observation, Array]], path: str, around: Sequence[Observation]
    ) -> list[ArrayRule]:
        """The rule of an array, or one for each setting of a switch on which its shape depends."""
        when = self.when([observation for observation, _ in seen], around, path)
        rule = self.shape(name, seen, when)
        if rule is not None:
            return [rule]
        for switch in self.switches:
            on = [one for one in seen if switch in one[0].switches]
            off = [one for one in seen if switch not in one[0].switches]
            if on and off:
                feature = Feature(switch)
                rules = [self.shape(name, on, (*when, feature)), self.shape(name, off, (*when, ~feature))]
                if all(rules):
                    return [rule for rule in rules if rule is not None]
        self.unfitted.append(f"{path} of shape {_shown(seen)}")
        return []

    def shape(self, name: str, seen: Sequence[tuple[Observation, Array]], when: tuple[Feature, ...]) -> ArrayRule | None:
        if len({len(array.shape) for _, array in seen}) > 1 or len({array.trained for _, array in seen}) > 1:
            return None
        shares = {starred(array.shares) for _, array in seen}
        if len(shares) > 1:
            return None
        samples = [observation.sizes for observation, _ in seen]
        sides = []
        for place in range(len(seen[0][1].shape)):
            side = fit([array.shape[place] for _, array in seen], samples, self.letters)
            if side is None:
                return None
            sides.append(side)
        return ArrayRule(name, tuple(sides), when, shares.pop(), seen[0][1].trained)

    def fitted(self, values: Sequence[int], seen: Sequence[Observation], what: str) -> Expression | None:
        expression = fit(values, [observation.sizes for observation in seen], self.letters)
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


def _structure(module: Module) -> tuple[object, ...]:
    """What a module is made of, without shapes; of numbered modules the kinds that there are."""
    inner = [(name, _structure(child)) for name, child in module.modules.items()]
    if inner and all(name.isdecimal() for name, _ in inner):
        kinds = tuple(dict.fromkeys(structure for _, structure in inner))
        if len(kinds) == 1:
            inner = [(MANY, kinds[0])]
    return module.of, tuple(module.arrays), tuple(inner)


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
            best = max(free, key=lambda kind: len(names & kinds[kind]) / len(names | kinds[kind]), default=None)
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
    """A kind of copies; where they have several shapes, the first or the last of them, and the others."""
    if all(len({_shapes(copy) for copy in copies}) <= 1 for _, copies in group):
        return [group]
    for first in (slice(None, 1), slice(None, -1)):
        rest = slice(1, None) if first.stop == 1 else slice(-1, None)
        halves = [[(seen, copies[half]) for seen, copies in group] for half in (first, rest)]
        if all(len({_shapes(copy) for copy in copies}) <= 1 for half in halves for _, copies in half):
            return halves
    return [group]


def _takes_turns(structures: Sequence[object]) -> bool:
    """True if a kind of copies comes again after another."""
    runs = [structure for place, structure in enumerate(structures) if not place or structures[place - 1] != structure]
    return len(runs) > len(set(runs))


def _is_rounded(expression: Expression) -> bool:
    return isinstance(expression, (Floor, Ceiling)) or any(map(_is_rounded, expression.operands))


def starred(name: str) -> str:
    """The name of an array with the numbers of copies starred."""
    return ".".join(MANY if segment.isdecimal() else segment for segment in name.split("."))


def _holds(part: Part) -> bool:
    """True if there is an array anywhere in a part."""
    return bool(part.arrays) or any(map(_holds, part.parts))


def _shown(seen: Sequence[tuple[Observation, Array]]) -> str:
    shapes = list(dict.fromkeys("×".join(map(str, array.shape)) for _, array in seen))
    return ", ".join(shapes[:3]) + (", …" if len(shapes) > 3 else "")
