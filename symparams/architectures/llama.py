"""LLaMA: a pre-norm decoder with RMSNorm, SwiGLU, rotary positions and no biases (Touvron et al., 2023,
arXiv:2302.13971; grouped queries from Llama 2 on, arXiv:2307.09288)."""

from symparams.architectures import Architecture, Published
from symparams.components import (
    Component,
    Gate,
    block,
    embedding,
    gated_feed_forward,
    grouped_query_attention,
    linear,
    rms_norm,
    rotary,
)
from symparams.expressions.features import attention_bias, classifier, classifier_bias, lm_head, mlp_bias, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads, n_labels
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased

embeddings = block(
    token_embedding=embedding(V, h),
    positions=rotary(),
)


def attention(*, bias: Gate = False) -> Component:
    """Grouped queries of rotary positions."""
    return grouped_query_attention(h, n_heads, n_kv_heads, d_head, bias=bias)


def decoder_layer(attention: Component, feed_forward: Component) -> Component:
    """A layer with an RMS norm before attention and one before the feed-forward."""
    return block(
        "decoder_layer",
        attention_norm=rms_norm(h),
        attention=attention,
        feed_forward_norm=rms_norm(h),
        feed_forward=feed_forward,
    )


def decoder_only(layer: Component) -> Component:
    """L of these layers between the embedding and the head."""
    return block(
        embeddings=embeddings,
        decoder=L * layer,
        final_norm=rms_norm(h),
        lm_head=lm_head * linear(h, V, bias=False, tied_to="embeddings.token_embedding"),
        classifier=classifier * linear(h, n_labels, bias=classifier_bias),
    )


LLAMA = Architecture(
    "llama",
    title="LLaMA",
    source="Touvron et al., 2023, arXiv:2302.13971",
    tree=decoder_only(decoder_layer(attention(bias=attention_bias), gated_feed_forward(h, d_ff, bias=mlp_bias))),
    library=Library(
        base="LlamaModel",
        classes={
            "LlamaModel": (),
            "LlamaForCausalLM": (lm_head,),
            "LlamaForSequenceClassification": (classifier,),
            "LlamaForTokenClassification": (classifier,),
            "LlamaForQuestionAnswering": (classifier,),
        },
        sizes=decoder_sizes({V: 32_000, h: 4_096, L: 32, n_heads: 32, d_ff: 11_008}),
        flags={
            tying: Flag("tie_word_embeddings", default=False),
            attention_bias: Flag("attention_bias", default=False),
            mlp_bias: Flag("mlp_bias", default=False),
            classifier_bias: outputs_biased,
        },
    ),
    relations={n_kv_heads: n_heads, d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    has=(lm_head,),
    may_have=(tying, attention_bias, mlp_bias, classifier, classifier_bias),
    models={
        "llama-7b": Published(
            {V: 32_000, h: 4_096, L: 32, n_heads: 32, d_ff: 11_008},
            source="https://huggingface.co/huggyllama/llama-7b/blob/main/config.json",
        ),
        "llama-13b": Published(
            {V: 32_000, h: 5_120, L: 40, n_heads: 40, d_ff: 13_824},
            source="https://huggingface.co/huggyllama/llama-13b/blob/main/config.json",
        ),
        "llama-65b": Published(
            {V: 32_000, h: 8_192, L: 80, n_heads: 64, d_ff: 22_016},
            source="https://huggingface.co/huggyllama/llama-65b/blob/main/config.json",
        ),
        "llama-2-70b": Published(
            {V: 32_000, h: 8_192, L: 80, n_heads: 64, n_kv_heads: 8, d_ff: 28_672},
            source="https://huggingface.co/meta-llama/Llama-2-70b-hf/blob/main/config.json",
        ),
        "llama-3-8b": Published(
            {V: 128_256, h: 4_096, L: 32, n_heads: 32, n_kv_heads: 8, d_ff: 14_336},
            source="https://huggingface.co/meta-llama/Meta-Llama-3-8B/blob/main/config.json",
        ),
    },
)
