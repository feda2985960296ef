"""XLNet: a post-norm Transformer-XL that is trained on permutations."""

from symparams.architectures import Architecture
from symparams.architectures._encoders import encoder_layer, labels
from symparams.architectures._summaries import summaries
from symparams.components import (
    Gives,
    Tokens,
    Vector,
    block,
    embedding,
    giving,
    layer_norm,
    linear,
    mask_embedding,
    output_head,
    reading,
    relative_attention,
    seeing,
)
from symparams.expressions.symbols import L, V, d_head, h, n_heads
from symparams.features import answer_head, biases, causal, classifier, lm_head, summary_projection, tying

# Where an answer starts, where it ends given its start, and whether there is any.
answers = block(
    start=linear(h, 1, bias=biases),
    end_transform=linear(2 * h, h, bias=biases),
    layer_norm=layer_norm(h),
    end=linear(h, 1, bias=biases),
    is_answerable_transform=linear(2 * h, h, bias=biases),
    is_answerable=linear(h, 1, bias=False),
)

XLNET = Architecture(
    "xlnet",
    title="XLNet",
    source="Yang et al., 2019, arXiv:1906.08237",
    tree=block(
        embeddings=block(token_embedding=embedding(V, h), mask_embedding=reading(mask_embedding(h), "predicted tokens")),
        encoder=L * encoder_layer(relative_attention(h, n_heads, d_head, causal=causal)),
        lm_head=lm_head * output_head(h, V, bias=biases, tied_to="embeddings.token_embedding"),
        **summaries(Vector.LAST_TOKEN),
        classifier=classifier * labels("sequence_summary"),
        answer_head=answer_head * giving(seeing(answers, Tokens.BEAMS), Gives.ANSWERS),
    ),
    identities={d_head: h / n_heads},
    has=(lm_head, summary_projection, tying, biases),
)
