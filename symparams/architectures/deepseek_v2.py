"""DeepSeek-V2: latent attention, and a mixture of experts with shared ones (DeepSeek-AI, 2024, arXiv:2405.04434)."""

from collections.abc import Callable, Mapping

from symparams.architectures import Architecture
from symparams.architectures.mixtral import with_heads
from symparams.architectures.qwen2_moe import stacks
from symparams.components import Component, Gate, gated_feed_forward
from symparams.components.experts import any_of, check_experts, layers_after, mixture_of_experts, other_layers
from symparams.components.latent_attention import latent_attention
from symparams.errors import ConfigError
from symparams.expressions.config_keys import KEYS
from symparams.expressions.features import (
    attention_bias,
    classifier,
    classifier_bias,
    dense_layers,
    lm_head,
    mlp_bias,
    moe_layers,
    query_compression,
    tying,
)
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import (
    L_dense,
    L_moe,
    V,
    d_expert,
    d_ff,
    d_nope,
    d_rope,
    d_v,
    h,
    n_active,
    n_experts,
    n_heads,
    n_shared,
    r_kv,
    r_q,
)
from symparams.models.library import Flag, Key, Library, Settings, SizeReader
from symparams.models.library.decoders import decoder_sizes, outputs_biased

attention = latent_attention(
    h, n_heads, low_rank_query=query_compression, r_q=r_q, r_kv=r_kv, d_nope=d_nope, d_rope=d_rope, d_v=d_v, bias=attention_bias
)


def decoder(*, bias: Gate = False) -> Component:
    """Dense layers, and layers with experts beside which n_shared more, side by side in one, take every token."""
    return stacks(
        attention,
        bias=bias,
        experts=mixture_of_experts(h, n_experts, n_active, d_expert),
        shared_experts=gated_feed_forward(h, n_shared * d_expert, bias=bias),
    )


def deepseek_sizes(defaults: Mapping[Dimension, int]) -> dict[Dimension, SizeReader]:
    """The sizes of latent attention and of the experts under their keys, with the library's defaults."""
    own = (n_active, n_shared, d_expert, r_q, r_kv, d_nope, d_rope, d_v)
    return {**decoder_sizes(defaults), **{d: Key(KEYS[d][0], default=defaults.get(d)) for d in own}}


def check_deepseek(number: Key, active: Key) -> Callable[[Settings], None]:
    """A check of the experts, and that all layers after the first ones have them, as the library builds them."""

    def check(settings: Settings) -> None:
        check_experts(number, active)(settings)
        frequency = settings.size("moe_layer_freq", default=1)
        if frequency != 1:
            raise ConfigError(f"moe_layer_freq = {frequency} in the config: only 1 is supported, experts in every layer.")

    return check


depth = Key("num_hidden_layers", default=32)
with_experts = layers_after(depth, Key("first_k_dense_replace", default=0, least=0))
without_experts = other_layers(depth, with_experts)
number = Key("n_routed_experts", "num_experts", default=64)
active = Key("num_experts_per_tok")
attention_sizes = {r_q: 1_536, r_kv: 512, d_nope: 128, d_rope: 64, d_v: 128}
rank = Key("q_lora_rank", default=attention_sizes[r_q])

DEEPSEEK_V2 = Architecture(
    "deepseek_v2",
    title="DeepSeek-V2",
    source="DeepSeek-AI, 2024, arXiv:2405.04434",
    tree=with_heads(decoder(bias=mlp_bias)),
    library=Library(
        base="DeepseekV2Model",
        classes={
            "DeepseekV2Model": (),
            "DeepseekV2ForCausalLM": (lm_head,),
            "DeepseekV2ForSequenceClassification": (classifier,),
        },
        sizes={
            **deepseek_sizes(
                {V: 102_400, h: 4_096, n_heads: 32, d_ff: 11_008, n_shared: 2, d_expert: 1_407, **attention_sizes}
            ),
            L_dense: without_experts,
            L_moe: with_experts,
            n_experts: number,
        },
        flags={
            tying: Flag("tie_word_embeddings", default=False),
            attention_bias: Flag("attention_bias", default=False),
            mlp_bias: Flag("mlp_bias", default=False),
            query_compression: any_of(rank),
            dense_layers: any_of(without_experts),
            moe_layers: any_of(with_experts),
            classifier_bias: outputs_biased,
        },
        check=check_deepseek(number, active),
    ),
    at_most={n_active: n_experts},
    has=(lm_head, query_compression, dense_layers, moe_layers),
    may_have=(tying, attention_bias, mlp_bias, classifier, classifier_bias),
)
