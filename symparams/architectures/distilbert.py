"""DistilBERT: BERT with half of its layers, without segments and pooler (Sanh et al., 2019, arXiv:1910.01108)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.bert import encoder_layer, masked_lm
from symparams.architectures.roberta import classification
from symparams.components import block, embedding, layer_norm
from symparams.errors import ConfigError
from symparams.expressions.features import biases, classifier, classifier_transform, mlm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, max_pos, n_heads, n_labels
from symparams.models.library import Flag, Key, Library, Settings, labels

ANSWERING = "DistilBertForQuestionAnswering"
START_AND_END = 2

embeddings = block(
    token_embedding=embedding(V, h),
    position_embedding=embedding(max_pos, h),
    layer_norm=layer_norm(h),
)


def check(settings: Settings) -> None:
    """ConfigError where a question is answered by other labels than the start and the end, which the library refuses."""
    if ANSWERING in (settings.listed("architectures") or ()) and settings.labels != START_AND_END:
        raise ConfigError(f"num_labels = {settings.labels} in the config: {ANSWERING} must have {START_AND_END}.")


DISTILBERT = Architecture(
    "distilbert",
    title="DistilBERT",
    source="Sanh et al., 2019, arXiv:1910.01108",
    tree=block(
        embeddings=embeddings,
        encoder=L * encoder_layer,
        mlm_head=mlm_head * masked_lm(h),
        classifier=classifier * classification,
    ),
    library=Library(
        base="DistilBertModel",
        classes={
            "DistilBertModel": (),
            "DistilBertForMaskedLM": (mlm_head,),
            "DistilBertForSequenceClassification": (classifier, classifier_transform),
            "DistilBertForTokenClassification": (classifier,),
            ANSWERING: (classifier,),
        },
        sizes={
            V: Key("vocab_size", default=30_522),
            h: Key("dim", "hidden_size", default=768),
            L: Key("n_layers", "num_hidden_layers", default=6),
            n_heads: Key("n_heads", "num_attention_heads", default=12),
            d_ff: Key("hidden_dim", default=3_072),
            max_pos: Key("max_position_embeddings", default=512),
            n_labels: labels,
        },
        flags={tying: Flag("tie_word_embeddings", default=True)},
        check=check,
    ),
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(tying, biases),
    may_have=(mlm_head, classifier, classifier_transform),
    models={
        "distilbert-base-uncased": Published(
            {V: 30_522, h: 768, L: 6, n_heads: 12, d_ff: 3_072, max_pos: 512},
            source="https://huggingface.co/distilbert/distilbert-base-uncased/blob/main/config.json",
        ),
    },
)
