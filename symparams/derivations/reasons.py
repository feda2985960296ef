"""Reasons: what an interviewer asks of a count, read off the tree: why heads do not matter, what tying saves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Union

from symparams.components.kinds import Role
from symparams.components.tree import Attending
from symparams.derivations.mixtures import experts_of
from symparams.derivations.steps import Step, step
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.marks import Size
from symparams.expressions.nodes import Expression, Negative, Product
from symparams.expressions.symbols import h, max_pos
from symparams.expressions.written import exact, times, total
from symparams.models.model import Model
from symparams.quantities.parameters import ACTIVE, PARAMETERS, SHARED

MOST = 3
MOST_IN_A_SENTENCE = 4  # terms of a formula


@dataclass(frozen=True)
class Count:
    """What is saved, added or dropped: its formula and its number, where the model has values, as a part of the count."""

    step: Step
    share: Fraction | None


@dataclass(frozen=True)
class Reason:
    """A sentence of the catalogues by its key, with what stands for its placeholders."""

    key: str
    terms: Mapping[str, Union[Expression, Count]] = field(default_factory=dict)


def reasons(model: Model, dropped: Step) -> list[Reason]:
    """At most three, in the order of ``SOURCES``, what may be dropped last; ``dropped`` are the biases and norms."""
    found = [reason for source in SOURCES for reason in source(model)]
    is_long = len(dropped.polynomial.terms) > MOST_IN_A_SENTENCE and dropped.value is not None
    last = [Reason("dropped_all" if is_long else "dropped", {"what": _counted(model, dropped)})]
    return found[: MOST - 1] + last


def _experts(model: Model) -> Iterator[Reason]:
    for leaf in model.leaves:
        experts = experts_of(leaf.sublayer[1]) if leaf.sublayer else None
        if experts is not None:
            idle = step(model, "", "idle", total([model.formula(), Negative(model.formula(ACTIVE))]))
            numbers: dict[str, Expression] = {"n_experts": experts.number, "n_active": experts.active}
            yield Reason("experts", {**numbers, "idle": _counted(model, idle)})
            return


def _shared_layers(model: Model) -> Iterator[Reason]:
    for leaf in model.leaves:
        for _, ancestor in leaf.ancestors:
            if ancestor.applied is not None:
                yield Reason("shared_layers", {"times": ancestor.applied})
                return


def _heads(model: Model) -> Iterator[Reason]:
    attending = next(_attending(model), None)
    if attending is None:
        return
    heads, kv_heads = attending.heads, attending.kv_heads
    if heads.number != kv_heads.number and _differ(model, heads.number, kv_heads.number):
        yield Reason("grouped", {"n_heads": heads.number, "n_kv_heads": kv_heads.number})
        return
    side_by_side = Size(Product((heads.number, heads.width)))
    terms = {"heads": side_by_side, "h": h, "square": Product((h, h))}
    is_whole = multiply_out(side_by_side, model.relations) == multiply_out(h, model.relations)
    yield Reason("heads" if is_whole else "heads_count", terms)


def _cross_attention(model: Model) -> Iterator[Reason]:
    crossed = [leaf for leaf in model.leaves if leaf.sublayer and leaf.sublayer[1].reads and Role.ATTENTION in leaf.roles]
    if crossed:
        yield Reason("cross_attention", {"what": _counted(model, step(model, "", "cross", PARAMETERS.over(crossed)))})


def _head(model: Model) -> Iterator[Reason]:
    tied = [leaf for leaf in model.leaves if leaf.path == "lm_head" and SHARED.terms(leaf.component)]
    own = [leaf for leaf in model.leaves if leaf.path == "lm_head" and not SHARED.terms(leaf.component)]
    if tied:
        saved = total([times(leaf.times, SHARED.of(leaf.component)) for leaf in tied])
        yield Reason("tied", {"what": _counted(model, step(model, "", "saved", saved))})
    if own:
        yield Reason("untied", {"what": _counted(model, step(model, "", "own", PARAMETERS.over(own)))})


def _positions(model: Model) -> Iterator[Reason]:
    learned = [
        leaf
        for leaf in model.leaves
        if leaf.component.role is Role.TABLE and any(max_pos in tensor.count.dimensions for tensor in leaf.component.tensors)
    ]
    if learned:
        yield Reason("positions", {"what": _counted(model, step(model, "", "positions", PARAMETERS.over(learned)))})


SOURCES: tuple[Callable[[Model], Iterator[Reason]], ...] = (
    _experts,
    _shared_layers,
    _heads,
    _cross_attention,
    _head,
    _positions,
)


def _attending(model: Model) -> Iterator[Attending]:
    for leaf in model.leaves:
        for _, ancestor in leaf.ancestors:
            if ancestor.attending is not None:
                yield ancestor.attending


def _differ(model: Model, one: Expression, other: Expression) -> bool:
    """Whether two sizes are not the same here: by their values where there are any, else by the relations."""
    if all(d in model.values for d in (*one.dimensions, *other.dimensions)):
        return exact(one, model.values) != exact(other, model.values)
    return multiply_out(one, model.relations) != multiply_out(other, model.relations)


def _counted(model: Model, each: Step) -> Count:
    share = Fraction(each.value, model.count()) if each.value is not None and not model.unbound else None
    return Count(each, share)
