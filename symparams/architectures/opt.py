"""OPT: a decoder with learned positions and a tied head; in OPT-350M the embedding is narrower than the layers."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import TOKENS, labels
from symparams.components import (
    Component,
    Rows,
    attention,
    block,
    embedding,
    feed_forward,
    layer_norm,
    linear,
    non_parametric_layer_norm,
    output_head,
    parallel,
    residual,
)
from symparams.expressions.symbols import L, V, d_emb, d_ff, h, max_pos, n_heads
from symparams.features import (
    biases,
    classifier,
    closing_norm,
    embedding_projection,
    lm_head,
    norm_parameters,
    pre_norm_layers,
    tying,
)

UNUSED_POSITIONS = 2  # the first rows of the table, which stand for no position

tokens = block(token_embedding=embedding(V, d_emb), embedding_projection=embedding_projection * linear(d_emb, h, bias=False))
embeddings = block(parallel(tokens, position_embedding=embedding(max_pos + UNUSED_POSITIONS, h, of=Rows.POSITIONS)))


def norm(name: str) -> Component:
    """A LayerNorm, with its gain and bias or without them."""
    plain, bare = block(**{name: layer_norm(h)}), block(**{name: non_parametric_layer_norm()})
    return block(norm_parameters * plain, ~norm_parameters * bare)


def stacked(**sublayers: Component) -> Component:
    """The sublayers with their norms before them, or after their sums as in OPT-350M."""
    first = (residual(norm(f"{name}_norm"), **{name: sublayer}) for name, sublayer in sublayers.items())
    last = (block(residual(**{name: sublayer}), norm(f"{name}_norm")) for name, sublayer in sublayers.items())
    return block("decoder_layer", pre_norm_layers * block(*first), ~pre_norm_layers * block(*last))


decoder_layer = stacked(
    attention=attention(h, n_heads, bias=biases, causal=True),
    feed_forward=feed_forward(h, d_ff, bias=biases, activation="relu"),
)

OPT = Architecture(
    "opt",
    title="OPT",
    source="Zhang et al., 2022, arXiv:2205.01068",
    tree=block(
        embeddings=embeddings,
        decoder=L * decoder_layer,
        final_layer_norm=closing_norm * (norm_parameters * layer_norm(h)),
        output_projection=embedding_projection * linear(h, d_emb, bias=False),
        lm_head=lm_head * output_head(d_emb, V, tied_to=TOKENS),
        classifier=classifier * labels(d_emb),
    ),
    relations={d_ff: 4 * h, d_emb: h},
    has=(lm_head, tying, biases, norm_parameters, closing_norm, pre_norm_layers),
)
