"""The record of a family in the transformers library: its classes, its keys, its switches, and what is read by code.

What an activation learns stands in activations.toml, by the library's word for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any

from symparams.architectures._definition import FEATURES
from symparams.architectures._tables import TomlTable, read
from symparams.components.activations import ACTIVATION, places
from symparams.components.tree import Component
from symparams.errors import ConfigError, OptionError, quoted, suggestion
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import L, L_text
from symparams.features import Feature
from symparams.models.library.settings import Flag, FlowSetting, Key, Quirk, Settings, Writer
from symparams.quantities.implementations import Implementation
from symparams.records import frozen

PREFIX, INPUTS_FIRST, HEADS_FIRST = "base_model_prefix", "inputs_first", "heads_first"
AND, NOT = " and ", "~"
BESIDE = "."  # a name that begins so stands beside the base model, not in it
ANYWHERE = "*"


@frozen
class Module:
    """The name of a part's module, or of each of its copies in turn; {i} in it is the number of a copy, from 0.

    ``at`` reads from a config the numbers of the copies where they do not follow one another: of the layers with experts.
    ``sides`` is the order in which the library has the sides of an array, by their numbers here; a list of them is one side,
    which the library has of matrices one below another. A part that stands ``apart`` is not in the module of its layer: its
    name begins at the base model, and ``at`` reads the numbers in it for each layer of its stack.
    """

    names: tuple[str, ...]
    at: Quirk | None = None
    sides: tuple[tuple[int, ...], ...] = ()
    apart: bool = False


Modules = Mapping[str, Module]
ReadQuirk = Callable[[TomlTable, str], Quirk]


@frozen
class Names:
    """The modules of a family, by the path of the part or by the end of it.

    Heads stand beside the base model, which a class that has any keeps under ``prefix`` ("model" in LlamaForCausalLM, "" in
    LlamaModel itself), and are registered after it unless ``heads_first``. ``instead`` are the rows, and ``prefixes`` the
    prefixes, that hold in one class, or where the model has a feature. Parts that are ``inputs_first`` store a matrix as
    inputs × outputs (Conv1D); all others as outputs × inputs (torch.nn.Linear).
    """

    prefix: str = ""
    modules: Modules = field(default_factory=dict)
    instead: Mapping[str, Modules] = field(default_factory=dict)
    prefixes: Mapping[str, str] = field(default_factory=dict)
    inputs_first: tuple[str, ...] = ()
    heads_first: bool = False

    def is_inputs_first(self, path: str) -> bool:
        """True if a matrix at this path is stored as inputs × outputs."""
        rows = (row.partition(f".{ANYWHERE}.") for row in self.inputs_first)
        return any(
            f".{inner or part}." in f".{path}." and (not inner or path.startswith(f"{part}.")) for part, _, inner in rows
        )

    def modules_of(self, suffix: str, present: frozenset[str]) -> Modules:
        """The modules in one class, for a model with these features."""
        holding = {suffix, *present, *(f"{NOT}{name}" for name in FEATURES if name not in present)}
        rows = dict(self.modules)
        for condition, instead in self.instead.items():
            if holding.issuperset(condition.split(AND)):
                rows |= instead
        return rows


def within(part: str, end: str) -> str:
    """The name of a row that speaks of the paths with this end within a part of the tree: text_model.*.attention."""
    return f"{part}.{ANYWHERE}.{end}"


def find(modules: Modules, path: str) -> tuple[str, Module] | None:
    """The row that speaks of a path: of those for its part of the tree, or else of all, the one with the longest end of it."""
    part, _, end = path.partition(".")
    while end:
        if (row := within(part, end)) in modules:
            return row, modules[row]
        _, _, end = end.partition(".")
    while path not in modules:
        _, dot, path = path.partition(".")
        if not dot:
            return None
    return path, modules[path]


def read_names(own: TomlTable, base: Names, classes: Collection[str], quirk: ReadQuirk) -> Names:
    """The names of a family over those of the one that it is like; what it says itself stands after what it takes over."""
    always, conditions = own.table("names"), own.table("names_with")
    known = {*classes, *base.instead, *FEATURES, *(f"{NOT}{name}" for name in FEATURES)}
    conditions.allow((*known, *(name for name in conditions.values if known.issuperset(name.split(AND)))))
    rows = _modules(always, quirk)
    instead, prefixes = dict(base.instead), dict(base.prefixes)
    for name in conditions.values:
        instead[name] = {**instead.get(name, {}), **_modules(conditions.table(name), quirk)}
        if PREFIX in conditions.table(name).values:
            prefixes[name] = conditions.table(name).word(PREFIX)
    return Names(
        always.word(PREFIX, base.prefix),
        {**{path: row for path, row in base.modules.items() if path not in rows}, **rows},
        instead,
        prefixes,
        always.words(INPUTS_FIRST) if INPUTS_FIRST in always.values else base.inputs_first,
        always.switch(HEADS_FIRST, base.heads_first),
    )


def _modules(rows: TomlTable, quirk: ReadQuirk) -> dict[str, Module]:
    return {path: _module(rows, path, quirk) for path in rows.values if path not in (PREFIX, INPUTS_FIRST, HEADS_FIRST)}


def _module(rows: TomlTable, path: str, quirk: ReadQuirk) -> Module:
    if not isinstance(rows.values[path], Mapping):
        return Module(rows.words(path))
    row = rows.table(path)
    row.allow(("module", "at", "sides", "apart"))
    if row.switch("apart", False) and "at" not in row.values:
        raise row.error("apart", "needs at, which reads the numbers in the name of the module.")
    listed = row.values.get("sides", [])
    sides = [side if isinstance(side, list) else [side] for side in listed] if isinstance(listed, list) else [[listed]]
    numbers = [number for side in sides for number in side]
    if sorted(numbers, key=str) != list(range(len(numbers))) or not all(sides):
        raise row.error("sides", "must be the numbers of the sides, from 0, in the library's order.")
    at = quirk(row, "at") if "at" in row.values else None
    return Module(row.words("module"), at, tuple(map(tuple, sides)), row.switch("apart", False))


@cache
def activations() -> Mapping[str, tuple[str, ...]]:
    """Return the names of the numbers that each activation learns, by its word; most learn none."""
    rows = read(Path(__file__).parent / "activations.toml")
    return {word: rows.words(word) for word in rows.values}


def numbers_of(choice: FlowSetting, word: str | int | None) -> tuple[str, ...]:
    """Return the names of the numbers that an activation learns; ConfigError if the library has no such activation."""
    if not word:
        return ()
    if word not in activations():
        known = suggestion(str(word), activations())
        raise ConfigError(
            f"{choice.names[0]} = {quoted(word, 30)} in the config is not an activation function of transformers. {known}"
        )
    return activations()[str(word)]


@frozen
class LibraryClass:
    """The features of a class that not every class has, and the sizes that are fixed for it.

    ``flags`` are switches that this class alone looks at; ``n_labels`` the outputs of its head where no config changes
    them: an answer has two ends.
    """

    features: tuple[Feature, ...] = ()
    flags: Mapping[Feature, Flag] = field(default_factory=dict)
    n_labels: int | None = None

    def has(self, settings: Settings) -> frozenset[str]:
        """The features of a model of this class."""
        switched = {feature.name for feature, flag in self.flags.items() if flag.read(settings)}
        return frozenset(switched | {feature.name for feature in self.features})


@frozen
class Section:
    """A section of a composite's config, that of a part: its key, the word of the part's letters, its family's record.

    Some parts may be of ``any`` family, the one that the section names. The record is there once that is known.
    """

    key: str
    word: str
    any: bool = False
    record: Library | None = None


@frozen
class Library:
    """A family in the transformers library, or in its authors' own ``code``. The first of its ``classes`` is the base class.

    A feature in no class and under no flag is as the family has it by default. A size that reads None follows from the
    family's relations. Where a dimension has a key and a derived reader, the reader reads and the key names; a reader that
    gives the numbers of layers gives their number. What a reader makes of several keys, or of one that holds another size, is
    ``read_from`` these; layers of one kind may be the ``rest`` of all layers without those of another kind.
    ``sections`` are those of a composite's config, by the path of the part in the tree.
    ``extra`` are keys that a derived reader looks at and that hold no dimension, with their defaults; ``form`` makes one
    form of the several in which configs of the family are written, and ``writers`` put into a config what derived readers
    read from one. Keys ``without_effect`` stand in its configs and change nothing, with these values (those of another key,
    where a value is the name of one) or, where there are none, with any.
    """

    classes: Mapping[str, LibraryClass]
    keys: Mapping[Dimension, Key]
    derived: Mapping[Dimension, Quirk]
    flags: Mapping[Feature, Flag | Quirk]
    checks: tuple[Quirk, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    read_from: Mapping[Dimension, tuple[str, ...]] = field(default_factory=dict)
    rest: Mapping[Dimension, Dimension] = field(default_factory=dict)
    choices: Mapping[str, FlowSetting] = field(default_factory=dict)
    form: Quirk | None = None
    writers: tuple[Writer, ...] = ()
    names: Names = field(default_factory=Names)
    prefix: str = ""
    activations: Implementation | None = None
    without_effect: Mapping[str, list[Any]] = field(default_factory=dict)
    code: str = ""
    sections: Mapping[str, Section] = field(default_factory=dict)

    @property
    def base(self) -> str:
        """The class without a head, which a config means that names none."""
        return next(iter(self.classes))

    @property
    def sizes(self) -> tuple[Dimension, ...]:
        """The dimensions that a config gives."""
        return tuple(dict.fromkeys((*self.keys, *self.derived)))

    def key(self, dimension: Dimension) -> str:
        """The key that holds a dimension; "" where it does not stand under one."""
        return self.keys[dimension].names[0] if dimension in self.keys else ""

    def formed(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a config in the form in which its keys are read."""
        formed: Mapping[str, Any] = self.form(Settings(values), self) if self.form else values
        return formed

    def size(self, settings: Settings, dimension: Dimension) -> int | None:
        """Return the size of a dimension; None where it follows from the family's relations."""
        derived = self.derived.get(dimension)
        size = derived(settings, self) if derived else self.keys[dimension].read(settings)
        number: int | None = len(size) if isinstance(size, Sequence) else size
        return number

    def layers(self, settings: Settings) -> int:
        """The number of all layers, in a composite of those of the text model."""
        return self.need(settings, L if L in self.keys else L_text)

    def around(self, settings: Settings, dimension: Dimension) -> Settings:
        """The config in which the key of a dimension stands, which may be a section of a composite's."""
        return settings.place(self.keys[dimension].names)[0]

    def need(self, settings: Settings, dimension: Dimension) -> int:
        """The size that stands under the key of a dimension; ConfigError where there is none."""
        return self.keys[dimension].need(settings)

    def features(self, settings: Settings, class_name: str) -> frozenset[str]:
        """Return the features that a model has by its class and by its switches."""
        switched = {
            feature.name
            for feature, flag in self.flags.items()
            if (flag.read(settings) if isinstance(flag, Flag) else flag(settings, self))
        }
        return frozenset(switched | self.classes[class_name].has(settings))

    def choose(self, settings: Settings) -> dict[str, str | int | None]:
        """Return the choices of a config that decide no parameter: the activation, the sliding window."""
        return {name: choice.read(settings, self) for name, choice in self.choices.items()}

    def learned(self, settings: Settings, tree: Component, present: frozenset[str]) -> dict[str, tuple[str, ...]]:
        """The parts of a family's tree whose activation learns something, by their paths, and the names of what it learns."""
        numbers_at: dict[str, tuple[str, ...]] = {}
        for name, choice in self.choices.items():
            if name.endswith(ACTIVATION.name):
                paths = [path for path, part in places(tree, present) if choice.is_of(path, part)]
                numbers_at |= dict.fromkeys(paths, numbers_of(choice, choice.read(settings, self)) if paths else ())
        return {path: numbers for path, numbers in numbers_at.items() if numbers}

    @property
    def by_class(self) -> frozenset[str]:
        """The features that the class of a model decides, and no switch that every class looks at."""
        features = {f.name for kind in self.classes.values() for f in (*kind.features, *kind.flags)}
        return frozenset(features - {feature.name for feature in self.flags})

    def suffix(self, class_name: str) -> str:
        """The name of a class without that of the family: "ForCausalLM"."""
        return class_name.removeprefix(self.prefix)

    def class_of(self, present: frozenset[str], named: str = "") -> str:
        """The class that has the features of a model: the one that its config names, otherwise the first that has just these.

        Raises OptionError where there is none.
        """
        wanted = present & self.by_class
        for name in (named, *self.classes):
            kind = self.classes.get(name, LibraryClass())
            fixed = {feature.name for feature in kind.features} & self.by_class
            if name in self.classes and fixed <= wanted <= fixed | {feature.name for feature in kind.flags}:
                return name
        having = ", ".join(sorted(wanted)) or "no head"
        raise OptionError(
            f"No class of transformers has exactly these features: {having}. There are {', '.join(self.classes)}."
        )
