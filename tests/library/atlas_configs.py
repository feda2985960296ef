"""Configs as users write them, whatever was varied for a discovery: published sizes, careless edits, parts, flags."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from tests.library.atlas_values import FLAGS, Roles, another, another_of

Config = dict[str, Any]
Path = tuple[str, ...]

# What a user does not take for a property of the model; an edit of it says nothing.
NO_EDITS = re.compile(r"^(model_type|architectures|transformers_version|label2id|num_labels|_.*)$")
# Names of the stages, which the library makes of their number.
STAGES = ("stage_names", "out_features", "out_indices")
# A key of the config that the modules read, by name or by getattr, a default in hand.
READ = re.compile(r"config\.(?:get\(\")?([a-z]\w+)|getattr\((?:self\.)?\w*config, \"(\w+)\"|kwargs\.(?:pop|get)\(\"(\w+)\"")
WORDS = re.compile(r"\b(\w+) (?:==|!=|in|not in) (\[.*?\]|\(.*?\)|\{.*?\}|\".*?\")")
NAMES_A_FLAG = re.compile(r"^(use|is|has|add|do|apply|tie|with|enable|share|scale|no|normalize)_|_bias$|_norm$")


class NotBuiltError(Exception):
    """The library does not build a model of a config."""


@dataclass(frozen=True)
class Subject:
    """A class of the library, with what its sources say of the config."""

    kind: str
    name: str

    @cached_property
    def config_class(self) -> Any:
        """The config class of the type."""
        from transformers import CONFIG_MAPPING

        return CONFIG_MAPPING[self.kind]

    @cached_property
    def model_class(self) -> Any:
        """The class of the models."""
        import transformers

        return getattr(transformers, self.name)

    @cached_property
    def bare(self) -> Config:
        """The least that a config says."""
        return {"model_type": self.kind, "architectures": [self.name]}

    @cached_property
    def written(self) -> Config:
        """The default config as ``save_pretrained`` writes it: what is not as in every config."""
        return self._default(lambda config: config.to_json_string())

    @cached_property
    def full(self) -> Config:
        """The default config with all keys."""
        return self._default(lambda config: config.to_json_string(use_diff=False))

    def _default(self, write: Any) -> Config:
        try:
            config = self.config_class()
        except Exception:  # noqa: BLE001 - some types have no default that holds
            try:
                config = self.config_class.from_dict(deepcopy(self.base))
            except Exception as error:
                raise NotBuiltError(self.name) from error
        return {**json.loads(write(config)), **self.bare}

    @cached_property
    def base(self) -> Config:
        """What a config must say so that the library builds a model of it; mostly nothing."""
        from symparams.atlas import entries

        entry = entries(self.kind).get(self.name)
        return nested(entry.base if entry else {})

    @cached_property
    def words(self) -> dict[str, list[str]]:
        """What the sources compare the words under a key with."""
        found: dict[str, list[str]] = {}
        for key, words in WORDS.findall(self._source):
            found.setdefault(key, []).extend(re.findall(r"\"([\w-]+)\"", words))
        return found

    @cached_property
    def unlisted(self) -> list[str]:
        """Keys that the sources read and the default config lacks: older names among them."""
        known = {key for path in paths(self.full) for key in path}
        read = {name for names in READ.findall(self._source) for name in names if name} - known
        own = {
            name for name in read if not callable(was := getattr(self.config_class, name, None)) and getattr(was, "fset", True)
        }
        return sorted(name for name in own if not NO_EDITS.match(name) and not name.startswith("to_"))

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Other names of keys."""
        return {name: key for name, key in getattr(self.config_class, "attribute_map", {}).items() if key in self.full}

    @cached_property
    def _source(self) -> str:
        sources = []
        for known in (self.config_class, self.model_class):
            module = inspect.getmodule(known)
            if module is not None:
                sources.append(inspect.getsource(module))
        return "\n".join(sources)


def sample(subject: Subject, rng: Random) -> Iterator[Config]:
    """Configs of a class, without end: the least first, then what is usually written, then anything."""
    yield subject.bare
    yield subject.written
    while True:
        yield json.loads(json.dumps(any_config(subject, rng)))


def any_config(subject: Subject, rng: Random) -> Config:
    """A config, of one of the ways to write one."""
    ways = {realistic: 6, edited: 7, partial: 3, flagged: 4}
    way = rng.choices(list(ways), list(ways.values()))[0]
    config = way(subject, rng)
    for path in paths(subject.base):
        if path[0] not in config or (
            path[:-1] and isinstance(at(config, path[:-1]), dict) and path[-1] not in at(config, path[:-1])
        ):
            put(config, path, deepcopy(at(subject.base, path)))
    return {**config, **subject.bare}


