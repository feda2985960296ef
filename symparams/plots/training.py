"""Training: what weights, gradients, the optimizer and the activations take over the batch, kept or recomputed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from symparams.answers.boards import cards
from symparams.expressions.nodes import Equality, Number
from symparams.expressions.symbols import b, s
from symparams.expressions.written import exact, total
from symparams.models.inputs import positions
from symparams.models.model import Model
from symparams.plots.lines import letter_axis, spans_of, values_of
from symparams.plots.measured import Measured, measured
from symparams.plots.pictures import Amount, Axis, Column, Columns, Level, Plot
from symparams.plots.span import read_span
from symparams.quantities.kept_by_layers import FLASH
from symparams.quantities.quantity import BYTES, Term
from symparams.quantities.recipes import MASTERED, recipe
from symparams.sheets.budget.memory import card_called
from symparams.sheets.values import Capital, Name, Prose, Sentence, Value

QUANTITY, USUAL_SPAN, USUAL_TOKENS = "training_memory", "b=1..32", 2_048
KEPT, RECOMPUTED = Sentence("plots.training.kept"), Sentence("plots.training.recomputed")
ACTIVATIONS, MOST_LEVELS = "activations", 4
MOMENTS = {"first_moment": "adam_m", "second_moment": "adam_v"}  # as the paper writes them


def plot(models: Sequence[Model], over: str = "", limits: Sequence[str] = (), **inputs: Any) -> Plot:
    """Plot the memory of training over the batch, with activations that are kept and that are recomputed.

    CSV columns: the letter, checkpoint (1 where layers are recomputed), each part, total.
    """
    [model] = models
    span = read_span(over or USUAL_SPAN)
    given = {"recipe": MASTERED, "attention": FLASH, **inputs}
    if span.letter != s.name:
        given.setdefault(s.name, min(USUAL_TOKENS, positions(model) or USUAL_TOKENS))
    asked = given.pop("checkpoint", None)
    ways = [measured(model, QUANTITY, span.letter, {**given, **({"checkpoint": True} if way else {})}) for way in _ways(asked)]
    places = values_of(ways[0], spans_of(ways[:1], span, is_usual=not over)[0])
    parts = [_parts(way, span.low) for way in ways]
    names = list(dict.fromkeys(name for those in parts for name in those))
    rows, columns = [], []
    for x in places:
        for way, is_recomputed in zip(ways, _ways(asked), strict=True):
            amounts = [_parts(way, x).get(name, 0) for name in names]
            rows.append((x, int(is_recomputed), *amounts, sum(amounts)))
            columns.append(Column(x, RECOMPUTED if is_recomputed else KEPT, amounts))
    picture = Columns(
        letter_axis(span, model),
        Axis(Sentence("units.bytes.column"), BYTES, is_log=False),
        [Sentence("plan.lines.activations") if name == ACTIVATIONS else Capital(Name(name)) for name in names],
        columns,
        list(_levels(limits, max(sum(column.parts) for column in columns))),
    )
    return Plot(
        "memory",
        Sentence("plots.training.title", {"model": Prose(model.name)}),
        list(_assumed(given, span.letter)),
        picture,
        list(_facts(ways[0], names, model)),
        [Sentence("plots.training.order", {"kept": KEPT, "recomputed": RECOMPUTED})] if asked is None else [],
        (span.letter, "checkpoint", *(MOMENTS.get(name, name) for name in names), "total"),
        rows,
        (model,),
    )


def _ways(asked: Any) -> tuple[bool, ...]:
    """Whether activations are recomputed: both ways, unless one is asked for."""
    return (False, True) if asked is None else (bool(asked),)


def _parts(one: Measured, value: int) -> dict[str, Amount]:
    """The bytes of weights, gradients and each state, and those of the activations together."""
    calculation, named = one.at(value), recipe(str(one.inputs["recipe"])).parts
    states = [name for name, _ in named]
    gathered: dict[str, list[Term]] = {name: [] for name in (*states, ACTIVATIONS)}
    for term in calculation.terms:
        gathered[ACTIVATIONS if term.path or term.name not in states else term.name].append(term)
    values = calculation.model.values
    return {name: exact(total([term.every for term in terms]), values) for name, terms in gathered.items()}


def _levels(limits: Sequence[str], most: Amount) -> Iterator[Level]:
    """Yield lines at so many times each memory as reach the highest column, a few of them."""
    for limit in limits:
        for card in cards(limit):
            size = card.room.size * card.number
            number = -(-most // size)
            step = max(1, -(-number // MOST_LEVELS))
            for times in dict.fromkeys((1, *range(step, int(number) + 1, int(step)))):
                yield Level(card_called(replace(card, number=times * card.number)), times * size)


def _assumed(given: dict[str, Any], letter: str) -> Iterator[Value]:
    yield Sentence(f"budget.recipes.{given['recipe']}")
    yield Sentence(f"plots.training.{given['attention']}")
    for own in (b, s):
        if own.name in given and own.name != letter:
            yield Equality(own, Number(int(given[own.name])))


def _facts(one: Measured, names: Sequence[str], model: Model) -> Iterator[Sentence]:
    """Yield the bytes of the states at any batch, and what each sequence adds; none over a size, with which both change."""
    if one.of_input is None:  # over a size of the model
        return
    single, double = _parts(one, 1), _parts(one, 2)
    states = sum(single[name] for name in names if name != ACTIVATIONS)
    yield Sentence("plots.training.states", {"number": Number(int(states)), "each": Number(int(states // model.count()))})
    added = double[ACTIVATIONS] - single[ACTIVATIONS]
    if one.letter == b.name:
        yield Sentence("plots.training.added", {"number": Number(int(added))})
