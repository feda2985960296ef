"""DeBERTa-v2 and v3: a post-norm encoder that attends to content and position apart (He et al., 2021, arXiv:2006.03654;
arXiv:2111.09543)."""

from symparams.architectures import Architecture, Published
from symparams.components import bias, block, embedding, feed_forward, layer_norm, linear
from symparams.components.relative_attention import convolution_layer, disentangled_attention
from symparams.errors import ConfigError, quoted
from symparams.expressions.features import (
    biases,
    classifier,
    content_to_position,
    conv_layer,
    embedding_projection,
    mlm_head,
    pooler,
    position_embeddings,
    position_to_content,
    relative_position_norm,
    relative_positions,
    segment_embeddings,
    tieable_output,
    tying,
)
from symparams.expressions.symbols import L, V, d_conv, d_emb, d_ff, d_head, h, max_pos, max_rel, n_heads, n_labels, n_types
from symparams.models.library import Flag, FlagReader, Key, Library, Settings, labels

HIDDEN, HEADS = Key("hidden_size", default=1_536), Key("num_attention_heads", default=24)
POSITIONS = Key("max_position_embeddings", default=512)
TYPES, CONVOLUTION = Key("type_vocab_size", default=0, least=0), Key("conv_kernel_size", default=0, least=0)

embeddings = block(
    token_embedding=embedding(V, d_emb),
    position_embedding=position_embeddings * embedding(max_pos, d_emb),
    segment_embedding=segment_embeddings * embedding(n_types, d_emb),
    embedding_projection=embedding_projection * linear(d_emb, h, bias=False),
    layer_norm=layer_norm(h),
    relative_embedding=relative_positions * embedding(2 * max_rel, h),
    relative_norm=relative_position_norm * layer_norm(h),
)

encoder_layer = block(
    "encoder_layer",
    attention=disentangled_attention(h, n_heads),
    attention_norm=layer_norm(h),
    feed_forward=feed_forward(h, d_ff),
    feed_forward_norm=layer_norm(h),
)

masked_lm = block(
    transform=linear(h, d_emb),
    layer_norm=layer_norm(d_emb),
    output=linear(d_emb, V, tied_to="embeddings.token_embedding"),
    output_bias=~tying * bias(V),
)

plain_masked_lm = block(
    transform=linear(h, h),
    layer_norm=layer_norm(h),
    output_bias=bias(V),
)


def distances(settings: Settings) -> int | None:
    """The relative distances on either side: the buckets, or the longest distance, or the longest sequence."""
    buckets, longest = (settings.need(name, default=-1, least=-1) for name in ("position_buckets", "max_relative_positions"))
    return next((size for size in (buckets, longest) if size > 0), POSITIONS(settings))


def listed(settings: Settings, name: str) -> list[str]:
    """A setting of several words, as a list or as "p2c|c2p"."""
    value = settings.values.get(name)
    return [word.strip() for word in value.lower().split("|")] if isinstance(value, str) else settings.listed(name) or []


def attends(kind: str) -> FlagReader:
    """Whether attention of this kind, "c2p" or "p2c", has a projection of its own."""

    def reads(settings: Settings) -> bool:
        own = settings.flag("relative_attention") and not settings.flag("share_att_key")
        return own and kind in listed(settings, "pos_att_type")

    return reads


def check(settings: Settings) -> None:
    """Refuse what the library builds and cannot run: heads or a pooler of another width; and convolutions in groups."""
    width, heads = HIDDEN(settings), HEADS(settings)
    head = width // heads if width and heads else None
    for name, supported in (("attention_head_size", head), ("pooler_hidden_size", width)):
        if name in settings.values and settings.size(name) != supported:
            raise ConfigError(f"{name} = {quoted(settings.values[name], 30)} in the config: only {supported} is supported.")
    if CONVOLUTION(settings) and settings.need("conv_groups", default=1) != 1:
        raise ConfigError(f"conv_groups = {quoted(settings.values['conv_groups'], 30)} in the config: only 1 is supported.")


def projects(settings: Settings) -> bool:
    """Whether the embeddings have a width of their own."""
    return settings.has("embedding_size") and settings.size("embedding_size") != HIDDEN(settings)


DEBERTA_V2 = Architecture(
    "deberta_v2",
    title="DeBERTa-v2",
    source="He et al., 2021, arXiv:2006.03654",
    tree=block(
        embeddings=embeddings,
        encoder=L * encoder_layer,
        conv_layer=conv_layer * convolution_layer(h, d_conv, layer_norm(h)),
        pooler=pooler * linear(h, h),
        mlm_head=mlm_head * (tieable_output * masked_lm),
        plain_mlm_head=mlm_head * (~tieable_output * plain_masked_lm),
        classifier=classifier * linear(h, n_labels),
    ),
    library=Library(
        base="DebertaV2Model",
        classes={
            "DebertaV2Model": (),
            "DebertaV2ForMaskedLM": (mlm_head,),
            "DebertaV2ForSequenceClassification": (pooler, classifier),
            "DebertaV2ForTokenClassification": (classifier,),
            "DebertaV2ForQuestionAnswering": (classifier,),
        },
        sizes={
            V: Key("vocab_size", default=128_100),
            d_emb: Key("embedding_size"),
            h: HIDDEN,
            L: Key("num_hidden_layers", default=24),
            n_heads: HEADS,
            d_ff: Key("intermediate_size", default=6_144),
            max_pos: POSITIONS,
            max_rel: distances,
            n_types: TYPES,
            d_conv: CONVOLUTION,
            n_labels: labels,
        },
        flags={
            tying: Flag("tie_word_embeddings", default=True),
            position_embeddings: Flag("position_biased_input", default=True),
            segment_embeddings: lambda settings: bool(TYPES(settings)),
            embedding_projection: projects,
            relative_positions: Flag("relative_attention", default=False),
            relative_position_norm: lambda settings: "layer_norm" in listed(settings, "norm_rel_ebd"),
            content_to_position: attends("c2p"),
            position_to_content: attends("p2c"),
            conv_layer: lambda settings: bool(CONVOLUTION(settings)),
            tieable_output: Flag("legacy", default=True),
        },
        check=check,
    ),
    relations={d_emb: h},
    identities={d_head: h / n_heads},
    has=(position_embeddings, tieable_output, tying, biases),
    may_have=(
        segment_embeddings,
        embedding_projection,
        relative_positions,
        relative_position_norm,
        content_to_position,
        position_to_content,
        conv_layer,
        pooler,
        mlm_head,
        classifier,
    ),
    models={
        "deberta-v3-base": Published(
            {V: 128_100, h: 768, L: 12, n_heads: 12, d_ff: 3_072, max_rel: 256},
            source="https://huggingface.co/microsoft/deberta-v3-base/blob/main/config.json",
            include=(relative_positions, relative_position_norm),
            exclude=(position_embeddings,),
        ),
    },
)
