"""Phi: a decoder whose attention and feed-forward stand side by side after one LayerNorm (Gunasekar et al., 2023,
arXiv:2306.11644; Phi-1.5, arXiv:2309.05463)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import attention, embeddings
from symparams.components import block, feed_forward, layer_norm, linear
from symparams.components.grouped_queries import normed
from symparams.errors import ConfigError
from symparams.expressions.features import classifier, classifier_bias, lm_head, query_key_norm, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads, n_labels
from symparams.models.library import Flag, Library, Settings
from symparams.models.library.decoders import decoder_sizes, outputs_biased

SIZES = decoder_sizes({V: 51_200, h: 2_048, L: 24, n_heads: 32, d_ff: 8_192}, rounded=True)

decoder_layer = block(
    "decoder_layer",
    layer_norm=layer_norm(h),
    attention=normed(attention(bias=True), layer_norm(d_head)),
    feed_forward=feed_forward(h, d_ff, bias=True),
)


def check(settings: Settings) -> None:
    """The library's norms of query and key are of length h / n_heads, whatever the size of a head."""
    head, width, heads = SIZES[d_head](settings), SIZES[h](settings), SIZES[n_heads](settings)
    if settings.flag("qk_layernorm") and head and width and heads and head != width // heads:
        raise ConfigError(f"head_dim = {head} with qk_layernorm in the config: give it h / n_heads, or leave it out.")


PHI = Architecture(
    "phi",
    title="Phi",
    source="Gunasekar et al., 2023, arXiv:2306.11644",
    tree=block(
        embeddings=embeddings,
        decoder=L * decoder_layer,
        final_layer_norm=layer_norm(h),
        lm_head=lm_head * linear(h, V, bias=True, tied_to="embeddings.token_embedding"),
        classifier=classifier * linear(h, n_labels, bias=classifier_bias),
    ),
    library=Library(
        base="PhiModel",
        classes={
            "PhiModel": (),
            "PhiForCausalLM": (lm_head,),
            "PhiForSequenceClassification": (classifier,),
            "PhiForTokenClassification": (classifier,),
        },
        sizes=SIZES,
        flags={
            tying: Flag("tie_word_embeddings", default=False),
            query_key_norm: Flag("qk_layernorm", default=False),
            classifier_bias: outputs_biased,
        },
        check=check,
    ),
    relations={n_kv_heads: n_heads, d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    has=(lm_head,),
    may_have=(tying, query_key_norm, classifier, classifier_bias),
    models={
        "phi-1.5": Published(
            {V: 51_200, h: 2_048, L: 24, n_heads: 32, d_ff: 8_192},
            source="https://huggingface.co/microsoft/phi-1_5/blob/main/config.json",
        ),
        "phi-2": Published(
            {V: 51_200, h: 2_560, L: 32, n_heads: 32, d_ff: 10_240},
            source="https://huggingface.co/microsoft/phi-2/blob/main/config.json",
        ),
    },
)
