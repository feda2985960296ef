"""A deck for Anki: notes by genanki in a collection, in a zip, byte for byte the same for one edition of the bank."""

from __future__ import annotations

import io
import itertools
import json
import sqlite3
import zipfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from symparams.cards.note_types import NOTE_TYPES, NoteType, style
from symparams.cards.notes import AnkiNote, anki_writer
from symparams.practice.kind import EDITION

COLLECTION, MEDIA, NO_MEDIA = "collection.anki2", "media", b"{}"
WRITTEN_BY = slice(96, 100)  # where a collection says which release of SQLite wrote it


def package(notes: Sequence[AnkiNote], edition: str = EDITION) -> bytes:
    """An .apkg of notes, which are as new as the edition: Anki takes up the text of a note that it has from a newer one.

    OptionError without the extra ``symparams[practice]``.
    """
    day = datetime.fromisoformat(edition).replace(tzinfo=UTC)
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in ((COLLECTION, _collection(notes, day.timestamp())), (MEDIA, NO_MEDIA)):
            member = zipfile.ZipInfo(name, day.timetuple()[:6])
            member.create_system, member.compress_type = 3, zipfile.ZIP_DEFLATED  # of whatever machine, as on Unix
            zipped.writestr(member, content)
    return kept.getvalue()


def deck_id(name: str) -> int:
    """The id of a deck, from its name alone: 2^30 and thirty bits more."""
    return 2**30 + (int.from_bytes(sha256(name.encode()).digest()) >> 226)


def _collection(notes: Sequence[AnkiNote], edited: float) -> bytes:
    """The database of a collection; ids in it count on from the date, and Anki gives others where it has them already."""
    writer: Any = anki_writer()
    types = {key: _type(note_type, writer) for key, note_type in NOTE_TYPES.items()}
    decks: dict[str, Any] = {}
    for position, note in enumerate(notes):
        deck = decks.setdefault(note.deck, writer.Deck(deck_id(note.deck), note.deck))
        written = writer.Note(types[note.type.key], list(note.contents), tags=list(note.tags), guid=note.guid, due=position)
        deck.add_note(written)
    first, *others = decks.values()
    for note_type in types.values():  # of which a table may speak, too
        first.add_model(note_type)
    numbers = itertools.count(int(edited * 1000))
    connection = sqlite3.connect(":memory:")
    try:
        cursor = connection.cursor()
        writer.Package([first]).write_to_db(cursor, edited, numbers)
        _add(others, cursor, edited, numbers)
        connection.commit()
        content = bytearray(connection.serialize())
    finally:
        connection.close()
    content[WRITTEN_BY] = bytes(4)
    return bytes(content)


def _add(decks: Sequence[Any], cursor: sqlite3.Cursor, edited: float, numbers: Iterator[int]) -> None:
    """More decks, all at once: genanki would write the list of all of them anew for each."""
    [(known,)] = cursor.execute("SELECT decks FROM col")
    listed = json.loads(known) | {str(deck.deck_id): deck.to_json() for deck in decks}
    cursor.execute("UPDATE col SET decks = ?", (json.dumps(listed),))
    for deck in decks:
        for note in deck.notes:
            note.write_to_db(cursor, edited, deck.deck_id, numbers)


def _type(note_type: NoteType, writer: Any) -> Any:
    page = {"name": "Card 1", "qfmt": note_type.front, "afmt": note_type.back}
    return writer.Model(
        note_type.id,
        note_type.name,
        fields=[{"name": name} for name in note_type.fields],
        templates=[page],
        css=style(),
        model_type=writer.Model.CLOZE if note_type.is_cloze else writer.Model.FRONT_BACK,
    )
