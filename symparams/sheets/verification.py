"""A model verified against the real one: its tensors by shape, here and in the library, the two counts, whether they match."""

from __future__ import annotations

from symparams.answers.verification import Verification
from symparams.expressions.nodes import Number, Product
from symparams.sheets.document import Block, Column, Document, Paragraph, Section, Table
from symparams.sheets.values import Prose, Sentence, Value


def verification(compared: Verification, language: str = "en") -> Document:
    """Each shape with how many tensors have it, and below them the two counts."""
    rows: list[list[Value]] = []
    for shape in sorted(compared.shapes_here | compared.shapes_library, reverse=True):
        here, library = compared.shapes_here[shape], compared.shapes_library[shape]
        sides: Value = Product(tuple(Number(side) for side in shape)) if shape else Sentence("verify.scalar")
        rows.append([sides, here, library, None if here == library else Sentence("verify.differs")])
    rows.append([Sentence("verify.parameters"), compared.here, compared.library, None])
    columns = [
        Column(Sentence("verify.shape"), is_words=True),
        Column(Sentence("verify.here"), "r"),
        Column(Prose(compared.class_name), "r"),
        Column(None),
    ]
    verdict = Sentence("verify.match" if compared.match else "verify.no_match")
    blocks: list[Block] = [Table("verification", columns, rows), Paragraph([verdict])]
    return Document("verification", language, None, None, [Section("verification", None, blocks)], subject=compared)
