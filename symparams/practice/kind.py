"""Kinds of question: a record of the bank, which any model with the parts that it asks of makes into a question.

The bank is a file a chapter in ``bank/``; ``chapters.toml`` has their order and names, ``mistakes.toml`` what a learner is told
of a usual mistake. A record holds the sentences, what is read off the tree, and formulas; no number that a tree has.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from string import Formatter
from typing import Any

from symparams.errors import OptionError, UnknownNameError, quoted, suggestion
from symparams.records import frozen

BANK = Path(__file__).parent / "bank"
EDITION = "2026-11-28T09"  # the time of the bank, raised with every change of a text, by which decks of cards are updated
SYMBOLIC, NUMBER, ESTIMATE, CHOICE = "symbolic", "number", "estimate", "choice"
WARM_UP, STANDARD, HARD = LEVELS = "warm-up", "standard", "hard"
FORM = re.compile(r"symbolic|number|estimate (?P<percent>[0-9]+(?:\.[0-9]+)?) %|choice")

OF_A_BOARD = BOARD, PEAK, BANDWIDTH, MEMORY = "board", "peak", "BW", "mem"  # what a text says of the board that it is about
USUAL_PEAK = "bf16"  # the number type whose peak is meant
AS_WRITTEN = ("where", "step", "reads", "under", "answer", "unit", "note", "right", "peak", "topic")  # keys of a record
LANGUAGE = re.compile("[a-z]{2}(?:-[a-z]+)?")  # a key of a record that is a language
Texts = Mapping[str, str]


@frozen
class AnswerForm:
    """The form of an answer: a formula, an exact number, an estimate within a tolerance, one of several sentences."""

    name: str
    tolerance: Fraction | None = None

    def __str__(self) -> str:
        return self.name if self.tolerance is None else f"{self.name} {float(self.tolerance * 100):g} %"


@frozen
class Chapter:
    """A chapter of the bank: its name in a path, what it asks for, what it is called in each language, and the kinds in it."""

    name: str
    asks: str
    titles: Texts
    kinds: tuple[QuestionTemplate, ...]


@frozen
class QuestionTemplate:
    """A kind of question.

    ``step`` is the part of the tree whose count is asked, ``reads`` are parts by names of the record's own; ``answer`` and the
    ``wrong`` answers, by the name of the mistake, are formulas in the model's letters, in N for the whole count, in what is
    ``given`` besides and in those names; of numbers ``among`` which to choose, the answer is the largest that is no more than
    its formula. ``where`` says of which models it can be asked; ``under`` are relations that hold of these models, d_ff: 4*h,
    and under which an answer is read. A *why* has sentences for answers, and ``reasons`` why each of the others is wrong.

    ``boards`` are the boards one of which a question tells of: its ``peak`` in the number type of that name, the bandwidth
    ``BW``, the memory ``mem``. ``holds`` are relations that what is given satisfies: of several numbers and boards those are
    asked with which it does. ``topic`` is what the field calls the subject; every kind of the bank has one.
    """

    name: str
    chapter: str
    level: str
    forms: tuple[AnswerForm, ...]
    texts: Texts
    where: Mapping[str, Any] = field(default_factory=dict)
    step: str = ""
    reads: Mapping[str, Any] = field(default_factory=dict)
    given: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    under: Mapping[str, str] = field(default_factory=dict)
    answer: str = ""
    among: tuple[int, ...] = ()
    unit: str = ""
    note: Texts = field(default_factory=dict)
    wrong: tuple[tuple[str, str], ...] = ()
    right: Texts = field(default_factory=dict)
    others: tuple[Texts, ...] = ()
    reasons: tuple[Texts, ...] = ()
    boards: tuple[str, ...] = ()
    peak: str = USUAL_PEAK
    holds: tuple[str, ...] = ()
    topic: Texts = field(default_factory=dict)

    @property
    def is_choice(self) -> bool:
        """True if the question asks for a reason, among several sentences."""
        return self.forms[0].name == CHOICE

    @cached_property
    def is_of_a_model(self) -> bool:
        """True if its text has a place for the model's name or sizes; the others read the same for every model."""
        slots = {name for text in self.texts.values() for _, name, _, _ in Formatter().parse(text) if name is not None}
        return not slots <= {*OF_A_BOARD, *self.given}


@cache
def chapters() -> tuple[Chapter, ...]:
    """The chapters in their order."""
    names = records("chapters")
    return tuple(
        Chapter(
            name,
            titles.pop("asks"),
            titles,
            tuple(template(key if "." in key else f"{name}.{key}", name, record) for key, record in records(name).items()),
        )
        for name, titles in names.items()
        if (BANK / f"{name}.toml").exists()
    )


@cache
def kinds() -> Mapping[str, QuestionTemplate]:
    """Every kind by its name, chapter by chapter."""
    return {kind.name: kind for chapter in chapters() for kind in chapter.kinds}


@cache
def mistakes() -> Mapping[str, Texts]:
    """Return the sentences that tell a learner of each usual mistake."""
    return records("mistakes")


def check_language(language: str) -> None:
    """OptionError for a language in which the bank of questions has no sentences."""
    text_in(next(iter(mistakes().values())), language)


def text_in(texts: Texts, language: str) -> str:
    """Return a text in a language; OptionError for one in which the bank of questions has no sentences."""
    if language not in texts:
        raise OptionError(f"The bank of questions has no sentences in {quoted(language)}: choose {' or '.join(texts)}.")
    return texts[language]


def chapter(name: str) -> Chapter:
    """The chapter of a name; UnknownNameError lists the chapters."""
    by_name = {entry.name: entry for entry in chapters()}
    if name not in by_name:
        raise UnknownNameError(f"Unknown chapter {quoted(name)}. {suggestion(name, by_name)}")
    return by_name[name]


def template(name: str, chapter: str, record: Mapping[str, Any]) -> QuestionTemplate:
    """The kind that a record of a chapter is."""
    sentences, formulas = (record.get("wrong", ()), {}) if "right" in record else ((), record.get("wrong", {}))
    return QuestionTemplate(
        name=name,
        chapter=chapter,
        level=record["level"],
        forms=tuple(map(_form, record.get("forms", (CHOICE,)))),
        texts=_texts(record),
        given={letter: _several(text) for letter, text in record.get("given", {}).items()},
        wrong=tuple((mistake, formula) for mistake, text in formulas.items() for formula in _several(text)),
        others=tuple(map(_texts, sentences)),
        reasons=tuple(wrong["why"] for wrong in sentences),
        among=tuple(record.get("among", ())),
        boards=tuple(record.get("boards", ())),
        holds=tuple(record.get("holds", ())),
        **{key: record[key] for key in AS_WRITTEN if key in record},
    )


def _several(text: str | Sequence[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def _texts(record: Mapping[str, Any]) -> Texts:
    return {key: text for key, text in record.items() if LANGUAGE.fullmatch(key)}


def _form(text: str) -> AnswerForm:
    match = FORM.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} is not a form of a question")
    return AnswerForm(text.partition(" ")[0], Fraction(match["percent"]) / 100 if match["percent"] else None)


def records(name: str) -> dict[str, Any]:
    """The records of a file of the bank, as they stand."""
    return tomllib.loads((BANK / f"{name}.toml").read_text(encoding="utf-8"))
