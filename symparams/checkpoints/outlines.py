"""Outlines: the arrays of a class in letters, under the names that the transformers library has for them.

An outline is what a checkpoint of a class would hold, whatever its sizes: of a family by hand, or of a discovered type.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cached_property

from symparams.architectures import Architecture
from symparams.architectures import architecture as family_of
from symparams.atlas import FOLDER, LANGUAGE_MODELS, entries, kinds
from symparams.atlas.record import Entry
from symparams.components.copies import MANY, starred
from symparams.discovery.parts import Part
from symparams.errors import OptionError, TableError
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.written import ONE, times
from symparams.features import tying
from symparams.models.library import Flag, Library, Settings, families, library
from symparams.models.library.record import BESIDE, Modules
from symparams.models.model import Model, Origin
from symparams.models.tensors import NUMBER, patterns
from symparams.records import frozen


@frozen
class OutlinedArray:
    """An array in letters: its name with * for numbers that vary, its sides, how often it is there; ``tied`` if another's."""

    name: str
    sides: tuple[Expression, ...]
    number: Expression
    tied: bool = False
    trained: bool = True

    @cached_property
    def pattern(self) -> str:
        """Its name with * for every number."""
        return starred(self.name)


@frozen
class Outline:
    """A class of the library with features: what it has, and the features that could be otherwise.

    ``family`` is the name by which somebody chooses it, ``open`` are features that no class decides,
    ``usual`` those that the class has by default.
    """

    family: str
    class_name: str
    present: frozenset[str]
    open: tuple[str, ...] = ()
    entry: Entry | None = None
    usual: frozenset[str] = frozenset()

    @cached_property
    def architecture(self) -> Architecture:
        """The definition of the family, or of the discovered class."""
        if self.entry is None:
            return family_of(self.family)
        from symparams.atlas.architectures import architecture

        return architecture(self.entry)

    @cached_property
    def arrays(self) -> tuple[OutlinedArray, ...]:
        """Every array, the tied ones too; none where the library has no class with these features."""
        if self.entry is not None:
            return tuple(_of_part(self.entry.part, self.present))
        try:
            return tuple(_of_model(self.model))
        except (OptionError, TableError):
            return ()

    @cached_property
    def model(self) -> Model:
        """The class as a model without values."""
        own = self.present if self.entry is None else self.present & {*self.architecture.features}
        origin = Origin(self.family, usual=own, class_name=self.class_name)
        return Model(self.architecture, own, {}, origin)

    @cached_property
    def names(self) -> frozenset[str]:
        """The patterns of the names that a checkpoint holds."""
        return frozenset(array.pattern for array in self.arrays if array.trained and not array.tied)

    @cached_property
    def constants(self) -> frozenset[str]:
        """The patterns of arrays that are never trained, which a checkpoint may hold."""
        return frozenset(array.pattern for array in self.arrays if not array.trained and not array.tied) - self.names

    def of_class(self) -> Outline:
        """Return it as the class that has just its features, "" where the library has none."""
        record = library(self.architecture)
        try:
            return replace(self, class_name=record.class_of(self.present) if record else "")
        except OptionError:
            return replace(self, class_name="")

    @property
    def rank(self) -> tuple[int, int, int]:
        """The place among classes that store the same: by features unlike the class, then the class that people mean first."""
        if self.entry is None:
            return len(self.present ^ self.usual), 0, len(self.present ^ {feature.name for feature in self.architecture.has})
        meant = (place for place, head in enumerate(LANGUAGE_MODELS) if head in self.entry.heads)
        return len(self.present ^ self.usual), 1, next(meant, len(LANGUAGE_MODELS))

    @property
    def lacks_usual_parts(self) -> bool:
        """True if the class usually has parts that are not here, such as a second kind of layers; a tie is no part."""
        return self.entry is None and bool(self.usual - self.present - {tying.name})

    @cached_property
    def letters(self) -> tuple[Dimension, ...]:
        """The letters in the sides and numbers of its arrays."""
        sizes = (size for array in self.arrays for size in (*array.sides, array.number))
        return tuple(dict.fromkeys(letter for size in sizes for letter in size.dimensions))

    def difference(self, names: frozenset[str]) -> int:
        """The number of patterns that only one of the two has; of a class without arrays all are."""
        return len(self.names.symmetric_difference(names - self.constants)) if self.names else len(names) + 1

    def nearest(self, names: frozenset[str]) -> Outline:
        """Return the class with those of its open features that bring it nearest to the names of a file.

        A mixture of experts stays one: without experts it is another family.
        """
        best, least = self, self.difference(names)
        while True:
            others = [replace(best, present=best.present ^ {feature}) for feature in self.open]
            if self.entry is None and self.model.has_experts:
                others = [other for other in others if other.model.has_experts]
            number, place = min(((other.difference(names), place) for place, other in enumerate(others)), default=(least, 0))
            if number >= least:
                return best
            best, least = others[place], number


