"""OLMo: LLaMA's decoder with LayerNorms that have no parameters (Groeneveld et al., 2024, arXiv:2402.00838)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import attention
from symparams.architectures.starcoder2 import decoder_layer, decoder_only
from symparams.components import gated_feed_forward
from symparams.components.norms import non_parametric_layer_norm
from symparams.expressions.features import attention_bias, classifier, classifier_bias, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased

norm = non_parametric_layer_norm()

OLMO = Architecture(
    "olmo",
    title="OLMo",
    source="Groeneveld et al., 2024, arXiv:2402.00838",
    tree=decoder_only(decoder_layer(attention(bias=attention_bias), gated_feed_forward(h, d_ff), norm), norm),
    library=Library(
        base="OlmoModel",
        classes={
            "OlmoModel": (),
            "OlmoForCausalLM": (lm_head,),
            "OlmoForSequenceClassification": (classifier,),
        },
        sizes=decoder_sizes({V: 50_304, h: 4_096, L: 32, n_heads: 32, d_ff: 11_008}, rounded=True),
        flags={
            tying: Flag("tie_word_embeddings", default=False),
            attention_bias: Flag("attention_bias", default=False),
            classifier_bias: outputs_biased,
        },
    ),
    relations={n_kv_heads: n_heads, d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    has=(lm_head,),
    may_have=(tying, attention_bias, classifier, classifier_bias),
    models={
        "olmo-7b": Published(
            {V: 50_304, h: 4_096, L: 32, n_heads: 32, d_ff: 11_008},
            source="https://huggingface.co/allenai/OLMo-7B-hf/blob/main/config.json",
        ),
    },
)
