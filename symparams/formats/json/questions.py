"""The data of questions: what is asked, the answer as text that the quiz takes, the steps behind it, the usual mistakes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symparams.expressions.closed_form import as_written
from symparams.expressions.nodes import Expression
from symparams.expressions.printing.printer import plain
from symparams.formats.json.blocks import exactly
from symparams.practice.choices import AnswerOption
from symparams.practice.conditions import COUNT
from symparams.practice.kind import EDITION, SYMBOLIC
from symparams.practice.question import Question
from symparams.practice.replies import BYTES
from symparams.sheets.practice.facts import words
from symparams.sheets.practice.questions import asked, option, reason_of, text_of, told, why

if TYPE_CHECKING:
    from symparams.formats.json.data import Data


def questions(data: Data) -> dict[str, Any]:
    """A booklet's questions, or an exam's."""
    return {"edition": EDITION, "questions": [question(data, asking) for asking in data.document.subject.questions]}


def formulas(data: Data) -> dict[str, Any]:
    """The formulas of a sheet, with what their numbers are worked out from."""
    language = data.document.language
    return {
        "edition": EDITION,
        "formulas": [
            {
                "name": formula.name,
                "chapter": formula.chapter,
                "target": formula.model.name,
                **{place: data.text(words(formula, place, language)) for place in ("formula", "example", "number")},
                "values": {name: exactly(formula.numbers[name]) for name in formula.record.get("numbers", {})},
            }
            for formula in data.document.subject.formulas
        ],
    }


def question(data: Data, asking: Question) -> dict[str, Any]:
    """Return a question with its answer, and the options of a multiple choice."""
    choices = data.document.subject.choices(asking)
    is_formula = asking.form.name == SYMBOLIC
    record: dict[str, Any] = {
        "kind": asking.kind.name,
        "chapter": asking.kind.chapter,
        "topic": asking.kind.topic.get(data.document.language, ""),
        "level": asking.kind.level,
        "form": str(asking.form),
        "target": asking.model.name,
        "question": " ".join(data.text(sentence) for sentence in asked(asking, data.document.language)),
        "answer": _right(data, asking, choices),
        "value": None if is_formula else exactly(asking.value),
        "unit": asking.kind.unit,
        "steps": [data.step(step) for step in asking.steps],
        "wrong": [
            {
                "answer": plain(in_letters(asking, mistake.written))
                if is_formula
                else decimal(data, mistake.value, asking.kind.unit),
                "value": None if is_formula else exactly(mistake.value),
                "mistake": mistake.names[0],
                "why": data.text(why(mistake.names, asking, data.document.language)),
            }
            for mistake in asking.mistakes
        ],
    }
    if choices:
        record["options"] = [data.text(option(choice, asking, data.document.language)) for choice in choices]
    if asking.kind.is_choice:
        record["wrong"] = [
            {"answer": choice.letter, "value": None, "mistake": None, **_why(data, choice, asking)}
            for choice in choices
            if not choice.is_right
        ]
        record["reason"] = data.text(text_of(asking.kind.right, data.document.language, asking))
    return record


def _why(data: Data, choice: AnswerOption, asking: Question) -> dict[str, str]:
    told_all = [data.text(reason) for reason in reason_of(choice, asking, data.document.language)]
    return {"why": " ".join(told_all)} if told_all else {}


def _right(data: Data, asking: Question, choices: tuple[AnswerOption, ...]) -> str:
    if asking.kind.is_choice:
        return next(choice.letter for choice in choices if choice.is_right)
    if asking.form.name == SYMBOLIC or asking.value is None:
        return plain(asking.shown)
    return decimal(data, asking.value, asking.kind.unit)


def in_letters(asking: Question, written: Expression) -> Expression:
    """A formula in the letters in which the question is to be answered: N is written out where that is not an answer."""
    if COUNT not in written.dimensions or COUNT in asking.shown.dimensions:
        return written
    return as_written(asking.multiplied_out(written))


def decimal(data: Data, value: int | Fraction, unit: str) -> str:
    """A number in digits, a fraction rounded, with its unit where it has one but a byte, which may be read as a billion."""
    return data.text(told(value, "" if unit == BYTES else unit)).replace(",", "").replace("−", "-")
