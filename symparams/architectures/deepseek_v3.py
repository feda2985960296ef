"""DeepSeek-V3: DeepSeek-V2 larger, its router balanced by a bias that is not trained (DeepSeek-AI, 2024, arXiv:2412.19437)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.deepseek_v2 import attention_sizes, check_deepseek, decoder, deepseek_sizes
from symparams.architectures.mixtral import with_heads
from symparams.components.experts import any_of, layers_after, other_layers
from symparams.expressions.features import (
    attention_bias,
    classifier,
    classifier_bias,
    dense_layers,
    lm_head,
    moe_layers,
    query_compression,
    tying,
)
from symparams.expressions.symbols import (
    L_dense,
    L_moe,
    V,
    d_expert,
    d_ff,
    h,
    n_active,
    n_experts,
    n_heads,
    n_shared,
    r_q,
)
from symparams.models.library import Flag, Key, Library
from symparams.models.library.decoders import outputs_biased

depth = Key("num_hidden_layers", default=61)
with_experts = layers_after(depth, Key("first_k_dense_replace", default=3, least=0))
without_experts = other_layers(depth, with_experts)
number = Key("n_routed_experts", "num_local_experts", default=256)
active = Key("num_experts_per_tok", default=8)
rank = Key("q_lora_rank", default=attention_sizes[r_q])

DEEPSEEK_V3 = Architecture(
    "deepseek_v3",
    title="DeepSeek-V3",
    source="DeepSeek-AI, 2024, arXiv:2412.19437",
    tree=with_heads(decoder()),
    library=Library(
        base="DeepseekV3Model",
        classes={
            "DeepseekV3Model": (),
            "DeepseekV3ForCausalLM": (lm_head,),
            "DeepseekV3ForSequenceClassification": (classifier,),
            "DeepseekV3ForTokenClassification": (classifier,),
        },
        sizes={
            **deepseek_sizes(
                {V: 129_280, h: 7_168, n_heads: 128, d_ff: 18_432, n_active: 8, n_shared: 1, d_expert: 2_048, **attention_sizes}
            ),
            L_dense: without_experts,
            L_moe: with_experts,
            n_experts: number,
        },
        flags={
            tying: Flag("tie_word_embeddings", default=False),
            attention_bias: Flag("attention_bias", default=False),
            query_compression: any_of(rank),
            dense_layers: any_of(without_experts),
            moe_layers: any_of(with_experts),
            classifier_bias: outputs_biased,
        },
        check=check_deepseek(number, active),
    ),
    at_most={n_active: n_experts},
    has=(lm_head, query_compression, dense_layers, moe_layers),
    may_have=(tying, attention_bias, classifier, classifier_bias),
    models={
        "deepseek-v3": Published(
            {
                **{V: 129_280, h: 7_168, L_dense: 3, L_moe: 58, n_heads: 128, d_ff: 18_432},
                **{n_experts: 256, n_active: 8, n_shared: 1, d_expert: 2_048, **attention_sizes},
            },
            source="https://huggingface.co/deepseek-ai/DeepSeek-V3/blob/main/config.json",
        ),
    },
)
