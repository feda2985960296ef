"""ModernBERT: a pre-norm encoder with GeGLU and rotary positions (Warner et al., 2024, arXiv:2412.13663).

The first layer has no norm before its attention, since the embeddings are normed already.
"""

from symparams.architectures import Architecture, Published
from symparams.components import attention, block, embedding, layer_norm, linear, rotary
from symparams.components.fused import fused_gated_feed_forward
from symparams.expressions.features import (
    attention_bias,
    classifier,
    mlm_head,
    mlp_bias,
    norm_bias,
    output_bias,
    transform_bias,
    tying,
)
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_labels
from symparams.models.library import Flag, Key, Library, labels

norm = layer_norm(h, bias=norm_bias)

sublayers = {
    "attention": attention(h, n_heads, fused=True, bias=attention_bias),
    "feed_forward_norm": norm,
    "feed_forward": fused_gated_feed_forward(h, d_ff, bias=mlp_bias),
}

prediction = {"transform": linear(h, h, bias=transform_bias), "layer_norm": norm}

MODERNBERT = Architecture(
    "modernbert",
    title="ModernBERT",
    source="Warner et al., 2024, arXiv:2412.13663",
    tree=block(
        embeddings=block(token_embedding=embedding(V, h), layer_norm=norm, positions=rotary()),
        first_layer=block("encoder_layer", **sublayers),
        encoder=(L - 1) * block("encoder_layer", attention_norm=norm, **sublayers),
        final_layer_norm=norm,
        mlm_head=mlm_head * block(**prediction, output=linear(h, V, bias=output_bias, tied_to="embeddings.token_embedding")),
        classifier=classifier * block(**prediction, output=linear(h, n_labels, bias=True)),
    ),
    library=Library(
        base="ModernBertModel",
        classes={
            "ModernBertModel": (),
            "ModernBertForMaskedLM": (mlm_head,),
            "ModernBertForSequenceClassification": (classifier,),
            "ModernBertForTokenClassification": (classifier,),
            "ModernBertForQuestionAnswering": (classifier,),
        },
        sizes={
            V: Key("vocab_size", default=50_368),
            h: Key("hidden_size", default=768),
            L: Key("num_hidden_layers", default=22),
            n_heads: Key("num_attention_heads", default=12),
            d_ff: Key("intermediate_size", default=1_152),
            n_labels: labels,
        },
        flags={
            tying: Flag("tie_word_embeddings", default=True),
            attention_bias: Flag("attention_bias", default=False),
            mlp_bias: Flag("mlp_bias", default=False),
            norm_bias: Flag("norm_bias", default=False),
            transform_bias: Flag("classifier_bias", default=False),
            output_bias: Flag("decoder_bias", default=True),
        },
    ),
    identities={d_head: h / n_heads},
    has=(tying, output_bias),
    may_have=(attention_bias, mlp_bias, norm_bias, transform_bias, mlm_head, classifier),
    models={
        "modernbert-base": Published(
            {V: 50_368, h: 768, L: 22, n_heads: 12, d_ff: 1_152},
            source="https://huggingface.co/answerdotai/ModernBERT-base/blob/main/config.json",
        ),
    },
)
