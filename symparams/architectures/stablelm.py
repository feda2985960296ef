"""StableLM: a pre-norm decoder with LayerNorm, SwiGLU and partly rotary positions (Bellagente et al., 2024,
arXiv:2402.17834)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.starcoder2 import decoder_only
from symparams.components import block, gated_feed_forward, layer_norm
from symparams.components.grouped_queries import input_biased_attention
from symparams.components.norms import with_query_key_norms
from symparams.expressions.features import (
    classifier,
    classifier_bias,
    lm_head,
    parallel_residual,
    qkv_bias,
    query_key_norm,
    tying,
)
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased

biased_attention = input_biased_attention(h, n_heads, n_kv_heads, d_head, bias=qkv_bias)
head_norm = layer_norm(d_head, bias=False)

decoder_layer = block(
    "decoder_layer",
    attention_norm=layer_norm(h),
    attention=with_query_key_norms(
        biased_attention, query_key_norm * (n_heads * head_norm), query_key_norm * (n_kv_heads * head_norm)
    ),
    feed_forward_norm=~parallel_residual * layer_norm(h),
    feed_forward=gated_feed_forward(h, d_ff),
)

STABLELM = Architecture(
    "stablelm",
    title="StableLM",
    source="Bellagente et al., 2024, arXiv:2402.17834",
    tree=decoder_only(decoder_layer, layer_norm(h)),
    library=Library(
        base="StableLmModel",
        classes={
            "StableLmModel": (),
            "StableLmForCausalLM": (lm_head,),
            "StableLmForSequenceClassification": (classifier,),
            "StableLmForTokenClassification": (classifier,),
        },
        sizes={
            **decoder_sizes({V: 50_304, h: 2_560, L: 32, n_heads: 32, n_kv_heads: 32, d_ff: 6_912}),
            d_head: lambda _: None,  # a head_dim in the config changes no parameter
        },
        flags={
            tying: Flag("tie_word_embeddings", default=False),
            qkv_bias: Flag("use_qkv_bias", default=False),
            query_key_norm: Flag("qk_layernorm", default=False),
            parallel_residual: Flag("use_parallel_residual", default=False),
            classifier_bias: outputs_biased,
        },
    ),
    identities={d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    has=(lm_head,),
    may_have=(tying, qkv_bias, query_key_norm, parallel_residual, classifier, classifier_bias),
    models={
        "stablelm-3b-4e1t": Published(
            {V: 50_304, h: 2_560, L: 32, n_heads: 32, n_kv_heads: 32, d_ff: 6_912},
            source="https://huggingface.co/stabilityai/stablelm-3b-4e1t/blob/main/config.json",
        ),
    },
)
