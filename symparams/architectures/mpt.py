"""MPT: a pre-norm decoder with ALiBi, no biases at all and a tied head (MosaicML, 2023, https://www.databricks.com/blog/mpt-7b).

The library builds no other: it reads no_bias, expansion_ratio, learned_pos_emb and attn_config, and shapes nothing by them.
"""

from symparams.architectures import Architecture, Published
from symparams.components import alibi, attention, block, embedding, feed_forward, layer_norm
from symparams.components.decoder_heads import decoder_heads
from symparams.expressions.features import classifier, classifier_bias, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_labels
from symparams.models.library import Flag, Key, Library
from symparams.models.library.decoders import outputs

embeddings = block(
    token_embedding=embedding(V, h),
    positions=alibi(),
)

norm = layer_norm(h, bias=False)

decoder_layer = block(
    "decoder_layer",
    attention_norm=norm,
    attention=attention(h, n_heads, fused=True, bias=False),
    feed_forward_norm=norm,
    feed_forward=feed_forward(h, d_ff, bias=False),
)

MPT = Architecture(
    "mpt",
    title="MPT",
    source="MosaicML, 2023, https://www.databricks.com/blog/mpt-7b",
    tree=block(embeddings=embeddings, decoder=L * decoder_layer, final_layer_norm=norm, **decoder_heads(h)),
    library=Library(
        base="MptModel",
        classes={
            "MptModel": (),
            "MptForCausalLM": (lm_head,),
            "MptForSequenceClassification": (classifier,),
            "MptForTokenClassification": (classifier, classifier_bias),
            "MptForQuestionAnswering": (classifier, classifier_bias),
        },
        sizes={
            V: Key("vocab_size", default=50_368),
            h: Key("d_model", "hidden_size", default=2_048),
            L: Key("n_layers", "num_hidden_layers", default=24),
            n_heads: Key("n_heads", "num_attention_heads", default=16),
            n_labels: outputs,
        },
        flags={tying: Flag("tie_word_embeddings", default=True)},
    ),
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(lm_head, tying),
    may_have=(classifier, classifier_bias),
    models={
        "mpt-7b": Published(
            {V: 50_432, h: 4_096, L: 32, n_heads: 32},
            source="https://huggingface.co/mosaicml/mpt-7b/blob/main/config.json",
        ),
    },
)
