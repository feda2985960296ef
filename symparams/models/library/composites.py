"""Records of composites: what a family's own table says, and what the records of its parts' families say of the parts.

The keys of a part stand in a section of the config, its modules within its own; its letters and features are those that it
has in the composite. What code reads, it reads from that section by the record of the part's family.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from symparams.architectures import Architecture
from symparams.architectures._composites import RENAMED, Renaming
from symparams.architectures._definition import FEATURES, features_of
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import BY_NAME, n_labels
from symparams.features import Feature, tying
from symparams.models.library.record import AND, BESIDE, NOT, Library, Module, Modules, Names, within
from symparams.models.library.settings import Flag, FlowSetting, Key, Quirk, Settings, Writer
from symparams.records import frozen

Read = Callable[[Settings, Library], Any]
Name = TypeVar("Name")
Row = TypeVar("Row")


@frozen
class PartRecord:
    """The record of a part's family, with the path of the part in the composite and the section that is its config."""

    path: str
    section: str
    renaming: Renaming
    record: Library

    def reading(self, read: Read) -> Quirk:
        """A reading of the part's section by its record."""

        def of_section(settings: Settings, library: Library) -> Any:
            """What the record reads from the section."""
            return read(settings.inner(self.section), self.record)

        return of_section

    def place(self, key: str) -> str:
        """The place of a key of the part."""
        return f"{self.section}.{key}"

    def letter(self, dimension: Dimension) -> Dimension:
        """The letter that the composite has for one of the part."""
        return self.renaming.letter(dimension)

    def keys(self) -> Iterator[tuple[Dimension, Key]]:
        """Its sizes with their keys."""
        for dimension, key in self.record.keys.items():
            yield self.letter(dimension), replace(key, names=tuple(map(self.place, key.names)))

    def sizes(self) -> Iterator[tuple[Dimension, Quirk]]:
        """What reads its sizes."""
        for dimension in self.record.sizes:
            if dimension != n_labels:
                yield self.letter(dimension), self.reading(partial(_size, dimension))

    def flags(self) -> Iterator[tuple[Feature, Flag | Quirk]]:
        """What says whether it has a feature: a switch, code, or the class that the library makes of it, the base class."""
        base = self.record.classes[self.record.base]
        for feature in base.features:
            yield self.renaming.feature(feature), _always
        for feature, flag in (*self.record.flags.items(), *base.flags.items()):
            own = replace(flag, name=self.place(flag.name)) if isinstance(flag, Flag) else self.reading(flag)
            yield self.renaming.feature(feature), own

    def read_from(self) -> Iterator[tuple[Dimension, tuple[str, ...]]]:
        """Its sizes with the keys that they are read from."""
        for dimension, keys in self.record.read_from.items():
            yield self.letter(dimension), tuple(map(self.place, keys))

    def rest(self) -> Iterator[tuple[Dimension, Dimension]]:
        """Its layers of one kind that are all but those of another."""
        for some, every in self.record.rest.items():
            yield self.letter(some), self.letter(every)

    def without_effect(self) -> Iterator[tuple[str, list[Any]]]:
        """Its keys that change nothing."""
        for key, values in self.record.without_effect.items():
            yield self.place(key), values

    def choices(self, shared: frozenset[str]) -> Iterator[tuple[str, FlowSetting]]:
        """Its choices; one whose name another part has, too, is called by this part."""
        for name, choice in self.record.choices.items():
            moved = replace(
                choice,
                names=tuple(map(self.place, choice.names)),
                derived=self.reading(choice.derived) if choice.derived else None,
                within=tuple(f"{self.path}.{inner}" if inner else self.path for inner in choice.within),
                after=tuple(f"{self.path}.{inner}" for inner in choice.after),
            )
            yield f"{self.renaming.word}_{name}" if name in shared else name, moved

    def writers(self) -> Iterator[Writer]:
        """What puts its features and sizes into its section."""
        yield from (partial(self._write, write) for write in self.record.writers)

    def _write(
        self, write: Writer, config: dict[str, Any], present: frozenset[str], sizes: Mapping[str, int], whole: Library
    ) -> None:
        section = dict(config.get(self.section) or {})
        own = frozenset(name for name, feature in FEATURES.items() if self.renaming.feature(feature).name in present)
        letters = {name: self.letter(letter).name for name, letter in BY_NAME.items()}
        write(section, own, {name: sizes[there] for name, there in letters.items() if there in sizes}, self.record)
        if section or self.section in config:  # of a part that is not there nothing is written
            config[self.section] = section

    def modules(self, rows: Modules) -> dict[str, Module]:
        """Rows of its modules, without those of heads that stand beside it."""
        return {
            within(self.path, end): replace(row, at=self.reading(row.at) if row.at else None)
            for end, row in rows.items()
            if not row.names[0].startswith(BESIDE)
        }

    def instead(self) -> Iterator[tuple[str, Modules]]:
        """Rows that hold where it has a feature."""
        for condition, rows in self.record.names.instead.items():
            words = [word.partition(NOT) if word.startswith(NOT) else ("", "", word) for word in condition.split(AND)]
            if all(name in FEATURES for _, _, name in words):
                renamed = (f"{sign}{self.renaming.feature(FEATURES[name]).name}" for _, sign, name in words)
                yield AND.join(renamed), self.modules(rows)