def realistic(subject: Subject, rng: Random) -> Config:
    """A model of the family with other sizes, all of which go together."""
    config = deepcopy(subject.full if rng.random() < 0.3 else subject.written)
    roles = Roles(rng)
    for section in sections(config):
        roles.resize(section)
        if rng.random() < 0.9:
            for key in STAGES:
                section.pop(key, None)
    if rng.random() < 0.25:
        label(config, rng)
    return config


def edited(subject: Subject, rng: Random) -> Config:
    """Up to four keys, changed without a thought of the others."""
    config = deepcopy(rng.choice([subject.bare, subject.bare, subject.written, subject.full]))
    if rng.random() < 0.4:
        config = realistic(subject, rng)
    for _ in range(rng.choice([1, 1, 2, 2, 3, 4])):
        edit(subject, config, rng)
    return config


def partial(subject: Subject, rng: Random) -> Config:
    """Some keys of a config that somebody left out, down to one."""
    config = realistic(subject, rng)
    share = rng.choice([0.1, 0.3, 0.5, 0.8, 0.95])
    for section in list(sections(config)):
        for key in [key for key in section if key != "model_type" and rng.random() > share]:
            del section[key]
    return config


def flagged(subject: Subject, rng: Random) -> Config:
    """One flag the other way, or two, in a config that says little else."""
    config = deepcopy(subject.bare) if rng.random() < 0.5 else realistic(subject, rng)
    known = [path for path in paths(subject.full) if isinstance(at(subject.full, path), bool)]
    known += [(name,) for name in (*FLAGS, *subject.unlisted) if name in FLAGS or NAMES_A_FLAG.search(name)]
    for path in rng.sample(known, min(len(known), rng.choice([1, 1, 2, 2, 3]))):
        was = at(subject.full, path)
        put(config, path, not was if isinstance(was, bool) else rng.random() < 0.7)
    return config


def edit(subject: Subject, config: Config, rng: Random) -> None:
    """Change one key anywhere."""
    chance = rng.random()
    if chance < 0.08:
        label(config, rng)
    elif chance < 0.16 and subject.aliases:
        alias = rng.choice(sorted(subject.aliases))
        config[alias] = another(subject.full[subject.aliases[alias]], alias, [], rng)
    elif chance < 0.28 and subject.unlisted:
        name = rng.choice(subject.unlisted)
        config[name] = rng.random() < 0.7 if NAMES_A_FLAG.search(name) else another_of(name, subject.words.get(name, []), rng)
    else:
        path = rng.choice([path for path in paths(subject.full) if not any(map(NO_EDITS.match, path[:-1]))])
        if not NO_EDITS.match(path[-1]) or (path[-1] == "model_type" and len(path) > 1 and rng.random() < 0.2):
            was = at(config, path)
            was = at(subject.full, path) if was is None else was
            put(config, path, another(was, path[-1], subject.words.get(path[-1], []), rng))


def label(config: Config, rng: Random) -> None:
    """Other labels, by their number or by their names."""
    number = rng.choice([1, 2, 3, 5, 10, 1000])
    config.pop("num_labels", None)
    config.pop("id2label", None)
    config.pop("label2id", None)
    if rng.random() < 0.5:
        config["num_labels"] = number
    else:
        config["id2label"] = {str(label): f"LABEL_{label}" for label in range(number)}
        config["label2id"] = {f"LABEL_{label}": label for label in range(number)}


def sections(config: Config) -> Iterator[Config]:
    """A config and the configs within it."""
    yield config
    for key, value in config.items():
        if isinstance(value, dict) and key not in ("id2label", "label2id"):
            yield from sections(value)


def paths(config: Mapping[str, Any], before: Path = ()) -> list[Path]:
    """Every key, those of sections too, with the sections themselves."""
    found = []
    for key, value in config.items():
        found.append((*before, key))
        if isinstance(value, Mapping) and key not in ("id2label", "label2id"):
            found += paths(value, (*before, key))
    return found


def at(config: Any, path: Path) -> Any:
    """What stands under a path; None where nothing does."""
    for key in path:
        config = config.get(key) if isinstance(config, Mapping) else None
    return config


def put(config: Config, path: Path, value: Any) -> None:
    """Write a value under a path, the sections before it where they lack."""
    *before, last = path
    for key in before:
        if not isinstance(config.get(key), dict):
            config[key] = {}
        config = config[key]
    config[last] = value


def nested(flat: Mapping[str, Any]) -> Config:
    """Keys with dots as sections."""
    config: Config = {}
    for key, value in flat.items():
        put(config, tuple(key.split(".")), value)
    return config
