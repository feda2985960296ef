"""T5: an encoder and a decoder, pre-norm with RMSNorm, without biases, whose positions are learned biases of the
attention scores (Raffel et al., 2020, arXiv:1910.10683).

T5 1.1 and its descendants have a gate in the feed-forward and an LM head of their own: tie_word_embeddings is false.
"""

from symparams.architectures import Architecture, Published
from symparams.components import Component, Heads, block, embedding, feed_forward, linear, rms_norm
from symparams.components import gated_feed_forward as gated
from symparams.errors import ConfigError, quoted
from symparams.expressions.features import classifier, classifier_transform, decoder, gated_feed_forward, lm_head, tying
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import L_dec, L_enc, V, d_ff, d_head, h, n_buckets, n_heads, n_labels
from symparams.models.library import Key, Library, Settings, labels

GATED = "gated"


def wide_attention() -> Component:
    """Attention whose inner width, n_heads·d_head, is not that of the model: 4 × h × n_heads·d_head."""
    inner = n_heads * d_head
    inputs = {name: linear(h, inner, bias=False, heads=Heads(n_heads)) for name in ("query", "key", "value")}
    return Component("wide_attention", children=(*inputs.items(), ("output", linear(inner, h, bias=False))))


feed_forwards = {
    "feed_forward": ~gated_feed_forward * feed_forward(h, d_ff, bias=False),
    "gated_feed_forward": gated_feed_forward * gated(h, d_ff, bias=False),
}

encoder_layer = block(
    "encoder_layer",
    attention_norm=rms_norm(h),
    attention=wide_attention(),
    feed_forward_norm=rms_norm(h),
    **feed_forwards,
)

decoder_layer = block(
    "decoder_layer",
    attention_norm=rms_norm(h),
    attention=wide_attention(),
    cross_attention_norm=rms_norm(h),
    cross_attention=wide_attention(),
    feed_forward_norm=rms_norm(h),
    **feed_forwards,
)

classification = block(
    transform=classifier_transform * linear(h, h, bias=True),
    output=linear(h, n_labels, bias=True),
)

encoder_decoder = block(
    embeddings=block(
        token_embedding=embedding(V, h),
        encoder_position_bias=embedding(n_buckets, n_heads),
        decoder_position_bias=decoder * embedding(n_buckets, n_heads),
    ),
    encoder=L_enc * encoder_layer,
    encoder_final_norm=rms_norm(h),
    decoder=decoder * (L_dec * decoder_layer),
    decoder_final_norm=decoder * rms_norm(h),
    lm_head=lm_head * linear(h, V, bias=False, tied_to="embeddings.token_embedding"),
    classifier=classifier * classification,
)


def tied(settings: Settings) -> bool:
    """Whether the LM head is tied; null leaves it so."""
    return settings.flag("tie_word_embeddings", default=True) or not settings.has("tie_word_embeddings")


def library(prefix: str, defaults: dict[Dimension, int], projection: str) -> Library:
    """The classes of this prefix, and the keys with the library's defaults, those that are the family's own among them."""

    def words(settings: Settings) -> list[str]:
        return (settings.word("feed_forward_proj", projection) or "").split("-")

    def check(settings: Settings) -> None:
        *gate, activation = words(settings)
        if gate not in ([], [GATED]) or activation in ("", GATED):
            raise ConfigError(
                f"feed_forward_proj = {quoted(settings.values.get('feed_forward_proj'), 30)} in the config: "
                "write an activation, as in relu, or a gate with one, as in gated-gelu."
            )
        if settings.flag("is_decoder"):
            raise ConfigError("is_decoder = true in the config: only the encoder, or encoder and decoder, are known.")

    return Library(
        base=f"{prefix}Model",
        classes={
            f"{prefix}Model": (decoder,),
            f"{prefix}ForConditionalGeneration": (decoder, lm_head),
            f"{prefix}EncoderModel": (),
            f"{prefix}ForSequenceClassification": (decoder, classifier, classifier_transform),
            f"{prefix}ForTokenClassification": (classifier,),
            f"{prefix}ForQuestionAnswering": (decoder, classifier),
        },
        sizes={
            V: Key("vocab_size", default=defaults[V]),
            h: Key("d_model", "hidden_size", default=512),
            L_enc: Key("num_layers", "num_hidden_layers", default=defaults[L_enc]),
            L_dec: Key("num_decoder_layers"),
            n_heads: Key("num_heads", "num_attention_heads", default=defaults[n_heads]),
            d_head: Key("d_kv", "head_dim", default=64),
            d_ff: Key("d_ff", default=defaults[d_ff]),
            n_buckets: Key("relative_attention_num_buckets", default=32),
            n_labels: labels,
        },
        flags={tying: tied, gated_feed_forward: lambda settings: words(settings)[0] == GATED},
        check=check,
    )


T5 = Architecture(
    "t5",
    title="T5",
    source="Raffel et al., 2020, arXiv:1910.10683",
    tree=encoder_decoder,
    library=library("T5", {V: 32_128, L_enc: 6, n_heads: 8, d_ff: 2_048}, projection="relu"),
    relations={L_dec: L_enc},
    has=(decoder, lm_head, tying),
    may_have=(gated_feed_forward, classifier, classifier_transform),
    models={
        "t5-small": Published(
            {V: 32_128, h: 512, L_enc: 6, n_heads: 8, d_head: 64, d_ff: 2_048, n_buckets: 32},
            source="https://huggingface.co/google-t5/t5-small/blob/main/config.json",
        ),
        "flan-t5-base": Published(
            {V: 32_128, h: 768, L_enc: 12, n_heads: 12, d_head: 64, d_ff: 2_048, n_buckets: 32},
            source="https://huggingface.co/google/flan-t5-base/blob/main/config.json",
            include=(gated_feed_forward,),
            exclude=(tying,),
        ),
    },
)
