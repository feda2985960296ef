"""BERT: a post-norm bidirectional encoder (Devlin et al., 2019, arXiv:1810.04805)."""

from symparams.architectures import Architecture, Published
from symparams.components import attention, block, embedding, feed_forward, layer_norm, linear
from symparams.features import biases, mlm_head, nsp_head, pooler, segment_embeddings, tying
from symparams.symbols import L, V, d_ff, d_head, h, max_pos, n_heads, n_types

embeddings = block(
    token_embedding=embedding(V, h),
    segment_embedding=segment_embeddings * embedding(n_types, h),
    position_embedding=embedding(max_pos, h),
    layer_norm=layer_norm(h),
)

encoder_layer = block(
    "encoder_layer",
    attention=attention(h, n_heads),
    attention_norm=layer_norm(h),
    feed_forward=feed_forward(h, d_ff),
    feed_forward_norm=layer_norm(h),
)

masked_lm = block(
    transform=linear(h, h),
    layer_norm=layer_norm(h),
    decoder=linear(h, V, tied_to="embeddings.token_embedding"),
)

BERT = Architecture(
    "bert",
    title="BERT",
    source="Devlin et al., 2019, arXiv:1810.04805",
    tree=block(
        embeddings=embeddings,
        encoder=L * encoder_layer,
        pooler=pooler * linear(h, h),
        mlm_head=mlm_head * masked_lm,
        nsp_head=nsp_head * linear(h, 2),
    ),
    library="transformers.BertModel",
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(segment_embeddings, pooler, tying, biases),
    may_have=(mlm_head, nsp_head),
    models={
        "bert-base-uncased": Published(
            {V: 30_522, h: 768, L: 12, n_heads: 12, d_ff: 3_072, max_pos: 512, n_types: 2},
            source="https://huggingface.co/google-bert/bert-base-uncased/blob/main/config.json",
        ),
        "bert-large-uncased": Published(
            {V: 30_522, h: 1_024, L: 24, n_heads: 16, d_ff: 4_096, max_pos: 512, n_types: 2},
            source="https://huggingface.co/google-bert/bert-large-uncased/blob/main/config.json",
        ),
        "bert-base-chinese": Published(
            {V: 21_128, h: 768, L: 12, n_heads: 12, d_ff: 3_072, max_pos: 512, n_types: 2},
            source="https://huggingface.co/google-bert/bert-base-chinese/blob/main/config.json",
        ),
    },
)
