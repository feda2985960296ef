"""Strips: what stands on top of a stack: the layer's name and how often it occurs, the product that makes its count."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from symparams.derivations.steps import Step, step
from symparams.drawings.context import DrawingContext, Labels
from symparams.drawings.lettering.lettering import ROUGHLY, SLACK, Lettered, stacked, words
from symparams.drawings.marks import Face, TextLine, TextPiece
from symparams.drawings.outline.parts import AlternatingLayers, LayerStack, SplitSlot, SplitStack
from symparams.expressions.nodes import Expression, Number, Sum
from symparams.expressions.written import ONE, times

Scaled = tuple[TextLine, float]
AIR = 2.0


def strip(context: DrawingContext, stack: LayerStack | AlternatingLayers, width: float) -> tuple[Lettered, str]:
    """The lines of a strip of this width, and what is read aloud of it."""
    if isinstance(stack, AlternatingLayers):
        first, product = [(_whole(context, stack), 1.0)], _product_of_alternating(context, stack)
    elif isinstance(stack, SplitStack):
        first, product = [(_whole(context, stack), 1.0)], _sum_of_split(context, stack, width)
    else:
        first, product = _first(context, stack, layer_name(context, stack), width), _product(context, stack, width)
    lines = [(line, min(scale, (width - SLACK) / context.measure(line))) for line, scale in (*first, *product)]
    return stacked(lines, AIR), _aloud(context, stack, product)


def _aloud(context: DrawingContext, stack: LayerStack | AlternatingLayers, product: list[Scaled]) -> str:
    """Decoder layer, L = 12: 12 × 7,087,872 = 85,054,464, in however many lines it is set."""
    name = (
        _whole(context, stack)
        if isinstance(stack, (AlternatingLayers, SplitStack))
        else _titled(layer_name(context, stack), *_often(context, stack))
    )
    told = [_read(context, line) for line, _ in product]
    counted = (" " if stack.component.applied is None else str(context.words.entry("signs.comma"))).join(told)
    return context.sentence("aloud", part=_read(context, name), told=counted) if counted else _read(context, name)


def layer_name(context: DrawingContext, stack: LayerStack, *, is_within: bool = False) -> str:
    """Return the name of one layer of a stack, by itself or within a sentence; one that stands alone has its own."""
    key = stack.component.name if stack.component.times != ONE else stack.path.rpartition(".")[2]
    return context.words.name(key, is_users=context.is_users) if is_within else context.name(key)


def layers_of(alternating: AlternatingLayers | SplitStack) -> Expression:
    """Return the number of layers of stacks that take turns, or follow one another."""
    first = alternating.stacks if isinstance(alternating, SplitStack) else alternating.groups[0]
    return first[0].component.times if len(first) == 1 else Sum(tuple(stack.component.times for stack in first))


def proportion(context: DrawingContext, stacks: Sequence[LayerStack], width: float) -> str:
    """Return that layers take turns, with the proportion if it is a number that fits: in turn, 1 : 7."""
    often = [context.fixed(stack.component.times) for stack in stacks]
    known = [number for number in often if number]
    if len(known) == len(often):
        text = context.sentence("in_turn_of", shares=" : ".join(str(number // gcd(*known)) for number in known))
        if context.measure((TextPiece(text, Face.PILL),)) <= width - SLACK:
            return text
    return context.sentence("in_turn")


def _whole(context: DrawingContext, alternating: AlternatingLayers | SplitStack) -> TextLine:
    """32 layers."""
    runs = context.runs("layers", layers=layers_of(alternating))
    return tuple(TextPiece(run, Face.STRIP if isinstance(run, str) else Face.FORMULA) for run in runs)


def _product_of_alternating(context: DrawingContext, alternating: AlternatingLayers) -> list[Scaled]:
    """Return the label of all layers together that take turns."""
    whole = context.step(alternating.path, alternating.component)
    if whole.count is None or context.labels not in (Labels.BOTH, Labels.COUNT):
        return []
    return [_counts(context.counted(whole.count, whole.written))]


def which_layers(context: DrawingContext, slot: SplitSlot) -> list[tuple[str | Expression, ...]]:
    """Return the layers that each block of a split slot is in: in the first 3, in the other 58."""
    first, *others = slot.times
    return [
        context.runs("in_the_first", layers=first),
        *(context.runs("in_the_other", layers=times) for times in others),
    ]


def _sum_of_split(context: DrawingContext, split: SplitStack, width: float) -> list[Scaled]:
    """3 × 583,483,392 + 58 × 11,507,286,016 = 669,173,039,104, broken before "=" where that is too wide."""
    layers = [(context.told(stack.component.times), context.step(stack.path, stack.component)) for stack in split.stacks]
    every = context.step(split.path, split.component)
    if every.count is None or context.labels not in (Labels.BOTH, Labels.COUNT):
        return []
    products = [_product_of(context, often, layer) for often, layer in layers if often not in (None, "0") and layer.count]
    added = [text for product in products for text in (" + ", *product)][1:]
    return _equal(context, added, context.counted(every.count, every.written), width)


def _product_of(context: DrawingContext, often: str | None, layer: Step) -> list[str]:
    """32 × 7,087,872."""
    assert often is not None
    assert layer.count is not None
    counted = context.counted(layer.count, layer.written)
    return [often, " × ", counted.removeprefix(f"{ROUGHLY} ")]  # within a product without the sign that it is rounded


def _equal(context: DrawingContext, product: list[str], whole: str, width: float) -> list[Scaled]:
    """A product and the count that it makes, broken before "=" where that is too wide."""
    whole = whole if whole.startswith(ROUGHLY) else "= " + whole
    line = _counts(*product, " " + whole)
    return [line] if context.measure(line[0]) <= width - SLACK else [_counts(*product), _counts(whole)]


def _counts(*texts: str) -> Scaled:
    return tuple(TextPiece(text, Face.COUNT) for text in texts), 1.0


def _first(context: DrawingContext, stack: LayerStack, name: str, width: float) -> list[Scaled]:
    """Decoder layer, L = 12; without a value Decoder layer × L; in several lines where that is too wide."""
    before, often = _often(context, stack)
    line = _titled(name, before, often)
    if context.measure(line) <= width - SLACK:
        return [(line, 1.0)]
    lines = [(text.pieces, text.scale) for text in words(name, Face.STRIP, width, context.measure).lines]
    rest = (*((TextPiece(before.lstrip(), Face.STRIP),) if before.strip() == "×" else ()), *often)
    return [*lines, (rest, 1.0)] if often else lines


def _titled(name: str, before: str, often: TextLine) -> TextLine:
    return TextPiece(name + before, Face.STRIP), *often


def _often(context: DrawingContext, stack: LayerStack) -> tuple[str, TextLine]:
    """Return the number of copies of a layer, with its sign."""
    often = stack.component.times
    if often == ONE:
        return "", ()
    value = context.told(often)
    if value is None or isinstance(often, Number) or context.labels is Labels.FORMULA:
        return " × ", (TextPiece(often, Face.FORMULA),)
    comma = str(context.words.entry("signs.comma"))
    return comma, (TextPiece(often, Face.FORMULA), TextPiece(" = " + value, Face.STRIP))


def _product(context: DrawingContext, stack: LayerStack, width: float) -> list[Scaled]:
    """12 × 7,087,872 = 85,054,464, broken before "=" where that is too wide; without values one layer's closed form."""
    layer = context.step(stack.path, stack.component)
    often = context.value(stack.component.times)
    if context.labels is Labels.NONE:
        return []
    if layer.count is None or often is None or context.labels is Labels.FORMULA:
        closed: TextLine = (TextPiece(layer.closed, Face.FORMULA),)
        lines = [(closed, 1.0)] if context.measure(closed) <= width - SLACK else []
        applied = stack.component.applied
        return lines if applied is None else [*lines, _counts(*_applied(context, applied))]
    if context.equal(stack.component.times, ONE) and stack.component.applied is None:
        return [_counts(context.counted(layer.count, layer.written))]
    every = step(context.model, stack.path, "stack", times(stack.component.times, layer.written))
    assert every.count is not None
    product = _product_of(context, context.told(stack.component.times), layer)
    if stack.component.applied is None:
        return _equal(context, product, context.counted(every.count, every.written), width)
    # Layers that are stored so often, and passed more often: stored 1 × 7,087,872, used 12 times.
    stored = product if often > 1 else [context.counted(layer.count, layer.written)]
    return [_counts(*stored), _counts(*_applied(context, stack.component.applied))]


def _applied(context: DrawingContext, applied: Expression) -> list[str]:
    return [run if isinstance(run, str) else context.plain(run) for run in context.runs("used", times=applied)]


def _read(context: DrawingContext, line: TextLine) -> str:
    """A line as text."""
    values = (piece.value for piece in line)
    return "".join(context.plain(value) if isinstance(value, Expression) else value for value in values).strip()
