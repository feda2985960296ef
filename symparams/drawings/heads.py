"""Heads: what reads the end of the layers and gives something out of the model, with the word for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symparams.drawings.marks import Face, Piece, Text, Tint
from symparams.drawings.parts import Part
from symparams.drawings.pen import Cursor, Pen, Way
from symparams.drawings.spine import run

OUTPUT = 8.0  # the arrow to an output
WORD = 2.5  # from there to the word's base line

Head = tuple[str, tuple[Part, ...]]


def put_heads(pen: Pen, heads: Sequence[Head], way: Way, at: Cursor) -> Cursor:
    """The heads above a column."""
    above = replace(way, tint=Tint.HEAD)
    if not heads:
        return _out(pen, "hidden_states", above, at)
    name, parts = heads[0]
    return _out(pen, name, above, run(pen, parts, above, at))


def _out(pen: Pen, key: str, way: Way, at: Cursor) -> Cursor:
    """An arrow out of the model, and the word for what goes out."""
    top = at.y - OUTPUT
    pen.wire((*at.trail, (way.x, top)))
    said = pen.work.words.entry(f"drawing.outputs.{key}")
    pen.text(Text(way.x, top - WORD, (Piece(said, Face.NOTE),)))
    return Cursor((), top - WORD - 6)
