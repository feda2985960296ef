"""XLNet: a post-norm Transformer-XL that is trained on permutations (Yang et al., 2019, arXiv:1906.08237)."""

from symparams.architectures import Architecture, Published
from symparams.components import block, embedding, feed_forward, layer_norm, linear
from symparams.components.relative_attention import mask_embedding, relative_attention
from symparams.errors import ConfigError
from symparams.expressions.features import biases, classifier, lm_head, sequence_summary, summary_projection, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_labels
from symparams.models.library import Flag, Key, Library, Settings, labels

WIDTH, HEADS = Key("d_model", "hidden_size", default=1_024), Key("n_head", "num_attention_heads", default=16)

encoder_layer = block(
    "encoder_layer",
    attention=relative_attention(h, n_heads, d_head),
    attention_norm=layer_norm(h),
    feed_forward=feed_forward(h, d_ff),
    feed_forward_norm=layer_norm(h),
)


def check(settings: Settings) -> None:
    """Refuse a size of the heads that the library refuses, and summaries that it cannot run."""
    width, heads, head = WIDTH(settings), HEADS(settings), settings.size("d_head", least=0)
    if head and width and heads and head * heads != width:
        raise ConfigError(f"d_head = {head} in the config: only d_model / n_head is supported, and null, which means the same.")
    if settings.flag("summary_proj_to_labels"):
        raise ConfigError("summary_proj_to_labels = true in the config is not supported: only false is.")
    if settings.word("summary_type") == "attn":
        raise ConfigError('summary_type = "attn" in the config is not supported: give "last", "first", "mean" or "cls_index".')


XLNET = Architecture(
    "xlnet",
    title="XLNet",
    source="Yang et al., 2019, arXiv:1906.08237",
    tree=block(
        embeddings=block(token_embedding=embedding(V, h), mask_embedding=mask_embedding(h)),
        encoder=L * encoder_layer,
        lm_head=lm_head * linear(h, V, tied_to="embeddings.token_embedding"),
        sequence_summary=sequence_summary * (summary_projection * linear(h, h)),
        classifier=classifier * linear(h, n_labels),
    ),
    library=Library(
        base="XLNetModel",
        classes={
            "XLNetModel": (),
            "XLNetLMHeadModel": (lm_head,),
            "XLNetForSequenceClassification": (sequence_summary, classifier),
            "XLNetForTokenClassification": (classifier,),
            "XLNetForQuestionAnsweringSimple": (classifier,),
        },
        sizes={
            V: Key("vocab_size", "n_token", default=32_000),
            h: WIDTH,
            L: Key("n_layer", "num_hidden_layers", default=24),
            n_heads: HEADS,
            d_ff: Key("d_inner", default=4_096),
            n_labels: labels,
        },
        flags={
            tying: Flag("tie_word_embeddings", default=True),
            summary_projection: Flag("summary_use_proj", default=True),
        },
        check=check,
    ),
    identities={d_head: h / n_heads},
    has=(lm_head, summary_projection, tying, biases),
    may_have=(sequence_summary, classifier),
    models={
        "xlnet-base-cased": Published(
            {V: 32_000, h: 768, L: 12, n_heads: 12, d_ff: 3_072},
            source="https://huggingface.co/xlnet/xlnet-base-cased/blob/main/config.json",
        ),
        "xlnet-large-cased": Published(
            {V: 32_000, h: 1_024, L: 24, n_heads: 16, d_ff: 4_096},
            source="https://huggingface.co/xlnet/xlnet-large-cased/blob/main/config.json",
        ),
    },
)
