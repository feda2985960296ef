"""Granite 4: Mamba 2's layers, some of which attend instead, each followed by routed experts and a shared one or by a single
network."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import EMBEDDING_MULTIPLIER, NORM, decoder_only, grouped, normed_mixture
from symparams.architectures._mixed_stacks import attention_and_mamba
from symparams.architectures.bamba import BAMBA, state_space
from symparams.architectures.granite import multiplied, multipliers
from symparams.architectures.granitemoe import experts
from symparams.architectures.granitemoeshared import shared_expert
from symparams.components import Component, adjusted, block, embedding, fused_gated_feed_forward, pre_norm, rotary
from symparams.expressions.symbols import V, d_ff, h
from symparams.features import (
    attention_bias,
    attention_layers,
    conv_bias,
    lm_head,
    mamba_layers,
    moe_layers,
    rotary_positions,
    tying,
)


def attending(positions: str) -> Component:
    """x + attention(norm(x)), whose attention has these positions, or none."""
    return block(*pre_norm(NORM, attention=multiplied(grouped(bias=attention_bias, scaled=False, positions=positions))))


attention = block(rotary_positions * attending("rotary"), ~rotary_positions * attending(""))
recurrent = block(*pre_norm(NORM, state_space=multiplied(state_space)))
mixture = normed_mixture(experts=experts, shared_expert=shared_expert)
network = block(*pre_norm(NORM, feed_forward=multiplied(fused_gated_feed_forward(h, d_ff))))

GRANITEMOEHYBRID = Architecture(
    "granitemoehybrid",
    title="Granite 4",
    source="Granite Team, 2025, https://github.com/ibm-granite/granite-4.0-language-models",
    tree=decoder_only(
        attention_and_mamba(attention, recurrent, moe_layers * mixture, ~moe_layers * network),
        embeddings=block(
            token_embedding=adjusted(embedding(V, h), EMBEDDING_MULTIPLIER), positions=rotary_positions * rotary()
        ),
        logits=multipliers["logits"],
    ),
    relations=BAMBA.relations,
    has=(lm_head, attention_layers, mamba_layers, moe_layers, conv_bias, ~tying),
)
