"""The sheet of a plot: its title, what its numbers are for, the facts that it marks, and the numbers as a table."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from symparams.expressions.nodes import Dimension, Number
from symparams.expressions.notation import letters
from symparams.plots.pictures import Plot
from symparams.sheets.document import Block, Column, Document, Lines, Section, Table
from symparams.sheets.values import Capital, Code, Listed, Prose, Value, amount
from symparams.sheets.whole import is_users, letters_of


def plot_sheet(
    plot: Plot, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Document:
    """Return a plot as words and a table."""
    blocks: list[Block] = [Lines([about_of(plot)])] if plot.about else []
    blocks += [Lines(list(plot.facts))] if plot.facts else []
    blocks.append(_table(plot))
    model = plot.models[0] if plot.models else None
    return Document(
        kind="plot",
        language=language,
        title=plot.title,
        answer=None,
        sections=[Section("plot", None, blocks)],
        letters=letters_of(model, notation, symbols or {}) if model else letters(notation, symbols or {}, (), {}),
        subject=plot,
        is_users=any(map(is_users, plot.models)),
    )


def about_of(plot: Plot) -> Value:
    """What the numbers are for, as a line; a letter at its beginning stays as it is."""
    return Capital(Listed(tuple(plot.about), "signs.comma"))


def _table(plot: Plot) -> Table:
    """The numbers, a row for each point; names of columns are those of the CSV."""
    first = plot.rows[0]
    columns = [
        Column(Dimension(name) if len(name) == 1 else Code(name), "l" if isinstance(value, str) else "r")
        for name, value in zip(plot.columns, first, strict=True)
    ]
    return Table("plot", columns, [[_cell(value) for value in row] for row in plot.rows])


def _cell(value: str | int | Fraction) -> Value:
    if isinstance(value, str):
        return Prose(value)
    return Number(value) if isinstance(value, int) else amount(value)
