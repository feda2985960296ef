"""Strips: what stands on top of a stack: the layer's name and how often it occurs, the product that makes its count."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from symparams.derivations.steps import step
from symparams.drawings.lettering.lettering import ROUGHLY, SLACK, Lettered, stacked, words
from symparams.drawings.marks import Face, TextPiece
from symparams.drawings.outline.parts import LayerStack, Turns
from symparams.drawings.work import DrawingContext, Labels
from symparams.expressions.nodes import Expression, Number, Sum
from symparams.expressions.written import ONE, times

Line = tuple[TextPiece, ...]
Scaled = tuple[Line, float]
AIR = 2.0


def strip(work: DrawingContext, stack: LayerStack | Turns, width: float) -> tuple[Lettered, str]:
    """The lines of a strip of this width, and what is read aloud of it."""
    if isinstance(stack, Turns):
        first, product = [(_whole(work, stack), 1.0)], _product_of_turns(work, stack)
    else:
        first, product = _first(work, stack, layer_name(work, stack), width), _product(work, stack, width)
    lines = [(line, min(scale, (width - SLACK) / work.measure(line))) for line, scale in (*first, *product)]
    return stacked(lines, AIR), _aloud(work, stack, product)


def _aloud(work: DrawingContext, stack: LayerStack | Turns, product: list[Scaled]) -> str:
    """Decoder layer, L = 12: 12 × 7,087,872 = 85,054,464, in however many lines it is set."""
    name = _whole(work, stack) if isinstance(stack, Turns) else _titled(layer_name(work, stack), *_often(work, stack))
    told = [_read(work, line) for line, _ in product]
    counted = (" " if stack.component.applied is None else str(work.words.entry("drawing.comma"))).join(told)
    return work.sentence("aloud", part=_read(work, name), told=counted) if counted else _read(work, name)


def layer_name(work: DrawingContext, stack: LayerStack, *, is_within: bool = False) -> str:
    """Return the name of one layer of a stack, by itself or within a sentence; one that stands alone has its own."""
    key = stack.component.name if stack.component.times != ONE else stack.path.rpartition(".")[2]
    return work.words.name(key, is_users=work.is_users) if is_within else work.name(key)


def layers_of(turns: Turns) -> Expression:
    """Return the number of layers of stacks that take turns."""
    first = turns.groups[0]
    return first[0].component.times if len(first) == 1 else Sum(tuple(stack.component.times for stack in first))


def in_turn(work: DrawingContext, stacks: Sequence[LayerStack], width: float) -> str:
    """Return that layers take turns, with the proportion if it is a number that fits: in turn, 1 : 7."""
    often = [work.value(stack.component.times) for stack in stacks]
    known = [number for number in often if number]
    if len(known) == len(often):
        text = work.sentence("in_turn_of", shares=" : ".join(str(number // gcd(*known)) for number in known))
        if work.measure((TextPiece(text, Face.PILL),)) <= width - SLACK:
            return text
    return str(work.words.entry("drawing.in_turn"))


def _whole(work: DrawingContext, turns: Turns) -> Line:
    """32 layers."""
    runs = work.runs("layers", layers=layers_of(turns))
    return tuple(TextPiece(run, Face.STRIP if isinstance(run, str) else Face.FORMULA) for run in runs)


def _product_of_turns(work: DrawingContext, turns: Turns) -> list[Scaled]:
    """What all layers together have that take turns."""
    whole = work.step(turns.path, turns.component).count
    if whole is None or work.labels not in (Labels.BOTH, Labels.COUNT):
        return []
    return [((TextPiece(work.counted(whole), Face.COUNT),), 1.0)]


def _first(work: DrawingContext, stack: LayerStack, name: str, width: float) -> list[Scaled]:
    """Decoder layer, L = 12; without a value Decoder layer × L; in several lines where that is too wide."""
    before, often = _often(work, stack)
    line = _titled(name, before, often)
    if work.measure(line) <= width - SLACK:
        return [(line, 1.0)]
    lines = [(text.pieces, text.scale) for text in words(name, Face.STRIP, width, work.measure).lines]
    rest = (*((TextPiece(before.lstrip(), Face.STRIP),) if before.strip() == "×" else ()), *often)
    return [*lines, (rest, 1.0)] if often else lines


def _titled(name: str, before: str, often: Line) -> Line:
    return TextPiece(name + before, Face.STRIP), *often


def _often(work: DrawingContext, stack: LayerStack) -> tuple[str, Line]:
    """How often a layer occurs, and the sign before that."""
    often = stack.component.times
    if often == ONE:
        return "", ()
    value = work.value(often)
    if value is None or isinstance(often, Number) or work.labels is Labels.FORMULA:
        return " × ", (TextPiece(often, Face.FORMULA),)
    comma = str(work.words.entry("drawing.comma"))
    return comma, (TextPiece(often, Face.FORMULA), TextPiece(f" = {work.number(value)}", Face.STRIP))


def _product(work: DrawingContext, stack: LayerStack, width: float) -> list[Scaled]:
    """12 × 7,087,872 = 85,054,464, broken before "=" where that is too wide; without values one layer's closed form."""
    layer = work.step(stack.path, stack.component)
    often = work.value(stack.component.times)
    if work.labels is Labels.NONE:
        return []
    if layer.count is None or often is None or work.labels is Labels.FORMULA:
        closed: Line = (TextPiece(layer.closed, Face.FORMULA),)
        lines = [(closed, 1.0)] if work.measure(closed) <= width - SLACK else []
        applied = stack.component.applied
        return lines if applied is None else [*lines, ((TextPiece(_applied(work, applied), Face.COUNT),), 1.0)]
    if often == 1 and stack.component.applied is None:
        return [((TextPiece(work.counted(layer.count), Face.COUNT),), 1.0)]
    every = step(work.model, stack.path, "stack", times(stack.component.times, layer.quantity)).count
    assert every is not None
    if stack.component.applied is not None:
        return [((TextPiece(line, Face.COUNT),), 1.0) for line in _used(work, stack, often, layer.count)]
    product, whole = f"{work.number(often)} × {_bare(work.counted(layer.count))}", work.counted(every)
    whole = whole if whole.startswith(ROUGHLY) else f"= {whole}"
    line = (TextPiece(f"{product} {whole}", Face.COUNT),)
    if work.measure(line) <= width - SLACK:
        return [(line, 1.0)]
    return [((TextPiece(part, Face.COUNT),), 1.0) for part in (product, whole)]


def _used(work: DrawingContext, stack: LayerStack, often: int, layer: int) -> list[str]:
    """Layers that are stored so often, and passed more often: stored 1 × 7,087,872, used 12 times."""
    assert stack.component.applied is not None
    stored = f"{work.number(often)} × {_bare(work.counted(layer))}" if often > 1 else work.counted(layer)
    return [stored, _applied(work, stack.component.applied)]


def _bare(counted: str) -> str:
    """A count within a product, without the sign that it is rounded."""
    return counted.removeprefix(f"{ROUGHLY} ")


def _applied(work: DrawingContext, applied: Expression) -> str:
    value = work.value(applied)
    return work.sentence("used", times=work.plain(applied) if value is None else value)


def _read(work: DrawingContext, line: Line) -> str:
    """A line as text."""
    values = (piece.value for piece in line)
    return "".join(work.plain(value) if isinstance(value, Expression) else value for value in values).strip()
