"""Shares: which part of a pass takes which part of its FLOPs over the length of the sequence; when attention is half."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from symparams.derivations.shares import parts_of
from symparams.drawings.bars.portions import tints_of
from symparams.drawings.marks import Tint
from symparams.errors import OptionError
from symparams.expressions.nodes import Dimension, Equality, Number
from symparams.expressions.written import exact, total
from symparams.models.model import Model
from symparams.plots.lines import assumed, letter_axis, short, spans_of
from symparams.plots.measured import Measured, measured
from symparams.plots.pictures import Amount, Areas, Curve, Plot
from symparams.plots.span import Span, read_span
from symparams.quantities.matrix_flops import ATTENTION
from symparams.quantities.quantity import Term
from symparams.records import frozen
from symparams.sheets.values import Capital, Name, Percentage, Prose, Sentence, Value

PAIRS, PROJECTIONS = "scores_and_use", "projections"
USUAL, USUAL_SPAN, FINER = "forward_flops", "s=512..1Mi", 8


@frozen
class Group:
    """Terms of one colour: ``pairs`` are those of pairs of tokens, scores and weighted sums."""

    name: str
    called: Value
    tint: Tint
    terms: Sequence[str]
    pairs: bool = False


def plot(models: Sequence[Model], quantity: str = USUAL, over: str = "", **inputs: Any) -> Plot:
    """Plot the shares of a model's parts over the sequence; CSV columns: the letter, each part, total.

    OptionError for a quantity without parts in the tree.
    """
    [model] = models
    span = read_span(over or USUAL_SPAN)
    one = measured(model, quantity, span.letter, inputs)
    if one.calculation is None or one.quantity.tensors is not None:
        raise OptionError(f"Shares are those of FLOPs or bytes over an input: {span.letter} is none of {one.quantity.spelled}.")
    [here] = spans_of([one], span, is_usual=not over)
    groups = _groups(one)
    pairs = [group for group in groups if group.pairs]
    half = here.crossing(lambda x: 2 * _sum(one, pairs, x) >= one(x)) if pairs else None
    half = half if half != here.low else None
    shown = here.values([half] if half else [])
    rows = {x: [_sum(one, [group], x) for group in groups] for x in here.values(shown, finer=FINER)}
    fine = [
        Curve(
            group.called, [(x, Fraction(amounts[i], 1) / sum(amounts)) for x, amounts in rows.items()], group.tint, group.pairs
        )
        for i, group in enumerate(groups)
    ]
    letter = Sentence(f"plots.units.{span.letter}")
    marked = (
        (half, Sentence("plots.shares.half_from", {"equality": Equality(Dimension(span.letter), Number(half))}))
        if half
        else None
    )
    ends = [*short([one], span)]
    return Plot(
        "shares",
        Sentence("plots.shares.title", {"model": Prose(model.name)}),
        [Sentence("plots.shares.about", {"quantity": Sentence(f"costs.{one.quantity.name}.noun")}), *assumed([one])],
        Areas(letter_axis(span, model), fine, marked),
        [*_facts(one, pairs, half, here, letter), *ends],
        ends,
        (span.letter, *(group.name for group in groups), "total"),
        [(x, *rows[x], sum(rows[x])) for x in shown],
        (model,),
    )


def _facts(one: Measured, pairs: Sequence[Group], half: int | None, span: Span, letter: Value) -> Iterator[Sentence]:
    if not pairs:
        return
    if half is not None:
        yield Sentence("plots.shares.half", {"model": Prose(one.model.name), "number": Number(half), "letter": letter})
    part = Fraction(_sum(one, pairs, span.high)) / one(span.high)
    terms: dict[str, Value] = {"part": Percentage(part, 1), "number": Number(span.high), "letter": letter}
    yield Sentence("plots.shares.last", terms)


def _sum(one: Measured, groups: Sequence[Group], value: int) -> Amount:
    calculation = one.at(value)
    names = {name for group in groups for name in group.terms}
    return exact(total([term.every for term in calculation.terms if _key(term) in names]), calculation.model.values)


def _key(term: Term) -> str:
    return f"{term.path}/{term.name}/{term.kind}"


def _groups(one: Measured) -> list[Group]:
    """The parts of a calculation from below: pairs of tokens, what else attention does, the others, by their colours."""
    assert one.calculation is not None
    tints, gathered = tints_of(one.model), dict[tuple[str, bool], list[Term]]()
    by_name = parts_of(one.calculation)
    split = {name for name, terms in by_name.items() if len({term.kind == ATTENTION for term in terms}) == 2}
    for name, terms in by_name.items():
        for term in terms:
            gathered.setdefault((name, term.kind == ATTENTION), []).append(term)
    several = [name for name, is_pairs in gathered if is_pairs]
    groups = [
        Group(
            *_called(name, is_pairs, name in split, len(several) > 1),
            next((tints[term.path] for term in terms if term.path in tints), Tint.FEED_FORWARD),
            list(dict.fromkeys(map(_key, terms))),
            is_pairs,
        )
        for (name, is_pairs), terms in gathered.items()
    ]
    order = (Tint.ATTENTION, Tint.FEED_FORWARD, Tint.NORM, Tint.EMBEDDING, Tint.HEAD)
    return sorted(groups, key=lambda group: (order.index(group.tint) if group.tint in order else len(order), not group.pairs))


def _called(name: str, is_pairs: bool, is_split: bool, is_one_of: bool) -> tuple[str, Value]:
    """The column and the words of a group: of the only attention without its name."""
    if not is_pairs and not is_split:
        return name, Capital(Name(name))
    part: dict[str, Value] = {"part": Capital(Name(name))}
    if is_pairs:
        alone = (PAIRS, Sentence("plots.shares.pairs"))
        return (f"{name}_{PAIRS}", Sentence("plots.shares.pairs_of", part)) if is_one_of else alone
    alone = (PROJECTIONS, Sentence("plots.shares.projections"))
    return (f"{name}_{PROJECTIONS}", Sentence("plots.shares.projections_of", part)) if is_one_of else alone
