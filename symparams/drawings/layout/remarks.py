"""Remarks: words beside a wire: what a box reads of what comes to it."""

from __future__ import annotations

from dataclasses import replace

from symparams.components.facts import key
from symparams.components.walks import components
from symparams.drawings.context import DrawingContext
from symparams.drawings.layout.pen import ColumnGeometry, Cursor, Pen
from symparams.drawings.lettering.lettering import words
from symparams.drawings.marks import Anchor, Face
from symparams.drawings.outline.parts import Block

REMARK = 30.0  # the width of words beside a wire, at least


def note(pen: Pen, part: Block, geometry: ColumnGeometry, at: Cursor) -> float:
    """Draw what a box reads besides its input, beside the wire, and return the room that the words take."""
    reads = part.component.reads
    if not reads or (pen.has_encoder and part.path in pen.context.crossing):
        return 0.0
    text = read(pen.context, reads)
    return remark(pen, text, geometry, at) if text else 0.0


def read(context: DrawingContext, reads: str) -> str:
    """Return what is read, in the catalogue's words or else the definition's; "" for a part, which a wire shows."""
    called, entries = key(reads), context.words.entries
    unknown = "" if any(path == reads for path, _ in components(context.model.tree)) else reads
    return str(entries.get(f"drawing.reads.{called}", entries.get(f"drawing.inputs.{called}", unknown)))


def remark(pen: Pen, text: str, geometry: ColumnGeometry, at: Cursor) -> float:
    """Words beside the wire: how much room they take."""
    room = max(geometry.width / 2 - 2, REMARK)
    lettered = words(text, Face.NOTE, room, pen.context.measure, most=4, air=1.0)
    top = at.y - lettered.height - 1
    pen.marks += (replace(line, x=geometry.x + 3, y=top + line.y, anchor=Anchor.START) for line in lettered.lines)
    return lettered.height
