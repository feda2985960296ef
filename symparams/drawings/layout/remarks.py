"""Remarks: words beside a wire: what a box reads of what comes to it."""

from __future__ import annotations

from dataclasses import replace

from symparams.components.facts import ENCODER, key
from symparams.components.walks import components
from symparams.drawings.layout.pen import Cursor, Pen, Way
from symparams.drawings.lettering.lettering import words
from symparams.drawings.marks import Anchor, Face
from symparams.drawings.outline.parts import Block
from symparams.drawings.work import DrawingContext

REMARK = 30.0  # the width of words beside a wire, at least


def note(pen: Pen, part: Block, way: Way, at: Cursor) -> float:
    """Draw what a box reads besides its input, beside the wire, and return the room that the words take."""
    reads = part.component.reads
    if not reads or (reads == ENCODER and pen.has_encoder):
        return 0.0
    text = read(pen.work, reads)
    return remark(pen, text, way, at) if text else 0.0


def read(work: DrawingContext, reads: str) -> str:
    """Return what is read, in the catalogue's words or else the definition's; "" for a part, which a wire shows."""
    called, entries = key(reads), work.words.entries
    unknown = "" if any(path == reads for path, _ in components(work.model.tree)) else reads
    return str(entries.get(f"drawing.reads.{called}", entries.get(f"drawing.inputs.{called}", unknown)))


def remark(pen: Pen, text: str, way: Way, at: Cursor) -> float:
    """Words beside the wire: how much room they take."""
    room = max(way.width / 2 - 2, REMARK)
    lettered = words(text, Face.NOTE, room, pen.work.measure, most=4, air=1.0)
    top = at.y - lettered.height - 1
    for line in lettered.lines:
        pen.text(replace(line, x=way.x + 3, y=top + line.y, anchor=Anchor.START))
    return lettered.height
