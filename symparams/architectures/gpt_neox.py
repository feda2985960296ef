"""GPT-NeoX and Pythia: rotary positions, two norms beside each other in a layer, an untied head (Black et al., 2022,
arXiv:2204.06745; Biderman et al., 2023, arXiv:2304.01373)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import embeddings
from symparams.components import attention, block, feed_forward, layer_norm
from symparams.components.decoder_heads import decoder_heads
from symparams.expressions.features import attention_bias, classifier, classifier_bias, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_labels
from symparams.models.library import Flag, Key, Library
from symparams.models.library.decoders import outputs

decoder_layer = block(
    "decoder_layer",
    attention_norm=layer_norm(h),
    attention=attention(h, n_heads, fused=True, bias=attention_bias),
    feed_forward_norm=layer_norm(h),
    feed_forward=feed_forward(h, d_ff, bias=True),
)

GPT_NEOX = Architecture(
    "gpt_neox",
    title="GPT-NeoX",
    source="Black et al., 2022, arXiv:2204.06745",
    tree=block(embeddings=embeddings, decoder=L * decoder_layer, final_layer_norm=layer_norm(h), **decoder_heads(h)),
    library=Library(
        base="GPTNeoXModel",
        classes={
            "GPTNeoXModel": (),
            "GPTNeoXForCausalLM": (lm_head,),
            "GPTNeoXForSequenceClassification": (classifier,),
            "GPTNeoXForTokenClassification": (classifier, classifier_bias),
            "GPTNeoXForQuestionAnswering": (classifier, classifier_bias),
        },
        sizes={
            V: Key("vocab_size", default=50_432),
            h: Key("hidden_size", default=6_144),
            L: Key("num_hidden_layers", default=44),
            n_heads: Key("num_attention_heads", default=64),
            d_ff: Key("intermediate_size", default=24_576),
            n_labels: outputs,
        },
        flags={
            tying: Flag("tie_word_embeddings", default=False),
            attention_bias: Flag("attention_bias", default=True),
        },
    ),
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(lm_head, attention_bias),
    may_have=(tying, classifier, classifier_bias),
    models={
        "gpt-neox-20b": Published(
            {V: 50_432, h: 6_144, L: 44, n_heads: 64, d_ff: 24_576},
            source="https://huggingface.co/EleutherAI/gpt-neox-20b/blob/main/config.json",
        ),
        "pythia-6.9b": Published(
            {V: 50_432, h: 4_096, L: 32, n_heads: 32, d_ff: 16_384},
            source="https://huggingface.co/EleutherAI/pythia-6.9b/blob/main/config.json",
        ),
    },
)
