"""Subjects: the classes of the transformers library, each built from configs on torch's meta device."""

from __future__ import annotations

import ast
import inspect
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from unittest.mock import patch

from symparams.atlas import BASE
from symparams.atlas.facts import Facts, flat, is_whole, nested
from symparams.atlas.keys import SECTION, has_role, is_size, last, table
from symparams.components.copies import starred
from symparams.discovery.observation import Module, observe
from symparams.records import frozen

NUMBER = 4  # of whatever is null
MOST_WORDS = 24
OF_MODELS = "transformers.models."  # modules of the library with classes of configs
LONGEST_PROBLEM = 300  # characters
Report = Callable[[str], None]


@frozen
class Row:
    """A model that was built: what was given, the facts of the config as the library completed it, and the module.

    ``unread`` are the keys among them that the config does not keep. A number that it replaced is as it was given: that is what
    a file may have, and the other follows from it.
    """

    given: Mapping[str, Any]
    facts: Facts
    module: Module
    unread: frozenset[str] = frozenset()

    @property
    def has_no_empty_array(self) -> bool:
        """True if no side of an array is 0, as where an image is smaller than a patch."""
        return all(0 not in array.shape for _, array in self.module.named())


def silent(_: str) -> None:
    """Tell nobody."""


@dataclass
class Subject:
    """A class of the library with the class of its config.

    ``base`` is set in every config, since the library builds none without it. ``builds`` counts the models, and ``tell`` is
    told the number.
    """

    model: Any
    config: Any
    base: dict[str, Any] = field(default_factory=dict)
    builds: int = 0
    problem: str = ""
    tell: Report = silent

    @property
    def name(self) -> str:
        """The name of the class."""
        return str(self.model.__name__)

    def build(self, given: Mapping[str, Any]) -> Row | None:
        """The model of a config with these keys; None where the library builds none, and ``problem`` says why."""
        given = {**self._as_many(given), **given}
        self.builds += 1
        self.tell(f"{self.builds} models built")
        kept: list[Any] = []

        def made() -> Any:
            config = self.config(**nested({**self.base, **given}))
            built = self.model(self.own(config))
            kept.append(config.to_dict())
            return built

        try:
            with _silence(), _uninitialised():
                module = observe(made, {})
        except Exception as error:  # noqa: BLE001 - the library refuses a config in any way
            self.problem = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_PROBLEM]
            return None
        own_layers = table().word("own_layers")  # is worked out from other keys
        completed = {key: value for key, value in flat(kept[0]) if own_layers not in key.split(SECTION)}
        asked = {**self.unnamed, **self.base, **given}
        unread = {key: value for key, value in asked.items() if key not in completed and is_size(key)}
        replaced = {
            key: value
            for key, value in {**self.defaults, **self.base, **given}.items()
            if is_whole(value) and is_whole(completed.get(key)) and value != completed[key]
        }
        return Row(dict(given), Facts({**completed, **unread, **replaced}), module, frozenset(unread))

    def own(self, config: Any) -> Any:
        """Return the config, or the section of it that the class is built from, as the library's auto classes choose it."""
        own = getattr(self.model, "config_class", None)
        if own is None or isinstance(config, own):
            return config
        sections = (getattr(config, name, None) for name in self._sections)
        return next((section for section in sections if type(section) is own), config)

    def start(self) -> Row | None:
        """The model of the default config, or of the least that must be set to build one."""
        row = self.build({})
        if row is not None:
            return row
        nulls = [{key: value} for key, value in self._nulls()]
        lists = {key: list(value) for key, value in self.defaults.items() if isinstance(value, tuple)}
        known = [row.values for row in table().tables("repairs")]
        repairs = [
            lists,
            *({f"{within}{SECTION}{key}": value for key, value in row.items()} for row in known for within in self._sections),
            *known,
            *nulls,
            dict(pair for row in nulls for pair in row.items()),
        ]
        seen, last = {self.problem}, None
        while last != self.base:  # a repair may help only once another was made
            last = self.base
            for repair in repairs:
                before, self.base = self.base, {**self.base, **repair}
                row = self.build({})
                if row is not None:
                    return self._with_least()
                if self.problem in seen:
                    self.base = before
                seen.add(self.problem)
        self.base = {}
        self.build({})
        return None

    def _as_many(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The lists of words of ``base``, as long as there are layers."""
        number = given.get(self._layers, self.defaults.get(self._layers))
        lists = {key: value[:1] for key, value in self.base.items() if isinstance(value, list) and value}
        return {key: first * number for key, first in lists.items() if isinstance(first[0], str)} if is_whole(number) else {}

    @property
    def _sections(self) -> Mapping[str, Any]:
        """The sections of the config, each with its class."""
        return getattr(self.config, "sub_configs", None) or {}

    @property
    def _layers(self) -> str:
        """The key of the number of layers; "" where the config class has none."""
        return next((key for key, value in self.defaults.items() if is_whole(value) and has_role("layers", key)), "")

    def _nulls(self) -> Iterator[tuple[str, Any]]:
        """The keys of numbers and of lists that are null in the default config, each with a value that suits its kind."""
        for section, config in {"": self.config, **self._sections}.items():
            usual: dict[str, Any] = {}
            with _silence(), suppress(Exception):  # the library refuses its own defaults in any way
                usual = config().to_dict()
            prefix = f"{section}{SECTION}" if section else ""
            widths = [value for key, value in usual.items() if is_whole(value) and has_role("head_width", key)]
            for key, kind in _annotations(config).items():
                if usual.get(key, 0) is None and "list[str]" in kind and not section:
                    yield from ((key, [word] * self.defaults.get(self._layers, 1)) for word in self.kinds_of_layers)
                elif usual.get(key, 0) is None and "int" in kind:
                    is_width = has_role("head_width", key) and widths
                    yield f"{prefix}{key}", widths[0] if is_width else 1 if has_role("groups", key) else NUMBER

    def _with_least(self) -> Row | None:
        for key in list(self.base):
            kept = self.base
            self.base = {name: value for name, value in kept.items() if name != key}
            if self.build({}) is None:
                self.base = kept
        return self.build({})

    @property
    def padding(self) -> list[tuple[str, int]]:
        """The keys of tokens that pad, of which a smaller vocabulary must have each, with their usual values."""
        padding = table().word("padding")
        with _silence():
            usual = self.config(**nested(self.base)).to_dict()
        return [(key, token) for key, token in _within(usual) if key.endswith(padding) and isinstance(token, int)]

    @property
    def aliases(self) -> dict[str, str]:
        """The other names of keys, those in the sections of the config too."""
        kinds = {"": self.config} | {f"{name}{SECTION}": kind for name, kind in self._sections.items()}
        return {
            f"{section}{alias}": f"{section}{key}"
            for section, kind in kinds.items()
            for alias, key in (getattr(kind, "attribute_map", None) or {}).items()
        }

    @property
    def annotations(self) -> dict[str, str]:
        """The type of each key of the config, as its class writes it."""
        return _annotations(self.config)

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The default of each key, as the class of the config writes it."""
        return {key: getattr(self.config, key, None) for key in self.annotations}

    @property
    def words(self) -> tuple[str, ...]:
        """The words with which the library compares anything, in the files of the config and of the model."""
        return tuple(dict.fromkeys(word for file in self._files for word in _compared(file)))[:MOST_WORDS]

    @cached_property
    def numbers(self) -> Mapping[str, tuple[int, ...]]:
        """The numbers with which the library compares what is called so, in the files of the config and of the model."""
        found: dict[str, dict[int, None]] = {}
        for node in (inner for file in self._files for inner in ast.walk(_tree(file)) if isinstance(inner, ast.Compare)):
            sides = [node.left, *node.comparators]
            values: list[Any] = [side.value for side in sides if isinstance(side, ast.Constant) and is_whole(side.value)]
            for name in (side.attr for side in sides if isinstance(side, ast.Attribute)):
                found.setdefault(name, {}).update(dict.fromkeys(values))
        return {name: tuple(values) for name, values in found.items() if values}

    @property
    def kinds_of_layers(self) -> tuple[str, ...]:
        """The words for kinds of layers in the files of the config and of the model."""
        words = (node.value for file in self._files for node in ast.walk(_tree(file)) if isinstance(node, ast.Constant))
        return tuple(dict.fromkeys(word for word in words if isinstance(word, str) and word in layer_words()))

    @cached_property
    def unnamed(self) -> dict[str, Any]:
        """The keys that the library reads though no config class names them, and what it takes where there are none."""
        asked = {**dict(row for file in self._files for row in _asked(file).items()), **_taken(self.config)}
        for section, kind in self._kinds_of_sections().items():
            asked |= {f"{section}{SECTION}{key}": value for key, value in _taken(kind).items()}
        return {key: value for key, value in asked.items() if not last(key).startswith("_") and key not in self.aliases}

    def _kinds_of_sections(self) -> dict[str, Any]:
        """The class of each section of the default config."""
        with _silence(), suppress(Exception):  # the library refuses its own defaults in any way
            usual = self.config()
            return {name: type(part) for name in self._sections if hasattr(part := getattr(usual, name, None), "to_dict")}
        return {}

    @property
    def _files(self) -> tuple[str, ...]:
        return inspect.getfile(self.config), inspect.getfile(self.model)


def _annotations(config: Any) -> dict[str, str]:
    """The type of each key of a class of configs, as it and those before it write it."""
    found: dict[str, str] = {}
    for kind in reversed(config.__mro__):
        found |= {key: str(value) for key, value in vars(kind).get("__annotations__", {}).items()}
    return found


def _within(values: Mapping[str, Any], section: str = "") -> Iterator[tuple[str, Any]]:
    """Every key with its sections before it."""
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _within(value, f"{section}{key}{SECTION}")
        else:
            yield f"{section}{key}", value


def subjects(kind: str) -> list[Subject]:
    """Return the classes of a type ("qwen3_next") that can be imported; none of a type that the library does not have."""
    transformers: Any = _library()
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    found = []
    for name in classes().get(kind, {}):
        try:
            found.append(Subject(getattr(transformers, name), CONFIG_MAPPING[kind]))
        except (AttributeError, ImportError, KeyError, RuntimeError):
            continue
    return found


@cache
def classes() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the classes of each type with their heads, "CAUSAL_LM" or, of a model without a head, "BASE": the library's auto
    mappings.
    """
    _library()
    from transformers.models.auto import modeling_auto

    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for mapping, rows in sorted(vars(modeling_auto).items()):
        head = re.fullmatch(r"MODEL_(?:FOR_)?(.*?)_?MAPPING_NAMES", mapping)
        if head is None or not isinstance(rows, Mapping):
            continue
        for kind, names in rows.items():
            for name in names if isinstance(names, (tuple, list)) else [names]:
                own = found.setdefault(kind, {})
                own[name] = (*own.get(name, ()), head[1] or BASE)
    return found


def version() -> str:
    """Return the library with its version."""
    return f"transformers {_library().__version__}"


@cache
def layer_words() -> frozenset[str]:
    """Return the words that the library has for kinds of layers."""
    _library()
    from transformers import configuration_utils as own

    lists = [value for name, value in vars(own).items() if name.startswith("ALLOWED_") and isinstance(value, (tuple, list))]
    return frozenset(word for words in lists for word in words if isinstance(word, str))


@cache
def _library() -> Any:
    with _silence():
        import transformers

    transformers.logging.set_verbosity(50)
    return transformers


@contextmanager
def _silence() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def _uninitialised() -> Iterator[None]:
    """Leave out what sets the values of arrays, of which those on the meta device have none; ties are made all the same."""
    import torch
    from transformers import GenerationConfig, PreTrainedModel

    layers: Any = (torch.nn.Linear, torch.nn.Embedding, torch.nn.LayerNorm, torch.nn.modules.conv._ConvNd)
    usual = GenerationConfig()
    with ExitStack() as stack:
        for layer in layers:
            stack.enter_context(patch.object(layer, "reset_parameters", lambda self: None))
        stack.enter_context(patch.object(PreTrainedModel, "initialize_weights", lambda self: None))
        stack.enter_context(patch.object(GenerationConfig, "from_model_config", lambda *_: usual))
        yield


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text(encoding="utf-8"))


@cache
def _compared(file: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.Compare):
            for inner in (part for side in (node.left, *node.comparators) for part in ast.walk(side)):
                if (
                    isinstance(inner, ast.Constant)
                    and isinstance(inner.value, str)
                    and re.fullmatch(r"[a-z][\w-]*", inner.value)
                ):
                    found[inner.value] = None
    return tuple(found)


@cache
def _asked(file: str) -> dict[str, Any]:
    """The keys that a file reads of a config though it need not have them, and what it takes where they are not there."""
    found: dict[str, Any] = {}
    for node in ast.walk(_tree(file)):
        match node:
            case ast.Call(ast.Name("getattr"), [ast.Name() | ast.Attribute(), ast.Constant(str(key)), default]):
                found[key] = default.value if isinstance(default, ast.Constant) else None
    return found


@cache
def _taken(config: Any) -> dict[str, Any]:
    """The keys that a class of configs is given beside its own, and what it takes where they are not there."""
    found: dict[str, Any] = {}
    for kind in config.__mro__:
        if not kind.__module__.startswith(OF_MODELS):
            continue
        own = [
            node for node in _tree(inspect.getfile(kind)).body if isinstance(node, ast.ClassDef) and node.name == kind.__name__
        ]
        for node in (inner for whole in own for inner in ast.walk(whole)):
            match node:
                case ast.Call(ast.Attribute(ast.Name("kwargs"), "pop" | "get"), [ast.Constant(str(key)), *rest]):
                    found[key] = rest[0].value if rest and isinstance(rest[0], ast.Constant) else None
    return found


def starred_names(module: Module) -> set[str]:
    """Return the names of all arrays, the numbers of copies starred."""
    return {starred(name) for name, _ in module.named()}
