"""ELECTRA: a BERT that tells replaced tokens from original ones, its embedding narrower than its layers where the sizes
differ (Clark et al., 2020, arXiv:2003.10555)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.bert import check, embedding_block, encoder_layer, masked_lm
from symparams.architectures.roberta import classification
from symparams.components import block, linear
from symparams.expressions.features import (
    biases,
    classifier,
    classifier_transform,
    discriminator_head,
    embedding_projection,
    mlm_head,
    segment_embeddings,
    tying,
)
from symparams.expressions.symbols import L, V, d_emb, d_ff, d_head, h, max_pos, n_heads, n_labels, n_types
from symparams.models.library import Flag, Key, Library, labels

discriminator = block(
    transform=linear(h, h),
    output=linear(h, 1),
)

embedding_size = Key("embedding_size", default=128)
hidden_size = Key("hidden_size", default=256)

ELECTRA = Architecture(
    "electra",
    title="ELECTRA",
    source="Clark et al., 2020, arXiv:2003.10555",
    tree=block(
        embeddings=embedding_block(d_emb, projection=embedding_projection * linear(d_emb, h)),
        encoder=L * encoder_layer,
        discriminator_head=discriminator_head * discriminator,
        mlm_head=mlm_head * masked_lm(d_emb),
        classifier=classifier * classification,
    ),
    library=Library(
        base="ElectraModel",
        classes={
            "ElectraModel": (),
            "ElectraForPreTraining": (discriminator_head,),
            "ElectraForMaskedLM": (mlm_head,),
            "ElectraForCausalLM": (mlm_head,),
            "ElectraForSequenceClassification": (classifier, classifier_transform),
            "ElectraForTokenClassification": (classifier,),
            "ElectraForQuestionAnswering": (classifier,),
        },
        sizes={
            V: Key("vocab_size", default=30_522),
            d_emb: embedding_size,
            h: hidden_size,
            L: Key("num_hidden_layers", default=12),
            n_heads: Key("num_attention_heads", default=4),
            d_ff: Key("intermediate_size", default=1_024),
            max_pos: Key("max_position_embeddings", default=512),
            n_types: Key("type_vocab_size", default=2),
            n_labels: labels,
        },
        flags={
            tying: Flag("tie_word_embeddings", default=True),
            embedding_projection: lambda settings: embedding_size(settings) != hidden_size(settings),
        },
        check=check,
    ),
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(segment_embeddings, embedding_projection, tying, biases),
    may_have=(discriminator_head, mlm_head, classifier, classifier_transform),
    models={
        "electra-small-discriminator": Published(
            {V: 30_522, d_emb: 128, h: 256, L: 12, n_heads: 4, d_ff: 1_024, max_pos: 512, n_types: 2},
            source="https://huggingface.co/google/electra-small-discriminator/blob/main/config.json",
        ),
        "electra-base-discriminator": Published(
            {V: 30_522, d_emb: 768, h: 768, L: 12, n_heads: 12, d_ff: 3_072, max_pos: 512, n_types: 2},
            source="https://huggingface.co/google/electra-base-discriminator/blob/main/config.json",
            exclude=(embedding_projection,),
        ),
    },
)
