"""The bank of questions on the web: a page a chapter with the answers folded, asked one by one where scripts run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, NamedTuple

from symparams.expressions import amounts
from symparams.expressions.printing.mathml import escape
from symparams.formats.sheet import Sheet
from symparams.pages.data import as_json
from symparams.practice import marking, units
from symparams.practice.asking import forms
from symparams.practice.bank import chosen, models, of_each
from symparams.practice.choices import AnswerOption, choices
from symparams.practice.kind import ESTIMATE, SYMBOLIC, Chapter, chapter, chapters, text_in
from symparams.practice.question import Question
from symparams.records import frozen
from symparams.sheets.catalogue import catalogue
from symparams.sheets.document import Block, Document, Item, Lines, Section
from symparams.sheets.practice.booklet import answer
from symparams.sheets.practice.cheat_sheet import cheat_sheet
from symparams.sheets.practice.questions import asked, option, reason_of, told, unit_of, why
from symparams.sheets.values import Sentence
from symparams.site.frame import DocumentPage, Edition, Files, Frame

SEED = "0"
SAID = ("right", "not_yet", "too_large", "too_small", "coarse", "coarse_as", "reply.near", "reply.fraction")


def index(edition: Edition) -> Files:
    """Return the list of chapters."""
    return QuestionsPage("questions", edition).render()


def chapter_page(name: str, edition: Edition) -> Files:
    """Return the page of a chapter."""
    asked_about = models()
    questions = tuple(map(in_numbers, of_each(chosen(name), asked_about)))
    return ChapterPage(f"questions/{name}", edition, chapter(name), questions).render()


def formulas(edition: Edition) -> Files:
    """Return the page of formulas."""
    return DocumentPage("cheat-sheet", edition, cheat_sheet(edition.language)).render()


def in_numbers(question: Question) -> Question:
    """Return a question as a number, where it can be asked so: a page reads no formulas."""
    if question.form.name != SYMBOLIC:
        return question
    others = (form for form in forms(question) if form.name != SYMBOLIC)
    return replace(question, form=next(others, question.form))


class AskedOption(NamedTuple):
    """An answer to choose: what it says, whether it is right, and why it is not."""

    text: str
    is_right: bool
    why: str


class AskedQuestion(NamedTuple):
    """A question, printed: what is asked, the answers to choose from, the answer, what a page marks a number by."""

    question: str
    level: str
    options: Sequence[AskedOption]
    answer: Section
    value: str
    said: str
    tolerance: str
    unit: str
    unit_word: str
    mistakes: Sequence[tuple[str, str]]


@frozen
class QuestionsPage(Frame):
    """The chapters of the bank."""

    template: ClassVar[str] = "questions"

    @property
    def chapters(self) -> Iterator[tuple[str, str, int]]:
        """The name of each chapter, its title and the number of its questions."""
        return ((each.name, escape(text_in(each.titles, self.language)), len(each.kinds)) for each in chapters())


@frozen
class ChapterPage(Frame):
    """The questions of a chapter."""

    template: ClassVar[str] = "chapter"
    scripts: ClassVar[Sequence[str]] = ("html/rational", "html/amounts", "site/quiz")

    chapter: Chapter
    questions: Sequence[Question]

    @property
    def title(self) -> str:
        return escape(text_in(self.chapter.titles, self.language))

    @cached_property
    def printed(self) -> Sheet:
        """What prints the questions."""
        return self.sheet(Document("questions", self.language, None, None, []))

    @property
    def asked(self) -> Iterator[AskedQuestion]:
        """The questions with their answers."""
        return map(self._asked, self.questions)

    def _asked(self, question: Question) -> AskedQuestion:
        sheet, is_number = self.printed, question.form.name != SYMBOLIC and not question.kind.is_choice
        options: Sequence[AnswerOption] = () if is_number else choices(question, SEED)
        blocks: list[Block] = list(answer(Sentence("practice.key"), question, options, self.language))
        if is_number:  # the mistakes are listed beside what they are told by
            blocks = [block for block in blocks if not isinstance(block, Lines)]
        blocks = [replace(block, name=Sentence("practice.key")) if isinstance(block, Item) else block for block in blocks]
        value = Fraction(question.value) if is_number and question.value is not None else None
        tolerance = question.form.tolerance if question.form.name == ESTIMATE else None
        return AskedQuestion(
            sheet.paragraph(asked(question, self.language)),
            self.known(f"practice.level.{question.kind.level}"),
            [
                AskedOption(
                    sheet.text(option(each, question, self.language)),
                    each.is_right,
                    sheet.paragraph(
                        reason_of(each, question, self.language)
                        or ([why(each.mistakes, question, self.language)] if each.mistakes else [])
                    ),
                )
                for each in options
            ],
            Section("answer", None, blocks),
            str(value) if value is not None else "",
            sheet.text(told(question.value, unit_of(question, self.language))) if question.value is not None else "",
            str(tolerance) if tolerance is not None else "",
            escape(question.kind.unit),
            escape(unit_of(question, self.language)),
            [
                (str(Fraction(mistake.value)), sheet.text(why(mistake.names, question, self.language)))
                for mistake in (question.mistakes if is_number else ())
            ],
        )

    def wrong(self, value: str, unit: str) -> str:
        """A wrong number, as it is told."""
        return self.printed.text(told(Fraction(value), unit))

    @property
    def data(self) -> str:
        """What Python marks numbers by: the words of units, the digits that are enough, and what is said to a reply."""
        entries = catalogue(self.language).entries
        words = {key.rpartition(".")[2]: entries[f"quiz.{key}"] for key in SAID}
        return as_json(
            {
                "counts": dict(amounts.COUNTS),
                "bytes": dict(amounts.BYTES),
                "capacity": dict(amounts.CAPACITY),
                "flops": dict(amounts.FLOPS),
                "words": {unit: list(names) for unit, names in units.WORDS.items()},
                "times": {name: str(seconds) for name, seconds in units.TIMES.items()},
                "enough": marking.ENOUGH_DIGITS,
                "few": marking.FEW_DIGITS,
                "rounded": marking.LEAST_ROUNDED,
                "said": words | {key: entries[f"site.quiz.{key}"] for key in ("unreadable", "of")},
            }
        )
