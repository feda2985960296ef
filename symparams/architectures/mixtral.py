"""Mixtral: Mistral's decoder with a mixture of experts in each layer (Jiang et al., 2024, arXiv:2401.04088)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import embeddings
from symparams.components import Component, block, grouped_query_attention, linear, rms_norm
from symparams.components.experts import check_experts, mixture_of_experts
from symparams.expressions.features import classifier, classifier_bias, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_active, n_experts, n_heads, n_kv_heads, n_labels
from symparams.models.library import Flag, Key, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased


def layer(name: str, attention: Component, **feed_forward: Component) -> Component:
    """A pre-norm layer with RMSNorm: attention, and what is fed forward."""
    return block(name, attention_norm=rms_norm(h), attention=attention, feed_forward_norm=rms_norm(h), **feed_forward)


def with_heads(decoder: Component) -> Component:
    """A decoder between its embeddings and the library's heads."""
    return block(
        embeddings=embeddings,
        decoder=decoder,
        final_norm=rms_norm(h),
        lm_head=lm_head * linear(h, V, bias=False, tied_to="embeddings.token_embedding"),
        classifier=classifier * linear(h, n_labels, bias=classifier_bias),
    )


decoder_layer = layer(
    "decoder_layer",
    attention=grouped_query_attention(h, n_heads, n_kv_heads, d_head),
    experts=mixture_of_experts(h, n_experts, n_active, d_ff),
)

number = Key("num_local_experts", "num_experts", default=8)
active = Key("num_experts_per_tok", default=2)

MIXTRAL = Architecture(
    "mixtral",
    title="Mixtral",
    source="Jiang et al., 2024, arXiv:2401.04088",
    tree=with_heads(L * decoder_layer),
    library=Library(
        base="MixtralModel",
        classes={
            "MixtralModel": (),
            "MixtralForCausalLM": (lm_head,),
            "MixtralForSequenceClassification": (classifier,),
            "MixtralForTokenClassification": (classifier,),
            "MixtralForQuestionAnswering": (classifier,),
        },
        sizes={
            **decoder_sizes({V: 32_000, h: 4_096, L: 32, n_heads: 32, n_kv_heads: 8, d_ff: 14_336}, rounded=True),
            n_experts: number,
            n_active: active,
        },
        flags={tying: Flag("tie_word_embeddings", default=False), classifier_bias: outputs_biased},
        check=check_experts(number, active),
    ),
    relations={n_kv_heads: n_heads, d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    at_most={n_active: n_experts},
    has=(lm_head,),
    may_have=(tying, classifier, classifier_bias),
    models={
        "mixtral-8x7b": Published(
            {V: 32_000, h: 4_096, L: 32, n_heads: 32, n_kv_heads: 8, d_ff: 14_336, n_experts: 8, n_active: 2},
            source="https://huggingface.co/mistralai/Mixtral-8x7B-v0.1/blob/main/config.json",
        ),
    },
)
