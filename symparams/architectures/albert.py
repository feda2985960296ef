"""ALBERT: a BERT whose layers share their parameters, with a narrow embedding (Lan et al., 2020, arXiv:1909.11942).

However many layers a token passes through, they fall into groups, and only the layers of one pass through each group are
stored: a single one in the published models.
"""

from symparams.architectures import Architecture, Published
from symparams.architectures.bert import check, embedding_block, encoder_layer, masked_lm, second_bias
from symparams.components import block, linear
from symparams.expressions.features import biases, classifier, mlm_head, pooler, segment_embeddings, sop_head, tying
from symparams.expressions.symbols import L_stored, V, d_emb, d_ff, d_head, h, max_pos, n_heads, n_labels, n_types
from symparams.models.library import Flag, Key, Library, Settings, labels


def stored_layers(settings: Settings) -> int:
    """The layers of each group, all of whose other layers are copies, times the groups."""
    return settings.need("num_hidden_groups", default=1) * settings.need("inner_group_num", default=1)


ALBERT = Architecture(
    "albert",
    title="ALBERT",
    source="Lan et al., 2020, arXiv:1909.11942",
    tree=block(
        embeddings=embedding_block(d_emb, projection=linear(d_emb, h)),
        encoder=L_stored * encoder_layer,
        pooler=pooler * linear(h, h),
        mlm_head=mlm_head * masked_lm(d_emb, output_bias=second_bias),
        sop_head=sop_head * linear(h, n_labels),
        classifier=classifier * linear(h, n_labels),
    ),
    library=Library(
        base="AlbertModel",
        classes={
            "AlbertModel": (pooler,),
            "AlbertForPreTraining": (pooler, mlm_head, sop_head),
            "AlbertForMaskedLM": (mlm_head,),
            "AlbertForSequenceClassification": (pooler, classifier),
            "AlbertForTokenClassification": (classifier,),
            "AlbertForQuestionAnswering": (classifier,),
        },
        sizes={
            V: Key("vocab_size", default=30_000),
            d_emb: Key("embedding_size", default=128),
            h: Key("hidden_size", default=4_096),
            L_stored: stored_layers,
            n_heads: Key("num_attention_heads", default=64),
            d_ff: Key("intermediate_size", default=16_384),
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
    may_have=(mlm_head, sop_head, classifier),
    models={
        "albert-base-v2": Published(
            {V: 30_000, d_emb: 128, h: 768, L_stored: 1, n_heads: 12, d_ff: 3_072, max_pos: 512, n_types: 2},
            source="https://huggingface.co/albert/albert-base-v2/blob/main/config.json",
        ),
        "albert-xxlarge-v2": Published(
            {V: 30_000, d_emb: 128, h: 4_096, L_stored: 1, n_heads: 64, d_ff: 16_384, max_pos: 512, n_types: 2},
            source="https://huggingface.co/albert/albert-xxlarge-v2/blob/main/config.json",
        ),
    },
)
