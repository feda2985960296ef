"""StarCoder2: a pre-norm decoder with LayerNorm, grouped queries, rotary positions and biases (Lozhkov et al., 2024,
arXiv:2402.19173)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import attention, embeddings
from symparams.components import Component, block, feed_forward, layer_norm, linear
from symparams.expressions.features import biases, classifier, classifier_bias, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads, n_labels
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased


def decoder_layer(attention: Component, feed_forward: Component, norm: Component) -> Component:
    """A layer with this norm before attention and before the feed-forward."""
    return block(
        "decoder_layer",
        attention_norm=norm,
        attention=attention,
        feed_forward_norm=norm,
        feed_forward=feed_forward,
    )


def decoder_only(layer: Component, norm: Component) -> Component:
    """L of these layers and this norm between the embedding and the head."""
    return block(
        embeddings=embeddings,
        decoder=L * layer,
        final_layer_norm=norm,
        lm_head=lm_head * linear(h, V, bias=False, tied_to="embeddings.token_embedding"),
        classifier=classifier * linear(h, n_labels, bias=classifier_bias),
    )


STARCODER2 = Architecture(
    "starcoder2",
    title="StarCoder2",
    source="Lozhkov et al., 2024, arXiv:2402.19173",
    tree=decoder_only(decoder_layer(attention(bias=biases), feed_forward(h, d_ff), layer_norm(h)), layer_norm(h)),
    library=Library(
        base="Starcoder2Model",
        classes={
            "Starcoder2Model": (),
            "Starcoder2ForCausalLM": (lm_head,),
            "Starcoder2ForSequenceClassification": (classifier,),
            "Starcoder2ForTokenClassification": (classifier,),
        },
        sizes=decoder_sizes({V: 49_152, h: 3_072, L: 30, n_heads: 24, n_kv_heads: 2, d_ff: 12_288}, rounded=True),
        flags={
            tying: Flag("tie_word_embeddings", default=True),
            biases: Flag("use_bias", default=True),
            classifier_bias: outputs_biased,
        },
    ),
    relations={d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    has=(lm_head, tying, biases),
    may_have=(classifier, classifier_bias),
    models={
        "starcoder2-3b": Published(
            {V: 49_152, h: 3_072, L: 30, n_heads: 24, n_kv_heads: 2, d_ff: 12_288},
            source="https://huggingface.co/bigcode/starcoder2-3b/blob/main/config.json",
        ),
    },
)
