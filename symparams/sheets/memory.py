"""The memory of the weights: each number type, its bytes in GB and GiB or in MB and MiB, and whether they fit into a room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from symparams.derivations.derivation import Derivation
from symparams.expressions.closed_form import BLOCKS
from symparams.expressions.nodes import Decimal, Named, Number, Power
from symparams.quantities.memory import GIBI, GIGA, MEBI, MEGA, SCALED, Footprint, Room, footprints, is_format
from symparams.quantities.weight_formats import weight_formats
from symparams.records import frozen
from symparams.sheets.catalogue import catalogue
from symparams.sheets.dimensions import all_layers
from symparams.sheets.document import Block, Column, Document, Equation, Link, Paragraph, Section, Table
from symparams.sheets.values import Listed, Prose, Sentence, Value
from symparams.sheets.whole import answer, letters_of


@frozen
class WeightMemory:
    """The subject of a document on memory."""

    derivation: Derivation
    dtypes: tuple[str, ...]
    room: Room | None


def memory(derivation: Derivation, dtypes: Sequence[str] = (), room: Room | None = None, language: str = "en") -> Document:
    """Return the memory of the weights in each number type, and if that fits into a room."""
    total, defined = derivation.total, list[Block]()
    if derivation.form == BLOCKS and not derivation.is_expression:  # whose names no step explains here
        blocks = derivation.model.blocks()
        total, defined = replace(total, form=blocks.formula), [Equation(name, [Link(name.definition)]) for name in blocks.named]
    letters = letters_of(derivation.subject, "hidden", {}).with_sums(all_layers(derivation.subject))
    if derivation.is_expression:
        title = Sentence("memory.title_count", {"count": total.written})
    else:
        title = Sentence("memory.title", {"model": Prose(derivation.subject.name)})
    sizes = footprints(total.written, total.count, dtypes)
    verdicts = [Paragraph([verdict(footprint, room)]) for footprint in sizes if room and footprint.size is not None]
    return Document(
        "memory",
        language,
        title,
        answer(total, derivation.quantity, catalogue(language)) if total.value is not None else None,
        [Section("memory", None, [*defined, note(derivation, sizes), table(derivation, sizes), *verdicts])],
        letters=letters,
        subject=WeightMemory(derivation, tuple(dtypes), room),
    )


def with_memory_of(document: Document) -> Document:
    """A whole sheet with what its weights take."""
    derivation = document.subject
    sizes = footprints(derivation.total.written, derivation.total.value)
    blocks: list[Block] = [note(derivation, sizes), table(derivation, sizes)]
    return replace(document, sections=[*document.sections, Section("memory", Sentence("memory.heading"), blocks)])


@frozen
class Unit:
    """Two units of bytes in which a table gives its sizes, GB and GiB, or for small models MB and MiB: each with its power."""

    note: str
    sizes: tuple[tuple[str, tuple[int, int]], tuple[str, tuple[int, int]]]

    @property
    def least(self) -> Fraction:
        """The smallest size that is given in it: a tenth."""
        base, exponent = self.sizes[0][1]
        return Fraction(base**exponent, 10)


UNITS = (Unit("giga", (("gb", GIGA), ("gib", GIBI))), Unit("mega", (("mb", MEGA), ("mib", MEBI))))


def unit_of(sizes: Sequence[Footprint]) -> Unit | None:
    """The largest unit of which even the smallest size has a tenth; none for a handful of bytes."""
    least = min((footprint.size for footprint in sizes if footprint.size is not None), default=Fraction(0))
    return next((unit for unit in UNITS if least >= unit.least), None)


def note(derivation: Derivation, sizes: Sequence[Footprint]) -> Paragraph:
    """Return the paragraph on the bytes, on the units of the table, and that these are the weights alone."""
    sentences: list[Value] = [Sentence("memory.note", {"count": Named("", derivation.total.written)})]
    unit = unit_of(sizes)
    if unit is not None:
        decimal, binary = (Power(Number(base), exponent) for _, (base, exponent) in unit.sizes)
        sentences.append(Sentence(f"memory.{unit.note}", {"decimal": decimal, "binary": binary}))
    return Paragraph([*sentences, Sentence("memory.alone"), *of_weights([footprint.dtype for footprint in sizes])])


def of_weights(dtypes: Sequence[str]) -> list[Value]:
    """Return what the bits of formats of blocks hold, and which types are counted without any scales."""
    told: list[Value] = []
    for name in filter(is_format, dtypes):
        kind = weight_formats()[name]
        terms: dict[str, Value] = {"dtype": Prose(name.upper()), "bits": Decimal(kind.each), "source": Prose(kind.source)}
        if kind.measured:
            told.append(Sentence("memory.of_mixture", {**terms, "model": Prose(kind.of)}))
        else:
            told.append(Sentence("memory.of_blocks", terms))
    scaled = tuple(Prose(name.upper()) for name in dtypes if name in SCALED)
    return [*told, *([Sentence("memory.without_scales", {"types": Listed(scaled, "signs.list")})] if scaled else [])]


def table(derivation: Derivation, per_type: Sequence[Footprint]) -> Table:
    """Return the table of number types: the formula of the bytes, the bytes, and their number in fitting units."""
    is_bound, unit = derivation.total.value is not None, unit_of(per_type)
    sizes = [("bytes", 1)] if is_bound else []
    if unit is not None:
        sizes += [(key, base**exponent) for key, (base, exponent) in unit.sizes]
    columns = [
        Column(Sentence("memory.columns.dtype"), is_words=True),
        Column(Sentence("columns.formula"), moves=1),
        *(Column(Sentence(f"memory.columns.{key}"), "r", goes_last=key == "bytes") for key, _ in sizes),
    ]
    rows: list[list[Value]] = []
    for footprint in per_type:
        cells: list[Value] = [Decimal((footprint.size or Fraction(0)) / of) for _, of in sizes]
        rows.append([Prose(footprint.dtype.upper()), footprint.formula, *cells])
    return Table("memory", columns, rows)


def verdict(footprint: Footprint, room: Room) -> Sentence:
    """Return the sentence if the weights fit into this room, and by how much, in its own unit."""
    size = footprint.size or Fraction(0)
    left = room.size - size
    sizes = {"size": size, "available": room.size, "left": abs(left)}
    terms: dict[str, Value] = {name: Decimal(value / room.unit) for name, value in sizes.items()}
    key = "memory.fits" if left >= 0 else "memory.too_large"
    return Sentence(key, {**terms, "dtype": Prose(footprint.dtype.upper()), "unit": Prose(room.unit_name)})
