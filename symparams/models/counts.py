"""The counts of all published models, kept: ``counts.json`` beside this file, a line a model, which a test works out anew."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from symparams.architectures import published_names


class Counted(NamedTuple):
    """A published model: its family, its number of parameters, its sizes, by the names of their letters."""

    name: str
    family: str
    parameters: int
    sizes: Mapping[str, int]


@cache
def kept() -> tuple[Counted, ...]:
    """Return the published models as they were counted last; none of them is loaded."""
    rows = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return tuple(Counted(*row) for row in rows)


def counted() -> Iterator[Counted]:
    """Yield each published model, counted now."""
    from symparams.models.load import load_with

    for name in published_names():
        model = load_with(name, {})
        yield Counted(name, model.family, model.count(), {str(letter): value for letter, value in model.values.items()})


def written() -> str:
    """Return the text of the file for what is counted now."""
    rows = (json.dumps(list(row), ensure_ascii=False, separators=(",", ":")) for row in counted())
    return "[\n" + ",\n".join(rows) + "\n]\n"
