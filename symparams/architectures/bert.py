"""BERT: a post-norm bidirectional encoder (Devlin et al., 2019, arXiv:1810.04805)."""

from symparams.architectures import Architecture, Published
from symparams.components import Component, attention, bias, block, embedding, feed_forward, layer_norm, linear
from symparams.errors import ConfigError, quoted
from symparams.expressions.features import biases, classifier, mlm_head, nsp_head, pooler, segment_embeddings, tying
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import L, V, d_ff, d_head, h, max_pos, n_heads, n_labels, n_types
from symparams.models.library import Flag, Key, Library, Settings, labels


def embedding_block(width: Dimension, **after: Component) -> Component:
    """Tables of tokens, segments and positions with rows of this width, their norm, and what comes after it."""
    return block(
        token_embedding=embedding(V, width),
        segment_embedding=segment_embeddings * embedding(n_types, width),
        position_embedding=embedding(max_pos, width),
        layer_norm=layer_norm(width),
        **after,
    )


def masked_lm(width: Dimension, **after: Component) -> Component:
    """A dense layer to this width, a norm, and the output over the vocabulary, whose matrix is that of the embedding."""
    return block(
        transform=linear(h, width),
        layer_norm=layer_norm(width),
        output=linear(width, V, tied_to="embeddings.token_embedding"),
        **after,
    )


encoder_layer = block(
    "encoder_layer",
    attention=attention(h, n_heads),
    attention_norm=layer_norm(h),
    feed_forward=feed_forward(h, d_ff),
    feed_forward_norm=layer_norm(h),
)

# The library keeps a bias beside the output layer, which is the layer's own bias where the matrix is shared.
second_bias = ~tying * bias(V)


def check(settings: Settings) -> None:
    """ConfigError for what adds parameters that are not modelled: cross-attention, and relative positions."""
    if settings.flag("add_cross_attention"):
        raise ConfigError("add_cross_attention = true in the config: only models without cross-attention are supported.")
    positions = settings.word("position_embedding_type")
    if positions not in (None, "absolute"):
        raise ConfigError(f'position_embedding_type = {quoted(positions)} in the config: only "absolute" is supported.')


BERT = Architecture(
    "bert",
    title="BERT",
    source="Devlin et al., 2019, arXiv:1810.04805",
    tree=block(
        embeddings=embedding_block(h),
        encoder=L * encoder_layer,
        pooler=pooler * linear(h, h),
        mlm_head=mlm_head * masked_lm(h, output_bias=second_bias),
        nsp_head=nsp_head * linear(h, 2),
        classifier=classifier * linear(h, n_labels),
    ),
    library=Library(
        base="BertModel",
        classes={
            "BertModel": (pooler,),
            "BertForMaskedLM": (mlm_head,),
            "BertForPreTraining": (pooler, mlm_head, nsp_head),
            "BertForNextSentencePrediction": (pooler, nsp_head),
            "BertForSequenceClassification": (pooler, classifier),
            "BertForTokenClassification": (classifier,),
            "BertForQuestionAnswering": (classifier,),
            "BertLMHeadModel": (mlm_head,),
        },
        sizes={
            V: Key("vocab_size", default=30_522),
            h: Key("hidden_size", default=768),
            L: Key("num_hidden_layers", default=12),
            n_heads: Key("num_attention_heads", default=12),
            d_ff: Key("intermediate_size", default=3_072),
            max_pos: Key("max_position_embeddings", default=512),
            n_types: Key("type_vocab_size", default=2),
            n_labels: labels,
        },
        flags={tying: Flag("tie_word_embeddings", default=True)},
        check=check,
    ),
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(segment_embeddings, pooler, tying, biases),
    may_have=(mlm_head, nsp_head, classifier),
    models={
        "bert-base-uncased": Published(
            {V: 30_522, h: 768, L: 12, n_heads: 12, d_ff: 3_072, max_pos: 512, n_types: 2},
            source="https://huggingface.co/google-bert/bert-base-uncased/blob/main/config.json",
        ),
        "bert-large-uncased": Published(
            {V: 30_522, h: 1_024, L: 24, n_heads: 16, d_ff: 4_096, max_pos: 512, n_types: 2},
            source="https://huggingface.co/google-bert/bert-large-uncased/blob/main/config.json",
        ),
        "bert-base-chinese": Published(
            {V: 21_128, h: 768, L: 12, n_heads: 12, d_ff: 3_072, max_pos: 512, n_types: 2},
            source="https://huggingface.co/google-bert/bert-base-chinese/blob/main/config.json",
        ),
    },
)
