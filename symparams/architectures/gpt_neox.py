"""GPT-NeoX and Pythia: rotary positions, two norms beside each other in a layer, an untied head (Black et al., 2022,
arXiv:2204.06745; Biderman et al., 2023, arXiv:2304.01373)."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only
from symparams.components import attention, block, feed_forward, layer_norm, pre_norm, side_by_side
from symparams.expressions.symbols import L, d_ff, h, n_heads
from symparams.features import attention_bias, lm_head, parallel_attention, tying

sublayers = {
    "attention": attention(h, n_heads, fused=True, bias=attention_bias, causal=True, positions="rotary"),
    "feed_forward": feed_forward(h, d_ff, bias=True),
}
decoder_layer = block(
    "decoder_layer",
    parallel_attention * side_by_side(layer_norm(h), **sublayers),
    ~parallel_attention * block(*pre_norm(layer_norm(h), **sublayers)),
)

GPT_NEOX = Architecture(
    "gpt_neox",
    title="GPT-NeoX",
    source="Black et al., 2022, arXiv:2204.06745",
    tree=decoder_only(L * decoder_layer, layer_norm(h)),
    relations={d_ff: 4 * h},
    has=(lm_head, attention_bias, parallel_attention, ~tying),
)
