"""A model verified against the real one: how many tensors have each shape, the two counts, and each tensor that differs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from symparams.answers.verification import Shape, TensorDifference, Verification
from symparams.expressions.nodes import Number, Product
from symparams.sheets.chosen import called
from symparams.sheets.document import Block, Column, Document, Paragraph, Section, Table
from symparams.sheets.values import Code, Prose, Sentence, Value

LAYER_NUMBER = re.compile(r"\.\d+(?=\.)")


def verification(compared: Verification, language: str = "en") -> Document:
    """Return the shapes with their numbers of tensors, the two counts, the tensors that differ, and the verdict."""
    here, library = Counter(compared.tensors_here.values()), Counter(compared.tensors_library.values())
    rows: list[list[Value]] = []
    for shape in sorted(here | library, reverse=True):
        differs = None if here[shape] == library[shape] else Sentence("verify.differs")
        rows.append([sides_of(shape), here[shape], library[shape], differs])
    rows.append([Sentence("verify.parameters"), compared.here, compared.library, None])
    blocks: list[Block] = [Table("verification", _columns(compared, "verify.shape"), rows)]
    if compared.differences:
        blocks.append(Table("differences", _columns(compared, "verify.tensor"), _differences(compared.differences)))
    blocks.append(Paragraph([Sentence("verify.match" if compared.match else "verify.no_match")]))
    caption = Sentence("verify.caption", {"model": called(compared.model), "other": Code(compared.class_name)})
    section = Section("verification", None, blocks, caption)
    return Document("verification", language, None, None, [section], subject=compared)


def _columns(compared: Verification, what: str) -> list[Column]:
    heading = Column(Sentence(what), is_words=True)
    return [heading, Column(Sentence("verify.here"), "r"), Column(Prose(compared.class_name), "r"), Column(None, moves=1)]


def _differences(differences: Sequence[TensorDifference]) -> list[list[Value]]:
    """A row for each tensor; one for all whose names differ only in the numbers of their layers, by the first of them."""
    alike: dict[tuple[str, Shape | None, Shape | None], list[TensorDifference]] = {}
    for difference in differences:
        pattern = LAYER_NUMBER.sub(".*", difference.name)
        alike.setdefault((pattern, difference.here, difference.library), []).append(difference)
    rows: list[list[Value]] = []
    for first, *others in alike.values():
        more = Sentence("verify.more", {"number": len(others)}) if others else None
        rows.append([Code(first.name), sides_of(first.here), sides_of(first.library), more])
    return rows


def sides_of(shape: Shape | None) -> Value:
    """A shape as a product; a dash for a tensor that does not exist."""
    if shape is None:
        return Sentence("verify.missing")
    return Product(tuple(Number(side) for side in shape)) if shape else Sentence("verify.scalar")
