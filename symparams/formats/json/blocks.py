"""The blocks of any document as data: sentences as text, formulas as formulas, cells as what they hold."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symparams.expressions.nodes import Expression
from symparams.expressions.printing.printer import plain, rounded_half_up
from symparams.expressions.written import whole
from symparams.sheets.document import Block, Equation, Item, Legend, Section, Table
from symparams.sheets.values import Branch, Code, Value

if TYPE_CHECKING:
    from symparams.formats.json.data import Data


def document_data(data: Data) -> dict[str, Any]:
    """A document as any format has it: what stands first, its answer, and its sections with what their blocks hold."""
    document = data.document
    results = [{"name": data.text(result.name), "value": data.text(result.count)} for result in document.results or ()]
    return {
        "preface": [data.text(sentence) for sentence in document.preface],
        "answer": block_data(data, document.answer)["equation"] if document.answer is not None else None,
        "sections": [section_data(data, section) for section in document.sections],
        **({"results": results} if results else {}),
    }


def exactly(value: int | Fraction | None) -> int | str | None:
    """Return an integer as a number and a fraction, such as half a byte, as the text "a/b"."""
    value = None if value is None else whole(value)
    return str(value) if isinstance(value, Fraction) else value


def percent(part: Fraction | None) -> str | None:
    """A part of the whole in percent, with two decimals."""
    return rounded_half_up(part * 100, 2) if part is not None else None


def section_data(data: Data, section: Section) -> dict[str, Any]:
    """A section: its heading and its blocks."""
    heading = data.text(section.heading) or None
    return {"key": section.key, "heading": heading, "blocks": [block_data(data, block) for block in section.blocks]}


def block_data(data: Data, block: Block) -> dict[str, Any]:
    """A block: sentences as text, formulas as formulas, cells as what they hold."""
    if isinstance(block, Table):
        columns = [data.text(column.heading) for column in block.columns]
        return {"table": block.key, "columns": columns, "rows": [[cell(data, value) for value in row] for row in block.rows]}
    if isinstance(block, Equation):
        left = [block.left] if block.label is not None and block.left is not None else []
        label = {"label": data.text(block.label)} if block.label is not None else {}
        return {**label, "equation": [data.formula(side) for side in (*left, *(link.content for link in block.chain))]}
    if isinstance(block, Item):
        return {"item": data.text(block.name), "sentences": [data.text(sentence) for sentence in block.sentences]}
    if isinstance(block, Legend):
        return {"legend": [[data.text(words), data.formula(symbol), exactly(value)] for words, symbol, value in block.entries]}
    return {block.kind: [data.text(sentence) for sentence in block.sentences]}


def cell(data: Data, value: Value) -> Any:
    """Return the content of a cell: an integer as it is, a formula in three notations, anything else as text."""
    if isinstance(value, Branch):
        return {"level": len(value.lasts), "name": value.name, "copies": plain(value.copies) if value.copies else None}
    if isinstance(value, Code):
        return value.text
    if isinstance(value, Expression):
        return data.formula(value)
    return value if isinstance(value, int) or value is None else data.text(value)
