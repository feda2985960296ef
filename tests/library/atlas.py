"""The judge of the atlas: what the library builds of a config, beside what is counted without it."""

from __future__ import annotations

import json
import os
import signal
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from math import prod
from random import Random
from typing import Any

from symparams import load
from symparams.errors import SymparamsError
from symparams.models import Model
from tests.library.atlas_configs import Config, NotBuiltError, Subject, paths, sample
from tests.library.oracle import correction

LONGEST = 20  # seconds of the processor for one config
MOST_TRIES = 6  # configs drawn for one that the library builds
LABELS = {"id2label", "label2id"}

Shapes = Counter[tuple[int, ...]]


class LateError(BaseException):
    """Something took too long; whatever catches any other error lets this one through."""


@dataclass(frozen=True)
class Count:
    """The parameters of a model, trained and fixed, each once: how many, and the arrays by shape.

    The sides of a shape are sorted, since a matrix of a tree is inputs × outputs, whichever way the library stores it.
    """

    number: int
    shapes: Shapes


@dataclass(frozen=True)
class Verdict:
    """A config that the library builds, with both counts, or the line with which it was refused."""

    subject: Subject
    config: Config
    library: Count
    here: Count | None = None
    refusal: str = ""
    crash: str = ""

    @property
    def word(self) -> str:
        """Equal, refused or wrong."""
        if self.refusal:
            return "refused"
        return "equal" if self.here == self.library else "wrong"

    def __str__(self) -> str:
        here = self.crash if self.here is None else f"{self.here.number:,}"
        found = f"{self.subject.name}: {json.dumps(self.config)}: the library {self.library.number:,}, here {here}"
        if self.here is None or self.here.shapes == self.library.shapes:
            return found
        lacks, more = self.library.shapes - self.here.shapes, self.here.shapes - self.library.shapes
        return f"{found}; lacks {_shown(lacks)}, and has instead {_shown(more)}"


def _shown(shapes: Shapes) -> str:
    listed = [f"{times} × {shape}" for shape, times in sorted(shapes.items())]
    return ", ".join(listed[:5]) + (f" and {len(listed) - 5} more" if len(listed) > 5 else "") if listed else "nothing"


def judge(subject: Subject, config: Config) -> Verdict:
    """Compare one config; NotBuiltError where the library has no model of it."""
    library = built(subject, config)
    try:
        model = load(deepcopy(config))
        return Verdict(subject, config, library, Count(model.count(frozen=True), _shapes(model)))
    except SymparamsError as error:
        return Verdict(subject, config, library, refusal=str(error))
    except Exception as error:  # noqa: BLE001 - a config must not bring down what reads it
        return Verdict(subject, config, library, crash=f"{type(error).__name__}: {error}")


def _shapes(model: Model) -> Shapes:
    """The arrays by shape: as the library names them where a family by hand does, since it may hold several in one."""
    by_hand = model.architecture.certificate is None
    return Counter(tuple(sorted(shape)) for _, shape in model.tensors(names="hf" if by_hand else "tree", frozen=True))


def built(subject: Subject, config: Mapping[str, Any]) -> Count:
    """What the library builds of a config, on the meta device."""
    import torch

    quiet()
    try:
        known = subject.config_class, subject.model_class  # imported before any time counts
        with warnings.catch_warnings(), torch.device("meta"), at_most(LONGEST):
            warnings.simplefilter("ignore")
            read = known[0]._decode_special_floats(json.loads(json.dumps(config)))  # as of a file
            own = known[0].from_dict(read)
            if own.sub_configs.get("text_config") is known[1].config_class:
                own = own.get_text_config()  # as the library's auto classes do
            parameters = list(known[1](own).parameters())
    except (Exception, LateError) as error:
        raise NotBuiltError(f"{type(error).__name__}: {error}") from error
    shapes = [tuple(sorted(one.shape)) for one in parameters]
    if sides := correction(subject.name, config, own.to_dict()):
        shapes.append(tuple(sorted(sides)))
    return Count(sum(map(prod, shapes)), Counter(shapes))


def verdicts(subject: Subject, number: int, seed: object) -> Iterator[Verdict]:
    """As many verdicts, of configs that the library builds; fewer where it builds few."""
    rng = Random(f"{seed} {subject.kind} {subject.name}")  # noqa: S311 - no secret
    found = 0
    with suppress(NotBuiltError):
        for config in islice(sample(subject, rng), number * MOST_TRIES):
            with suppress(NotBuiltError):
                yield judge(subject, config)
                found += 1
            if found == number:
                return


def smallest(verdict: Verdict) -> Verdict:
    """The same mistake with the fewest keys: each that can be left out is, and whole sections first."""
    found = verdict
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for path in sorted(paths(found.config), key=lambda path: (len(path), path)):
            if path[0] in ("model_type", "architectures"):
                continue
            left = _without(found.config, path)
            if left is None:
                continue
            with suppress(NotBuiltError):
                other = judge(found.subject, left)
                if other.word == "wrong":
                    found, is_smaller = other, True
    return found


def _without(config: Config, path: tuple[str, ...]) -> Config | None:
    left = deepcopy(config)
    inner: Any = left
    for key in path[:-1]:
        inner = inner.get(key)
        if not isinstance(inner, dict):
            return None
    if path[-1] not in inner:
        return None
    del inner[path[-1]]
    if path[-1] in LABELS:
        inner.pop("label2id", None)
    return left


def quiet() -> None:
    """No warnings of the library's own, and no questions to the hub."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    from transformers import logging

    logging.set_verbosity(logging.CRITICAL)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Stop what takes longer, in seconds of the processor; where signals cannot, it may take its time."""

    def late(*_: object) -> None:
        raise LateError(f"more than {seconds} s")

    try:
        before = signal.signal(signal.SIGPROF, late)
    except (AttributeError, ValueError):  # Windows, or not the main thread
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
