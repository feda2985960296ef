"""A checkpoint by itself: its number types with the bits of each, or its arrays."""

from __future__ import annotations

from symparams.answers.checkpoints import StoredWeights, bits_of
from symparams.checkpoints.groups import Group
from symparams.sheets.checkpoint import unprinted
from symparams.sheets.document import Column, Document, Lines, Section, Table
from symparams.sheets.values import Code, Sentence, Value, amount
from symparams.sheets.verification import sides_of

DECIMALS = 4  # of the bits of a weight


def memory(stored: StoredWeights, language: str = "en") -> Document:
    """Return the bytes by number type, with the bits that each takes a number, and those of the files."""
    if not stored.checkpoint.has_bytes:
        return arrays(stored, language)
    columns = [
        Column(Sentence("stored.types.type")),
        *(Column(Sentence(f"stored.types.{what}"), "r") for what in ("arrays", "numbers", "bits", "bytes")),
    ]
    rows: list[list[Value]] = [
        [Code(dtype), number, size, _bits(total, size), total] for dtype, number, size, total in stored.types
    ]
    rows.append([Sentence("stored.bytes.headers"), None, None, None, stored.checkpoint.overhead])
    rows.append([Sentence("stored.bytes.total"), len(stored.checkpoint.tensors), None, None, stored.checkpoint.bytes])
    size, total = stored.value, sum(group.bytes for group in stored.parameters)
    mean = Sentence("stored.types.mean", {"count": size, "bits": _bits(total, size), "bytes": total})
    return _document(stored, [Table("types", columns, rows, last_is_sum=True), Lines([mean])], language)


def arrays(stored: StoredWeights, language: str = "en") -> Document:
    """Return the arrays, copies together, with their shapes, types and bytes."""
    has_bytes = stored.checkpoint.has_bytes
    columns = [
        Column(Sentence("stored.tensor"), is_words=True),
        Column(Sentence("stored.number"), "r"),
        Column(Sentence("stored.shape"), "r"),
    ]
    if has_bytes:
        columns += [Column(Sentence("stored.types.type")), Column(Sentence("stored.bytes.size"), "r")]
    rows = [_row(group)[: len(columns)] for group in (*stored.parameters, *stored.others)]
    total: list[Value] = [Sentence("stored.bytes.total"), len(stored.checkpoint.tensors), None, None, stored.checkpoint.bytes]
    if not has_bytes:
        total = [Sentence("stored.parameters"), None, stored.value]
        table = Table("arrays", columns, [*rows, total], last_is_sum=True)
        return _document(stored, [table, Lines(unprinted(stored.checkpoint))], language)
    return _document(stored, [Table("arrays", columns, [*rows, total], last_is_sum=True)], language)


def _row(group: Group) -> list[Value]:
    return [Code(group.label), group.number, sides_of(group.shape), Code(group.dtype), group.bytes]


def _bits(size: int, numbers: int) -> Value:
    """Return the bits of each number, to so many decimals; nothing of no numbers."""
    exact = bits_of(size, numbers)
    bits = round(exact, DECIMALS) if exact is not None else None
    return amount(int(bits) if bits is not None and bits.denominator == 1 else bits)


def _document(stored: StoredWeights, blocks: list[Table | Lines], language: str) -> Document:
    caption = Sentence("stored.weights", {"place": Code(stored.checkpoint.name)})
    return Document("weights", language, None, None, [Section("weights", None, blocks, caption)], subject=stored)
