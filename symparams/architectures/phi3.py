"""Phi-3: LLaMA's layer with query, key and value in one matrix, gate and up in another (Abdin et al., 2024,
arXiv:2404.14219)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import decoder_layer, decoder_only
from symparams.components.fused import fused_gated_feed_forward, fused_grouped_query_attention
from symparams.expressions.features import classifier, classifier_bias, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased

PHI3 = Architecture(
    "phi3",
    title="Phi-3",
    source="Abdin et al., 2024, arXiv:2404.14219",
    tree=decoder_only(
        decoder_layer(fused_grouped_query_attention(h, n_heads, n_kv_heads, d_head), fused_gated_feed_forward(h, d_ff))
    ),
    library=Library(
        base="Phi3Model",
        classes={
            "Phi3Model": (),
            "Phi3ForCausalLM": (lm_head,),
            "Phi3ForSequenceClassification": (classifier,),
            "Phi3ForTokenClassification": (classifier,),
        },
        sizes=decoder_sizes({V: 32_064, h: 3_072, L: 32, n_heads: 32, d_ff: 8_192}, rounded=True),
        flags={tying: Flag("tie_word_embeddings", default=False), classifier_bias: outputs_biased},
    ),
    relations={n_kv_heads: n_heads, d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    has=(lm_head,),
    may_have=(tying, classifier, classifier_bias),
    models={
        "phi-3-mini": Published(
            {V: 32_064, h: 3_072, L: 32, n_heads: 32, d_ff: 8_192},
            source="https://huggingface.co/microsoft/Phi-3-mini-4k-instruct/blob/main/config.json",
        ),
    },
)
