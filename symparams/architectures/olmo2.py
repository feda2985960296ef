"""OLMo 2: a decoder with RMS norms after attention and feed-forward, and on the whole width of query and key (OLMo et
al., 2024, arXiv:2501.00656)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import attention, decoder_only
from symparams.components import block, gated_feed_forward, rms_norm
from symparams.components.norms import with_query_key_norms
from symparams.expressions.features import attention_bias, classifier, classifier_bias, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased

decoder_layer = block(
    "decoder_layer",
    attention=with_query_key_norms(attention(bias=attention_bias), rms_norm(n_heads * d_head), rms_norm(n_kv_heads * d_head)),
    post_attention_norm=rms_norm(h),
    feed_forward=gated_feed_forward(h, d_ff),
    post_feed_forward_norm=rms_norm(h),
)

OLMO2 = Architecture(
    "olmo2",
    title="OLMo 2",
    source="OLMo et al., 2024, arXiv:2501.00656",
    tree=decoder_only(decoder_layer),
    library=Library(
        base="Olmo2Model",
        classes={
            "Olmo2Model": (),
            "Olmo2ForCausalLM": (lm_head,),
            "Olmo2ForSequenceClassification": (classifier,),
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
        "olmo-2-7b": Published(
            {V: 100_352, h: 4_096, L: 32, n_heads: 32, d_ff: 11_008},
            source="https://huggingface.co/allenai/OLMo-2-1124-7B/blob/main/config.json",
        ),
    },
)
