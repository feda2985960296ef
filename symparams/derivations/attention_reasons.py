"""Reasons in attention: its heads, what several share, what is kept compressed, what a decoder adds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symparams.components.facts import AttentionFacts, Projection
from symparams.components.kinds import Role
from symparams.derivations.reason import Reason, counted, width
from symparams.derivations.steps import step
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.nodes import Decimal, Expression, Number, Product, Size, Sum
from symparams.expressions.written import exact, half_up
from symparams.models.model import Model
from symparams.quantities.parameters import PARAMETERS

QUERIES = {Projection.QUERY, Projection.COMPRESSED_QUERY}


def latent_attention(model: Model) -> Iterator[Reason]:
    """The keys and values of MLA, which are kept compressed, against those of all heads."""
    attending = next((facts for facts in _attending(model) if facts.latent), None)
    if attending is None or attending.latent is None:
        return
    latent = attending.latent
    kept = Sum((latent.rank, latent.rotary))
    whole = Size(Product((attending.heads.number, Sum((latent.plain, latent.rotary, latent.value)))))
    if model.unbound:
        yield Reason("latent", {"kept": kept, "whole": whole})
        return
    cached, every = exact(kept, model.values), exact(whole, model.values)
    times_less = Number(half_up(Fraction(every, cached), 0))
    numbers = {"n_kept": Number(int(cached)), "n_whole": Number(int(every)), "times": times_less}
    yield Reason("latent", {"kept": kept, "whole": whole, **numbers})


def grouped(model: Model) -> Iterator[Reason]:
    """Key-value heads that several query heads share: what as many of them would add."""
    attending = next(_attending(model), None)
    if attending is None or not _differ(model, attending.heads.number, attending.kv_heads.number):
        return
    heads, kv_heads = attending.heads.number, attending.kv_heads.number
    if model.unbound:
        yield Reason("grouped", {"n_heads": heads, "n_kv_heads": kv_heads})
        return
    group = Fraction(exact(heads, model.values), exact(kv_heads, model.values))
    numbers = {"n_heads": Number(model.evaluate(heads)), "n_kv_heads": Number(model.evaluate(kv_heads))}
    terms: dict[str, Expression] = {**numbers, "times": Decimal(group)}
    if kv_heads not in model.values:
        yield Reason("multi_query", terms)
        return
    formula = as_written(multiply_out(model.formula(), model.relations))
    more = exact(formula, {**model.values, kv_heads: model.values[heads]}) - model.count()  # type: ignore[index, dict-item]
    if not more:  # no layer has attention
        return
    key = "multi_query_saves" if model.evaluate(kv_heads) == 1 else "grouped"
    yield Reason(key, {**terms, "saved": counted(model, step(model, "", "saved", Number(int(more))))})


def heads_side_by_side(model: Model) -> Iterator[Reason]:
    """Return why the number of heads enters the count, or why it does not."""
    attending = next(_attending(model), None)
    if attending is None or (around := width(model)) is None:
        return
    heads, side_by_side = attending.heads, Size(Product((attending.heads.number, attending.heads.width)))
    inputs = next(_read(model), around)
    terms: dict[str, Expression] = {"heads": side_by_side, "h": inputs, "square": Product((inputs, inputs)), "n": heads.number}
    is_whole = multiply_out(side_by_side, model.relations) == multiply_out(inputs, model.relations)
    if is_whole and _differ(model, heads.number, attending.kv_heads.number):
        yield Reason("number_of_heads.ratio", terms)
    elif is_whole and not set(heads.number.dimensions) & set(model.polynomial().letters):
        is_bound = all(dimension in model.values for dimension in heads.number.dimensions)
        yield Reason("heads", {**terms, "n": Number(model.evaluate(heads.number)) if is_bound else heads.number})
    elif not model.unbound and exact(side_by_side, model.values) != exact(inputs, model.values):
        numbers = {"a": Number(model.evaluate(side_by_side)), "b": Number(model.evaluate(inputs))}
        yield Reason("number_of_heads.size", {**terms, **numbers})


def cross_attention(model: Model) -> Iterator[Reason]:
    """Return the parameters that cross-attention adds to the layers; attention that pools stands in none."""
    read = [leaf for leaf in model.leaves if leaf.sublayer and leaf.sublayer[1].reads and Role.ATTENTION in leaf.roles]
    crossed = [leaf for leaf in read if leaf.is_in_layer]
    if crossed:
        yield Reason("cross_attention", {"what": counted(model, step(model, "", "cross", PARAMETERS.over(crossed)))})


def _attending(model: Model) -> Iterator[AttentionFacts]:
    for leaf in model.leaves:
        for _, ancestor in leaf.ancestors:
            if ancestor.attending is not None:
                yield ancestor.attending


def _read(model: Model) -> Iterator[Expression]:
    """Return the widths of the vectors from which attention makes queries."""
    for leaf in model.leaves:
        if QUERIES & set(leaf.component.makes) and leaf.component.role is not Role.NORM:
            yield leaf.component.tensors[0].shape[0]


def _differ(model: Model, size: Expression, other: Expression) -> bool:
    """True if two sizes are not the same here: by their values where there are any, else by the relations."""
    if all(d in model.values for d in (*size.dimensions, *other.dimensions)):
        return exact(size, model.values) != exact(other, model.values)
    return multiply_out(size, model.relations) != multiply_out(other, model.relations)
