"""The table is read by any program, and by Anki into the notes that a deck made."""

from __future__ import annotations

import csv
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from symparams.cards.csv_table import table
from symparams.cards.deck import package

from .conftest import FEW_TARGETS, notes

if TYPE_CHECKING:
    from anki.collection import Collection

HEAD = ["#separator:Comma", "#html:true", "#guid column:1", "#notetype column:2", "#deck column:3", "#tags column:10"]


@pytest.mark.parametrize("target", FEW_TARGETS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_row_is_a_note(target: str, language: str) -> None:
    text = table(notes(target, language))
    assert text.splitlines()[:6] == HEAD
    rows = list(csv.reader(text.splitlines()[6:]))
    assert [row[0] for row in rows] == [each.guid for each in notes(target, language)]
    assert {len(row) for row in rows} == {11}
    assert all("model::" in row[9] or "::why::" in row[2] for row in rows)


def test_anki_takes_a_table_into_the_notes_of_a_deck(
    take_in: Callable[[bytes], SimpleNamespace], take_in_table: Callable[[str], SimpleNamespace], collection: Collection
) -> None:
    take_in(package(notes("bert-base-uncased")))  # which brings the types of note
    known = {each.guid for each in notes("bert-base-uncased")}
    found = notes("gpt2")
    first = take_in_table(table(found))
    assert first.new == sum(each.guid not in known for each in found) > 10
    assert (first.missing_notetype, first.missing_deck, first.empty_first_field) == (0, 0, 0)
    before = contents(collection)
    take_in_table(table(found))
    assert contents(collection) == before
    by_id = {each.fields["Id"]: each for each in found}
    for fields, tags in before.values():
        if (note := by_id.get(fields[0])) is not None:
            assert fields == list(note.contents)
            assert set(tags) == set(note.tags)


def test_a_table_after_its_deck_changes_nothing(
    take_in: Callable[[bytes], SimpleNamespace], take_in_table: Callable[[str], SimpleNamespace], collection: Collection
) -> None:
    take_in(package(notes("gpt2")))
    before = contents(collection)
    assert take_in_table(table(notes("gpt2"))).new == 0
    assert contents(collection) == before


def contents(collection: Collection) -> dict[int, tuple[list[str], list[str]]]:
    """What each note of a collection holds."""
    found = map(collection.get_note, collection.find_notes(""))
    return {note.id: (note.fields, sorted(note.tags)) for note in found}
