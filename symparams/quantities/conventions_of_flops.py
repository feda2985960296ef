"""Other ways to count FLOPs: formulas of papers, a causal mask in full or by what it lets by.

They are those of a model that reads one sequence of tokens; an encoder beside a decoder, or an image, has tokens of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from symparams.components.flow import is_layer, layers
from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.components.walks import components, leaves
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.nodes import Dimension, Expression, Number, Product, Quotient, Sum
from symparams.expressions.symbols import D, N, b, s, t
from symparams.expressions.written import ONE, times, total
from symparams.quantities import forward_flops
from symparams.quantities.attention_flops import ABSORBED, EXACT, EXPANDED
from symparams.quantities.in_tokens import in_tokens
from symparams.quantities.parameters import PARAMETERS
from symparams.quantities.quantity import Alternative, Term
from symparams.quantities.setting import Setting
from symparams.quantities.streams import Streams

FORWARD, BACKWARD, TRAINING = 1, 2, 3  # so many times a forward pass
LATENT = {EXPANDED: "flops.latent_expanded", ABSORBED: "flops.latent_absorbed"}


def of_forward(tree: Component, setting: Setting) -> Sequence[Alternative]:
    """Those of a forward pass."""
    return [*_conventions(tree, setting, FORWARD), *_latent_otherwise(tree, setting)]


def of_backward(tree: Component, setting: Setting) -> Sequence[Alternative]:
    """Those of a backward pass."""
    return list(_conventions(tree, setting, BACKWARD))


def of_training(tree: Component, setting: Setting) -> Sequence[Alternative]:
    """Those of training: PaLM's with attention, Megatron's of GPT."""
    found = list(_conventions(tree, setting, TRAINING))
    if found and t not in setting.given:
        found += _of_papers(Streams(tree, setting))
    return found


def _conventions(tree: Component, setting: Setting, passes: int) -> Iterator[Alternative]:
    streams = Streams(tree, setting)
    if not streams.is_single:
        return
    tokens, each = _tokens(setting), Number(2 * passes)
    if t not in setting.given and _met(streams) != Number(0):
        inner = PARAMETERS.over(leaf for leaf in leaves(tree) if _is_in_layers(leaf.path, tree))
        met = Product((each, s, _met(streams)))
        rule = Product((Sum((Product((each, N)), met)), tokens))
        yield _alternative("flops.of_kaplan", Product((Sum((Product((each, inner)), met)), tokens)), rule)
    yield _masked_otherwise(tree, setting, passes)


def _masked_otherwise(tree: Component, setting: Setting, passes: int) -> Alternative:
    """The mask in full where what it lets through is counted, and the other way round."""
    other, key = ("full", "flops.causal_full") if setting.causal == EXACT else (EXACT, "flops.causal_exact")
    found = forward_flops.terms(tree, replace(setting, causal=other))
    every = [replace(term, written=Product((Number(passes), term.written))) for term in found]
    return Alternative(key, in_tokens(every, setting))


def _latent_otherwise(tree: Component, setting: Setting) -> Iterator[Alternative]:
    """Latent attention computed in the other way: keys and values expanded for each step, or their matrices absorbed."""
    if any(part.attending and part.attending.latent for _, part in components(tree)):
        other = EXPANDED if setting.latent_attention == ABSORBED else ABSORBED
        yield Alternative(LATENT[other], forward_flops.terms(tree, replace(setting, latent_attention=other)))


def _of_papers(streams: Streams) -> Iterator[Alternative]:
    """PaLM's 6N + 12·L·H·d·s a token, and Megatron's of a GPT, with recomputation or without."""
    tokens = _tokens(streams.setting)
    if _met(streams) != Number(0):
        met = Product((Number(12), s, _met(streams)))
        rule = Product((Sum((Product((Number(6), N)), met)), tokens))
        every = PARAMETERS.over(leaves(streams.tree))
        yield _alternative("flops.of_palm", Product((Sum((Product((Number(6), every)), met)), tokens)), rule)
    if (sizes := _sizes(streams)) is not None:
        number, share = (96, 16) if streams.setting.checkpoint else (72, 12)
        depth, width, rows = sizes
        parts = Sum((ONE, Quotient(s, Product((Number(6), width))), Quotient(rows, Product((Number(share), depth, width)))))
        key = "flops.of_megatron_recomputed" if streams.setting.checkpoint else "flops.of_megatron"
        rule = Product((Number(number), tokens, depth, width**2, parts))
        yield _alternative(key, rule, rule, factor=Number(4))


def _sizes(streams: Streams) -> tuple[Expression, Expression, Expression] | None:
    """How many layers a GPT has, how wide they are, and how many words it knows; None where it is not one plain stack."""
    layers = [place for place in streams.parts(streams.root) if is_layer(place.component)]
    depth = as_written(multiply_out(total([layer.passes for layer in layers]), {})) if layers else None
    matrices = [place.component for layer in layers for place in streams.places(layer) if place.component.role is Role.MATRIX]
    tables = [leaf.component for leaf in leaves(streams.tree) if leaf.component.role is Role.TABLE]
    if not isinstance(depth, (Dimension, Number)) or not matrices or not tables:
        return None
    return depth, matrices[0].tensors[0].shape[0], tables[0].tensors[0].shape[0]


def _tokens(setting: Setting) -> Expression:
    return D if D in setting.given else Product((b, s))


def _alternative(key: str, written: Expression, formula: Expression, **about: Expression) -> Alternative:
    return Alternative(key, [Term("", key, written)], {"formula": formula, **about})


def _is_in_layers(path: str, tree: Component) -> bool:
    return any(path.startswith(f"{layer}.") for layer, _ in layers(tree))


def _met(streams: Streams) -> Expression:
    """The widths of all layers of attention together: L·n_heads·d_head."""
    attending = ((place, place.component.attending) for place in streams.mixing if not place.component.reads)
    return total([times(place.passes, Product((facts.heads.number, facts.heads.width))) for place, facts in attending if facts])
