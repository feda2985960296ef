"""Lines: any quantity of any models over an input of the quantity or a size of the models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from symparams.expressions.nodes import Dimension, Equality, Number
from symparams.expressions.symbols import INPUTS, W
from symparams.models.model import Model
from symparams.plots.measured import Measured, measured
from symparams.plots.pictures import TOKENS, Axis, Curve, Lines, Plot
from symparams.plots.span import Span, read_span
from symparams.quantities.quantity import PARAMETERS, find
from symparams.quantities.setting import CHOICES
from symparams.sheets.dimensions import meaning
from symparams.sheets.quantities import noun_of
from symparams.sheets.values import Capital, Listed, Prose, Sentence, Value

USUAL_SPAN = "t=1Ki..1Mi"
OF_TOKENS = ("s", "t", "D", "s_src")


def plot(models: Sequence[Model], quantity: str = PARAMETERS, over: str = "", **inputs: Any) -> Plot:
    """Plot a quantity of each model over a letter; CSV columns: model, the letter, value."""
    span = read_span(over or _usual_span(quantity))
    curves = [measured(model, quantity, span.letter, inputs) for model in models]
    spans = [span.until(one.most) for one in curves]
    points = [[(x, one(x)) for x in here.values(bends(one))] for one, here in zip(curves, spans, strict=True)]
    unit = curves[0].quantity.unit
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
        [*short(curves, span)],
        [*short(curves, span)],
        ("model", span.letter, "value"),
        [(model.name, x, y) for model, here in zip(models, points, strict=True) for x, y in here],
        tuple(models),
    )


def _usual_span(quantity: str) -> str:
    inputs = {letter.name for letter in find(quantity).inputs}
    return next((span for span in (USUAL_SPAN, "s=512..1Mi", "b=1..32", "r=4..256") if span[0] in inputs), "h=1024..16384")


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
        if isinstance(window, int) and one.of_input is not None and one.letter in ("s", "t"):
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
