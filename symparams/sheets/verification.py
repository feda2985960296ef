"""A model verified against the real one: its tensors by shape, or a cost line by line, here and in the library."""

from __future__ import annotations

from fractions import Fraction

from symparams.answers.measured.measurements import Count, Measured
from symparams.answers.verification import Verification
from symparams.answers.verification_of_costs import CostVerification
from symparams.expressions.nodes import Expression, Number, Product, Quotient
from symparams.sheets.document import Block, Column, Document, Paragraph, Section, Table
from symparams.sheets.values import Capital, Code, Name, Prose, Sentence, Value


def verification(compared: Verification, language: str = "en") -> Document:
    """Each shape with how many tensors have it, and below them the two counts."""
    rows: list[list[Value]] = []
    for shape in sorted(compared.shapes_here | compared.shapes_library, reverse=True):
        here, library = compared.shapes_here[shape], compared.shapes_library[shape]
        sides: Value = Product(tuple(Number(side) for side in shape)) if shape else Sentence("verify.scalar")
        rows.append([sides, here, library, None if here == library else Sentence("verify.differs")])
    rows.append([Sentence("verify.parameters"), compared.here, compared.library, None])
    return _document(compared, rows, "verify.shape", language)


def cost_verification(compared: CostVerification, language: str = "en") -> Document:
    """Each thing that is measured, here and in the library, below them the two totals, and on what it was measured."""
    unit = compared.costing.cost.unit
    rows: list[list[Value]] = [
        [_what(line), number_of(line.here), number_of(line.library), _verdict(line)] for line in compared.lines
    ]
    rows.append([Sentence(f"verify.{unit}"), number_of(compared.here), number_of(compared.library), None])
    how = Sentence(f"verify.how.{compared.costing.cost.name}", {"device": Sentence(f"verify.on.{compared.device}")})
    return _document(compared, rows, "verify.what", language, Paragraph([how]))


def _what(line: Measured) -> Value:
    """What is measured; of several that take as many bytes each, the bytes of one."""
    if line.is_code:
        return Code(line.what)
    room, _, key = line.what.partition(".")
    if room == "names":
        return Capital(Name(key))
    return Sentence(line.what, {} if line.number is None else {"bytes": number_of(line.number)})


def _verdict(line: Measured) -> Value:
    if not line.is_compared:
        return Sentence("verify.not_compared")
    return None if line.match else Sentence("verify.differs")


def number_of(count: Count) -> Expression:
    """A number that may be half of one."""
    if isinstance(count, Fraction) and count.denominator != 1:
        return Quotient(Number(count.numerator), Number(count.denominator))
    return Number(int(count))


def _document(
    compared: Verification | CostVerification, rows: list[list[Value]], what: str, language: str, *more: Block
) -> Document:
    columns = [
        Column(Sentence(what), is_words=True),
        Column(Sentence("verify.here"), "r"),
        Column(Prose(compared.class_name), "r"),
        Column(None),
    ]
    verdict = Sentence("verify.match" if compared.match else "verify.no_match")
    blocks: list[Block] = [Table("verification", columns, rows), *more, Paragraph([verdict])]
    return Document("verification", language, None, None, [Section("verification", None, blocks)], subject=compared)
