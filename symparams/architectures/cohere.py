"""Cohere's Command R: attention and feed-forward in parallel behind one LayerNorm without a bias, and a tied head
(Cohere For AI, 2024, https://huggingface.co/CohereLabs/c4ai-command-r-v01)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import attention
from symparams.architectures.starcoder2 import decoder_only
from symparams.components import block, gated_feed_forward, layer_norm
from symparams.components.norms import heads_layer_norm, with_query_key_norms
from symparams.expressions.features import attention_bias, classifier, classifier_bias, lm_head, query_key_norm, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes

norm = layer_norm(h, bias=False)

decoder_layer = block(
    "decoder_layer",
    layer_norm=norm,
    attention=with_query_key_norms(
        attention(bias=attention_bias),
        query_key_norm * heads_layer_norm(n_heads, d_head),
        query_key_norm * heads_layer_norm(n_kv_heads, d_head),
    ),
    feed_forward=gated_feed_forward(h, d_ff),
)

COHERE = Architecture(
    "cohere",
    title="Cohere",
    source="Cohere For AI, 2024, https://huggingface.co/CohereLabs/c4ai-command-r-v01",
    tree=decoder_only(decoder_layer, norm),
    library=Library(
        base="CohereModel",
        classes={"CohereModel": (), "CohereForCausalLM": (lm_head,)},
        sizes=decoder_sizes({V: 256_000, h: 8_192, L: 40, n_heads: 64, d_ff: 22_528}, rounded=True),
        flags={
            tying: Flag("tie_word_embeddings", default=True),
            attention_bias: Flag("attention_bias", default=False),
            query_key_norm: Flag("use_qk_norm", default=False),
        },
    ),
    relations={n_kv_heads: n_heads, d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    has=(lm_head, tying),
    may_have=(attention_bias, query_key_norm, classifier, classifier_bias),
    models={
        "command-r": Published(
            {V: 256_000, h: 8_192, L: 40, n_heads: 64, d_ff: 22_528},
            source="https://huggingface.co/CohereLabs/c4ai-command-r-v01/blob/main/config.json",
        ),
    },
)
