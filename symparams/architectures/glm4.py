"""GLM-4: a decoder with RMS norms before and after attention and feed-forward, and biases on query, key and value alone
(GLM Team, 2024, arXiv:2406.12793)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import decoder_only
from symparams.components import block, rms_norm
from symparams.components.fused import fused_gated_feed_forward
from symparams.components.grouped_queries import input_biased_attention
from symparams.expressions.features import classifier, classifier_bias, lm_head, qkv_bias, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased

decoder_layer = block(
    "decoder_layer",
    attention_norm=rms_norm(h),
    attention=input_biased_attention(h, n_heads, n_kv_heads, d_head, bias=qkv_bias),
    post_attention_norm=rms_norm(h),
    feed_forward_norm=rms_norm(h),
    feed_forward=fused_gated_feed_forward(h, d_ff),
    post_feed_forward_norm=rms_norm(h),
)

GLM4 = Architecture(
    "glm4",
    title="GLM-4",
    source="GLM Team, 2024, arXiv:2406.12793",
    tree=decoder_only(decoder_layer),
    library=Library(
        base="Glm4Model",
        classes={
            "Glm4Model": (),
            "Glm4ForCausalLM": (lm_head,),
            "Glm4ForSequenceClassification": (classifier,),
            "Glm4ForTokenClassification": (classifier,),
        },
        sizes=decoder_sizes({V: 151_552, h: 4_096, L: 40, n_heads: 32, n_kv_heads: 2, d_head: 128, d_ff: 13_696}),
        flags={
            tying: Flag("tie_word_embeddings", default=False),
            qkv_bias: Flag("attention_bias", default=True),
            classifier_bias: outputs_biased,
        },
    ),
    whole=(n_heads / n_kv_heads,),
    has=(lm_head, qkv_bias),
    may_have=(tying, classifier, classifier_bias),
    models={
        "glm-4-9b-0414": Published(
            {V: 151_552, h: 4_096, L: 40, n_heads: 32, n_kv_heads: 2, d_head: 128, d_ff: 13_696},
            source="https://huggingface.co/zai-org/GLM-4-9B-0414/blob/main/config.json",
        ),
    },
)
