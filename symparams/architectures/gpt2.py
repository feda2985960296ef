"""GPT-2: a pre-norm decoder with learned positions and a tied head (Radford et al., 2019, "Language Models are
Unsupervised Multitask Learners")."""

from symparams.architectures import Architecture, Published
from symparams.components import attention, block, embedding, feed_forward, layer_norm, linear
from symparams.errors import ConfigError
from symparams.expressions.features import biases, classifier, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, max_pos, n_heads, n_labels
from symparams.models.library import Flag, Key, Library, Settings, labels

embeddings = block(
    token_embedding=embedding(V, h),
    position_embedding=embedding(max_pos, h),
)

decoder_layer = block(
    "decoder_layer",
    attention_norm=layer_norm(h),
    attention=attention(h, n_heads, fused=True),
    feed_forward_norm=layer_norm(h),
    feed_forward=feed_forward(h, d_ff),
)

decoder_only = block(
    embeddings=embeddings,
    decoder=L * decoder_layer,
    final_layer_norm=layer_norm(h),
    lm_head=lm_head * linear(h, V, bias=False, tied_to="embeddings.token_embedding"),
    classifier=classifier * linear(h, n_labels, bias=False),
)


def refuse_cross_attention(settings: Settings) -> None:
    """Cross-attention, which the library adds to a decoder on demand, is not in the tree."""
    if settings.flag("add_cross_attention"):
        raise ConfigError("add_cross_attention = true in the config: only a decoder without cross-attention is supported.")


GPT2 = Architecture(
    "gpt2",
    title="GPT-2",
    source="Radford et al., 2019, Language Models are Unsupervised Multitask Learners",
    tree=decoder_only,
    library=Library(
        base="GPT2Model",
        classes={
            "GPT2Model": (),
            "GPT2LMHeadModel": (lm_head,),
            "GPT2ForSequenceClassification": (classifier,),
        },
        sizes={
            V: Key("vocab_size", default=50_257),
            h: Key("n_embd", "hidden_size", default=768),
            L: Key("n_layer", "num_hidden_layers", default=12),
            n_heads: Key("n_head", "num_attention_heads", default=12),
            d_ff: Key("n_inner"),
            max_pos: Key("n_positions", "max_position_embeddings", default=1_024),
            n_labels: labels,
        },
        flags={tying: Flag("tie_word_embeddings", default=True)},
        check=refuse_cross_attention,
    ),
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(lm_head, tying, biases),
    may_have=(classifier,),
    models={
        "gpt2": Published(
            {V: 50_257, h: 768, L: 12, n_heads: 12, max_pos: 1_024},
            source="https://huggingface.co/openai-community/gpt2/blob/main/config.json",
        ),
        "gpt2-medium": Published(
            {V: 50_257, h: 1_024, L: 24, n_heads: 16, max_pos: 1_024},
            source="https://huggingface.co/openai-community/gpt2-medium/blob/main/config.json",
        ),
        "gpt2-large": Published(
            {V: 50_257, h: 1_280, L: 36, n_heads: 20, max_pos: 1_024},
            source="https://huggingface.co/openai-community/gpt2-large/blob/main/config.json",
        ),
        "gpt2-xl": Published(
            {V: 50_257, h: 1_600, L: 48, n_heads: 25, max_pos: 1_024},
            source="https://huggingface.co/openai-community/gpt2-xl/blob/main/config.json",
        ),
    },
)
