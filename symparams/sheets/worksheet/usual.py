"""The usual mistakes of each step of a worksheet, told by the bank's kinds that ask of that step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from symparams.derivations.steps import Step, StepKind
from symparams.expressions.nodes import Expression, Named, Number
from symparams.models.model import Model
from symparams.practice.asking import ask
from symparams.practice.kind import SYMBOLIC, AnswerForm, kinds
from symparams.practice.question import Mistake, Question
from symparams.sheets.document import Item
from symparams.sheets.practice.questions import wrong_answer
from symparams.sheets.values import Capital, Name, Sentence
from symparams.sheets.worksheet.blanks import ALPHABET, Blanks

MOST = 2  # mistakes of one step


def usual(blanks: Blanks, language: str) -> Iterator[Item]:
    """Yield the usual mistakes of each step that the bank asks for, two at most, under the number of its blanks."""
    known = _mistakes(blanks.worksheet.derivation.model)
    for step, number in _steps(blanks).items():
        left = blanks.steps.get(step)
        mistakes_of = known.get((str(left.label), left.definition)) if isinstance(left, Named) else None
        if isinstance(left, Named) and mistakes_of:
            name = Capital(Name(str(left.label or "total")))
            sentence = Sentence("worksheet.step", {"number": Number(int(number)), "name": name})
            yield Item(sentence, [wrong_answer(question, mistake, language) for question, mistake in mistakes_of[:MOST]])


def _steps(blanks: Blanks) -> dict[int, str]:
    """The number on paper of each step that has a blank."""
    by_step: dict[int, str] = {}
    for i, number in blanks.numbers.items():
        by_step.setdefault(blanks.gaps[i].step, number.rstrip(ALPHABET))
    return {step: number for step, number in by_step.items() if step}


def _mistakes(model: Model) -> dict[tuple[str, Expression], list[tuple[Question, Mistake]]]:
    """Return the usual mistakes of each step by its name and formula, from the questions about it, each once."""
    by_step: dict[tuple[str, Expression], dict[int | Fraction, tuple[Question, Mistake]]] = {}
    asked = (ask(kind, model) for kind in kinds().values() if kind.step and not kind.is_choice)
    for question in asked:
        step = question.steps[0] if question is not None and question.steps else None
        if question is not None and step is not None and question.polynomial == step.polynomial:
            in_letters = replace(question, form=AnswerForm(SYMBOLIC))
            known = by_step.setdefault((_name(step), step.written), {})
            for mistake in in_letters.mistakes:
                known.setdefault(mistake.value, (in_letters, mistake))
    return {step: list(known.values()) for step, known in by_step.items()}


def _name(step: Step) -> str:
    return "" if step.kind is StepKind.TOTAL else str(step.name)
