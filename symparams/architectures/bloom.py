"""BLOOM: a pre-norm decoder with ALiBi and a LayerNorm after the embedding (Scao et al., 2022, arXiv:2211.05100)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.gpt2 import decoder_layer
from symparams.components import alibi, block, embedding, layer_norm, linear
from symparams.expressions.features import biases, classifier, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_labels
from symparams.models.library import Flag, Key, Library, labels

embeddings = block(
    token_embedding=embedding(V, h),
    layer_norm=layer_norm(h),
    positions=alibi(),
)

BLOOM = Architecture(
    "bloom",
    title="BLOOM",
    source="Scao et al., 2022, arXiv:2211.05100",
    tree=block(
        embeddings=embeddings,
        decoder=L * decoder_layer,
        final_layer_norm=layer_norm(h),
        lm_head=lm_head * linear(h, V, bias=False, tied_to="embeddings.token_embedding"),
        classifier=classifier * linear(h, n_labels, bias=False),
    ),
    library=Library(
        base="BloomModel",
        classes={
            "BloomModel": (),
            "BloomForCausalLM": (lm_head,),
            "BloomForSequenceClassification": (classifier,),
        },
        sizes={
            V: Key("vocab_size", default=250_880),
            h: Key("hidden_size", "n_embed", default=64),
            L: Key("n_layer", "num_hidden_layers", default=2),
            n_heads: Key("n_head", "num_attention_heads", default=8),
            n_labels: labels,
        },
        flags={tying: Flag("tie_word_embeddings", default=True)},
    ),
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(lm_head, tying, biases),
    may_have=(classifier,),
    models={
        "bloom-560m": Published(
            {V: 250_880, h: 1_024, L: 24, n_heads: 16},
            source="https://huggingface.co/bigscience/bloom-560m/blob/main/config.json",
        ),
        "bloom-1b4-zh": Published(
            {V: 46_145, h: 2_048, L: 24, n_heads: 16},
            source="https://huggingface.co/Langboat/bloom-1b4-zh/blob/main/config.json",
        ),
        "bloom-176b": Published(
            {V: 250_880, h: 14_336, L: 70, n_heads: 112},
            source="https://huggingface.co/bigscience/bloom/blob/main/config.json",
        ),
    },
)
