"""Gemma 2: Gemma with norms before and after attention and feed-forward (Riviere et al., 2024, arXiv:2408.00118)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import attention, decoder_only
from symparams.components import Component, block, gated_feed_forward, rms_norm
from symparams.expressions.features import attention_bias, classifier, classifier_bias, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased


def decoder_layer(attention: Component, feed_forward: Component) -> Component:
    """A layer with RMS norms on both sides of attention and of the feed-forward."""
    return block(
        "decoder_layer",
        attention_norm=rms_norm(h),
        attention=attention,
        post_attention_norm=rms_norm(h),
        feed_forward_norm=rms_norm(h),
        feed_forward=feed_forward,
        post_feed_forward_norm=rms_norm(h),
    )


GEMMA2 = Architecture(
    "gemma2",
    title="Gemma 2",
    source="Riviere et al., 2024, arXiv:2408.00118",
    tree=decoder_only(decoder_layer(attention(bias=attention_bias), gated_feed_forward(h, d_ff))),
    library=Library(
        base="Gemma2Model",
        classes={
            "Gemma2Model": (),
            "Gemma2ForCausalLM": (lm_head,),
            "Gemma2ForSequenceClassification": (classifier,),
            "Gemma2ForTokenClassification": (classifier,),
        },
        sizes=decoder_sizes({V: 256_000, h: 2_304, L: 26, n_heads: 8, n_kv_heads: 4, d_head: 256, d_ff: 9_216}),
        flags={
            tying: Flag("tie_word_embeddings", default=True),
            attention_bias: Flag("attention_bias", default=False),
            classifier_bias: outputs_biased,
        },
    ),
    whole=(n_heads / n_kv_heads,),
    has=(lm_head, tying),
    may_have=(attention_bias, classifier, classifier_bias),
    models={
        "gemma-2-2b": Published(
            {V: 256_000, h: 2_304, L: 26, n_heads: 8, n_kv_heads: 4, d_head: 256, d_ff: 9_216},
            source="https://huggingface.co/google/gemma-2-2b/blob/main/config.json",
        ),
        "gemma-2-9b": Published(
            {V: 256_000, h: 3_584, L: 42, n_heads: 16, n_kv_heads: 8, d_head: 256, d_ff: 14_336},
            source="https://huggingface.co/google/gemma-2-9b/blob/main/config.json",
        ),
    },
)
