"""The tables as records: ``[library]`` of a family's NAME.toml, with what it is ``like``, as a ``Library``.

Classes, keys, flags, quirks, checks and choices are as in the family that it is like, but for what it says itself; the
defaults are its own. A flag for which no default is given is on where the family has the feature by default.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from symparams.architectures import Architecture, architecture, architecture_names
from symparams.architectures._definition import FEATURES
from symparams.architectures._tables import TomlTable, read, table
from symparams.errors import quoted, suggestion
from symparams.expressions.nodes import Dimension
from symparams.expressions.parsing import parse
from symparams.expressions.symbols import BY_NAME, letter, n_labels
from symparams.models.library.record import NOT, Library, LibraryClass, Names, Section, read_names
from symparams.models.library.settings import Flag, FlowSetting, Key, Quirk, Settings, Writer
from symparams.quantities.implementations import FLOATS, PLACES, Implementation
from symparams.records import frozen

USUAL_HEADS = Path(__file__).parent / "heads.toml"
NONE_OF = ("L", "L_enc", "L_dec", "n_types", "n_experts", "n_shared")  # the library builds a model with none of these
# The tables whose rows stand over those of the family that a family is like, and the names of their rows.
LAYERED: Mapping[str, Iterable[str]] = {
    "keys": BY_NAME, "least": BY_NAME, "flags": FEATURES, "derived": (*BY_NAME, *FEATURES), "choices": (),
    "read_from": BY_NAME,
}  # fmt: skip
ALLOWED = (
    "like", "prefix", "classes", *LAYERED, "defaults", "checks", "extra", "form", "writers",
    "names", "names_with", "activations", "without_effect", "code", "sections",
)  # fmt: skip


@frozen
class LibraryRows:
    """The rows of a table and of those that it is like: each name with the table that has the last row on it."""

    classes: Mapping[str, TomlTable] = field(default_factory=dict)
    layered: Mapping[str, Mapping[str, TomlTable]] = field(default_factory=lambda: {name: {} for name in LAYERED})
    checks: tuple[Quirk, ...] = ()
    form: TomlTable | None = None
    writers: tuple[Writer, ...] = ()
    names: Names = field(default_factory=Names)
    without_effect: Mapping[str, list[Any]] = field(default_factory=dict)
    sections: TomlTable | None = None


def library(family: Architecture) -> Library | None:
    """Return the library's record of a family; None where it has no such family, or somebody defined their own.

    Raises TableError where the family's table holds what it may not.
    """
    if family.name not in architecture_names():
        return None
    return _library(family.name, *family.of) if family.usual_tree == architecture(family.name, *family.of).tree else None


@cache
def families() -> tuple[str, ...]:
    """The families whose configs are read: those that the library has, and those of which their authors ship the code."""
    return tuple(filter(is_family, architecture_names()))


def is_family(name: str) -> bool:
    """True if this is a family whose configs are read; of its table alone, since reading all of them takes a while."""
    return name in architecture_names() and "library" in table(name).values


@cache
def _library(name: str, *of: str) -> Library | None:
    own, family = table(name).table("library"), architecture(name, *of)
    if not own.values:
        return None
    written = record(own, family)
    if not written.sections:
        return written
    from symparams.models.library.composites import composed

    return composed(written, family, list(filter(None, map(_library, of))))


def record(own: TomlTable, family: Architecture) -> Library:
    """The record that a family's ``[library]`` describes; TableError where it holds what it may not."""
    known = {**family.features, **family.switches}
    rows, extra = _rows(own), own.table("extra").values
    layered = rows.layered
    defaults = {letter: own.table("defaults").whole(letter) for letter in own.table("defaults").values}
    least = {name: row.whole(name) for name, row in layered["least"].items()}
    sizes = {name: row for name, row in layered["derived"].items() if name in BY_NAME}
    derived = {BY_NAME[name]: _size(row, name) for name, row in sizes.items()}
    switched = {FEATURES[name]: _switch(row, name) for name, row in layered["derived"].items() if name in FEATURES}
    flags = {FEATURES[name]: _flag(row, name, known) for name, row in layered["flags"].items() if name in known}
    prefix = own.word("prefix")
    if not prefix or not rows.classes:
        raise own.error("prefix", "and classes are needed: together they name the classes of transformers.")
    return Library(
        classes={f"{prefix}{name}": _class(row, name) for name, row in rows.classes.items()},
        keys={
            BY_NAME[name]: Key(row.words(name), defaults.get(name), least.get(name, int(name not in NONE_OF)))
            for name, row in layered["keys"].items()
            if row.words(name)
        },
        derived={n_labels: _labels, **derived},
        flags={**flags, **switched},
        checks=rows.checks,
        extra=extra,
        read_from={BY_NAME[name]: row.words(name) for name, row in layered["read_from"].items()},
        rest={BY_NAME[name]: _letter(row, name) for name, row in sizes.items() if row.word(name).startswith(NOT)},
        choices={name: _choice(row.table(name)) for name, row in layered["choices"].items()},
        form=_quirk(rows.form, "form") if rows.form else None,
        writers=rows.writers,
        names=rows.names,
        prefix=prefix,
        activations=_implementation(own.table("activations")),
        without_effect=rows.without_effect,
        code=_code(own),
        sections={path: _section(rows.sections.table(path)) for path in rows.sections.values} if rows.sections else {},
    )


