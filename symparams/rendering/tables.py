"""Tables: cells, and the columns of a terminal."""

from __future__ import annotations

from dataclasses import dataclass

from symparams.printing.text import columns as text_columns


@dataclass(frozen=True)
class Cell:
    """A cell of a table: its text, or the lines of a formula that is too wide for one."""

    text: str
    formula: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table: its header, an alignment for each column ("l", "c", "r"), its rows; ``wide`` is the column of formulas."""

    header: tuple[str, ...]
    align: str
    rows: tuple[tuple[Cell, ...], ...]
    wide: int
    last_is_sum: bool = False

    @property
    def padded(self) -> list[str]:
        """The rows as columns of a terminal, the header and a rule first."""
        table = [list(self.header), *([cell.text for cell in row] for row in self.rows)]
        widths = [max(text_columns(row[i]) for row in table) for i in range(len(self.header))]
        written = ["  ".join(pad(*cell) for cell in zip(row, widths, self.align, strict=True)).rstrip() for row in table]
        return [written[0], "  ".join("─" * width for width in widths), *written[1:]]


def pad(text: str, width: int, align: str) -> str:
    """A text filled up to a width: to the right, to the left, or as to the left for a centred one."""
    space = width - text_columns(text)
    return {"l": text + " " * space, "r": " " * space + text, "c": text + " " * space}[align]
