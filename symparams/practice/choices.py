"""Choices: the answers among which one is right, in an order that a seed puts them in.

A *why* has its own sentences. A computed question takes the usual wrong answers; none where 0 would stand alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from string import ascii_lowercase

from symparams.expressions.nodes import Expression
from symparams.practice.chance import ordered
from symparams.practice.kind import SYMBOLIC, Texts
from symparams.practice.question import Question

MOST = 4
FEWEST = 3


@dataclass(frozen=True)
class AnswerOption:
    """One of several answers: its letter, the sentence or the formula or number, whether it is right, and its mistake."""

    letter: str
    texts: Texts | None
    written: Expression | None
    value: int | Fraction | None
    is_right: bool
    mistakes: tuple[str, ...] = ()


def choices(question: Question, *seed: object) -> tuple[AnswerOption, ...]:
    """The answers to choose among; none where a computed question has too few usual mistakes."""
    kind = question.kind
    if kind.is_choice:
        options = [AnswerOption("", kind.right, None, None, is_right=True)]
        options += [AnswerOption("", texts, None, None, is_right=False) for texts in kind.others]
        return _lettered(ordered(options, *seed, kind.name, key=lambda option: next(iter((option.texts or {}).values()))))
    if question.value == 0 or len(question.mistakes) < FEWEST - 1:
        return ()
    is_formula = question.form.name == SYMBOLIC
    right = AnswerOption("", None, question.shown if is_formula else None, question.value, is_right=True)
    wrong = [
        AnswerOption("", None, mistake.written if is_formula else None, mistake.value, is_right=False, mistakes=mistake.names)
        for mistake in ordered(question.mistakes, *seed, kind.name, key=lambda option: str(option.value))[: MOST - 1]
    ]
    return _lettered(ordered([right, *wrong], *seed, kind.name, question.model.name, key=lambda choice: str(choice.value)))


def _lettered(options: Sequence[AnswerOption]) -> tuple[AnswerOption, ...]:
    return tuple(
        AnswerOption(letter, option.texts, option.written, option.value, option.is_right, option.mistakes)
        for letter, option in zip(ascii_lowercase, options, strict=False)
    )
