"""SmolLM3: LLaMA's decoder with grouped queries, a tied head, and no positions in every fourth layer (Bakouch et al.,
2025, https://huggingface.co/blog/smollm3)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import attention, decoder_layer, decoder_only
from symparams.components import gated_feed_forward
from symparams.expressions.features import attention_bias, classifier, classifier_bias, lm_head, mlp_bias, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased

SMOLLM3 = Architecture(
    "smollm3",
    title="SmolLM3",
    source="Bakouch et al., 2025, https://huggingface.co/blog/smollm3",
    tree=decoder_only(decoder_layer(attention(bias=attention_bias), gated_feed_forward(h, d_ff, bias=mlp_bias))),
    library=Library(
        base="SmolLM3Model",
        classes={
            "SmolLM3Model": (),
            "SmolLM3ForCausalLM": (lm_head,),
            "SmolLM3ForSequenceClassification": (classifier,),
            "SmolLM3ForTokenClassification": (classifier,),
            "SmolLM3ForQuestionAnswering": (classifier,),
        },
        sizes=decoder_sizes({V: 128_256, h: 2_048, L: 36, n_heads: 16, n_kv_heads: 4, d_ff: 11_008}, rounded=True),
        flags={
            tying: Flag("tie_word_embeddings", default=True),
            attention_bias: Flag("attention_bias", default=False),
            mlp_bias: Flag("mlp_bias", default=False),
            classifier_bias: outputs_biased,
        },
    ),
    relations={n_kv_heads: n_heads, d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    has=(lm_head, tying),
    may_have=(attention_bias, mlp_bias, classifier, classifier_bias),
    models={
        "smollm3-3b": Published(
            {V: 128_256, h: 2_048, L: 36, n_heads: 16, n_kv_heads: 4, d_ff: 11_008},
            source="https://huggingface.co/HuggingFaceTB/SmolLM3-3B/blob/main/config.json",
        ),
    },
)
