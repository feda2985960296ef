"""BERT: a post-norm bidirectional encoder (Devlin et al., 2019, arXiv:1810.04805)."""

from symparams.architectures import Architecture, Published
from symparams.components import attention, bias, block, embedding, feed_forward, layer_norm, linear
from symparams.features import biases, classifier, mlm_head, nsp_head, pooler, segment_embeddings, tying
from symparams.library import Flag, Key, Library, labels
from symparams.symbols import L, V, d_ff, d_head, h, max_pos, n_heads, n_labels, n_types

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
    output=linear(h, V, tied_to="embeddings.token_embedding"),
    output_bias=~tying * bias(V),
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
        classifier=classifier * linear(h, n_labels),
    ),
    library=Library(
        base="BertModel",
        classes={
            "BertModel": (pooler,),
            "BertForMaskedLM": (mlm_head,),
            "BertForPreTraining": (pooler, mlm_head, nsp_head),
            "BertForNextSentencePrediction": (pooler, nsp_head),
            "BertForSequenceClassification": (pooler, classifier),
            "BertForTokenClassification": (classifier,),
            "BertForQuestionAnswering": (classifier,),
            "BertLMHeadModel": (mlm_head,),
        },
        sizes={
            V: Key("vocab_size", default=30_522),
            h: Key("hidden_size", default=768),
            L: Key("num_hidden_layers", default=12),
            n_heads: Key("num_attention_heads", default=12),
            d_ff: Key("intermediate_size", default=3_072),
            max_pos: Key("max_position_embeddings", default=512),
            n_types: Key("type_vocab_size", default=2),
            n_labels: labels,
        },
        flags={tying: Flag("tie_word_embeddings", default=True)},
    ),
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(segment_embeddings, pooler, tying, biases),
    may_have=(mlm_head, nsp_head, classifier),
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