def _code(own: TomlTable) -> str:
    if not own.word("code", "https://").startswith("https://"):
        raise own.error("code", f"= {quoted(own.word('code'))} is not a URL.")
    return own.word("code")


def _rows(own: TomlTable) -> LibraryRows:
    """The rows of a family's table over those of the family that it is like."""
    own.allow(ALLOWED)
    like = own.word("like")
    if like and not is_family(like):
        raise own.error("like", f"= {quoted(like)} is not a family with a table. {suggestion(like, families())}")
    base = _rows_of(like) if like else LibraryRows()
    for part, names in (*LAYERED.items(), ("defaults", BY_NAME)):
        own.table(part).allow(names or own.table(part).values)
    checks = tuple(_imported(own, "checks", word) for word in own.words("checks"))
    classes = _classes(own, base)
    return LibraryRows(
        classes=classes,
        layered={part: {**rows, **_by_name(own.table(part))} for part, rows in base.layered.items()},
        checks=checks if "checks" in own.values else base.checks,
        form=own if "form" in own.values else base.form,
        writers=tuple(_imported(own, "writers", word) for word in own.words("writers")) or base.writers,
        names=read_names(own, base.names, classes, _numbers),
        without_effect={**base.without_effect, **_values_without_effect(own.table("without_effect"))},
        sections=own.table("sections") if "sections" in own.values else base.sections,
    )


@cache
def _rows_of(name: str) -> LibraryRows:
    return _rows(table(name).table("library"))


def _by_name(rows: TomlTable) -> dict[str, TomlTable]:
    return dict.fromkeys(rows.values, rows)


def _classes(own: TomlTable, base: LibraryRows) -> Mapping[str, TomlTable]:
    """The classes that a table describes, or picks from those that it is like and from the usual ones; or all of those."""
    if "classes" not in own.values:
        return base.classes
    if isinstance(own.values["classes"], Mapping):
        return _by_name(own.table("classes"))
    known = {**_by_name(read(USUAL_HEADS)), **base.classes}
    for name in own.words("classes"):
        if name not in known:
            raise own.error("classes", f"holds an unknown name: {quoted(name)}. {suggestion(name, known)}")
    return {name: known[name] for name in own.words("classes")}


def _class(rows: TomlTable, name: str) -> LibraryClass:
    if isinstance(rows.values[name], list):
        return LibraryClass(rows.features(name))
    row = rows.table(name)
    row.allow(("has", "flags", "n_labels"))
    row.table("flags").allow(FEATURES)
    flags = {FEATURES[feature]: _flag(row.table("flags"), feature, {}) for feature in row.table("flags").values}
    return LibraryClass(row.features("has"), flags, row.whole("n_labels") if "n_labels" in row.values else None)


def _flag(rows: TomlTable, feature: str, usual: Mapping[str, bool]) -> Flag:
    if isinstance(rows.values[feature], str):
        return Flag(rows.word(feature), usual.get(feature, False))
    row = rows.table(feature)
    row.allow(("key", "default", "off"))
    return Flag(row.word("key"), row.switch("default", usual.get(feature, False)), row.switch("off", False))


def _choice(row: TomlTable) -> FlowSetting:
    row.allow(("key", "default", "size", "number", "switch", "derived", "within", "after"))
    default = row.values.get("default")
    if default is not None and (isinstance(default, bool) or not isinstance(default, (str, int))):
        raise row.error("default", f"= {quoted(default, 30)} must be a word or a whole number.")
    derived = _quirk(row, "derived") if "derived" in row.values else None
    within = row.words("within") if "within" in row.values else ("",)
    is_size = row.switch("size", isinstance(default, int))
    return FlowSetting(
        row.words("key"),
        default,
        row.word("switch"),
        derived,
        within,
        row.words("after"),
        is_size,
        row.switch("number", False),
    )


