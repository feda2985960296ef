"""What the site shows of all models, as ``shown.toml`` beside this file names it: an example, pairs to compare, plots."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple


class ChosenPlot(NamedTuple):
    """A plot of single models: its kind, the models, its options."""

    kind: str
    models: tuple[str, ...]
    options: dict[str, Any]


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def example() -> str:
    """Return the model whose count the first page explains."""
    return str(_table()["example"])


def pairs() -> list[tuple[str, str]]:
    """Return the pairs of models that are compared."""
    return [(first, other) for first, other in _table()["pairs"]]


def plots() -> list[ChosenPlot]:
    """Return the plots of single models."""
    return [ChosenPlot(each["kind"], tuple(each["models"]), each.get("options", {})) for each in _table()["plots"]]
