"""GPT-BigCode: GPT-2 whose query heads share one head of key and value, as SantaCoder and StarCoder have it (Li et al., 2023,
arXiv:2305.06161; multi-query attention: Shazeer, 2019, arXiv:1911.02150)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.gpt2 import embeddings, refuse_cross_attention
from symparams.components import block, feed_forward, layer_norm
from symparams.components.decoder_heads import decoder_heads
from symparams.components.fused import fused_grouped_query_attention
from symparams.expressions.features import classifier, classifier_bias, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, max_pos, n_heads, n_kv_heads, n_labels
from symparams.models.library import Flag, Key, Library, Settings
from symparams.models.library.decoders import outputs

decoder_layer = block(
    "decoder_layer",
    attention_norm=layer_norm(h),
    attention=fused_grouped_query_attention(h, n_heads, n_kv_heads, d_head, bias=True),
    feed_forward_norm=layer_norm(h),
    feed_forward=feed_forward(h, d_ff, bias=True),
)

heads = Key("n_head", "num_attention_heads", default=12)


def shared_heads(settings: Settings) -> int | None:
    """One head of key and value for all queries, or one for each."""
    return 1 if settings.flag("multi_query", default=True) else heads(settings)


GPT_BIGCODE = Architecture(
    "gpt_bigcode",
    title="GPT-BigCode",
    source="Li et al., 2023, arXiv:2305.06161",
    tree=block(embeddings=embeddings, decoder=L * decoder_layer, final_layer_norm=layer_norm(h), **decoder_heads(h)),
    library=Library(
        base="GPTBigCodeModel",
        classes={
            "GPTBigCodeModel": (),
            "GPTBigCodeForCausalLM": (lm_head,),
            "GPTBigCodeForSequenceClassification": (classifier,),
            "GPTBigCodeForTokenClassification": (classifier, classifier_bias),
        },
        sizes={
            V: Key("vocab_size", default=50_257),
            h: Key("n_embd", "hidden_size", default=768),
            L: Key("n_layer", "num_hidden_layers", default=12),
            n_heads: heads,
            n_kv_heads: shared_heads,
            d_ff: Key("n_inner"),
            max_pos: Key("n_positions", "max_position_embeddings", default=1_024),
            n_labels: outputs,
        },
        flags={tying: Flag("tie_word_embeddings", default=True)},
        check=refuse_cross_attention,
    ),
    relations={d_ff: 4 * h, n_kv_heads: n_heads},
    identities={d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    has=(lm_head, tying),
    may_have=(classifier, classifier_bias),
    models={
        "starcoder": Published(
            {V: 49_152, h: 6_144, L: 40, n_heads: 48, n_kv_heads: 1, d_ff: 24_576, max_pos: 8_192},
            source="https://huggingface.co/bigcode/starcoder/blob/main/config.json",
        ),
    },
)
