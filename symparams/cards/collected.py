"""The notes of a deck: of each model the questions that can be asked of it and its derivation, or the bank's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symparams.cards.derivations import derivation_notes
from symparams.cards.markup import Field
from symparams.cards.note_types import QUESTION
from symparams.cards.notes import PROGRAM, AnkiNote, instance_of, note
from symparams.cards.questions import place_of, question_note
from symparams.errors import OptionError, quoted
from symparams.models.model import Model
from symparams.practice.bank import chosen, of_each
from symparams.practice.bank import models as familiar
from symparams.practice.facts import facts
from symparams.records import frozen
from symparams.sheets.document import Document
from symparams.sheets.practice.facts import words
from symparams.sheets.whole import letters_of

FACT, FACTS = "fact", "facts"  # a kind of note, and the deck of them


@frozen
class Deck:
    """Flash cards: notes in a language."""

    notes: tuple[AnkiNote, ...]
    language: str

    def package(self) -> bytes:
        """The notes as a deck for Anki; OptionError without the extra ``symparams[practice]``."""
        from symparams.cards.deck import package

        return package(self.notes)

    def table(self) -> str:
        """The notes as a table, a row each; OptionError without the extra ``symparams[practice]``."""
        from symparams.cards.csv_table import table

        return table(self.notes)


def deck(models: Sequence[Model] = (), language: str = "en", of_chapter: str = "", *, with_questions: bool = False) -> Deck:
    """Return the flash cards of models, of one chapter alone if it is named; see ``notes_of``."""
    return Deck(tuple(notes_of(models, language, of_chapter, with_questions=with_questions)), language)


def notes_of(
    models: Sequence[Model] = (), language: str = "en", of_chapter: str = "", *, with_questions: bool = False
) -> list[AnkiNote]:
    """The notes of models, each question once; of one chapter alone there is no derivation.

    Without models they are facts, one a card; ``with_questions`` also the bank's questions, each of the first model that people
    know and that it can be asked of. OptionError where two models would have the same names for their notes, and where nothing
    can be asked.
    """
    of_kinds = chosen(of_chapter)
    if not models:
        asked = of_each(of_kinds, familiar()) if with_questions else ()
        told = [*fact_notes(language, of_chapter), *(question_note(question, language) for question in asked)]
        if not told:
            raise OptionError(f"There is no fact on {of_chapter}: add --questions, or leave out --chapter.")
        return told
    notes: dict[tuple[str, str], AnkiNote] = {}  # a reason that is asked whatever the model is asked once
    for model in _each_once(models):
        questions = (question_note(question, language) for question in of_each(of_kinds, [model]))
        for one in (*questions, *(() if of_chapter else derivation_notes(model, language))):
            notes.setdefault((one.kind, one.instance), one)
    if not notes:
        raise OptionError("The bank has no question on this: leave out --chapter, or name another model.")
    return list(notes.values())


def fact_notes(language: str, of_chapter: str = "") -> Iterator[AnkiNote]:
    """The notes of the facts of a chapter, or of all: a short question, its formula, and the reason with its numbers."""
    for fact in facts():
        if of_chapter in ("", fact.chapter):
            letters = letters_of(fact.model, "hidden", {})
            sheet = Field(Document("card", language, None, None, [], letters=letters, subject=fact.model))
            places = {"Question": "front", "Answer": "formula", "Step": "back"}
            fields = {name: sheet.text(words(fact, place, language)) for name, place in places.items()}
            place = (FACTS, place_of(fact.chapter, language))
            tags = [f"{PROGRAM}::{fact.chapter}", f"form::{FACT}"]
            yield note(QUESTION, f"{FACT}.{fact.name}", "", language, place, tags, fields)


def _each_once(models: Sequence[Model]) -> list[Model]:
    """Models, one that is named twice once; two others must not have one name."""
    met: dict[str, Model] = {}
    for model in models:
        if met.setdefault(instance_of(model), model) != model:
            raise OptionError(f"Two models are called {quoted(model.name)}: rename one, or write a deck for each.")
    return list(met.values())
