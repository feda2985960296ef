"""Strips: what stands on top of a stack: the layer's name and how often it occurs, the product that makes its count."""

from __future__ import annotations

from symparams.derivations.steps import step
from symparams.drawings.lettering import SLACK, Lettered, stacked
from symparams.drawings.marks import Face, Piece
from symparams.drawings.parts import Stack
from symparams.drawings.work import Labels, Work
from symparams.expressions.nodes import Expression
from symparams.expressions.written import ONE, times

Line = tuple[Piece, ...]
AIR = 2.0


def strip(work: Work, stack: Stack, width: float) -> tuple[Lettered, str]:
    """The lines of a strip of this width, and what is read aloud of it."""
    name = work.name(stack.component.name if stack.component.times != ONE else stack.path.rpartition(".")[2])
    lines = [_first(work, stack, name), *_product(work, stack, width)]
    aloud = " ".join("".join(_plain(work, piece) for piece in line).strip() for line in lines)
    return stacked(lines, AIR), aloud


def _first(work: Work, stack: Stack, name: str) -> Line:
    """Decoder layer, L = 12; without a value Decoder layer × L."""
    often = stack.component.times
    if often == ONE:
        return (Piece(name, Face.STRIP),)
    value = work.value(often)
    if value is None or work.labels is Labels.FORMULA:
        return Piece(f"{name} × ", Face.STRIP), Piece(often, Face.FORMULA)
    comma = work.words.entry("drawing.comma")
    return Piece(f"{name}{comma}", Face.STRIP), Piece(often, Face.FORMULA), Piece(f" = {work.number(value)}", Face.STRIP)


def _product(work: Work, stack: Stack, width: float) -> list[Line]:
    """12 × 7,087,872 = 85,054,464, broken before "=" where that is too wide; without values one layer's closed form."""
    one = work.step(stack.path, stack.component)
    often = work.value(stack.component.times)
    if work.labels is Labels.NONE:
        return []
    if one.value is None or often is None or work.labels is Labels.FORMULA:
        return [(Piece(one.closed, Face.FORMULA),)] if work.measure((Piece(one.closed, Face.FORMULA),)) <= width - SLACK else []
    if stack.component.times == ONE:
        return [(Piece(work.number(one.value), Face.COUNT),)]
    every = step(work.model, stack.path, "stack", times(stack.component.times, one.quantity)).value
    assert every is not None
    product, whole = f"{work.number(often)} × {work.number(one.value)}", f"= {work.number(every)}"
    line = (Piece(f"{product} {whole}", Face.COUNT),)
    return [line] if work.measure(line) <= width - SLACK else [(Piece(product, Face.COUNT),), (Piece(whole, Face.COUNT),)]


def _plain(work: Work, piece: Piece) -> str:
    return work.plain(piece.value) if isinstance(piece.value, Expression) else piece.value
