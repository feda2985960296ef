"""Facts and formulas that are told rather than asked: their words, and their numbers, worked out from models and boards.

``numbers`` of a record are formulas in the model's letters, in N, in what it ``reads``, in peak, BW and mem of its ``board``,
and in the numbers before; a table { model, reads, board, of } is a formula of another model or board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

from symparams.answers.boards import board
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import letter
from symparams.expressions.written import exact
from symparams.models.load import load
from symparams.models.model import Model
from symparams.practice.conditions import COUNT, parsed
from symparams.practice.kind import BANDWIDTH, LANGUAGE, MEMORY, PEAK, USUAL_PEAK, Texts, records
from symparams.practice.measures import inputs
from symparams.practice.readings import read
from symparams.records import frozen


@frozen
class Fact:
    """A fact, or a formula with an example: its name for ever, its chapter, its words by their place, and its numbers."""

    name: str
    chapter: str
    record: Mapping[str, Any] = field(hash=False)

    @cached_property
    def model(self) -> Model:
        """The model that it speaks of."""
        return load(self.record["model"])

    @cached_property
    def numbers(self) -> Mapping[str, int | Fraction]:
        """What its words may name: the model's sizes, N, and the numbers that are worked out, each exactly."""
        known = _known(self.model, self.record)
        for name, wanted in self.record.get("numbers", {}).items():
            known[letter(name)] = _worth(wanted, self.model, known)
        return {dimension.name: value for dimension, value in known.items()}

    def texts(self, place: str) -> Texts:
        """Return the words of a place, "front" or "back", in each language; those of a formula may be the same in all."""
        words = self.record.get(place, self.record["model"] if place == "example" else {})
        own = {key: texts.get(place, words) for key, texts in self.record.items() if LANGUAGE.fullmatch(key)}
        return words if isinstance(words, Mapping) and words else own


def facts(name: str = "facts") -> list[Fact]:
    """The facts of the bank, or the formulas of its "cheat-sheet", in their order."""
    return [Fact(key, record["chapter"], record) for key, record in records(name).items()]


def _known(model: Model, record: Mapping[str, Any]) -> dict[Dimension, int | Fraction]:
    """The values of the letters of a formula on a model, and on a board where the record names one."""
    given = {letter(name): value for name, value in record.get("given", {}).items()}
    known: dict[Dimension, int | Fraction] = {COUNT: model.count(), **model.values, **given}
    for name, wanted in record.get("reads", {}).items():
        meaning = read(model, wanted)
        assert meaning is not None, name
        asked = inputs(model, wanted) if isinstance(wanted, Mapping) and "quantity" in wanted else {}
        known[letter(name)] = exact(meaning, {**model.values, **given, **asked})
    if "board" in record:
        of = board(record["board"])
        known |= {letter(PEAK): of.peak[USUAL_PEAK], letter(BANDWIDTH): of.bandwidth, letter(MEMORY): of.memory}
    return known


def _worth(wanted: str | Mapping[str, Any], model: Model, known: Mapping[Dimension, int | Fraction]) -> int | Fraction:
    if not isinstance(wanted, str):
        other = load(wanted["model"]) if "model" in wanted else model
        return _worth(wanted["of"], other, _known(other, wanted))
    return exact(parsed(wanted), cast("Mapping[Dimension, int]", known))  # a fraction is folded as well
