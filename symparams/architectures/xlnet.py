"""XLNet: a post-norm Transformer-XL that is trained on permutations (Yang et al., 2019, arXiv:1906.08237)."""

from symparams.architectures import Architecture
from symparams.architectures._summaries import summaries
from symparams.components import (
    block,
    embedding,
    feed_forward,
    layer_norm,
    linear,
    mask_embedding,
    post_norm,
    reading,
    relative_attention,
)
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_labels
from symparams.features import answer_head, biases, causal, classifier, lm_head, summary_projection, tying

encoder_layer = block(
    "encoder_layer",
    *post_norm(
        layer_norm(h),
        attention=relative_attention(h, n_heads, d_head, causal=causal),
        feed_forward=feed_forward(h, d_ff),
    ),
)

# Where an answer starts, where it ends given its start, and whether there is any.
answers = block(
    start=linear(h, 1),
    end_transform=linear(2 * h, h),
    layer_norm=layer_norm(h),
    end=linear(h, 1),
    is_answerable_transform=linear(2 * h, h),
    is_answerable=linear(h, 1, bias=False),
)

XLNET = Architecture(
    "xlnet",
    title="XLNet",
    source="Yang et al., 2019, arXiv:1906.08237",
    tree=block(
        embeddings=block(token_embedding=embedding(V, h), mask_embedding=reading(mask_embedding(h), "predicted tokens")),
        encoder=L * encoder_layer,
        lm_head=lm_head * linear(h, V, tied_to="embeddings.token_embedding"),
        **summaries("last token"),
        classifier=classifier * reading(linear(h, n_labels), "sequence_summary"),
        answer_head=answer_head * answers,
    ),
    identities={d_head: h / n_heads},
    has=(lm_head, summary_projection, tying, biases),
)
