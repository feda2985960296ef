"""Falcon: attention and feed-forward side by side, query heads that share heads of key and value (Almazrouei et al., 2023,
arXiv:2311.16867)."""

from symparams.architectures import Architecture, Published
from symparams.components import alibi, block, embedding, feed_forward, layer_norm, rotary
from symparams.components.decoder_heads import decoder_heads
from symparams.components.fused import fused_grouped_query_attention
from symparams.expressions.features import alibi_positions, biases, classifier, classifier_bias, lm_head, separate_norms, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads, n_labels
from symparams.models.library import Flag, Key, Library, Settings
from symparams.models.library.decoders import outputs

embeddings = block(
    token_embedding=embedding(V, h),
    positions=~alibi_positions * rotary(),
    alibi_positions=alibi_positions * alibi(),
)

decoder_layer = block(
    "decoder_layer",
    attention_norm=layer_norm(h),
    attention=fused_grouped_query_attention(h, n_heads, n_kv_heads, d_head, bias=biases),
    feed_forward_norm=separate_norms * layer_norm(h),
    feed_forward=feed_forward(h, d_ff),
)

heads, norms = Key("num_attention_heads", default=71), Key("num_ln_in_parallel_attn", least=0)
TWO_NORMS = 2


def shared_heads(settings: Settings) -> int | None:
    """The heads of key and value: any number in the new architecture; in the old one for all queries, or one for each."""
    if settings.flag("new_decoder_architecture"):
        return settings.size("num_kv_heads") or heads(settings)
    return 1 if settings.flag("multi_query", default=True) else heads(settings)


def has_separate_norms(settings: Settings) -> bool:
    """Whether attention and feed-forward have a norm each; side by side they may share one."""
    if not settings.flag("parallel_attn", default=True):
        return True
    number = norms(settings)
    return number == TWO_NORMS or (number is None and settings.flag("new_decoder_architecture"))


FALCON = Architecture(
    "falcon",
    title="Falcon",
    source="Almazrouei et al., 2023, arXiv:2311.16867",
    tree=block(embeddings=embeddings, decoder=L * decoder_layer, final_layer_norm=layer_norm(h), **decoder_heads(h)),
    library=Library(
        base="FalconModel",
        classes={
            "FalconModel": (),
            "FalconForCausalLM": (lm_head,),
            "FalconForSequenceClassification": (classifier,),
            "FalconForTokenClassification": (classifier, classifier_bias),
            "FalconForQuestionAnswering": (classifier, classifier_bias),
        },
        sizes={
            V: Key("vocab_size", default=65_024),
            h: Key("hidden_size", "n_embed", default=4_544),
            L: Key("num_hidden_layers", default=32),
            n_heads: heads,
            n_kv_heads: shared_heads,
            d_ff: Key("ffn_hidden_size"),
            n_labels: outputs,
        },
        flags={
            tying: Flag("tie_word_embeddings", default=True),
            biases: Flag("bias", default=False),
            alibi_positions: Flag("alibi", default=False),
            separate_norms: has_separate_norms,
        },
    ),
    relations={d_ff: 4 * h, n_kv_heads: n_heads},
    identities={d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    has=(lm_head, tying),
    may_have=(biases, alibi_positions, separate_norms, classifier, classifier_bias),
    models={
        "falcon-7b": Published(
            {V: 65_024, h: 4_544, L: 32, n_heads: 71, n_kv_heads: 1},
            source="https://huggingface.co/tiiuae/falcon-7b/blob/main/config.json",
        ),
        "falcon-40b": Published(
            {V: 65_024, h: 8_192, L: 60, n_heads: 128, n_kv_heads: 8},
            source="https://huggingface.co/tiiuae/falcon-40b/blob/main/config.json",
            include=(separate_norms,),
        ),
    },
)
