"""The document: what a sheet says, before any format. Its cells are expressions, sentences and integers, never print.

A derivation, an explanation, a comparison or an outline is composed into a document once; every format prints that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, ClassVar, Union

from symparams.expressions.nodes import Dimension, Equality, Expression, as_expression
from symparams.expressions.notation import COUNT, NOTATIONS, Letter
from symparams.expressions.printing.nodes import Rule
from symparams.records import frozen
from symparams.sheets.values import Listed, Name, Sentence, Value


@frozen
class Paragraph:
    """Sentences that stand by themselves."""

    kind: ClassVar = "paragraph"
    sentences: Sequence[Value]


@frozen
class Lead:
    """Sentences that introduce what follows them on the same page."""

    kind: ClassVar = "lead"
    sentences: Sequence[Value]


@frozen
class Item:
    """A step, or several of one kind, and what they are called; or a question, and its answer.

    ``parts`` are the parts of the tree that a step is about, ``number`` its number where a drawing shows them.
    """

    kind: ClassVar = "item"
    name: Name | Listed | Sentence
    sentences: Sequence[Value]
    parts: Sequence[str] = ()
    number: int = 0


@frozen
class Lines:
    """Sentences, each on a line of its own; ``are_options`` where they are answers to choose among."""

    kind: ClassVar = "lines"
    sentences: Sequence[Value]
    are_options: bool = False


@frozen
class Link:
    """One link of a chain: what relates it to the one before, and whether it may stand on the same line."""

    content: Expression
    relation: str = "="
    joins: bool = True


@frozen
class Equation:
    """A chain of equal expressions; ``in_a_row`` where it stands on one line if it fits, whatever its links say.

    ``label`` are words before it that tell what it is of.
    """

    kind: ClassVar = "equation"
    left: Expression | None
    chain: Sequence[Link]
    in_a_row: bool = False
    label: Value = None


@frozen
class Display:
    """Equations that follow one another, in one display with their signs of equality below one another."""

    kind: ClassVar = "equation"
    equations: Sequence[Equation]


@frozen
class Column:
    """A column: its heading, the side on which its cells stand, and whether it may move below the words: 1 goes first.

    The words of the first column that is ``words`` wrap. Those that may go are left out, 1 first, until the others have room:
    before any moves, or last, after all have moved.
    """

    heading: Value
    side: str = "l"
    is_words: bool = False
    moves: int = 0
    goes: int = 0
    goes_last: bool = False


@frozen
class Table:
    """Rows of cells under their columns; ``last_is_sum`` puts a rule above the last row.

    ``gaps`` are the rows before which a small gap stands, where a format has one.
    """

    kind: ClassVar = "table"
    key: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]]
    last_is_sum: bool = False
    gaps: frozenset[int] = frozenset()

    @property
    def is_written_in(self) -> bool:
        """True if a row has a rule to write on."""
        return any(isinstance(cell, Rule) for row in self.rows for cell in row)


@frozen
class Legend:
    """Dimensions beside one another: of each what it is in a word, its symbol with its relation, and its value."""

    kind: ClassVar = "legend"
    entries: Sequence[tuple[Value, Expression, int | None]]

    @property
    def sentences(self) -> Sequence[Value]:
        """The same in a line: d_ff = 4·h = 3,072."""
        return [Listed(tuple(map(_equation, self.entries)), "brief.gap")]


def _equation(entry: tuple[Value, Expression, int | None]) -> Value:
    _, symbol, value = entry
    if value is None:
        return symbol
    number = as_expression(value)  # the bytes of a number may be 1/2
    return Equality(symbol.left, Equality(symbol.right, number)) if isinstance(symbol, Equality) else Equality(symbol, number)


@frozen
class Space:
    """Room to write: so many lines."""

    kind: ClassVar = "space"
    sentences: ClassVar[Sequence[Value]] = ()
    lines: int


@frozen
class Result:
    """A count that stands beside the title: what it counts, the number, and how people say it."""

    name: Value
    count: Expression
    rounded: Link | None


@frozen
class Figure:
    """A picture of what the sheet is about, a ``symparams.drawings.marks.Drawing``, and what stands below it."""

    kind: ClassVar = "figure"
    sentences: ClassVar[Sequence[Value]] = ()
    drawing: Any
    caption: Value


@frozen
class Plotted:
    """A plot of what the sheet is about, a ``symparams.plots.lettering.Lettering`` of it, and what stands below it."""

    kind: ClassVar = "plot"
    plot: Any
    sentences: Sequence[Value]


@frozen
class Writing:
    """Lines to write on in the place of a block, as many as it takes; in the key the block, in a box."""

    kind: ClassVar = "writing"
    block: Union[Paragraph, Lead, Item, Lines, Equation]
    number: str
    is_answered: bool = False

    @property
    def sentences(self) -> Sequence[Value]:
        """The sentences that it replaces, if it replaces words."""
        return () if isinstance(self.block, Equation) else self.block.sentences


@frozen
class Score:
    """The line for the points of a section, of so many."""

    kind: ClassVar = "score"
    sentence: Value

    @property
    def sentences(self) -> Sequence[Value]:
        """The sentence by itself."""
        return [self.sentence]


@frozen
class Break:
    """The end of a page."""

    kind: ClassVar = "break"
    sentences: ClassVar[Sequence[Value]] = ()


Block = Union[Paragraph, Lead, Item, Lines, Equation, Table, Legend, Figure, Plotted, Space, Writing, Score, Break]


@frozen
class Section:
    """Blocks under a heading; the first section of a document may have none, nor has one alone, whose tables have a caption."""

    key: str
    heading: Value
    blocks: Sequence[Block]
    caption: Value = None


@frozen
class Document:
    """A sheet before its format: the question, its answer, the sections.

    ``preface`` stands between the question and the answer; ``active`` below the answer what one token uses; ``results``
    stand beside a title that is a name alone. ``letters`` are those of the notation, ``names`` what tells quantities of one
    name apart. ``subject`` is what it was composed of, and ``kind`` the name of its composition. ``is_users`` tells that it
    is of a user's own tree, whose names no catalogue knows. ``fields`` are what is filled in above the title, a name; a sheet
    to write on has lines of ``writing`` millimetres.
    """

    kind: str
    language: str
    title: Value
    answer: Equation | None
    sections: Sequence[Section]
    preface: Sequence[Value] = ()
    active: Equation | None = None
    letters: Mapping[Dimension, Letter] = field(default_factory=lambda: NOTATIONS["hidden"])
    names: Mapping[str, Mapping[Expression, Name]] = field(default_factory=dict)
    subject: Any = None
    is_users: bool = False
    results: Sequence[Result] | None = None
    fields: Sequence[Value] = ()
    writing: int = 0

    @cached_property
    def has_own_count(self) -> bool:
        """True if a letter of the subject's own is N, which otherwise is the count."""
        model = getattr(self.subject, "subject", self.subject)  # a derivation is about something
        return any(dimension.name == COUNT for dimension in getattr(model, "dimensions", ()))
