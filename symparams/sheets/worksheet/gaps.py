"""Gaps: the places of a sheet that may be left for a learner to fill in, each with its step and its kind, in reading order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, Union

from symparams.expressions.nodes import Equality, Expression, Named, Number, Product
from symparams.expressions.printing.nodes import Scaled, Signed, Strong
from symparams.records import frozen
from symparams.sheets.catalogue import catalogue
from symparams.sheets.document import Block, Document, Equation, Item, Lead, Lines, Paragraph, Section, Table
from symparams.sheets.values import Capital, Listed, Name, Percentage, Sentence, Value

ANSWER = 0  # the step of the answer, which stands above all others
GIVEN = "dimensions"  # the section that is never left out
EXPLAINS = ("notes.", "steps.", "rule.", "active.")
NEVER = ("notes.convention.",)  # a name of a row


class GapKind(StrEnum):
    """The content of a gap."""

    VALUE = "value"  # the number at the end of a step
    ROUNDED = "rounded"  # how people say it
    SUM = "sum"  # results as numbers
    SHARE = "share"  # a percentage
    SHAPE = "shape"  # of a tensor, or the formula that is made of shapes
    CLOSED = "closed"  # a closed form
    NAMES = "names"  # results by name
    NUMBERS = "numbers"  # a formula with numbers
    TERM = "term"  # a formula that a sentence speaks of
    WORDS = "words"  # what explains a step


@frozen
class Gap:
    """A place: the step that it is of, by its number in reading order, its kind, and what stands there."""

    step: int
    kind: GapKind
    content: Union[Value, Block]


class GapWalk:
    """Walks a sheet and puts into each gap what ``put`` makes of it."""

    def __init__(self, put: Callable[[Gap], Any], language: str) -> None:
        self.put, self.words, self.step, self.is_open = put, catalogue(language), ANSWER, False
        self.left: dict[int, Expression] = {}  # what each step works out

    def document(self, document: Document) -> Document:
        """The sheet with its gaps filled anew: the answer above all, then each section but the dimensions."""
        answer = self._equation(document.answer) if document.answer else None
        active = self._equation(document.active) if document.active else None
        return replace(
            document, answer=answer, active=active, sections=[self.section(section) for section in document.sections]
        )

    def section(self, section: Section) -> Section:
        """A section with its gaps filled anew; the dimensions as they are."""
        self.is_open = False
        return section if section.key == GIVEN else replace(section, blocks=[self._block(block) for block in section.blocks])

    def _next(self) -> None:
        self.step, self.is_open = self.step + 1, True

    def _block(self, block: Block) -> Block:
        if isinstance(block, (Item, Lead, Paragraph, Lines)):
            return self._words(block)
        if isinstance(block, Equation):
            if not self.is_open:
                self._next()
            self.is_open = False
            put: Block = self.put(Gap(self.step, GapKind.WORDS, block))
            walked = self._equation(block)  # the gaps within are met, whatever stands in their place
            return walked if put is block else put
        return self._table(block) if isinstance(block, Table) else block

    def _words(self, block: Item | Lead | Paragraph | Lines) -> Block:
        explains = any(isinstance(sentence, Sentence) and sentence.key.startswith(EXPLAINS) for sentence in block.sentences)
        if explains or isinstance(block, Item) or not self.is_open:
            self._next()
        put: Block = self.put(Gap(self.step, GapKind.WORDS, block)) if explains else block
        walked = replace(block, sentences=[self._value(sentence) for sentence in block.sentences])
        return walked if put is block else put

    def _equation(self, equation: Equation) -> Equation:
        if equation.left is not None:
            self.left[self.step] = equation.left
        kinds = list(_kinds(equation))
        chain = [
            replace(link, content=self.put(Gap(self.step, kind, link.content)))
            for kind, link in zip(kinds, equation.chain, strict=True)
        ]
        return replace(equation, chain=chain)

    def _table(self, table: Table) -> Table:
        rows: list[Sequence[Value]] = []
        for row in table.rows:
            self._next()
            rows.append([self._cell(cell) for cell in row])
        self.is_open = False
        return replace(table, rows=rows)

    def _cell(self, cell: Value) -> Value:
        kind = _kind_of_cell(cell)
        return cell if kind is None else self.put(Gap(self.step, kind, cell))

    def _value(self, value: Value) -> Value:
        """Yield the gaps of a sentence: a result, a shape, a percentage."""
        if isinstance(value, Sentence) and not value.key.startswith(NEVER):
            spoken = {name for _, name in self.words.sentence(value.key)}  # a sentence may leave out what it could speak of
            terms = {name: self._value(term) if name in spoken else term for name, term in value.terms.items()}
            return replace(value, terms=terms)
        if isinstance(value, Capital):
            return Capital(self._value(value.value))
        if isinstance(value, Listed):
            return replace(value, values=tuple(map(self._value, value.values)))
        if isinstance(value, Equality) and isinstance(value.left, Named):
            return Equality(value.left, self.put(Gap(self.step, _kind_of_result(value.right), value.right)))
        if isinstance(value, (Fraction, Percentage)):
            return self.put(Gap(self.step, GapKind.SHARE, value))  # type: ignore[no-any-return]
        if isinstance(value, Expression) and not isinstance(value, (Named, Equality)):
            kind = GapKind.SHAPE if isinstance(value, Product) else GapKind.TERM
            return self.put(Gap(self.step, kind, value))  # type: ignore[no-any-return]
        return value


def gaps(document: Document) -> list[Gap]:
    """The gaps of a sheet."""
    met: list[Gap] = []

    def note(gap: Gap) -> Any:
        met.append(gap)
        return gap.content

    GapWalk(note, document.language).document(document)
    return met


def _kinds(equation: Equation) -> Iterator[GapKind]:
    """Return the kind of each link of a chain: the first in letters is a shape unless it names results."""
    calls = any(_calls(link.content) for link in equation.chain)
    has_numbers = False
    for i, link in enumerate(equation.chain):
        kind = _kind_of_result(link.content)
        if kind is GapKind.CLOSED:
            kind = GapKind.NAMES if _calls(link.content) and i == 0 else GapKind.SHAPE if i == 0 else GapKind.CLOSED
        elif kind is GapKind.NUMBERS:
            kind = GapKind.SUM if calls or has_numbers else GapKind.NUMBERS
            has_numbers = True
        yield kind


def _kind_of_result(content: Expression) -> GapKind:
    if isinstance(content, Scaled):
        return GapKind.ROUNDED
    if isinstance(bare(content), Number):
        return GapKind.VALUE
    return GapKind.NUMBERS if not _speaks(content) else GapKind.CLOSED


def _kind_of_cell(cell: Value) -> GapKind | None:
    if cell is None or isinstance(cell, (Sentence, Name, Capital, str)):
        return None
    if isinstance(cell, (Fraction, Percentage)):
        return GapKind.SHARE
    if isinstance(cell, int):
        return GapKind.VALUE
    return _kind_of_result(cell) if isinstance(cell, Expression) else None


def bare(content: Expression) -> Expression:
    """An expression without the marks that tell how it is set."""
    return bare(content.inner) if isinstance(content, (Strong, Signed)) else content


def _speaks(content: Expression) -> bool:
    return bool(bare(content).dimensions)


def _calls(content: Expression) -> bool:
    inner = bare(content)
    return isinstance(inner, Named) or any(map(_calls, inner.operands))


def numbers(content: Any) -> Iterator[int]:
    """Every number that stands in an expression, not in what it calls by a name."""
    if isinstance(content, int):
        yield content
    elif isinstance(content, Expression):
        inner = bare(content)
        if isinstance(inner, Number):
            yield inner.value
        elif not isinstance(inner, Named):
            for operand in inner.operands:
                yield from numbers(operand)
    elif isinstance(content, Equation):
        for link in content.chain:
            yield from numbers(link.content)
