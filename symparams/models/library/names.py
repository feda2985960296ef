"""What the library calls the tensors of a family: the modules of its parts, as ``[library.names]`` of NAME.toml says them.

A part is named by its path in the tree, or by the end of it where that says enough; its name is that of the module, seen
from the module of what it is a part of. The rows stand in the order in which the library registers its modules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from symparams.architectures._definition import FEATURES
from symparams.architectures._tables import TomlTable
from symparams.models.library.settings import Derived

PREFIX, INPUTS_FIRST, HEADS_FIRST = "base_model_prefix", "inputs_first", "heads_first"
AND, NOT = " and ", "~"
BESIDE = "."  # a name that begins so stands beside the base model, not in it


@dataclass(frozen=True)
class Module:
    """The name of a part's module, or of each of its copies in turn; {i} in it is the number of a copy, from 0.

    ``at`` reads from a config the numbers of the copies where they do not follow one another: of the layers with experts.
    ``sides`` is the order in which the library has the sides of an array, by their numbers here.
    """

    names: tuple[str, ...]
    at: Derived | None = None
    sides: tuple[int, ...] = ()


Modules = Mapping[str, Module]
Quirk = Callable[[TomlTable, str], Derived]


@dataclass(frozen=True)
class Names:
    """The modules of a family, by the path of the part or by the end of it.

    Heads stand beside the base model, which a class that has any keeps under ``prefix``, and are registered after it unless
    ``heads_first``. ``instead`` are the rows, and ``prefixes`` the prefixes, that hold in one class, or where the model has
    a feature. Parts that are ``inputs_first`` store a matrix as inputs × outputs (Conv1D); all others as outputs × inputs
    (torch.nn.Linear).
    """

    prefix: str = ""
    modules: Modules = field(default_factory=dict)
    instead: Mapping[str, Modules] = field(default_factory=dict)
    prefixes: Mapping[str, str] = field(default_factory=dict)
    inputs_first: tuple[str, ...] = ()
    heads_first: bool = False

    def prefix_of(self, suffix: str, *, is_base: bool) -> str:
        """The module of the base model in a class: "model" in LlamaForCausalLM, "" in LlamaModel itself."""
        return self.prefixes.get(suffix, "" if is_base else self.prefix)

    def modules_of(self, suffix: str, present: frozenset[str]) -> Modules:
        """The modules in one class, for a model with these features."""
        holding = {suffix, *present, *(f"{NOT}{name}" for name in FEATURES if name not in present)}
        rows = dict(self.modules)
        for condition, instead in self.instead.items():
            if holding.issuperset(condition.split(AND)):
                rows |= instead
        return rows


def find(modules: Modules, path: str) -> tuple[str, Module] | None:
    """The row that speaks of a path: the path itself, or the longest end of it that has a row."""
    while path not in modules:
        _, dot, path = path.partition(".")
        if not dot:
            return None
    return path, modules[path]


def read_names(own: TomlTable, base: Names, classes: Collection[str], quirk: Quirk) -> Names:
    """The names of a family over those of the one that it is like; what it says itself stands after what it takes over."""
    said, conditions = own.table("names"), own.table("names_with")
    known = {*classes, *base.instead, *FEATURES, *(f"{NOT}{name}" for name in FEATURES)}
    conditions.allow((*known, *(name for name in conditions.values if known.issuperset(name.split(AND)))))
    rows = _modules(said, quirk)
    instead, prefixes = dict(base.instead), dict(base.prefixes)
    for name in conditions.values:
        instead[name] = {**instead.get(name, {}), **_modules(conditions.table(name), quirk)}
        if PREFIX in conditions.table(name).values:
            prefixes[name] = conditions.table(name).word(PREFIX)
    return Names(
        said.word(PREFIX, base.prefix),
        {**{path: row for path, row in base.modules.items() if path not in rows}, **rows},
        instead,
        prefixes,
        said.words(INPUTS_FIRST) if INPUTS_FIRST in said.values else base.inputs_first,
        said.switch(HEADS_FIRST, base.heads_first),
    )


def _modules(rows: TomlTable, quirk: Quirk) -> dict[str, Module]:
    return {path: _module(rows, path, quirk) for path in rows.values if path not in (PREFIX, INPUTS_FIRST, HEADS_FIRST)}


def _module(rows: TomlTable, path: str, quirk: Quirk) -> Module:
    if not isinstance(rows.values[path], Mapping):
        return Module(rows.words(path))
    row = rows.table(path)
    row.allow(("module", "at", "sides"))
    sides = row.values.get("sides", [])
    if not isinstance(sides, list) or sorted(sides, key=str) != list(range(len(sides))):
        raise row.error("sides", "must be the numbers of the sides, from 0, in the library's order.")
    return Module((row.word("module"),), quirk(row, "at") if "at" in row.values else None, tuple(sides))
