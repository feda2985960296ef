"""Every key of a config, one at a time, with each value that somebody might think of: slow, and what finds most mistakes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any

from tests.library.atlas import Verdict, built, judge
from tests.library.atlas_configs import Config, NotBuiltError, Subject, at, paths, put, realistic, sections
from tests.library.atlas_values import ACTIVATIONS, DEPTH, FLAGS

NO_KEYS = re.compile(r"^(architectures|transformers_version|label2id|dtype|_.*)$")
KINDS_OF_LAYERS = ("full_attention", "sliding_attention", "chunked_attention", "linear_attention", "attention", "mamba", "moe")
STRANGE: tuple[Any, ...] = (None, 0, 1, -1, 2, 3, True, False, 0.0, 0.5, 2.5, "foo", [], [0], [1], [0, 1], [1, 1, 9], [-1], {})
MOST_TRIES, MOST_LAYERS = 30, 4


def swept(subject: Subject, seed: object) -> Iterator[Verdict]:
    """The verdicts on two small configs with one other value each, of those that the library builds."""
    rng = Random(f"{seed} {subject.name}")  # noqa: S311 - no secret
    with suppress(NotBuiltError):
        bases = [_small(subject, rng), _small(subject, rng)]
        for place, (path, value) in enumerate(_changes(subject, bases[0])):
            config = deepcopy(bases[place % 2])
            put(config, path, value)
            with suppress(NotBuiltError):
                yield judge(subject, config)


def _changes(subject: Subject, base: Config) -> Iterator[tuple[tuple[str, ...], Any]]:
    own = [path for path in paths(subject.full) if not any(map(NO_KEYS.match, path)) and "id2label" not in path[:-1]]
    others = [(name,) for name in (*subject.unlisted, *subject.aliases, *FLAGS, "num_labels")]
    for path in dict.fromkeys([*own, *others]):
        if path != ("model_type",):
            was = at(base, path)
            was = at(subject.full, path) if was is None else was
            yield from ((path, value) for value in _other(was, path[-1], subject.words.get(path[-1], [])))


def _other(was: Any, key: str, words: list[str]) -> Iterator[Any]:
    """Each value once, as JSON tells them apart."""
    known = {json.dumps(was)}
    for value in _values(was, key, words):
        name = json.dumps(value)
        if name not in known:
            known.add(name)
            yield value


def _values(was: Any, key: str, words: list[str]) -> list[Any]:
    match was:
        case bool():
            return [None, 0, 1, not was, "foo"]
        case int():
            near = [was + 1, was - 1, was * 2, was // 2, was * 3]
            return [
                None,
                0,
                1,
                -1,
                2,
                3,
                5,
                7,
                *near,
                float(was),
                str(was),
                True,
                [was],
                [was, was],
                [was, was + 1],
                [was] * 4,
                [],
            ]
        case float():
            return [None, 0, 0.0, 1, 1.0, 0.5, 2.5, was * 2, -1.0, str(was)]
        case str():
            return [None, "", "foo", 1, True, *words, *(ACTIVATIONS if "act" in key else ())]
        case list():
            return _lists(was, words)
        case dict():
            return [None, {}, 0]
    return [*STRANGE, *words]


def _lists(was: list[Any], words: list[str]) -> list[Any]:
    size = len(was)
    found = [None, [], was[:-1], was + was[-1:], was[::-1], was + was, was[1:] + was[:1], was[:1] * size, was[-1:] * size]
    found += [[0], [1], [0, 1], [-1], [1, 1, 9], [0, 1, 2], ["foo"] * size]
    if was and all(isinstance(entry, int) for entry in was):
        found += [[entry * 2 for entry in was], [was[0] + 1, *was[1:]], [*was[:-1], was[-1] * 2], was[0]]
    if was and isinstance(was[0], str):
        for word in (*words, *KINDS_OF_LAYERS):
            found += [[word] * size, [word, *was[1:]]]
    return found


def _small(subject: Subject, rng: Random) -> Config:
    """A config of a small model that the library builds."""
    for _ in range(MOST_TRIES):
        config = {**realistic(subject, rng), **subject.bare}
        for key, value in subject.base.items():
            config.setdefault(key, deepcopy(value))
        for section in sections(config):
            for key, value in section.items():
                if DEPTH.search(key) and isinstance(value, int):
                    section[key] = min(value, MOST_LAYERS)
        config = deepcopy(config)
        with suppress(NotBuiltError):
            built(subject, config)
            return config
    return subject.bare
