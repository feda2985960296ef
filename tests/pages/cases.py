"""Settings of a page by chance, and what Python makes of them: a count, what is missing, or what cannot be."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, NamedTuple

from symparams import Model, SymparamsError, architectures, load
from symparams.expressions.closed_form import as_written
from symparams.pages.data import content, words_of_page
from symparams.pages.packing import packed
from symparams.pages.quantities import USUAL
from tests.sweeps import swept

LARGE = 10**28
WORDS = words_of_page()
FEW = ("bert", "llama", "mixtral", "t5", "deepseek_v3", "mamba", "clip", "gemma3")


FAMILIES = swept(architectures(), FEW, group="page of {}")
UNREAD = ("x", "4*", "1e5h", "(3", "²", "__proto__", "constructor", "12 12", "10**41")


class Case(NamedTuple):
    """What is typed and ticked, and what is true of it."""

    given: dict[str, str]
    on: list[str]
    count: str | None
    closed: str | None
    fault: str | None

    @property
    def asked(self) -> dict[str, Any]:
        """What the runtime is given."""
        return {"given": self.given, "on": self.on}


@cache
def content_of(target: str) -> dict[str, Any]:
    """What a page holds, as its runtime reads it."""
    return content(load(target), "hidden", {}, USUAL)


@cache
def page_of(target: str) -> dict[str, Any]:
    """The data of a page."""
    return packed(content_of(target))


def cases(target: str, number: int, *, seed: int = 1, largest: int = LARGE, faults: bool = False) -> list[Case]:
    """So many settings, by chance; with ``faults`` small sizes that rarely agree, and texts that are no size."""
    chance = Random(f"{target} {seed}")  # noqa: S311 - for sizes, not for secrets
    return [_case(load(target), chance, largest, faults=faults) for _ in range(number)]


def _case(model: Model, chance: Random, largest: int, *, faults: bool) -> Case:
    on = [feature for feature in model.features if chance.random() < 0.5]
    heads, given = chance.choice((1, 2, 4, 8)), {}
    for dimension in model.architecture.dimensions:
        if chance.random() < (0.5 if dimension in model.architecture.known else 0.05 * faults):
            continue
        if faults:
            given[dimension.name] = chance.choice(UNREAD) if chance.random() < 0.02 else str(chance.choice((2, 4, 8, 16, 64)))
        else:
            given[dimension.name] = str(heads if "heads" in dimension.name else 64 * heads * chance.randint(1, largest // 512))
    return worked(model, given, on)


def worked(model: Model, given: dict[str, str], on: list[str]) -> Case:
    """What Python makes of settings."""
    off = [feature for feature in model.features if feature not in on]
    try:
        found = load(model.architecture, include=on, exclude=off, **given)
    except SymparamsError as error:
        return Case(given, on, None, None, str(error))
    return Case(given, on, None if found.unbound else str(found.count()), repr(as_written(found.polynomial())), None)
