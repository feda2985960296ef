"""Apertus: LLaMA's decoder with xIELU, an activation that learns two numbers, in place of a gate, and queries and keys normed
in each head."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped, normed
from symparams.components import feed_forward, rms_norm, with_learned_activation
from symparams.expressions.symbols import L, d_ff, d_head, h
from symparams.features import attention_bias, lm_head, query_key_norm, tying

attention = normed(grouped(bias=attention_bias), rms_norm(d_head))
up_and_down = with_learned_activation(feed_forward(h, d_ff, bias=False, activation="xielu"), "alpha_p", "alpha_n")

APERTUS = Architecture(
    "apertus",
    title="Apertus",
    source="Project Apertus, 2025, arXiv:2509.14233",
    tree=decoder_only(L * decoder_layer(attention, up_and_down)),
    relations=GROUPED,
    has=(lm_head, query_key_norm, ~tying),
)