def outline_of(name: str) -> Outline:
    """Return a family as it usually is, of which every feature that counts is open."""
    family = family_of(name)
    present = frozenset(feature.name for feature in family.has)
    open_features = sorted(family.features, key=lambda feature: feature != tying.name)  # a head that is not stored is tied
    return Outline(name, "", present, tuple(open_features), usual=present).of_class()


def outlines(names: Collection[str], named: str = "") -> Iterator[Outline]:
    """Yield the classes, as they usually are, in whose words all names of a file are; only of one ``named``.

    A class of a family by hand is not yielded again as one of a discovered type.
    """
    met: set[str] = set()
    words = {name: set(name.split(".")[:-1]) - {MANY} for name in names}  # of modules; arrays are called as they are here, too
    common = set.intersection(*words.values()) if words else set()  # the name under which a program keeps its model
    if any(own - common for own in words.values()):
        words = {name: own - common for name, own in words.items()}
    for name in families():
        if named in ("", name):
            family = family_of(name)
            record = library(family)
            if record is not None and _may_hold(words.values(), _words_of(record)):
                met.update(record.classes)
                yield from _of_family(family, record)
    for kind in kinds():
        if named in ("", kind.casefold().replace("-", "_")):
            text = (FOLDER / f"{kind}.json").read_text(encoding="utf-8")
            if _may_hold(words.values(), frozenset(re.findall(r"[\w-]+", text))):
                for class_name, entry in entries(kind).items():
                    if class_name not in met:
                        present = frozenset(name for name, switch in entry.features.items() if switch.usually)
                        yield Outline(kind, class_name, present, tuple(sorted(entry.features)), entry, present)


def _may_hold(words: Collection[Collection[str]], known: Collection[str]) -> bool:
    return bool(words) and all(segment in known for segments in words for segment in segments)


def _words_of(record: Library) -> frozenset[str]:
    """The segments of the names that a family's table has."""
    rows: list[Modules] = [record.names.modules, *record.names.instead.values()]
    named = [name for modules in rows for module in modules.values() for name in module.names]
    prefixes = (record.names.prefix, *record.names.prefixes.values())
    return frozenset(segment for name in (*named, *prefixes) for segment in name.removeprefix(BESIDE).split("."))


def _of_family(family: Architecture, record: Library) -> Iterator[Outline]:
    usual = {feature.name for feature in family.has if feature.name not in record.by_class}
    switched = {feature.name for feature in record.flags if not feature.is_flow and feature.name in family.features}
    nothing = Settings({})
    for feature, flag in record.flags.items():
        if isinstance(flag, Flag):
            usual = usual | {feature.name} if flag.read(nothing) else usual - {feature.name}
    met: set[frozenset[str]] = set()
    for class_name, kind in record.classes.items():
        present = frozenset(usual | {feature.name for feature in kind.features})
        own = {feature.name for feature in kind.flags if feature.name in family.features}
        if record.suffix(class_name) in record.names.instead or present not in met:
            met.add(present)
            yield Outline(family.name, class_name, present, tuple(sorted(switched | own)), usual=present)


def _of_model(model: Model) -> Iterator[OutlinedArray]:
    """The arrays of a family: what has several names is there as often under each."""
    named = patterns(model)
    each: dict[tuple[str, str], int] = {}
    for array in named:
        key = array.path, array.tensor.name
        each[key] = each.get(key, 0) + 1
    for array in named:
        number = model.leaf(array.path).times
        if (many := each[array.path, array.tensor.name]) > 1:
            number = number / many
        yield OutlinedArray(NUMBER.sub(MANY, array.name), array.sides, number, bool(array.tensor.tied_to), array.tensor.trained)


def _of_part(part: Part, present: frozenset[str], path: str = "", number: Expression = ONE) -> Iterator[OutlinedArray]:
    """The arrays of a discovered class."""
    if not all(feature.holds(present) for feature in part.when):
        return
    here = times(number, part.times)
    for rule in part.arrays:
        if all(feature.holds(present) for feature in rule.when):
            yield OutlinedArray(f"{path}{rule.name}", rule.shape, here, bool(rule.shares), rule.trained)
    for inner in part.parts:
        yield from _of_part(inner, present, f"{path}{inner.name}." if inner.name else path, here)
