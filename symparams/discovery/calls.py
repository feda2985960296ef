"""Calls of builders: of a sublayer, the one that makes just this, with its sizes and its options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
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
    shared_expert,
    with_query_key_norms,
    with_sinks,
)
from symparams.components.attention import SINKS
from symparams.components.facts import Heads
from symparams.components.feed_forward import SHARED_EXPERT_FEED_FORWARD
from symparams.components.kinds import Role, Use
from symparams.components.laws import Law
from symparams.components.tree import Tensor
from symparams.discovery.leaves import gate_of
from symparams.errors import DefinitionError
from symparams.expressions.nodes import Expression
from symparams.expressions.written import ONE
from symparams.records import frozen

BUILDERS: Mapping[str, Callable[..., Component]] = {
    "attention": attention,
    "feed_forward": feed_forward,
    "gated_feed_forward": gated_feed_forward,
    "fused_gated_feed_forward": fused_gated_feed_forward,
    "mixture_of_experts": mixture_of_experts,
    "shared_expert": shared_expert,
}
LAST = ("output", "down", "experts_down")  # the matrix of a sublayer that goes back into the stream


@frozen
class Call:
    """A call of a builder: its sizes, its options, and what is put to what it makes: the norms of query and key, and sinks.

    ``laws`` are those of the sublayer that the builder does not say.
    """

    builder: str
    sizes: tuple[Expression, ...]
    options: Mapping[str, Any]
    norms: tuple[Component, ...] = ()
    sinks: Expression | None = None
    laws: tuple[Law, ...] = ()


def call_of(sublayer: Component) -> Call | None:
    """Return the call that makes a sublayer, without how often it is there; None where no call does."""
    bare = replace(sublayer, when=(), times=ONE, laws=())
    tensors = {name: part.tensors for name, part in sublayer.body}
    last = next((tensors[name] for name in LAST if name in tensors), ())
    norms = tuple(part for name, part in sublayer.body if name in ("query_norm", "key_norm"))
    sinks = next((part.tensors[0].shape[0] for _, part in sublayer.body if part.kind is SINKS), None)
    for call in _possible(sublayer, last) if last and len(last[0].shape) > 1 else ():
        try:
            made = BUILDERS[call.builder](*call.sizes, **call.options)
            normed = with_query_key_norms(made, *norms) if len(norms) == len(("query", "key")) else made
            whole = with_sinks(normed, sinks) if sinks is not None else normed
        except DefinitionError:
            continue
        if replace(whole, laws=()) == bare:
            laws = tuple(law for law in sublayer.laws if law not in whole.laws)
            return replace(call, norms=norms if normed is not made else (), sinks=sinks, laws=laws)
    return None


def _possible(sublayer: Component, last: Sequence[Tensor]) -> Iterator[Call]:
    """The calls that may make a sublayer, by its last matrix and its facts."""
    *_, inner, width = last[0].shape
    gates = {name: _gate(part) for name, part in sublayer.body}
    attending = sublayer.attending
    heads, kv_heads = _heads(sublayer)
    if heads is not None and kv_heads is not None and (attending is None or attending.latent is None):
        inputs = gates.get("key_value", gates.get("key", gates.get("query_key_value", False)))
        query, out = gates.get("query", inputs), gates["output"]
        biases = Biases(inputs, out, None if query == inputs else query)
        flow = {"causal": None} if attending is None else {"causal": attending.causal, "scaled": attending.scaled}
        facts = {
            **({"fused": True} if "query_key_value" in gates else {}),
            "bias": biases.inputs if biases.where == "all" else biases,
            **flow,
            **({"reads": str(sublayer.reads)} if sublayer.reads else {}),
        }
        number, shared, d_head = heads.number, kv_heads.number, heads.width
        for options in (facts, {name: fact for name, fact in facts.items() if name != "fused"}):
            yield Call("attention", (width, number), {"d_head": d_head, **options})
            yield Call("attention", (width, number, shared, d_head), options)
    elif {"router", "experts_gate_up"} <= gates.keys():
        sizes = (width, last[0].shape[0], (last[0].active or (ONE,))[0], inner)
        yield Call("mixture_of_experts", sizes, {"bias": gates["router"], "activation": sublayer.activation})
    elif sublayer.kind is SHARED_EXPERT_FEED_FORWARD:
        yield Call("shared_expert", (width, inner), {})
    elif sublayer.role is Role.FEED_FORWARD and sublayer.kind.name in BUILDERS:
        yield Call(sublayer.kind.name, (width, inner), {"bias": gates["down"], "activation": sublayer.activation})


def _heads(sublayer: Component) -> tuple[Heads | None, Heads | None]:
    """The heads of the queries of attention and those of its keys: its facts or, without these, its matrices tell them."""
    if sublayer.attending is not None:
        return sublayer.attending.heads, sublayer.attending.kv_heads
    told = [part.heads for _, part in sublayer.body if part.heads is not None]
    return (told[0], told[-1]) if told else (None, None)


def _gate(part: Component) -> Gate:
    bias = next((tensor for tensor in part.tensors if tensor.use is Use.BIAS), None)
    return bias is not None and gate_of(bias)
