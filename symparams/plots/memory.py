"""Memory: what weights and KV cache take over the context, where the cache outgrows the weights, what fits which memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from symparams.answers.boards import Card, cards
from symparams.errors import OptionError
from symparams.expressions.nodes import Number
from symparams.expressions.symbols import e
from symparams.models.model import Model
from symparams.plots.lines import USUAL_SPAN, assumed, bends, letter_axis, short, spans_of
from symparams.plots.measured import Measured, measured
from symparams.plots.pictures import Amount, Axis, Curve, Level, Lines, Plot
from symparams.plots.span import Span, read_span
from symparams.quantities.quantity import BYTES
from symparams.records import frozen
from symparams.sheets.budget.memory import card_called
from symparams.sheets.values import Listed, Prose, Sentence, Value


@frozen
class Use:
    """The bytes of a model in use: its weights, and its cache over the letter of the context."""

    model: Model
    weights: Amount
    cache: Measured

    def __call__(self, tokens: int) -> Amount:
        """Return the bytes of both."""
        return self.weights + self.cache(tokens)

    def outgrown(self, span: Span) -> int | None:
        """From which value on the cache takes more than the weights."""
        return span.crossing(lambda tokens: self.cache(tokens) > self.weights)

    def exceeding(self, room: Fraction, span: Span) -> int | None:
        """From which value on both take more than a memory has."""
        return span.crossing(lambda tokens: self(tokens) > room)


def plot(models: Sequence[Model], over: str = "", limits: Sequence[str] = (), **inputs: Any) -> Plot:
    """Plot weights and KV cache of each model over t; CSV columns: model, t, weights_bytes, cache_bytes, total_bytes.

    ``limits`` are memories, 24GB or h100-sxm. OptionError for a letter of which the cache does not depend.
    """
    span = read_span(over or USUAL_SPAN)
    uses = [_use(model, span, inputs) for model in models]
    levels = [card for limit in limits for card in cards(limit)]
    spans = spans_of([use.cache for use in uses], span, is_usual=not over)
    grown = [use.outgrown(here) for use, here in zip(uses, spans, strict=True)]
    points = [
        [(x, use(x)) for x in here.values([*bends(use.cache), *([at] if at else [])])]
        for use, here, at in zip(uses, spans, grown, strict=True)
    ]
    marked = [(i, at) for i, (here, at) in enumerate(zip(spans, grown, strict=True)) if at and at > here.low]
    picture = Lines(
        letter_axis(span, models[0]),
        Axis(Sentence("units.bytes.column"), BYTES, is_log=span.doubles),
        [Curve(Prose(model.name), here) for model, here in zip(models, points, strict=True)],
        [Level(card_called(card), card.room.size * card.number) for card in levels],
        [(i, at, uses[i](at)) for i, at in marked],
    )
    outgrown = [(Prose(uses[i].model.name), Number(at)) for i, at in marked]
    letter = Sentence(f"plots.units.{span.letter}")
    return Plot(
        "memory",
        Sentence("plots.memory.title"),
        [Sentence("plots.memory.about"), *assumed([use.cache for use in uses])],
        picture,
        [
            *(
                Sentence("plots.memory.grown", {"model": model, "number": number, "letter": letter})
                for model, number in outgrown
            ),
            *_fits(uses, levels, spans, letter),
            *short([use.cache for use in uses], span),
        ],
        _foot(outgrown, letter),
        ("model", span.letter, "weights_bytes", "cache_bytes", "total_bytes"),
        [(use.model.name, x, use.weights, use.cache(x), y) for use, here in zip(uses, points, strict=True) for x, y in here],
        tuple(models),
    )


def _use(model: Model, span: Span, inputs: dict[str, Any]) -> Use:
    cache = measured(model, "kv_cache", span.letter, inputs)
    if cache.of_input is None:
        raise OptionError(
            f"Memory is plotted over t, the tokens in the cache, or b: {span.letter} is a size; plot line takes it."
        )
    weights = model.measure("weight_memory", **{name: cache.inputs[name] for name in ("dtype", e.name) if name in cache.inputs})
    return Use(model, weights, cache)


def _foot(outgrown: Sequence[tuple[Prose, Number]], letter: Sentence) -> list[Value]:
    """What the rings say: from how many tokens on the cache of which model takes more than its weights."""
    models = tuple(Sentence("plots.of_part", {"part": model, "count": number}) for model, number in outgrown)
    return [Sentence("plots.memory.ring", {"models": Listed(models, "signs.comma"), "letter": letter})] if models else []


def _fits(uses: Sequence[Use], levels: Sequence[Card], spans: Sequence[Span], letter: Sentence) -> Iterator[Sentence]:
    """Yield of each memory up to where each model fits in it."""
    for card in levels:
        room = Fraction(card.room.size * card.number)
        for use, span in zip(uses, spans, strict=True):
            over = use.exceeding(room, span)
            terms: dict[str, Value] = {"model": Prose(use.model.name), "memory": card_called(card), "letter": letter}
            if over is None:
                yield Sentence("plots.memory.always", terms)
            elif over == span.low:
                yield Sentence("plots.memory.never", terms)
            else:
                yield Sentence("plots.memory.until", {**terms, "number": Number(over - 1)})
