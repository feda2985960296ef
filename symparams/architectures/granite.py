"""Granite: LLaMA's decoder with fixed multipliers on embeddings, residuals, attention and logits (Granite Team, 2024,
https://github.com/ibm-granite/granite-3.0-language-models)."""

from symparams.architectures import Architecture
from symparams.architectures.llama import attention, decoder_layer, decoder_only
from symparams.components import gated_feed_forward
from symparams.expressions.features import attention_bias, classifier, classifier_bias, lm_head, mlp_bias, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes

GRANITE = Architecture(
    "granite",
    title="Granite",
    source="Granite Team, 2024, https://github.com/ibm-granite/granite-3.0-language-models",
    tree=decoder_only(decoder_layer(attention(bias=attention_bias), gated_feed_forward(h, d_ff, bias=mlp_bias))),
    library=Library(
        base="GraniteModel",
        classes={"GraniteModel": (), "GraniteForCausalLM": (lm_head,)},
        sizes=decoder_sizes({V: 32_000, h: 4_096, L: 32, n_heads: 32, d_ff: 11_008}, rounded=True),
        flags={
            tying: Flag("tie_word_embeddings", default=False),
            attention_bias: Flag("attention_bias", default=False),
            mlp_bias: Flag("mlp_bias", default=False),
        },
    ),
    relations={n_kv_heads: n_heads, d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    has=(lm_head,),
    may_have=(tying, attention_bias, mlp_bias, classifier, classifier_bias),
)
