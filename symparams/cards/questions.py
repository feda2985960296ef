"""Questions as notes: on the front what is asked and the sizes, on the back the answer, the steps and the usual mistakes."""

from __future__ import annotations

import string
from collections.abc import Iterator

from symparams.cards.markup import Field, field, prose
from symparams.cards.note_types import CHOICE, QUESTION
from symparams.cards.notes import PROGRAM, AnkiNote, instance_of, note, worded
from symparams.expressions.nodes import Equality, Expression, Number
from symparams.expressions.written import tight
from symparams.practice.choices import choices
from symparams.practice.conditions import COUNT
from symparams.practice.kind import SYMBOLIC, QuestionTemplate, chapters, text_in
from symparams.practice.question import Question
from symparams.sheets.document import Document, Equation, Link
from symparams.sheets.practice.questions import answered, asked, is_exact, note_of, option, told, unit_of, wrong
from symparams.sheets.steps import Composer
from symparams.sheets.values import Listed
from symparams.sheets.whole import is_users, letters_of

WHY = "why"  # the deck of questions that are asked of no model in particular


def question_note(question: Question, language: str) -> AnkiNote:
    """The note of a question: one that is asked of no model in particular is one note, whichever models are studied."""
    kind = question.kind
    is_general = "models" not in kind.where and not (any(_slots(kind)) if kind.is_choice else kind.is_of_a_model)
    instance = "" if is_general else instance_of(question.model)
    whose = WHY if is_general else worded(question.model.name)
    tags = [f"{PROGRAM}::{kind.chapter}", f"level::{kind.level}", f"form::{question.form.name}"]
    tags += [] if is_general else [f"model::{whose}"]
    place = (whose, place_of(kind.chapter, language))
    sheet = Field(_document(question, language))
    fields = _choice(question, sheet) if kind.is_choice else _computed(question, sheet)
    source = {"Source": "" if is_general else prose(question.model.source)}
    return note(CHOICE if kind.is_choice else QUESTION, kind.name, instance, language, place, tags, fields | source)


def place_of(chapter: str, language: str) -> str:
    """Return the deck of a chapter, by whose number decks are sorted: 03 Heads, GQA and MLA."""
    number, entry = next((i, entry) for i, entry in enumerate(chapters(), 1) if entry.name == chapter)
    return f"{number:02} {text_in(entry.titles, language)}"


def _slots(kind: QuestionTemplate) -> Iterator[str]:
    """Return the sizes of the model that a question of reasons mentions."""
    for texts in (kind.texts, kind.right, kind.note, *kind.others):
        for text in texts.values():
            yield from (name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def _document(question: Question, language: str) -> Document:
    model = question.model
    letters = letters_of(model, "hidden", {})
    return Document("card", language, None, None, [], letters=letters, subject=model, is_users=is_users(model))


def _choice(question: Question, sheet: Field) -> dict[str, str]:
    language, offered = sheet.document.language, choices(question)
    texts = [sheet.text(option(choice, question, language)) for choice in offered]
    return {
        "Question": sheet.sentences(asked(question, language)),
        "Options": field("paragraphs", texts),
        "Answer": next(text for text, choice in zip(texts, offered, strict=True) if choice.is_right),
        "Step": field("paragraphs", _notes(question, sheet)),
    }


def _computed(question: Question, sheet: Field) -> dict[str, str]:
    language = sheet.document.language
    text, *how = asked(question, language, tells_sizes=False)
    mistakes = [sheet.text(sentence) for sentence in wrong(question, language)]
    heading = prose(str(sheet.words.catalogue.entry("cards.mistakes")))
    answer = sheet.equations([Equation(None, list(_answer(question, language)), in_a_row=True)])
    steps = [part for part in _steps(question, sheet) if part != answer]
    return {
        "Question": field("paragraphs", [sheet.text(text), *([sheet.sentences(how)] if how else [])]),
        "Answer": answer,
        "Step": field("paragraphs", [*steps, *_notes(question, sheet)]),
        "Mistakes": field("folded", heading, mistakes) if mistakes else "",
        "Numbers": sheet.text(Listed(tuple(_sizes(question, text_in(question.kind.texts, language))), "signs.list")),
    }


def _sizes(question: Question, text: str) -> Iterator[Expression]:
    """Return the values of the letters in the answer and the mistakes that the text has not given."""
    for dimension in (*question.letters, *(size for size in question.shown.dimensions if size == COUNT)):
        if question.form.name == SYMBOLIC or f"{{{dimension.name}}}" not in text:
            yield Equality(dimension, Number(question.size(dimension)))


def _answer(question: Question, language: str) -> Iterator[Link]:
    if question.shown.dimensions:
        yield Link(tight(question.shown), joins=False)
    if question.value is not None:
        yield Link(told(question.value, unit_of(question, language)), "=" if is_exact(question.value) else "≈")


def _steps(question: Question, sheet: Field) -> Iterator[str]:
    """Return the sentences and the equations of the steps behind the answer."""
    composer = Composer(sheet.words.catalogue, is_users=sheet.document.is_users)
    yield from (sheet.sentences(notes) for step in question.steps if (notes := composer.notes(step)))
    yield from (
        sheet.equations([block]) for block in answered(question, sheet.document.language) if isinstance(block, Equation)
    )


def _notes(question: Question, sheet: Field) -> list[str]:
    return [sheet.text(remark) for remark in note_of(question, sheet.document.language)]
