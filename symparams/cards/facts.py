"""Facts as notes: a short question, its formula, and the reason with its numbers."""

from __future__ import annotations

from collections.abc import Iterator

from symparams.cards.markup import Field
from symparams.cards.note_types import QUESTION
from symparams.cards.notes import PROGRAM, AnkiNote, note
from symparams.cards.questions import place_of
from symparams.practice.facts import facts
from symparams.sheets.document import Document
from symparams.sheets.practice.facts import words
from symparams.sheets.whole import letters_of

FACT, DECK = "fact", "facts"


def fact_notes(language: str, of_chapter: str = "") -> Iterator[AnkiNote]:
    """The notes of the facts of a chapter, or of all."""
    for fact in facts():
        if of_chapter in ("", fact.chapter):
            letters = letters_of(fact.model, "hidden", {})
            sheet = Field(Document("card", language, None, None, [], letters=letters, subject=fact.model))
            places = {"Question": "front", "Answer": "formula", "Step": "back"}
            fields = {name: sheet.text(words(fact, place, language)) for name, place in places.items()}
            place = (DECK, place_of(fact.chapter, language))
            tags = [f"{PROGRAM}::{fact.chapter}", f"form::{FACT}"]
            yield note(QUESTION, f"{FACT}.{fact.name}", "", language, place, tags, fields)
