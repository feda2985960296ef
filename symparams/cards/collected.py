"""The notes of a deck: of each model the questions that can be asked of it and its derivation, or the bank's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from symparams.cards.derivations import derivation_notes
from symparams.cards.facts import fact_notes
from symparams.cards.notes import AnkiNote, instance_of
from symparams.cards.questions import question_note
from symparams.errors import OptionError, quoted
from symparams.models.model import Model
from symparams.practice.bank import chosen, of_each
from symparams.practice.bank import models as familiar
from symparams.practice.kind import QuestionTemplate


@dataclass(frozen=True)
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
    notes = _once(note for model in _each_once(models) for note in _notes(model, language, of_kinds, with_steps=not of_chapter))
    if not notes:
        raise OptionError("The bank has no question on this: leave out --chapter, or name another model.")
    return notes


def _notes(model: Model, language: str, of_kinds: Iterable[QuestionTemplate], *, with_steps: bool) -> Iterator[AnkiNote]:
    yield from (question_note(question, language) for question in of_each(of_kinds, [model]))
    if with_steps:
        yield from derivation_notes(model, language)


def _once(notes: Iterable[AnkiNote]) -> list[AnkiNote]:
    """Notes without those that an earlier one is: a reason that is asked whatever the model."""
    return list({(note.kind, note.instance, note.language): note for note in reversed(list(notes))}.values())[::-1]


def _each_once(models: Sequence[Model]) -> list[Model]:
    """Models, one that is named twice once; two others must not have one name."""
    met: dict[str, Model] = {}
    for model in models:
        if met.setdefault(instance_of(model), model) != model:
            raise OptionError(f"Two models are called {quoted(model.name)}: rename one, or write a deck for each.")
    return list(met.values())
