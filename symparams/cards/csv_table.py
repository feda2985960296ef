"""Notes as a table of comma-separated values, for other programs and, by the lines at its head, for Anki."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from symparams.cards.note_types import SPARE
from symparams.cards.notes import AnkiNote

TAGS = 9  # the column before which as many others stand: guid, type, deck and six fields
HEAD = (
    "#separator:Comma", "#html:true", "#guid column:1", "#notetype column:2", "#deck column:3", f"#tags column:{TAGS + 1}",
)  # fmt: skip

FORMULA_SIGNS = ("=", "+", "-", "@")


def table(notes: Sequence[AnkiNote]) -> str:
    """A row a note. Anki needs the note types, which a deck brings; OptionError without the extra ``symparams[practice]``."""
    text = io.StringIO()
    # All are quoted: a guid may begin with #, which would make its line a comment.
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows(map(_row, notes))
    return "".join(f"{line}\n" for line in HEAD) + text.getvalue()


def _row(note: AnkiNote) -> list[str]:
    row = [note.guid, note.type.name, note.deck, *map(_as_text, note.contents[: -len(SPARE)])]
    return [*row[:TAGS], " ".join(note.tags), *row[TAGS:]]


def _as_text(field: str) -> str:
    """A field in HTML that a spreadsheet takes for no formula."""
    return f"&#{ord(field[0])};{field[1:]}" if field.startswith(FORMULA_SIGNS) else field
