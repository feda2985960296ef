"""Multi-head latent attention: keys and values of all heads are made from one short vector (arXiv:2405.04434)."""

from __future__ import annotations

from dataclasses import replace

from symparams.components.facts import KV, AttentionFacts, Gate, Heads, Latent, Projection
from symparams.components.kinds import Kind, Role
from symparams.components.linear import linear
from symparams.components.norms import rms_norm
from symparams.components.tree import Component
from symparams.expressions.extent import size
from symparams.expressions.nodes import Operand
from symparams.features import Feature

LATENT_ATTENTION = Kind("latent_attention", Role.ATTENTION)
COMPRESSED = (Projection.COMPRESSED_KEY_VALUE,)


def latent_attention(
    width: Operand,
    n_heads: Operand,
    *,
    low_rank_query: Feature,
    r_q: Operand,
    r_kv: Operand,
    d_nope: Operand,
    d_rope: Operand,
    d_v: Operand,
    bias: Gate = False,
) -> Component:
    """Causal attention whose keys and values pass through r_kv numbers, and its queries through r_q (DeepSeek-V2, section 2.1).

    Keys and values: h × (r_kv + d_rope) down, with the part of the key that is turned by its position, a norm of r_kv,
    and r_kv × n_heads·(d_nope + d_v) up. Queries: h × r_q down, a norm of r_q, and r_q × n_heads·(d_nope + d_rope) up;
    or without ``low_rank_query`` a plain matrix, h × n_heads·(d_nope + d_rope). Output: n_heads·d_v × h. Only the
    ways down and the output can have a ``bias``.
    """
    heads = Heads(size(n_heads), size(d_nope) + d_rope)
    latent = Latent(size(r_kv), size(d_rope), size(d_nope), size(d_v))
    queries, values = heads.number * heads.width, size(n_heads) * d_v
    return Component(
        LATENT_ATTENTION,
        body=(
            ("query", ~low_rank_query * linear(width, queries, bias=False, makes=(Projection.QUERY,))),
            ("query_down", low_rank_query * linear(width, r_q, bias=bias, makes=(Projection.COMPRESSED_QUERY,))),
            ("query_norm", low_rank_query * replace(rms_norm(r_q), makes=(Projection.COMPRESSED_QUERY,))),
            ("query_up", low_rank_query * linear(r_q, queries, bias=False, makes=(Projection.QUERY,))),
            ("key_value_down", linear(width, size(r_kv) + d_rope, bias=bias, makes=(*COMPRESSED, Projection.ROTARY_KEY))),
            ("key_value_norm", replace(rms_norm(r_kv), makes=COMPRESSED)),
            ("key_value_up", linear(r_kv, size(n_heads) * (size(d_nope) + d_v), bias=False, makes=KV)),
            ("output", linear(values, width, bias=bias, makes=(Projection.OUTPUT,))),
        ),
        attending=AttentionFacts(heads, heads, causal=True, positions="rotary", values=size(values), latent=latent),
    )