def _section(row: TomlTable) -> Section:
    from symparams.architectures._composites import RENAMED

    row.allow(("key", "letters", "any"))
    if row.word("letters") not in RENAMED:
        raise row.error("letters", f"= {quoted(row.word('letters'))}: {suggestion(row.word('letters'), RENAMED)}")
    return Section(row.word("key"), row.word("letters"), any=row.switch("any", False))


def _quirk(rows: TomlTable, name: str) -> Quirk:
    """Return the quirk that a table calls "decoders.rounded"."""
    quirk: Quirk = _imported(rows, name, rows.word(name))
    return quirk


def _switch(rows: TomlTable, name: str) -> Quirk:
    """Return the quirk that decides a feature; by a letter, "L_moe", the feature is there where that size is not 0."""
    size = BY_NAME.get(rows.word(name))
    return _quirk(rows, name) if size is None else lambda settings, library: bool(library.size(settings, size))


def _size(rows: TomlTable, name: str) -> Quirk:
    """Return the quirk that reads a size; "~L_attn" stands for the number of all layers but those."""
    if not rows.word(name).startswith(NOT):
        return _quirk(rows, name)
    other = _letter(rows, name)

    def remaining(settings: Settings, library: Library) -> int:
        """All layers but those of another kind."""
        return library.layers(settings) - (library.size(settings, other) or 0)

    return remaining


def _numbers(rows: TomlTable, name: str) -> Quirk:
    """Return what reads the numbers of copies: a quirk, or that of a letter, the layers that it counts; "~": all others."""
    word = rows.word(name).removeprefix(NOT)
    read = _of_letter(BY_NAME[word]) if word in BY_NAME else _imported(rows, name, word)
    return _others(read) if rows.word(name).startswith(NOT) else read


def _of_letter(letter: Dimension) -> Quirk:
    return lambda settings, library: library.derived[letter](settings, library)


def _others(read: Quirk) -> Quirk:
    def others(settings: Settings, library: Library) -> list[int]:
        named = set(read(settings, library))
        return [layer for layer in range(library.layers(settings)) if layer not in named]

    return others


def _letter(rows: TomlTable, name: str) -> Dimension:
    letter = BY_NAME.get(rows.word(name).removeprefix(NOT))
    if letter is None:
        raise rows.error(name, f"= {quoted(rows.word(name))} is not {NOT} and a letter.")
    return letter


def _imported(rows: TomlTable, name: str, called: str) -> Any:
    module, _, function = called.partition(".")
    try:
        return getattr(import_module(f"symparams.models.library.quirks.{module}"), function)
    except (ImportError, AttributeError, ValueError):
        raise rows.error(name, f"= {quoted(called)} is not a function of symparams.models.library.quirks.") from None


def _implementation(rows: TomlTable) -> Implementation | None:
    """Return how the library computes the family, from which activations are derived; None if no table says it."""
    if not rows.values:
        return None
    usual = Implementation()
    switches = [option.name for option in fields(usual) if isinstance(getattr(usual, option.name), bool)]
    words = ("norms_router", "limited_gate", "rotary_part", "rotary_keys", "unlike", "why_eager")
    rows.allow(("dropouts", *switches, "positions", "dtypes", *words))
    for key, known in (("dropouts", PLACES), ("dtypes", FLOATS)):
        for word in rows.words(key):
            if word not in known:
                raise rows.error(key, f"names {quoted(word)}. {suggestion(word, known)}")
    return Implementation(
        dropouts=rows.words("dropouts"),
        **{key: rows.switch(key, getattr(usual, key)) for key in switches},
        positions=parse(rows.word("positions"), letter) if "positions" in rows.values else None,
        dtypes=rows.words("dtypes") or FLOATS,
        norms_router=rows.word("norms_router"),
        limited_gate=rows.word("limited_gate"),
        rotary_part=Fraction(rows.word("rotary_part") or 1),
        rotary_keys=rows.words("rotary_keys"),
        unlike=rows.words("unlike"),
        why_eager=rows.word("why_eager"),
    )


def _values_without_effect(rows: TomlTable) -> dict[str, list[Any]]:
    for name, values in rows.values.items():
        if not isinstance(values, list):
            raise rows.error(name, "must be a list of values, or [] for all.")
    return dict(rows.values)


def _labels(settings: Settings, library: Library) -> int:
    """The number of labels stands under one of two keys, in two forms."""
    return settings.labels
