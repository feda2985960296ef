"""An exam on paper: name and class, the questions with room to write, the key apart."""

from __future__ import annotations

from collections.abc import Iterator

from symparams.expressions.nodes import Number
from symparams.practice.conditions import COUNT
from symparams.practice.exam import POINTS, Exam
from symparams.practice.kind import HARD, NUMBER
from symparams.practice.question import Question
from symparams.practice.worksheet import END
from symparams.sheets.document import Block, Document, Item, Lines, Paragraph, Section, Space
from symparams.sheets.practice.booklet import answer, what
from symparams.sheets.practice.key import with_key
from symparams.sheets.practice.questions import asked, option
from symparams.sheets.values import Prose, Sentence, Value

ROOM = {NUMBER: 1, HARD: 4}
FIELDS = ("name", "class", "date", "points")
LINE = 9  # millimetres from one line to write on to the next
USUAL_ROOM = 3  # lines to write on


def exam(composed: Exam, language: str = "en", key: str = END) -> Document:
    """The exam, then its key; ``key`` is "end", "only" or "none"."""
    numbered = list(enumerate(composed.questions, 1))
    terms: dict[str, Value] = {
        "number": Number(len(composed.questions)),
        "points": Number(composed.points),
        "count": COUNT,
    }
    head = Section("head", None, [Paragraph([Sentence("practice.rules", terms)])])
    questions = [block for number, question in numbered for block in _question(number, question, composed, language)]
    drawn = Sentence("practice.drawn", {"seed": Prose(composed.seed)})
    answers: list[Block] = [Paragraph([drawn, Sentence("practice.half")])]
    for number, question in numbered:
        answers += answer(_numbered(number, question), question, composed.choices(question), language)
    paper = [head, Section("questions", None, questions)]
    keyed = Section("key", Sentence("practice.key"), answers)
    title = Sentence("practice.exam", {"what": what(composed.questions), "variant": Prose(composed.variant)})
    fields = [Sentence(f"practice.fields.{field}") for field in FIELDS]
    return Document(
        "questions", language, title, None, with_key(key, paper, [keyed]), subject=composed, fields=fields, writing=LINE
    )


def _numbered(number: int, question: Question) -> Sentence:
    """The number of a question, with the points that it gives."""
    terms: dict[str, Value] = {"number": Prose(str(number)), "points": Prose(str(POINTS[question.kind.level]))}
    return Sentence("practice.number_of", terms)


def _question(number: int, question: Question, composed: Exam, language: str) -> Iterator[Block]:
    yield Item(_numbered(number, question), asked(question, language))
    choices = composed.choices(question)
    if choices:
        yield Lines([option(choice, question, language) for choice in choices], are_options=True)
        return
    yield Space(ROOM.get(question.kind.level, ROOM.get(question.form.name, USUAL_ROOM)))
