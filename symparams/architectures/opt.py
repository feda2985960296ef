"""OPT: a decoder with learned positions and a tied head; in OPT-350M the embedding is narrower than the layers (Zhang et al.,
2022, arXiv:2205.01068)."""

from symparams.architectures import Architecture, Published
from symparams.components import attention, block, embedding, feed_forward, layer_norm, linear
from symparams.components.decoder_heads import decoder_heads
from symparams.expressions.features import (
    biases,
    classifier,
    classifier_bias,
    closing_norm,
    embedding_projection,
    lm_head,
    norm_parameters,
    tying,
)
from symparams.expressions.symbols import L, V, d_emb, d_ff, d_head, h, max_pos, n_heads, n_labels
from symparams.models.library import Flag, Key, Library, Settings
from symparams.models.library.decoders import outputs

UNUSED_POSITIONS = 2  # the first rows of the table, which stand for no position

embeddings = block(
    token_embedding=embedding(V, d_emb),
    position_embedding=embedding(max_pos + UNUSED_POSITIONS, h),
    embedding_projection=embedding_projection * linear(d_emb, h, bias=False),
)

decoder_layer = block(
    "decoder_layer",
    attention_norm=norm_parameters * layer_norm(h),
    attention=attention(h, n_heads),
    feed_forward_norm=norm_parameters * layer_norm(h),
    feed_forward=feed_forward(h, d_ff),
)

width, embedding_width = Key("hidden_size", default=768), Key("word_embed_proj_dim")


def is_projected(settings: Settings) -> bool:
    """Whether the embedding has a width of its own."""
    return embedding_width(settings) not in (None, width(settings))


def has_closing_norm(settings: Settings) -> bool:
    """Whether a norm follows the last layer: where the norms come first, but for checkpoints that dropped it."""
    return settings.flag("do_layer_norm_before", default=True) and not settings.flag("_remove_final_layer_norm")


OPT = Architecture(
    "opt",
    title="OPT",
    source="Zhang et al., 2022, arXiv:2205.01068",
    tree=block(
        embeddings=embeddings,
        decoder=L * decoder_layer,
        final_layer_norm=closing_norm * (norm_parameters * layer_norm(h)),
        output_projection=embedding_projection * linear(h, d_emb, bias=False),
        **decoder_heads(d_emb),
    ),
    library=Library(
        base="OPTModel",
        classes={
            "OPTModel": (),
            "OPTForCausalLM": (lm_head,),
            "OPTForSequenceClassification": (classifier,),
            "OPTForQuestionAnswering": (classifier, classifier_bias),
        },
        sizes={
            V: Key("vocab_size", default=50_272),
            h: width,
            d_emb: embedding_width,
            L: Key("num_hidden_layers", default=12),
            n_heads: Key("num_attention_heads", default=12),
            d_ff: Key("ffn_dim", default=3_072),
            max_pos: Key("max_position_embeddings", default=2_048),
            n_labels: outputs,
        },
        flags={
            tying: Flag("tie_word_embeddings", default=True),
            biases: Flag("enable_bias", default=True),
            norm_parameters: Flag("layer_norm_elementwise_affine", default=True),
            closing_norm: has_closing_norm,
            embedding_projection: is_projected,
        },
    ),
    relations={d_ff: 4 * h, d_emb: h},
    identities={d_head: h / n_heads},
    has=(lm_head, tying, biases, norm_parameters, closing_norm),
    may_have=(embedding_projection, classifier, classifier_bias),
    models={
        "opt-125m": Published(
            {V: 50_272, h: 768, L: 12, n_heads: 12, d_ff: 3_072, max_pos: 2_048},
            source="https://huggingface.co/facebook/opt-125m/blob/main/config.json",
        ),
        "opt-350m": Published(
            {V: 50_272, h: 1_024, d_emb: 512, L: 24, n_heads: 16, d_ff: 4_096, max_pos: 2_048},
            source="https://huggingface.co/facebook/opt-350m/blob/main/config.json",
            include=(embedding_projection,),
            exclude=(closing_norm,),
        ),
    },
)
