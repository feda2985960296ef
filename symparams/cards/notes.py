"""Notes: what Anki keeps, from which it makes cards; what names one for ever, and where it lies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import ModuleType

from symparams.cards.note_types import NOTE_TYPES, NoteType
from symparams.errors import OptionError
from symparams.models.model import Model
from symparams.records import frozen
from symparams.sheets.whole import is_users

PROGRAM, SEPARATOR = "symparams", "::"
APART = re.compile(r"[^\w.+/-]+")  # what neither a tag nor a part of a deck's name may hold
CONFIG, OWN = "config", "own"


@frozen
class AnkiNote:
    """A note: its type, what it asks, of what and in which language, where it lies, its tags, and its fields.

    ``kind`` is a kind of question, or a step of a derivation; ``instance`` what it is asked of, "" for a question of no model
    in particular. These and the language name the note for ever, whatever its text becomes.
    """

    type: NoteType
    kind: str
    instance: str
    language: str
    place: Sequence[str]
    tags: Sequence[str]
    fields: Mapping[str, str]

    @property
    def guid(self) -> str:
        """The identifier by which Anki knows the note again."""
        return str(anki_writer().guid_for(PROGRAM, self.kind, self.instance, self.language))

    @property
    def deck(self) -> str:
        """The deck in which it lies, under those of the model and of the program: symparams::gpt2::2 Attention."""
        return SEPARATOR.join((PROGRAM, *self.place))

    @property
    def contents(self) -> tuple[str, ...]:
        """The texts of its fields in their order, "" where it has none."""
        return tuple(self.fields.get(name, "") for name in self.type.fields)


def note(
    key: str, kind: str, instance: str, language: str, place: Sequence[str], tags: Sequence[str], fields: Mapping[str, str]
) -> AnkiNote:
    """A note of a type by its key, named by what it asks: attention.qkv · gpt2 · en."""
    from symparams.cards.markup import prose

    named = prose(" · ".join(part for part in (kind, instance, language) if part))
    return AnkiNote(NOTE_TYPES[key], kind, instance, language, place, tags, {"Id": named, **fields})


def instance_of(model: Model) -> str:
    """Return the name of a model in its notes' names; a user's own config or tree is not a published model's."""
    if is_users(model):
        return f"{OWN}/{model.name}"
    return model.name if model.origin.config is None else f"{CONFIG}/{model.name}"


def worded(text: str) -> str:
    """A text as a tag, or as a part of a deck's name, has it: words with - between them."""
    return APART.sub("-", text).strip("-") or "-"


def anki_writer() -> ModuleType:
    """genanki, which writes what Anki reads; OptionError without the extra."""
    try:
        import genanki
    except ImportError:
        raise OptionError("Anki cards need genanki: pip install 'symparams[practice]'.") from None
    writer: ModuleType = genanki
    return writer
