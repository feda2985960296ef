"""The table is read by any program, and by Anki into the notes that a deck made."""

from __future__ import annotations

import csv

from symparams.cards.csv_table import table
from symparams.cards.deck import package

from .conftest import DECKS, notes

HEAD = ["#separator:Comma", "#html:true", "#guid column:1", "#notetype column:2", "#deck column:3", "#tags column:10"]


def test_a_row_is_a_note():
    for target, language in DECKS:
        text = table(notes(target, language))
        assert text.splitlines()[:6] == HEAD
        rows = list(csv.reader(text.splitlines()[6:]))
        assert [row[0] for row in rows] == [note.guid for note in notes(target, language)]
        assert {len(row) for row in rows} == {11}
        assert all("model::" in row[9] or "::why::" in row[2] for row in rows)


def test_anki_takes_a_table_into_the_notes_of_a_deck(take_in, take_in_table, collection):
    take_in(package(notes("bert-base-uncased")))  # which brings the types of note
    known = {note.guid for note in notes("bert-base-uncased")}
    deck = notes("gpt2")
    first = take_in_table(table(deck))
    assert first.new == sum(note.guid not in known for note in deck) > 10
    assert (first.missing_notetype, first.missing_deck, first.empty_first_field) == (0, 0, 0)
    before = contents(collection)
    take_in_table(table(deck))
    assert contents(collection) == before
    by_id = {note.fields["Id"]: note for note in deck}
    for fields, tags in before.values():
        if (note := by_id.get(fields[0])) is not None:
            assert fields == list(note.contents)
            assert set(tags) == set(note.tags)


def contents(collection):
    """Return the fields and the tags of each note of a collection."""
    notes = map(collection.get_note, collection.find_notes(""))
    return {note.id: (note.fields, sorted(note.tags)) for note in notes}