def composed(own: Library, family: Architecture, records: Sequence[Library]) -> Library:
    """Return the record of a composite, out of its own and those of the families of its parts, in their order."""
    sections = {path: replace(s, record=record) for (path, s), record in zip(own.sections.items(), records, strict=True)}
    parts = [
        PartRecord(path, s.key, RENAMED[s.word], record) for (path, s), record in zip(sections.items(), records, strict=True)
    ]
    features, sizes = features_of(family.tree), {*family.dimensions}
    often = Counter(name for part in parts for name in part.record.choices)
    shared = frozenset(name for name, number in often.items() if number > 1)

    def over(own_rows: Mapping[Name, Row], rows: Callable[[PartRecord], Iterable[tuple[Name, Row]]]) -> dict[Name, Row]:
        """Rows of the composite over those of its parts."""
        return {**{name: row for part in parts for name, row in rows(part)}, **own_rows}

    keys, derived, flags = over({}, PartRecord.keys), over({}, PartRecord.sizes), over({}, PartRecord.flags)
    return replace(
        own,
        sections=sections,
        keys={**{letter: key for letter, key in keys.items() if letter in sizes}, **own.keys},
        derived={**{letter: read for letter, read in derived.items() if letter in sizes}, **own.derived},
        flags={**{f: flag for f, flag in flags.items() if f.name in features and f != tying}, **own.flags},
        checks=(*own.checks, *(part.reading(check) for part in parts for check in part.record.checks)),
        choices=over(own.choices, lambda part: part.choices(shared)),
        extra=over(own.extra, lambda part: part.record.extra.items()),
        read_from=over(own.read_from, PartRecord.read_from),
        rest=over(own.rest, PartRecord.rest),
        writers=(*own.writers, *(write for part in parts for write in part.writers())),
        form=partial(_formed, own.form, parts),
        names=_names(own.names, parts),
        without_effect=over(own.without_effect, PartRecord.without_effect),
    )


def _names(own: Names, parts: Sequence[PartRecord]) -> Names:
    """The modules of the composite, those of each part after the part itself."""
    of_parts = {part.path: part.modules(part.record.names.modules) for part in parts}
    rows: dict[str, Module] = {}
    for path, row in own.modules.items():
        rows |= {path: row, **of_parts.get(path, {})}
    instead = {condition: inner for part in parts for condition, inner in part.instead()}
    inputs_first = tuple(within(part.path, end) for part in parts for end in part.record.names.inputs_first)
    return replace(own, modules=rows, instead={**instead, **own.instead}, inputs_first=(*own.inputs_first, *inputs_first))


def _formed(form: Quirk | None, parts: Sequence[PartRecord], settings: Settings, library: Library) -> Mapping[str, Any]:
    """The config in the form of the composite, each section in that of its family."""
    values = dict(form(settings, library) if form else settings.values)
    for part in parts:
        if part.record.form and values.get(part.section) is not None:
            values[part.section] = part.record.formed(Settings(values).inner(part.section).values)
    return values


def _size(dimension: Dimension, settings: Settings, record: Library) -> int | None:
    return record.size(settings, dimension)


def _always(settings: Settings, library: Library) -> bool:
    """Without a switch the class that the library makes of a part has it."""
    return True
