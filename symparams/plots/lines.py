"""Lines: any quantity of any models over an input of the quantity or a size of the models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from symparams.errors import DimensionError, OptionError
from symparams.expressions.nodes import Dimension, Equality, Number
from symparams.expressions.symbols import INPUTS, D, W, h, s, s_src, t
from symparams.models.model import Model
from symparams.plots.measured import Measured, measured
from symparams.plots.pictures import TOKENS, Axis, Curve, Lines, Plot
from symparams.plots.span import DOUBLING, Span, read_span
from symparams.quantities.quantity import PARAMETERS, find
from symparams.quantities.setting import CHOICES
from symparams.sheets.dimensions import meaning
from symparams.sheets.quantities import noun_of
from symparams.sheets.values import Capital, Listed, Prose, Sentence, Value

USUAL_SPAN = "t=1Ki..1Mi"
FARTHEST = 129  # from a value that a size cannot have to the next that is tried
OF_TOKENS = [letter.name for letter in (s, t, D, s_src)]


def plot(models: Sequence[Model], quantity: str = PARAMETERS, over: str = "", **inputs: Any) -> Plot:
    """Plot a quantity of each model over a letter; CSV columns: model, the letter, value."""
    span = read_span(over or _usual_span(quantity, models[0]))
    curves = [measured(model, quantity, span.letter, inputs) for model in models]
    spans = spans_of(curves, span, is_usual=not over)
    points = [[(x, one(x)) for x in values_of(one, here)] for one, here in zip(curves, spans, strict=True)]
    unit, ends = curves[0].quantity.unit, [*short(curves, span)]
    picture = Lines(
        letter_axis(span, models[0]),
        Axis(noun_of(curves[0].quantity), unit, is_log=span.doubles),
        [Curve(Prose(model.name), here) for model, here in zip(models, points, strict=True)],
    )
    asked: dict[str, Value] = {"quantity": Capital(noun_of(curves[0].quantity)), "letter": Dimension(span.letter)}
    return Plot(
        "line",
        Sentence("plots.line.title", asked),
        [*assumed(curves)],
        picture,
        ends,
        ends,
        ("model", span.letter, "value"),
        [(model.name, x, y) for model, here in zip(models, points, strict=True) for x, y in here],
        tuple(models),
    )


def _usual_span(quantity: str, model: Model) -> str:
    inputs, width = {letter.name for letter in find(quantity).inputs}, model.values.get(h, 1024)
    spans = ("s=512..1Mi", USUAL_SPAN, "b=1..32", "r=4..256")
    return next((span for span in spans if span[0] in inputs), f"h={width}..{DOUBLING * width}")


def values_of(one: Measured, span: Span) -> list[int]:
    """The values of the letter within a span; of a size that others must divide, between its ends the nearest that can be."""
    values = span.values(bends(one))
    if one.of_input is not None:
        return values
    return sorted({x if x in (span.low, span.high) else _possible(one, x, span) for x in values})


def _possible(one: Measured, value: int, span: Span) -> int:
    """The value nearest to another that a size can have, an end of the span where it is none of the next."""
    for away in range(FARTHEST):
        for near in (value - away, value + away):
            if span.low < near < span.high:
                with suppress(DimensionError):
                    one(near)
                    return near
    return span.low


def spans_of(curves: Sequence[Measured], span: Span, *, is_usual: bool) -> list[Span]:
    """The span of each model, up to its last position; a usual one begins earlier where a model has few.

    OptionError for a model whose positions end before the span begins.
    """
    least = min((one.most for one in curves if one.most is not None), default=None)
    if is_usual and least is not None and least < 2 * span.low:
        span = Span(span.letter, max(1, least // DOUBLING), span.high)
    for one in curves:
        if one.most is not None and one.most <= span.low:
            earlier = f"{span.letter}={max(1, one.most // DOUBLING)}..{span.high}"
            raise OptionError(
                f"{one.model.name} has {one.most:,} positions, and the plot begins at {span.letter} = {span.low:,}: "
                f"begin earlier, --over {earlier}."
            )
    return [span.until(one.most) for one in curves]


def letter_axis(span: Span, model: Model) -> Axis:
    """The axis of the letter, with what it means."""
    letter = Dimension(span.letter)
    known = next((own for own in INPUTS if span.letter == own.name), None)
    meant: Value = Sentence(f"inputs.{span.letter}") if known is not None else meaning(letter, model)
    unit = TOKENS if span.letter in OF_TOKENS and span.doubles else ""
    return Axis(Sentence("plots.axis", {"meaning": meant, "letter": letter}), unit, is_log=span.doubles)


def bends(one: Measured) -> Iterator[int]:
    """The values of the letter at which a line bends: about the window of a model, where its cache stops to grow."""
    windows = {one.model.values.get(W), one.model.choices.get("window")}
    for window in windows:
        if isinstance(window, int) and one.of_input is not None and one.letter in (s.name, t.name):
            yield from (window - 1, window, window + 1)


def assumed(curves: Sequence[Measured]) -> Iterator[Value]:
    """Yield what the numbers are for: inputs, the number types of models, the other choices."""
    inputs: dict[str, Any] = {}
    for one in curves:
        inputs |= one.inputs
    letters = [letter for letter in INPUTS if letter.name in inputs and letter.name != curves[0].letter]
    if letters:
        values = tuple(Equality(letter, Number(int(inputs[letter.name]))) for letter in letters)
        yield Listed(values, "signs.comma")
    types = dict.fromkeys(one.dtype for one in curves if one.dtype)
    if len(types) == 1:
        yield Prose(next(iter(types)))
    elif types:
        of_each = [Sentence("plots.type_of", {"model": Prose(one.model.name), "type": Prose(one.dtype)}) for one in curves]
        yield Listed(tuple(of_each), "signs.comma")
    yield from (Prose(f"{name} {inputs[name]}") for name in CHOICES if name in inputs and name != "dtype")


def short(curves: Sequence[Measured], span: Span) -> Iterator[Sentence]:
    """Yield of each model whose line ends early, why: it has no more positions."""
    for one in curves:
        if one.most is not None and one.most < span.high:
            yield Sentence("plots.positions", {"model": Prose(one.model.name), "number": Number(one.most)})
