"""Choices: the answers among which one is right, in an order that a seed puts them in.

A *why* has its own sentences. A computed question takes the usual wrong answers; none where 0 would stand alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from fractions import Fraction
from string import ascii_lowercase

from symparams.expressions.nodes import Expression
from symparams.practice.chance import ordered
from symparams.practice.kind import SYMBOLIC, Texts
from symparams.practice.question import Question
from symparams.records import frozen

MOST = 4
FEWEST = 3


@frozen
class AnswerOption:
    """One of several answers: whether it is right, its letter, the sentence or the formula or number, its mistakes.

    ``why`` says of a wrong sentence what is wrong with it.
    """

    is_right: bool
    letter: str = ""
    texts: Texts | None = None
    written: Expression | None = None
    value: int | Fraction | None = None
    mistakes: tuple[str, ...] = ()
    why: Texts = field(default_factory=dict)


def choices(question: Question, *seed: object) -> tuple[AnswerOption, ...]:
    """The answers to choose among; none where a computed question has too few usual mistakes."""
    kind = question.kind
    if kind.is_choice:
        options = [AnswerOption(is_right=True, texts=kind.right)]
        wrong_ones = zip(kind.others, kind.reasons, strict=True)
        options += [AnswerOption(is_right=False, texts=texts, why=why) for texts, why in wrong_ones]
        return _lettered(ordered(options, *seed, kind.name, key=lambda option: next(iter((option.texts or {}).values()))))
    if question.value == 0 or len(question.mistakes) < FEWEST - 1:
        return ()
    is_formula = question.form.name == SYMBOLIC
    right = AnswerOption(is_right=True, written=question.shown if is_formula else None, value=question.value)
    wrong = [
        AnswerOption(False, "", None, mistake.written if is_formula else None, mistake.value, mistake.names)
        for mistake in ordered(question.mistakes, *seed, kind.name, key=lambda option: str(option.value))[: MOST - 1]
    ]
    return _lettered(ordered([right, *wrong], *seed, kind.name, question.model.name, key=lambda choice: str(choice.value)))


def _lettered(options: Sequence[AnswerOption]) -> tuple[AnswerOption, ...]:
    return tuple(replace(option, letter=letter) for letter, option in zip(ascii_lowercase, options, strict=False))
