"""Other ways to count FLOPs: formulas of papers, a causal mask in full or by what it lets by.

They are those of a model that reads one sequence of tokens; an encoder beside a decoder, or an image, has tokens of its own.
"""

from __future__ import annotations

from symparams.components.flow import is_layer
from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.components.walks import components, leaves
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.nodes import Dimension, Expression, Number, Product, Quotient, Size, Sum
from symparams.expressions.symbols import D, N, b, s, t
from symparams.expressions.written import ONE, ZERO, times, total
from symparams.quantities.attention_flops import ABSORBED, EXACT, EXPANDED
from symparams.quantities.parameters import is_in_layer, is_mixture
from symparams.quantities.quantity import Alternative, RuleOfThumb, Term
from symparams.quantities.setting import Setting
from symparams.quantities.streams import Streams


def _is_single(tree: Component, setting: Setting) -> bool:
    return Streams(tree, setting).is_single


def _is_of_sequences(tree: Component, setting: Setting) -> bool:
    return t not in setting.given and _is_single(tree, setting)


def _is_latent(tree: Component, setting: Setting) -> bool:
    return any(part.attending and part.attending.latent for _, part in components(tree))


def by_layers(passes: int) -> tuple[RuleOfThumb, ...]:
    """Kaplan's formula of so many passes: 2·N of the layers alone, with half of attention; of a mixture by all experts."""
    return _by_layers("flops.of_kaplan", passes, mixture=False), _by_layers("flops.of_kaplan_by_all", passes, mixture=True)


def _by_layers(key: str, passes: int, *, mixture: bool) -> RuleOfThumb:
    per_parameter = Number(2 * passes)
    return RuleOfThumb(
        key,
        term=lambda tree, setting: _with_attention(key, per_parameter, per_parameter, Streams(tree, setting)),
        where=lambda tree, setting: is_mixture(tree, setting) is mixture and _is_of_sequences(tree, setting),
        over=is_in_layer,
    )


MASKED = (
    Alternative("flops.causal_full", {"causal": "full"}, _is_single),
    Alternative("flops.causal_exact", {"causal": EXACT}, _is_single),
)
LATENT = (
    Alternative("flops.latent_expanded", {"latent_attention": EXPANDED}, _is_latent),
    Alternative("flops.latent_absorbed", {"latent_attention": ABSORBED}, _is_latent),
)


def _of_palm(tree: Component, setting: Setting) -> Term | None:
    """PaLM's 6N + 12·L·H·d·s a token."""
    return _with_attention("flops.of_palm", Number(6), Number(12), Streams(tree, setting))


def _with_attention(key: str, per_parameter: Expression, met: Expression, streams: Streams) -> Term | None:
    """So much for each parameter and token, and so much for the width of each layer of attention; None without attention."""
    widths = _met(streams)
    if widths == ZERO:
        return None
    return Term("", key, Product((Sum((Product((per_parameter, N)), Product((met, s, widths)))), _tokens(streams.setting))))


def _of_megatron(tree: Component, setting: Setting) -> Term | None:
    """Megatron's formula of a GPT, with recomputation or without; None where it is not a plain stack."""
    streams = Streams(tree, setting)
    if (sizes := _sizes(streams)) is None:
        return None
    number, share = (96, 16) if setting.checkpoint else (72, 12)
    depth, width, rows = sizes
    parts = Sum((ONE, Quotient(s, Product((Number(6), width))), Quotient(rows, Product((Number(share), depth, width)))))
    written = Product((Number(number), _tokens(setting), depth, width**2, parts))
    return Term("", "flops.of_megatron", written, about={"factor": Number(4)})


OF_TRAINING = (
    RuleOfThumb("flops.of_palm", term=_of_palm, where=_is_of_sequences),
    RuleOfThumb(
        "flops.of_megatron",
        term=_of_megatron,
        where=lambda tree, setting: not setting.checkpoint and _is_of_sequences(tree, setting),
    ),
    RuleOfThumb(
        "flops.of_megatron_recomputed",
        term=_of_megatron,
        where=lambda tree, setting: setting.checkpoint and _is_of_sequences(tree, setting),
    ),
)


def _sizes(streams: Streams) -> tuple[Expression, Expression, Expression] | None:
    """Return the layers, the width and the vocabulary of a GPT; None unless it is one plain stack."""
    layers = [place for place in streams.parts(streams.root) if is_layer(place.component)]
    depth = as_written(multiply_out(total([layer.passes for layer in layers]), {})) if layers else None
    matrices = [place.component for layer in layers for place in streams.places(layer) if place.component.role is Role.MATRIX]
    tables = [leaf.component for leaf in leaves(streams.tree) if leaf.component.role is Role.TABLE]
    if not isinstance(depth, (Dimension, Number)) or not matrices or not tables:
        return None
    return depth, matrices[0].tensors[0].shape[0], tables[0].tensors[0].shape[0]


def _tokens(setting: Setting) -> Expression:
    return D if D in setting.given else Size(Product((b, s)))


def _met(streams: Streams) -> Expression:
    """The widths of all layers of attention together: L·n_heads·d_head."""
    attending = ((place, place.component.attending) for place in streams.mixing if not place.component.reads)
    passes: dict[Expression, list[Expression]] = {}
    for place, facts in attending:
        if facts:
            passes.setdefault(Product((facts.heads.number, facts.heads.width)), []).append(place.passes)
    return total([times(total(of_width), width) for width, of_width in passes.items()])
