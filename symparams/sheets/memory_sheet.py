"""The sheet with the memory of the weights: each number type, its bytes in GB and GiB, and whether they fit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from symparams.derivations.derivation import Derivation
from symparams.expressions.marks import Quantity
from symparams.expressions.nodes import Number, Power
from symparams.formats import Format
from symparams.quantities.memory import GIBI, GIGA, Footprint, Room, footprints
from symparams.sheets.numbers import decimal, shortest
from symparams.sheets.sheet import Printed, Sheet, Term
from symparams.sheets.tables import Cell, Table


class MemorySheet(Sheet):
    """A sheet that also tells what the weights take, and whether that fits into a room."""

    def __init__(
        self,
        derivation: Derivation,
        format: Format,  # noqa: A002 - the field's word
        language: str,
        notation: str,
        *,
        dtypes: Sequence[str] = (),
        room: Room | None = None,
        **options: Any,
    ) -> None:
        super().__init__(derivation, format, language, notation, **options)
        self.footprints, self.room = footprints(derivation.total, dtypes), room

    @property
    def memory_title(self) -> str:
        """The question that a sheet on memory answers."""
        if self.derivation.is_expression:
            return self.say("memory.title_count", count=self.derivation.total.written)
        return self.say("memory.title", model=self.model.name)

    @property
    def memory_note(self) -> str:
        """What the bytes are, what a GB and a GiB is, and that this is the weights alone."""
        giga, gibi = (Power(Number(base), exponent) for base, exponent in (GIGA, GIBI))
        return self.paragraph(self.say("memory.note", count=Quantity("", self.derivation.total.written), giga=giga, gibi=gibi))

    @property
    def memory(self) -> Table:
        """Each number type: bytes for one parameter, the formula, the bytes, and what that is in GB and GiB."""
        keys = ["dtype", "bytes_each", "formula", *(["bytes", "gb", "gib"] if self.is_bound else []), "per_billion"]
        rows = []
        for footprint in self.footprints:
            name = self.format.escape(footprint.dtype.upper())
            row = [name, self.decimal(footprint.bytes_each), self.math(footprint.formula)]
            if footprint.size is not None:
                row += [self.decimal(size) for size in (footprint.size, footprint.size / 10**9, footprint.size / 2**30)]
            row.append(self.decimal(footprint.per_billion))
            rows.append(tuple(Cell(text) for text in row))
        header = tuple(self.say(f"memory.columns.{key}", giga=Power(Number(GIGA[0]), GIGA[1])) for key in keys)
        return Table(header, "lrl" + "r" * (len(keys) - 3), tuple(rows), wide=(2,))

    @property
    def verdicts(self) -> list[str]:
        """For each number type whether the weights fit, and by how much, where there is room to fit into."""
        return [self.verdict(footprint, self.room) for footprint in self.footprints] if self.room else []

    def verdict(self, footprint: Footprint, room: Room) -> str:
        """Whether the weights fit into this room, in its own unit."""
        if footprint.size is None:
            return ""
        left = room.size - footprint.size
        sizes = {"size": footprint.size, "available": room.size, "left": abs(left)}
        terms: dict[str, Term] = {name: Printed(self.decimal(size / room.unit)) for name, size in sizes.items()}
        key = "memory.fits" if left >= 0 else "memory.too_large"
        return self.paragraph(self.say(key, dtype=footprint.dtype.upper(), unit=room.unit_name, **terms))

    def decimal(self, value: Fraction) -> str:
        """A number with at most two decimals, with a sign where they do not tell it all."""
        is_exact = (value * 100).denominator == 1
        digits = shortest(value) if is_exact else decimal(value, 2)
        before, after = self.format.inline[self.flavor]
        return before + self.printer.decimal(digits, is_exact=is_exact) + after
