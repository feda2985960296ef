"""GPT-Neo: GPT-2 with local and global attention in turn, and biases on the output of attention alone (Black et al., 2021,
https://doi.org/10.5281/zenodo.5297715)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.gpt2 import embeddings
from symparams.components import block, feed_forward, layer_norm
from symparams.components.decoder_heads import decoder_heads
from symparams.components.output_bias import output_biased_attention
from symparams.expressions.features import classifier, classifier_bias, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, max_pos, n_heads, n_labels
from symparams.models.library import Flag, Key, Library
from symparams.models.library.decoders import outputs

decoder_layer = block(
    "decoder_layer",
    attention_norm=layer_norm(h),
    attention=output_biased_attention(h, n_heads),
    feed_forward_norm=layer_norm(h),
    feed_forward=feed_forward(h, d_ff, bias=True),
)

GPT_NEO = Architecture(
    "gpt_neo",
    title="GPT-Neo",
    source="Black et al., 2021, doi:10.5281/zenodo.5297715",
    tree=block(embeddings=embeddings, decoder=L * decoder_layer, final_layer_norm=layer_norm(h), **decoder_heads(h)),
    library=Library(
        base="GPTNeoModel",
        classes={
            "GPTNeoModel": (),
            "GPTNeoForCausalLM": (lm_head,),
            "GPTNeoForSequenceClassification": (classifier,),
            "GPTNeoForTokenClassification": (classifier, classifier_bias),
            "GPTNeoForQuestionAnswering": (classifier, classifier_bias),
        },
        sizes={
            V: Key("vocab_size", default=50_257),
            h: Key("hidden_size", default=2_048),
            L: Key("num_layers", "num_hidden_layers", default=24),
            n_heads: Key("num_heads", "num_attention_heads", default=16),
            d_ff: Key("intermediate_size"),
            max_pos: Key("max_position_embeddings", default=2_048),
            n_labels: outputs,
        },
        flags={tying: Flag("tie_word_embeddings", default=True)},
    ),
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(lm_head, tying),
    may_have=(classifier, classifier_bias),
    models={
        "gpt-neo-1.3b": Published(
            {V: 50_257, h: 2_048, L: 24, n_heads: 16, max_pos: 2_048},
            source="https://huggingface.co/EleutherAI/gpt-neo-1.3B/blob/main/config.json",
        ),
    },
)
