"""RoBERTa: BERT trained longer, without next-sentence prediction (Liu et al., 2019, arXiv:1907.11692).

Its positions begin after the index of the padding, so the published models have 514 rows for 512 positions.
"""

from symparams.architectures import Architecture, Published
from symparams.architectures.bert import check, embedding_block, encoder_layer, masked_lm, second_bias
from symparams.components import block, linear
from symparams.expressions.features import biases, classifier, classifier_transform, mlm_head, pooler, segment_embeddings, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, max_pos, n_heads, n_labels, n_types
from symparams.models.library import Flag, Key, Library, labels

classification = block(
    transform=classifier_transform * linear(h, h),
    output=linear(h, n_labels),
)

encoder_only = block(
    embeddings=embedding_block(h),
    encoder=L * encoder_layer,
    pooler=pooler * linear(h, h),
    mlm_head=mlm_head * masked_lm(h, output_bias=second_bias),
    classifier=classifier * classification,
)


def library(prefix: str, vocabulary: int) -> Library:
    """The classes of this prefix, and the keys with the library's defaults, that of the vocabulary being the family's own."""
    return Library(
        base=f"{prefix}Model",
        classes={
            f"{prefix}Model": (pooler,),
            f"{prefix}ForMaskedLM": (mlm_head,),
            f"{prefix}ForCausalLM": (mlm_head,),
            f"{prefix}ForSequenceClassification": (classifier, classifier_transform),
            f"{prefix}ForTokenClassification": (classifier,),
            f"{prefix}ForQuestionAnswering": (classifier,),
        },
        sizes={
            V: Key("vocab_size", default=vocabulary),
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
    )


ROBERTA = Architecture(
    "roberta",
    title="RoBERTa",
    source="Liu et al., 2019, arXiv:1907.11692",
    tree=encoder_only,
    library=library("Roberta", vocabulary=50_265),
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(segment_embeddings, pooler, tying, biases),
    may_have=(mlm_head, classifier, classifier_transform),
    models={
        "roberta-base": Published(
            {V: 50_265, h: 768, L: 12, n_heads: 12, d_ff: 3_072, max_pos: 514, n_types: 1},
            source="https://huggingface.co/FacebookAI/roberta-base/blob/main/config.json",
        ),
        "roberta-large": Published(
            {V: 50_265, h: 1_024, L: 24, n_heads: 16, d_ff: 4_096, max_pos: 514, n_types: 1},
            source="https://huggingface.co/FacebookAI/roberta-large/blob/main/config.json",
        ),
    },
)
