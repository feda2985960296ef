"""The memory of the weights: each number type, its bytes in GB and GiB, and whether they fit into a room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from symparams.derivations.derivation import Derivation
from symparams.expressions.marks import Named
from symparams.expressions.nodes import Dimension, Number, Power
from symparams.expressions.notation import Letter
from symparams.expressions.printing.nodes import Decimal
from symparams.quantities.memory import GIBI, GIGA, Footprint, Room, footprints
from symparams.sheets.catalogue import catalogue
from symparams.sheets.document import Block, Column, Document, Paragraph, Prose, Section, Sentence, Table, Value
from symparams.sheets.whole import answer, letters_of


@dataclass(frozen=True)
class WeightMemory:
    """What a document on memory is composed of."""

    derivation: Derivation
    dtypes: tuple[str, ...]
    room: Room | None


def memory(derivation: Derivation, dtypes: Sequence[str] = (), room: Room | None = None, language: str = "en") -> Document:
    """What the weights take in each number type, and whether that fits into a room."""
    total = derivation.total
    letters: Mapping[Dimension, Letter] = letters_of(derivation.subject, "hidden", {})
    if derivation.is_expression:
        title = Sentence("memory.title_count", {"count": total.written})
    else:
        title = Sentence("memory.title", {"model": Prose(derivation.subject.name)})
    found = footprints(total.written, total.value, dtypes)
    verdicts = [Paragraph([verdict(footprint, room)]) for footprint in found if room and footprint.size is not None]
    return Document(
        "memory",
        language,
        title,
        answer(total, catalogue(language).rounding) if total.value is not None else None,
        [Section("memory", None, [note(derivation), table(derivation, found), *verdicts])],
        letters=letters,
        subject=WeightMemory(derivation, tuple(dtypes), room),
    )


def with_memory_of(document: Document) -> Document:
    """A whole sheet with what its weights take."""
    derivation = document.subject
    blocks: list[Block] = [note(derivation), table(derivation, footprints(derivation.total.written, derivation.total.value))]
    return replace(document, sections=[*document.sections, Section("memory", Sentence("memory.heading"), blocks)])


def note(derivation: Derivation) -> Paragraph:
    """What the bytes are, what a GB and a GiB is, and that this is the weights alone."""
    giga, gibi = (Power(Number(base), exponent) for base, exponent in (GIGA, GIBI))
    count = Named("", derivation.total.written)
    return Paragraph([Sentence("memory.note", {"count": count, "giga": giga, "gibi": gibi})])


def table(derivation: Derivation, found: Sequence[Footprint]) -> Table:
    """Each number type: bytes for one parameter, the formula, the bytes, and what that is in GB and GiB."""
    is_bound = derivation.total.value is not None
    keys = ["dtype", "bytes_each", "formula", *(["bytes", "gb", "gib"] if is_bound else []), "per_billion"]
    giga = Power(Number(GIGA[0]), GIGA[1])
    headings = {key: Sentence(f"memory.columns.{key}", {"giga": giga}) for key in keys}
    places = {
        "dtype": Column(headings["dtype"], is_words=True),
        "formula": Column(headings["formula"], moves=1),
    }
    rows: list[list[Value]] = []
    for footprint in found:
        row: list[Value] = [Prose(footprint.dtype.upper()), Decimal(footprint.bytes_each), footprint.formula]
        if footprint.size is not None:
            row += [Decimal(size) for size in (footprint.size, footprint.size / 10**9, footprint.size / 2**30)]
        rows.append([*row, Decimal(footprint.per_billion)])
    return Table("memory", [places.get(key, Column(headings[key], "r")) for key in keys], rows)


def verdict(footprint: Footprint, room: Room) -> Sentence:
    """Whether the weights fit into this room, and by how much, in its own unit."""
    size = footprint.size or Fraction(0)
    left = room.size - size
    sizes = {"size": size, "available": room.size, "left": abs(left)}
    terms: dict[str, Value] = {name: Decimal(value / room.unit) for name, value in sizes.items()}
    key = "memory.fits" if left >= 0 else "memory.too_large"
    return Sentence(key, {**terms, "dtype": Prose(footprint.dtype.upper()), "unit": Prose(room.unit_name)})
