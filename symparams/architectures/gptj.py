"""GPT-J: attention and feed-forward side by side after one norm, rotary positions (Wang & Komatsuzaki, 2021,
https://github.com/kingoflolz/mesh-transformer-jax)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import embeddings
from symparams.components import Component, attention, block, feed_forward, layer_norm
from symparams.components.decoder_heads import decoder_heads
from symparams.expressions.features import classifier, classifier_bias, lm_head, tying
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_labels
from symparams.models.library import Flag, Key, Library, SizeReader, labels


def parallel_decoder(*, fused: bool) -> Component:
    """A decoder whose layers have one norm before attention and feed-forward alike; biases but in attention."""
    layer = block(
        "decoder_layer",
        layer_norm=layer_norm(h),
        attention=attention(h, n_heads, fused=fused, bias=False),
        feed_forward=feed_forward(h, d_ff, bias=True),
    )
    heads = decoder_heads(h, lm_head_bias=True)
    return block(embeddings=embeddings, decoder=L * layer, final_layer_norm=layer_norm(h), **heads)


sizes: dict[Dimension, SizeReader] = {
    V: Key("vocab_size", default=50_400),
    h: Key("n_embd", "hidden_size", default=4_096),
    L: Key("n_layer", "num_hidden_layers", default=28),
    n_heads: Key("n_head", "num_attention_heads", default=16),
    d_ff: Key("n_inner"),
    n_labels: labels,
}

GPTJ = Architecture(
    "gptj",
    title="GPT-J",
    source="Wang & Komatsuzaki, 2021, https://github.com/kingoflolz/mesh-transformer-jax",
    tree=parallel_decoder(fused=False),
    library=Library(
        base="GPTJModel",
        classes={
            "GPTJModel": (),
            "GPTJForCausalLM": (lm_head,),
            "GPTJForSequenceClassification": (classifier,),
            "GPTJForQuestionAnswering": (classifier, classifier_bias),
        },
        sizes=sizes,
        flags={tying: Flag("tie_word_embeddings", default=False)},
    ),
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(lm_head,),
    may_have=(tying, classifier, classifier_bias),
    models={
        "gpt-j-6b": Published(
            {V: 50_400, h: 4_096, L: 28, n_heads: 16},
            source="https://huggingface.co/EleutherAI/gpt-j-6b/blob/main/config.json",
        ),
    },
)
