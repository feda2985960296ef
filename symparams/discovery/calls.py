"""Calls of builders: of a sublayer, the one that makes just this, with its sizes and its options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from symparams.components import (
    Biases,
    Component,
    Gate,
    attention,
    feed_forward,
    fused_gated_feed_forward,
    gated_feed_forward,
    mixture_of_experts,
    with_query_key_norms,
)
from symparams.components.kinds import Role, Use
from symparams.components.tree import Tensor
from symparams.discovery.leaves import gate_of
from symparams.errors import DefinitionError
from symparams.expressions.nodes import Expression
from symparams.expressions.written import ONE

BUILDERS: Mapping[str, Callable[..., Component]] = {
    "attention": attention,
    "feed_forward": feed_forward,
    "gated_feed_forward": gated_feed_forward,
    "fused_gated_feed_forward": fused_gated_feed_forward,
    "mixture_of_experts": mixture_of_experts,
}
LAST = ("output", "down", "experts_down")  # the matrix of a sublayer that goes back into the stream


@dataclass(frozen=True)
class Call:
    """A call of a builder: its sizes, its options, and the norms of query and key that are put to what it makes."""

    builder: str
    sizes: tuple[Expression, ...]
    options: Mapping[str, Any]
    norms: tuple[Component, ...] = ()


def call_of(sublayer: Component) -> Call | None:
    """Return the call that makes a sublayer, without how often it is there; None where no call does."""
    bare = replace(sublayer, when=(), times=ONE, laws=())
    tensors = {name: part.tensors for name, part in sublayer.body}
    last = next((tensors[name] for name in LAST if name in tensors), ())
    norms = tuple(part for name, part in sublayer.body if name in ("query_norm", "key_norm"))
    for call in _possible(sublayer, last) if last and len(last[0].shape) > 1 else ():
        try:
            made = BUILDERS[call.builder](*call.sizes, **call.options)
            normed = with_query_key_norms(made, *norms) if len(norms) == len(("query", "key")) else made
        except DefinitionError:
            continue
        if replace(normed, laws=()) == bare:
            return replace(call, norms=norms if normed is not made else ())
    return None


def _possible(sublayer: Component, last: Sequence[Tensor]) -> Iterator[Call]:
    """The calls that may make a sublayer, by its last matrix and its facts."""
    *_, inner, width = last[0].shape
    gates = {name: _gate(part) for name, part in sublayer.body}
    if (attending := sublayer.attending) is not None and attending.latent is None:
        inputs = gates.get("key_value", gates.get("key", gates.get("query_key_value", False)))
        query, out = gates.get("query", inputs), gates["output"]
        biases = Biases(inputs, out, None if query == inputs else query)
        facts = {
            **({"fused": True} if "query_key_value" in gates else {}),
            "bias": biases.inputs if biases.where == "all" else biases,
            "causal": attending.causal,
            "scaled": attending.scaled,
            **({"reads": str(sublayer.reads)} if sublayer.reads else {}),
        }
        number, shared, d_head = attending.heads.number, attending.kv_heads.number, attending.heads.width
        for options in (facts, {name: fact for name, fact in facts.items() if name != "fused"}):
            yield Call("attention", (width, number), {"d_head": d_head, **options})
            yield Call("attention", (width, number, shared, d_head), options)
    elif {"router", "experts_gate_up"} <= gates.keys():
        sizes = (width, last[0].shape[0], (last[0].active or (ONE,))[0], inner)
        yield Call("mixture_of_experts", sizes, {"bias": gates["router"], "activation": sublayer.activation})
    elif sublayer.role is Role.FEED_FORWARD and sublayer.kind.name in BUILDERS:
        yield Call(sublayer.kind.name, (width, inner), {"bias": gates["down"], "activation": sublayer.activation})


def _gate(part: Component) -> Gate:
    bias = next((tensor for tensor in part.tensors if tensor.use is Use.BIAS), None)
    return bias is not None and gate_of(bias)
