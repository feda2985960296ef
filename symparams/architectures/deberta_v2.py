"""DeBERTa-v2 and v3: a post-norm encoder that attends to content and position apart (He et al., 2021, arXiv:2006.03654;
arXiv:2111.09543)."""

from dataclasses import replace

from symparams.architectures import Architecture
from symparams.architectures._encoders import encoder_layer, labels, masked_lm, pooled, second_bias
from symparams.components import (
    Component,
    Gives,
    Rows,
    bias,
    block,
    convolution,
    disentangled_attention,
    embedding,
    layer_norm,
    linear,
    parallel,
    reading,
)
from symparams.components.facts import Multiplication
from symparams.expressions.symbols import L, V, d_conv, d_emb, h, max_pos, max_rel, n_heads, n_types
from symparams.features import (
    biases,
    classifier,
    conv_layer,
    embedding_projection,
    mlm_head,
    pooler,
    position_embeddings,
    relative_position_norm,
    relative_positions,
    segment_embeddings,
    tieable_output,
    tying,
)


def embeddings(**after: Component) -> Component:
    """Tables of tokens, positions and segments, added and widened to the layers, their norm, and the table of distances."""
    return block(
        parallel(
            token_embedding=embedding(V, d_emb),
            position_embedding=position_embeddings * embedding(max_pos, d_emb, of=Rows.POSITIONS),
            segment_embedding=segment_embeddings * embedding(n_types, d_emb, of=Rows.SEGMENTS),
        ),
        embedding_projection=embedding_projection * linear(d_emb, h, bias=False),
        layer_norm=layer_norm(h),
        relative_embedding=relative_positions * embedding(2 * max_rel, h, reads="distances", of=Rows.DISTANCES),
        **after,
    )


# The library multiplies by the table of tokens, whatever a config says of tying.
plain_masked_lm = replace(
    block(transform=linear(h, h, bias=biases, activation="gelu"), layer_norm=layer_norm(h), output_bias=bias(V)),
    multiplies=(Multiplication("output", (h, V)),),
    gives=Gives.MASKED_TOKEN,
)

DEBERTA_V2 = Architecture(
    "deberta_v2",
    title="DeBERTa-v2",
    source="He et al., 2021, arXiv:2006.03654",
    tree=block(
        embeddings=embeddings(relative_norm=relative_position_norm * reading(layer_norm(h), "relative_embedding")),
        encoder=L * encoder_layer(disentangled_attention(h, n_heads, bias=biases)),
        conv_layer=conv_layer
        * reading(block(convolution=convolution(h, h, d_conv), layer_norm=layer_norm(h)), "input of the first layer"),
        pooler=pooler * pooled("gelu"),
        mlm_head=mlm_head * (tieable_output * masked_lm(d_emb, output_bias=second_bias)),
        plain_mlm_head=mlm_head * (~tieable_output * plain_masked_lm),
        classifier=classifier * labels("pooler"),
    ),
    relations={d_emb: h},
    has=(position_embeddings, tieable_output, tying, biases),
)
