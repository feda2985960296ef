"""A booklet of questions: chapter by chapter, and the key on pages of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from symparams.practice.choices import AnswerOption, choices
from symparams.practice.kind import chapter, text_in
from symparams.practice.question import Question
from symparams.practice.worksheet import END
from symparams.records import frozen
from symparams.sheets.document import Block, Document, Item, Lines, Section
from symparams.sheets.practice.key import with_key
from symparams.sheets.practice.questions import answered, asked, note_of, option, refuted, wrong
from symparams.sheets.values import Listed, Phrase, Prose, Sentence, Value


@frozen
class Booklet:
    """Questions in their order, with the seed that moves their options, and whether computed ones have options too."""

    questions: tuple[Question, ...]
    seed: str = "0"
    has_choices: bool = False

    def choices(self, question: Question) -> tuple[AnswerOption, ...]:
        """The options of a question, none where it has none."""
        return choices(question, self.seed) if self.has_choices or question.kind.is_choice else ()


def booklet(
    questions: Sequence[Question], language: str = "en", key: str = END, seed: str = "0", *, has_choices: bool = False
) -> Document:
    """Questions chapter by chapter, then the key; ``key`` is "end", "only" or "none"."""
    subject = Booklet(tuple(questions), seed, has_choices)
    numbered = list(enumerate(questions, 1))
    sections: list[Section] = []
    for name, group in groupby(numbered, key=lambda entry: entry[1].kind.chapter):
        blocks = [block for number, question in group for block in _question(number, question, subject, language)]
        sections.append(Section(name, Phrase((text_in(chapter(name).titles, language),)), blocks))
    answers = [
        block
        for number, question in numbered
        for block in answer(_numbered(number), question, subject.choices(question), language)
    ]
    keyed = Section("key", Sentence("practice.key"), answers)
    return Document("questions", language, _title(questions), None, with_key(key, sections, [keyed]), subject=subject)


def _title(questions: Sequence[Question]) -> Value:
    names = {question.model.name for question in questions}
    if len(names) == 1:
        return Sentence("practice.title_of", {"model": Prose(names.pop())})
    return Sentence("practice.title", {"what": what(questions)})


def what(questions: Sequence[Question]) -> Value:
    """Return what the questions ask for, as how many parameters, each once in the order of the chapters."""
    asks = dict.fromkeys(chapter(question.kind.chapter).asks for question in questions)
    return Listed(tuple(Sentence(f"practice.asks.{key}") for key in asks), "signs.list")


def _question(number: int, question: Question, booklet: Booklet, language: str) -> Iterator[Block]:
    level = Sentence(f"practice.level.{question.kind.level}")
    options = booklet.choices(question)
    yield Item(_numbered(number), [*asked(question, language), Sentence("practice.marked", {"level": level})])
    if options:
        yield Lines([option(choice, question, language) for choice in options], are_options=True)


def answer(name: Sentence, question: Question, options: Sequence[AnswerOption], language: str) -> Iterator[Block]:
    """The answer of a question in the key: the option, the steps, what the usual mistakes are."""
    right = [option(choice, question, language) for choice in options if choice.is_right]
    if question.kind.is_choice:
        yield Item(name, [*right, *note_of(question, language)])
        if wrong_ones := [refuted(choice, question, language) for choice in options if choice.why]:
            yield Lines(wrong_ones)
        return
    yield Item(name, [*right, *(_label(question) if not right else []), *note_of(question, language)])
    yield from answered(question, language)
    if told := wrong(question, language):
        yield Lines(told)


def _numbered(number: int) -> Sentence:
    return Sentence("practice.number", {"number": Prose(str(number))})


def _label(question: Question) -> list[Value]:
    return [] if not question.kind.is_of_a_model else [Sentence("practice.of", {"model": Prose(question.model.name)})]
