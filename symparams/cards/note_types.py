"""The types of note: their ids, which never change, their fields, and the pages that show them.

A field that is added to a type later keeps Anki from updating any of its notes: what is to come takes a spare field, and a
type that really changes gets a new id and a new name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType

from symparams.records import frozen
from symparams.sheets.catalogue import templates

QUESTION, CHOICE, DERIVATION = "question", "choice", "derivation"
SPARE = ("Spare1", "Spare2")


@frozen
class NoteType:
    """A type of note: its key, its id in Anki, its fields, of which the first names the note, and whether it has gaps."""

    key: str
    id: int
    fields: tuple[str, ...]
    is_cloze: bool = False

    @property
    def name(self) -> str:
        """The name of the note type in Anki."""
        return f"symparams {self.key}"

    @cached_property
    def front(self) -> str:
        """The page that asks."""
        return _page(f"{self.key}.front.html")

    @cached_property
    def back(self) -> str:
        """The page that answers."""
        return _page(f"{self.key}.back.html")


NOTE_TYPES: Mapping[str, NoteType] = MappingProxyType(
    {
        note_type.key: note_type
        for note_type in (
            NoteType(QUESTION, 1_763_769_601, ("Id", "Question", "Answer", "Step", "Mistakes", "Source", "Numbers", *SPARE)),
            NoteType(CHOICE, 1_763_769_602, ("Id", "Question", "Options", "Answer", "Step", "Source", "Numbers", *SPARE)),
            NoteType(
                DERIVATION,
                1_763_769_603,
                ("Id", "Place", "Text", "Step", "Reasons", "Source", "Numbers", *SPARE),
                is_cloze=True,
            ),
        )
    }
)


def style() -> str:
    """The one style sheet of all types, for a light page and a dark one."""
    return _page("card.css")


def _page(name: str) -> str:
    return (templates() / "cards" / name).read_text(encoding="utf-8")
