"""Random configurations of every family, as small as they can be: the functions without an underscore, by the family's name.

A key is drawn from its range; what has no range is a switch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from operator import or_
from random import Random
from typing import Any

from symparams import features
from symparams.architectures import architecture
from symparams.expressions import symbols
from symparams.models.library import library

Settings = dict[str, Any]
Draw = Callable[[Random], Settings]
RANGES: dict[str, tuple[int, int]] = {
    **dict.fromkeys(("vocab_size", "n_token"), (12, 90)),
    **dict.fromkeys(("num_hidden_layers", "n_layer", "n_layers", "encoder_layers", "decoder_layers", "num_layers"), (1, 4)),
    **dict.fromkeys(("num_decoder_layers", "num_mel_bins"), (1, 4)),
    **dict.fromkeys(
        (
            "intermediate_size",
            "intermediate_size_mlp",
            "n_inner",
            "ffn_dim",
            "hidden_dim",
            "d_inner",
            "ffn_hidden_size",
            "d_ff",
        ),
        (1, 60),
    ),
    **dict.fromkeys(("encoder_ffn_dim", "decoder_ffn_dim"), (1, 60)),
    **dict.fromkeys(("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len"), (2, 40)),  # one is the padding's
    **dict.fromkeys(("max_source_positions", "max_target_positions", "relative_attention_num_buckets"), (1, 40)),
    **dict.fromkeys(("moe_intermediate_size", "shared_expert_intermediate_size"), (1, 30)),
    **dict.fromkeys(("projection_dim", "pooler_output_size", "classifier_proj_size"), (1, 30)),
    **dict.fromkeys(("num_labels", "num_channels", "encoder_stride", "index_n_heads"), (1, 5)),
    **dict.fromkeys(("type_vocab_size", "n_shared_experts", "global_attn_every_n_layers", "no_rope_layer_interval"), (1, 4)),
    **dict.fromkeys(("mamba_expand", "n_groups", "mamba_n_groups"), (1, 4)),
    **dict.fromkeys(("state_size", "mamba_d_state", "qk_nope_head_dim", "v_head_dim", "d_kv"), (1, 9)),
    **dict.fromkeys(("conv_kernel", "mamba_d_conv", "conv_L_cache"), (1, 5)),
    **dict.fromkeys(("q_lora_rank", "kv_lora_rank", "adapter_rank"), (1, 20)),
    "expansion_ratio": (1, 8),
    "attention_hidden_size": (2, 40),
    "block_multiple_of": (1, 20),
    "num_mtp_layers": (0, 2),
}
HEAD = "num_labels tie_word_embeddings"


def _sizes(rng: Random, keys: str) -> Settings:
    """Each key with a value of its range, or true or false; one with a question mark may be null."""
    drawn: Settings = {}
    for word in keys.split():
        key = word.removesuffix("?")
        is_null = word != key and rng.random() < 0.5
        drawn[key] = None if is_null else rng.randint(*RANGES[key]) if key in RANGES else rng.random() < 0.5
    return drawn


def _without(settings: Settings, keys: str) -> Settings:
    """Settings but for these keys."""
    return {name: value for name, value in settings.items() if name not in keys.split()}


def _some(rng: Random, settings: Settings, chance: float = 0.5) -> Settings:
    """Settings any of whose keys may be absent."""
    return {name: value for name, value in settings.items() if rng.random() < chance}


def _heads(rng: Random, width: str = "hidden_size", number: str = "num_attention_heads", *, even: bool = False) -> Settings:
    """A number of heads, and a width that it divides; rotary positions turn pairs."""
    n_heads = rng.choice([1, 2, 4])
    return {width: n_heads * (2 * rng.randint(1, 5) if even else rng.randint(1, 9)), number: n_heads}


def _grouped(rng: Random, *, rounded: bool = False) -> Settings:
    """Heads that share keys and values; ``rounded`` where the library takes a width that the heads do not divide."""
    n_kv_heads = rng.choice([1, 2, 3])
    n_heads = n_kv_heads * rng.choice([1, 2, 4])
    over = rng.randrange(n_heads) if rounded and rng.random() < 0.5 else 0
    width = n_heads * 2 * rng.randint(1, 5) + over
    return {"hidden_size": width, "num_attention_heads": n_heads, "num_key_value_heads": n_kv_heads}


def _decoder(rng: Random, more: str = "", *, rounded: bool = False, null_kv: bool = False) -> Settings:
    """What LLaMA's line has in common, and more keys."""
    labels = rng.choice([{"id2label": {str(i): f"l{i}" for i in range(rng.randint(1, 4))}}, _sizes(rng, "num_labels")])
    keys = "vocab_size num_hidden_layers intermediate_size max_position_embeddings tie_word_embeddings"
    return {
        **_grouped(rng, rounded=rounded),
        **({"num_key_value_heads": None} if null_kv and rng.random() < 0.3 else {}),
        **_sizes(rng, f"{keys} {more}"),
        **labels,
        **_some(rng, {"token_classification_bias": rng.random() < 0.5}),
        "pad_token_id": rng.choice([None, 0, 4]),
    }


def _words(rng: Random, layers: int, kinds: str) -> list[str]:
    """A list of a word for each layer."""
    return [rng.choice(kinds.split()) for _ in range(layers)]


def _by(draw: Callable[..., Settings], *how: Any, **more: Any) -> Draw:
    """What is drawn in a way."""
    return lambda rng: draw(rng, *how, **more)


def _space(*parts: Draw | str | Mapping[str, Any]) -> Draw:
    """What is drawn part by part: by a function; keys by their ranges; each key from a list or a range of values."""

    def drawn(rng: Random, part: Draw | str | Mapping[str, Any]) -> Settings:
        if isinstance(part, str):
            return _sizes(rng, part)
        if callable(part):
            return part(rng)
        return {key: rng.choice(values) if isinstance(values, (list, range)) else values for key, values in part.items()}

    return lambda rng: reduce(or_, (drawn(rng, part) for part in parts))


def _own_head(rng: Random, *, null: bool = False) -> Settings:
    """A head of another size than what is left over of the width; some classes take null for the default."""
    return rng.choice([{"head_dim": 2 * rng.randint(1, 9)}, {"head_dim": None} if null else {}, {}])


# Encoders -------------------------------------------------------------------------------------------------------------


bert = _space(_heads, f"vocab_size num_hidden_layers intermediate_size max_position_embeddings type_vocab_size {HEAD}")
roberta = _space(bert, "is_decoder")
xlm_roberta = roberta


def electra(rng: Random) -> Settings:
    settings = roberta(rng)
    return settings | {"embedding_size": rng.choice([settings["hidden_size"], rng.randint(1, 30)])}


def albert(rng: Random) -> Settings:
    settings = electra(rng)
    n_groups = rng.randint(1, settings["num_hidden_layers"])
    return settings | {"num_hidden_groups": n_groups, "inner_group_num": rng.randint(1, 3)}


def distilbert(rng: Random) -> Settings:
    layers = {rng.choice(["n_layers", "num_hidden_layers"]): rng.randint(1, 4)}
    heads = _heads(rng, rng.choice(["dim", "hidden_size"]), rng.choice(["n_heads", "num_attention_heads"]))
    keys = "vocab_size hidden_dim max_position_embeddings sinusoidal_pos_embds tie_word_embeddings"
    return heads | layers | _sizes(rng, keys) | {"num_labels": 2}  # another number is refused for answering questions


mpnet = _space(
    _heads, f"vocab_size num_hidden_layers intermediate_size max_position_embeddings relative_attention_num_buckets {HEAD}"
)


def nomic_bert(rng: Random) -> Settings:
    settings = _heads(rng, even=True) | _own_head(rng, null=True)
    return (
        settings | _sizes(rng, f"vocab_size num_hidden_layers intermediate_size type_vocab_size {HEAD}") | {"pad_token_id": 0}
    )


def modernbert(rng: Random) -> Settings:
    switches = "norm_bias attention_bias mlp_bias decoder_bias classifier_bias tie_word_embeddings sparse_prediction"
    sizes = "vocab_size num_hidden_layers intermediate_size max_position_embeddings global_attn_every_n_layers num_labels"
    settings = _heads(rng, even=True) | _sizes(rng, f"{sizes} {switches}") | {"pad_token_id": rng.choice([None, 0, 3])}
    listed = _words(rng, settings["num_hidden_layers"], "sliding_attention full_attention")
    return settings | {"layer_types": rng.choice([None, listed])}


def esm(rng: Random) -> Settings:
    settings = _heads(rng, even=True) | _sizes(
        rng, f"vocab_size num_hidden_layers intermediate_size max_position_embeddings emb_layer_norm_before? is_decoder {HEAD}"
    )
    crossing = {"add_cross_attention": settings["is_decoder"] and rng.random() < 0.5}
    return settings | crossing | {"position_embedding_type": rng.choice(["absolute", "rotary"])}


def _disentangled(rng: Random) -> Settings:
    words = [None, "p2c|c2p", "C2P", " p2c | p2p ", "none", ["c2p"], ["c2p", "p2c"], ["C2P", "p2c "], []]
    return {
        **bert(rng),
        **_sizes(rng, "position_biased_input legacy"),
        "type_vocab_size": rng.randint(0, 3),
        "relative_attention": rng.random() < 0.7,
        "max_relative_positions": rng.choice([-1, 0, rng.randint(1, 30)]),
        "pos_att_type": rng.choice(words),
    }


def longformer(rng: Random) -> Settings:
    settings = bert(rng)
    layers = settings["num_hidden_layers"]
    windows = [2 * rng.randint(1, 4) for _ in range(layers)]
    return settings | _some(rng, {"attention_window": rng.choice([windows, windows[:1] * layers, windows[0]])}, 0.7)


def deberta(rng: Random) -> Settings:
    settings = _disentangled(rng)
    width = settings["hidden_size"]
    extra = {
        "embedding_size": rng.choice([width, rng.randint(1, 20)]),
        "position_buckets": rng.randint(1, 30),  # of the later versions
        "pooler_hidden_size": width,
        "talking_head": False,
    }
    return settings | _some(rng, extra, 0.6)


def deberta_v2(rng: Random) -> Settings:
    settings = _disentangled(rng)
    width = settings["hidden_size"]
    extra = {
        "embedding_size": rng.choice([width, rng.randint(1, 20)]),
        "share_att_key": rng.random() < 0.4,
        "position_buckets": rng.choice([-1, 0, rng.randint(1, 30)]),
        "norm_rel_ebd": rng.choice(["none", "layer_norm", "Layer_Norm | other"]),
        "conv_kernel_size": rng.randint(0, 5),
        "conv_groups": 1,
        "conv_act": "gelu",
        "pooler_hidden_size": width,
        "attention_head_size": width // settings["num_attention_heads"],
    }
    return settings | _some(rng, extra, 0.6)


def xlnet(rng: Random) -> Settings:
    old = rng.random() < 0.5
    n_heads, d_head = rng.choice([1, 2, 4]), rng.randint(1, 9)
    return {
        "n_token" if old else "vocab_size": rng.randint(12, 90),
        "hidden_size" if old else "d_model": n_heads * d_head,
        "num_hidden_layers" if old else "n_layer": rng.randint(1, 4),
        "num_attention_heads" if old else "n_head": n_heads,
        "d_head": d_head if old else rng.choice([None, 0, d_head]),  # the old spellings come too late for the library to divide
        "attn_type": rng.choice(["bi", "uni"]),
        "mem_len": rng.choice([None, 4]),
        "summary_type": rng.choice(["last", "first", "mean", "cls_index"]),
        **_sizes(rng, f"d_inner bi_data summary_use_proj {HEAD}"),
    }


# Decoders before LLaMA ------------------------------------------------------------------------------------------------


gpt2 = _space(_by(_heads, "n_embd", "n_head"), f"vocab_size n_layer n_inner? n_positions {HEAD}")
gpt_bigcode = _space(gpt2, "multi_query")
gptj = _space(gpt2, _by(_heads, "n_embd", "n_head", even=True), {"rotary_dim": 2})
codegen = _space(gptj, "n_ctx")


def gpt_neo(rng: Random) -> Settings:
    repeats, pattern = rng.randint(1, 3), rng.choice([["global"], ["local"], ["global", "local"]])
    layers = {"num_layers": repeats * len(pattern), "attention_types": [[pattern, repeats]]}
    heads = _heads(rng, "hidden_size", "num_heads", even=True)
    return heads | layers | _sizes(rng, f"vocab_size intermediate_size? max_position_embeddings {HEAD}")


gpt_neox = _space(
    _by(_heads, even=True),
    f"vocab_size num_hidden_layers intermediate_size attention_bias use_parallel_residual {HEAD}",
    {"rotary_pct": [0.25, 0.5, 1.0]},
)
bloom = _space(_by(_heads, "hidden_size", "n_head"), f"vocab_size n_layer {HEAD}")


def opt(rng: Random) -> Settings:
    sizes = "vocab_size num_hidden_layers ffn_dim max_position_embeddings"
    switches = "do_layer_norm_before enable_bias layer_norm_elementwise_affine"
    settings = _heads(rng) | _sizes(rng, f"{sizes} {switches} {HEAD}")
    own = {"word_embed_proj_dim": rng.choice([None, settings["hidden_size"], rng.randint(1, 40)])}
    return settings | own | {"_remove_final_layer_norm": rng.random() < 0.3}


def falcon(rng: Random) -> Settings:
    grouped = _grouped(rng)
    numbers = {
        "num_kv_heads": rng.choice([None, grouped.pop("num_key_value_heads")]),
        "num_ln_in_parallel_attn": rng.choice([None, 1, 2]),
    }
    switches = "new_decoder_architecture? multi_query? parallel_attn? bias? alibi?"
    return grouped | numbers | _sizes(rng, f"vocab_size num_hidden_layers ffn_hidden_size? {switches} {HEAD}")


mpt = _space(
    _by(_heads, "d_model", "n_heads", even=True),
    f"vocab_size n_layers max_seq_len expansion_ratio no_bias learned_pos_emb {HEAD}",
    {
        "attn_config": [
            None,
            *({"clip_qkv": 8.0, "qk_ln": True, "alibi": False}, {"attn_type": "multiquery_attention", "prefix_lm": True}),
        ]
    },
)


# LLaMA's line ---------------------------------------------------------------------------------------------------------


llama = _space(_by(_decoder, "attention_bias mlp_bias", null_kv=True), _by(_own_head, null=True))


def mistral(rng: Random) -> Settings:
    settings = _decoder(rng, rounded=True) | _own_head(rng, null=True)
    return settings | rng.choice([{}, {"num_key_value_heads": settings["num_attention_heads"]}, {"sliding_window": None}])


def _windowed(rng: Random) -> Settings:
    return rng.choice([{}, {"use_sliding_window": True, "max_window_layers": rng.randint(0, 4)}])


qwen2 = _space(_by(_decoder, rounded=True, null_kv=True), _own_head, _windowed)
qwen3 = _space(qwen2, "attention_bias")
gemma = _space(_by(_decoder, "attention_bias", rounded=True), _own_head)
gemma2 = _space(_by(_decoder, "attention_bias"), _own_head, {"sliding_window": range(1, 10)})


def gemma3_text(rng: Random) -> Settings:
    patterns = {"sliding_window_pattern": rng.randint(1, 4)}, {"use_bidirectional_attention": True}
    return gemma2(rng) | rng.choice([{}, *patterns])


def _types(rng: Random, layers: int, sharing: int) -> list[str]:
    """Local and global layers, those that share among them only of kinds that come before."""
    kinds = ["sliding_attention", "full_attention"]
    own = [rng.choice(kinds) for _ in range(layers - sharing)]
    own[0] = kinds[1] if kinds[1] not in own else own[0]  # the last layer, which is global, has one to share with
    return [*own, *(rng.choice(own) for _ in range(sharing))]


def gemma3n_text(rng: Random) -> Settings:
    layers = rng.randint(2, 8)
    sharing = rng.choice([0, 0, rng.randint(1, layers - 1)])
    own = _words(rng, layers - sharing, "sliding_attention full_attention")
    settings = _without(_decoder(rng, "attention_bias"), "pad_token_id")
    width = settings["intermediate_size"]
    return {
        **settings,
        **{"num_hidden_layers": layers, "num_kv_shared_layers": sharing, "head_dim": 4 * rng.randint(1, 4)},
        **{"layer_types": [*own, *(rng.choice(own) for _ in range(sharing))], "sliding_window": rng.randint(2, 9)},
        **{"intermediate_size": rng.choice([width, layers * [width]]), "laurel_rank": rng.randint(1, 9)},
        **{"hidden_size_per_layer_input": rng.randint(1, 9), "vocab_size_per_layer_input": rng.randint(5, 40)},
        **{"altup_num_inputs": rng.randint(2, 5)},
        "activation_sparsity_pattern": rng.choice([None, [rng.choice([0.0, 0.5, 0.95]) for _ in range(layers)]]),
    }


def gemma4_text(rng: Random) -> Settings:
    layers = rng.randint(2, 8)
    sharing = rng.choice([0, 0, rng.randint(1, layers - 1)])
    settings = _decoder(rng, "attention_bias enable_moe_block attention_k_eq_v use_double_wide_mlp")
    n_experts = rng.randint(1, 4)
    return {
        **_without(settings, "pad_token_id"),
        **{"num_hidden_layers": layers, "num_kv_shared_layers": sharing, "layer_types": _types(rng, layers, sharing)},
        **{"head_dim": 4 * rng.randint(1, 4), "global_head_dim": 4 * rng.randint(1, 4)},
        **{"num_global_key_value_heads": rng.choice([None, settings["num_key_value_heads"]])},
        **{"hidden_size_per_layer_input": rng.choice([0, rng.randint(1, 9)])},
        **{"vocab_size_per_layer_input": rng.randint(5, 40), "sliding_window": rng.randint(2, 9)},
        **{"num_experts": n_experts, "top_k_experts": rng.randint(1, n_experts)},
        **_sizes(rng, "moe_intermediate_size"),
        **_some(rng, {"use_bidirectional_attention": rng.choice(["all", "vision", None])}),
    }


def gemma4_unified_text(rng: Random) -> Settings:
    of_experts = "enable_moe_block num_experts top_k_experts moe_intermediate_size"
    return _without(gemma4_text(rng), f"{of_experts} hidden_size_per_layer_input vocab_size_per_layer_input")


def phi(rng: Random) -> Settings:
    settings = _decoder(rng, "qk_layernorm", rounded=True, null_kv=True)
    own_head = {} if settings["qk_layernorm"] else _own_head(rng)
    return settings | own_head | rng.choice([{}, {"partial_rotary_factor": 0.4}])


def phi3(rng: Random) -> Settings:
    return _decoder(rng, rounded=True, null_kv=True) | _own_head(rng) | _some(rng, {"sliding_window": rng.randint(1, 9)})


stablelm = _space(_by(_decoder, "use_qkv_bias qk_layernorm use_parallel_residual"), _by(_own_head, null=True))
starcoder2 = _space(_by(_decoder, "use_bias", rounded=True), _by(_own_head, null=True), {"sliding_window": [None, 4]})
olmo2 = _space(_by(_decoder, "attention_bias", rounded=True, null_kv=True), _own_head)
olmo = _space(olmo2, {"clip_qkv": [None, 8.0]})
cohere = _space(olmo2, {"use_qk_norm": [None, False, True, True]})
apertus, arcee = olmo2, llama


def olmo3(rng: Random) -> Settings:
    return _listed(rng, olmo2(rng)) | {"sliding_window": rng.randint(1, 9)}


def cohere2(rng: Random) -> Settings:
    return olmo3(rng) | _some(rng, {"sliding_window_pattern": rng.randint(1, 4)})


def exaone4(rng: Random) -> Settings:
    settings = _decoder(rng, rounded=True) | _own_head(rng)
    full = {"sliding_window": None, "layer_types": ["full_attention"] * settings["num_hidden_layers"]}
    return rng.choice([settings | full, _listed(rng, settings) | _some(rng, {"sliding_window_pattern": rng.randint(1, 4)})])


granite = _space(olmo2, "mlp_bias", {"residual_multiplier": 0.22})
glm4 = _space(_by(_decoder, "attention_bias", rounded=True), {"head_dim": range(1, 13)})
glm = glm4
ernie4_5 = _space(_by(_decoder, "use_bias", rounded=True, null_kv=True), _by(_own_head, null=True))
hunyuan_v1_dense = _space(olmo2, {"head_dim": range(2, 19, 2)})  # without it the library builds no model
seed_oss = _space(
    _by(_decoder, "attention_bias attention_out_bias mlp_bias", rounded=True, null_kv=True), _by(_own_head, null=True)
)


def _listed(rng: Random, settings: Settings) -> Settings:
    """Settings that may say layer by layer which attention has a window."""
    kinds = _words(rng, settings["num_hidden_layers"], "sliding_attention full_attention")
    return settings | rng.choice([{}, {"layer_types": kinds}])


def ministral(rng: Random) -> Settings:
    own = {"head_dim": 2 * rng.randint(1, 9), "sliding_window": rng.randint(1, 9)}  # without these the library runs no model
    return _listed(rng, mistral(rng)) | own


ministral3 = _space(_by(_decoder, rounded=True), _own_head, {"sliding_window": [None, 4]})


def smollm3(rng: Random) -> Settings:
    windows = _sizes(rng, "use_sliding_window no_rope_layer_interval") | {"sliding_window": rng.choice([None, 4])}
    return olmo2(rng) | _sizes(rng, "mlp_bias") | windows


# Mixtures of experts --------------------------------------------------------------------------------------------------


def _experts(rng: Random, *names: str, more: str = "", rounded: bool = False) -> Settings:
    """A decoder with so many experts, under one of the keys that say so, of which a token uses some."""
    n_experts = rng.randint(1, 6)
    experts = {"num_experts_per_tok": rng.randint(1, n_experts), rng.choice(names): n_experts}
    return _decoder(rng, more, rounded=rounded) | {"num_hidden_layers": rng.randint(1, 6)} | experts


LOCAL = "num_experts", "num_local_experts"


def _steps(rng: Random, layers: int) -> Settings:
    listed = [rng.randint(-2, layers + 2) for _ in range(rng.randint(0, layers + 1))]
    return {"decoder_sparse_step": rng.randint(1, layers + 2), "mlp_only_layers": rng.choice([None, [], listed, listed])}


def mixtral(rng: Random) -> Settings:
    settings = _experts(rng, *LOCAL)
    odd = {"hidden_size": settings["hidden_size"] + rng.randint(0, 3), "head_dim": 2 * rng.randint(1, 5)}
    return settings | rng.choice([{"head_dim": None}, {"head_dim": 2 * rng.randint(1, 5)}, odd])


def qwen2_moe(rng: Random) -> Settings:
    settings = _experts(rng, "num_experts", more="moe_intermediate_size shared_expert_intermediate_size qkv_bias")
    none = {"num_experts": 0} if rng.random() < 0.1 else {}
    return settings | _steps(rng, settings["num_hidden_layers"]) | _own_head(rng) | none


def qwen3_moe(rng: Random) -> Settings:
    settings = _experts(rng, *LOCAL, more="moe_intermediate_size attention_bias")
    none = {"num_experts": 0} if "num_experts" in settings and rng.random() < 0.2 else {}
    return settings | _steps(rng, settings["num_hidden_layers"]) | _own_head(rng) | none


def qwen3_next(rng: Random) -> Settings:
    settings = _experts(rng, "num_experts", more="moe_intermediate_size shared_expert_intermediate_size attention_bias")
    settings |= _own_head(rng) | _linear_attention(rng) | _layer_types(rng, settings["num_hidden_layers"])
    none = {"num_experts": 0} if rng.random() < 0.1 else {}
    return settings | _steps(rng, settings["num_hidden_layers"]) | none


def qwen3_vl_text(rng: Random) -> Settings:
    keys = "vocab_size num_hidden_layers intermediate_size attention_bias"
    return _grouped(rng, rounded=True) | _sizes(rng, keys) | _own_head(rng) | _some(rng, {"num_key_value_heads": None})


def qwen3_vl_moe_text(rng: Random) -> Settings:
    settings = _experts(rng, "num_experts", "num_local_experts", more="moe_intermediate_size attention_bias")
    none = {"num_experts": 0} if "num_experts" in settings and rng.random() < 0.2 else {}
    return settings | _steps(rng, settings["num_hidden_layers"]) | _own_head(rng, null=True) | none


def qwen3_5_text(rng: Random) -> Settings:
    settings = _decoder(rng, "attention_bias", rounded=True) | {"num_hidden_layers": rng.randint(1, 6)}
    return settings | _own_head(rng) | _linear_attention(rng) | _layer_types(rng, settings["num_hidden_layers"])


def qwen3_5_moe_text(rng: Random) -> Settings:
    settings = _experts(rng, "num_experts", more="moe_intermediate_size shared_expert_intermediate_size attention_bias")
    return settings | _own_head(rng) | _linear_attention(rng) | _layer_types(rng, settings["num_hidden_layers"])


def _linear_attention(rng: Random) -> Settings:
    n_keys = rng.randint(1, 3)
    return {
        "linear_num_key_heads": n_keys,
        "linear_num_value_heads": n_keys * rng.randint(1, 3),
        "linear_key_head_dim": rng.randint(2, 9),
        "linear_value_head_dim": rng.randint(2, 9),
        "linear_conv_kernel_dim": rng.randint(1, 5),
    }


def _layer_types(rng: Random, layers: int) -> Settings:
    """Layers with linear attention and with attention, by a list of words, by an interval, or as the library has them."""
    listed = {"layer_types": _words(rng, layers, "linear_attention full_attention")}
    return rng.choice([listed, listed, {"full_attention_interval": rng.randint(1, 5)}, {}])


def deepseek_v2(rng: Random, *names: str) -> Settings:
    ranks = "q_lora_rank? kv_lora_rank qk_nope_head_dim v_head_dim"
    more = f"{ranks} n_shared_experts moe_intermediate_size attention_bias mlp_bias"
    settings = _experts(rng, *(names or ("n_routed_experts", "num_experts")), more=more)
    return settings | {
        "num_experts_per_tok": rng.choice([None, settings["num_experts_per_tok"]]),
        "num_key_value_heads": rng.choice([None, settings["num_key_value_heads"]]),
        "first_k_dense_replace": rng.randint(0, settings["num_hidden_layers"] + 1),
        "qk_rope_head_dim": 2 * rng.randint(1, 5),
        "n_group": None,
    }


def minicpm3(rng: Random) -> Settings:
    settings = _decoder(rng, "q_lora_rank? kv_lora_rank qk_nope_head_dim v_head_dim? attention_bias mlp_bias")
    return settings | {"qk_rope_head_dim": 2 * rng.randint(1, 5)}


def deepseek_v3(rng: Random) -> Settings:
    settings = deepseek_v2(rng, "n_routed_experts", "num_local_experts") | _sizes(rng, "num_mtp_layers")
    return settings | {"hidden_size": settings["hidden_size"] + rng.randint(0, 3)}


def llama4_text(rng: Random) -> Settings:
    settings = _experts(
        rng, "num_local_experts", more="intermediate_size_mlp attention_bias use_qk_norm no_rope_layer_interval"
    )
    layers = settings["num_hidden_layers"]
    which = {"interleave_moe_layer_step": rng.randint(1, 3)}, {"moe_layers": [rng.randrange(layers + 1) for _ in range(2)]}
    turned = {"no_rope_layers": [rng.randint(0, 1) for _ in range(layers)]}
    return settings | rng.choice(which) | rng.choice([{}, turned]) | _own_head(rng) | {"attention_chunk_size": 4}


def ernie4_5_moe(rng: Random) -> Settings:
    settings = _experts(rng, "moe_num_experts", "num_experts", more="moe_intermediate_size use_bias", rounded=True)
    layers, active = settings["num_hidden_layers"], settings.pop("num_experts_per_tok")
    return settings | {
        "moe_k": active,
        "moe_num_shared_experts": rng.randint(0, 3),
        "moe_layer_start_index": rng.randint(0, layers + 1),
        **_some(rng, {"moe_layer_end_index": rng.choice([-1, layers - 1, layers])}),
    }


def hunyuan_v1_moe(rng: Random) -> Settings:
    settings = _experts(rng, *LOCAL, more="attention_bias", rounded=True) | {"head_dim": 2 * rng.randint(1, 9)}
    return settings | {"moe_topk": settings.pop("num_experts_per_tok")}


def dbrx(rng: Random) -> Settings:
    grouped, n_experts = _grouped(rng), rng.randint(1, 6)
    experts = {"ffn_hidden_size": rng.randint(1, 30), "moe_num_experts": n_experts, "moe_top_k": rng.randint(1, n_experts)}
    return {
        **{"d_model": grouped["hidden_size"], "n_heads": grouped["num_attention_heads"]},
        **{rng.choice(["n_layers", "num_hidden_layers"]): rng.randint(1, 4)},
        **_sizes(rng, "vocab_size"),
        "attn_config": {"kv_n_heads": grouped["num_key_value_heads"], "rope_theta": 1e4, "clip_qkv": 8.0},
        "ffn_config": {"hidden_size": grouped["hidden_size"], **experts},
    }


def deepseek_v32(rng: Random) -> Settings:
    settings = deepseek_v2(rng, "n_routed_experts", "num_local_experts") | _sizes(rng, "q_lora_rank index_n_heads")
    kinds = _words(rng, settings["num_hidden_layers"], "dense sparse")
    full = {key: settings[key] or 2 for key in ("num_experts_per_tok", "num_key_value_heads")}
    sizes = {"index_head_dim": settings["qk_rope_head_dim"] + rng.randint(0, 4), "index_topk": rng.randint(1, 9), "n_group": 1}
    return settings | full | sizes | {"num_experts_per_tok": 1, "mlp_layer_types": rng.choice([None, kinds])}


gpt_oss = _space(_by(_experts, *LOCAL, more="attention_bias", rounded=True), _own_head)


def olmoe(rng: Random) -> Settings:
    settings = _experts(rng, *LOCAL, more="attention_bias") | {"clip_qkv": rng.choice([None, 8.0])}
    return settings | rng.choice([{}, {"num_key_value_heads": None}])


def minimax(rng: Random) -> Settings:
    settings = _experts(rng, *LOCAL, rounded=True) | _own_head(rng, null=True)
    words = _words(rng, settings["num_hidden_layers"], "linear_attention full_attention")
    which = {"layer_types": words, "block_size": rng.randint(1, 9)}
    return settings | _some(rng, which) | {"sliding_window": rng.choice([None, 4])}


minimax_m2 = _space(_by(_experts, *LOCAL), {"head_dim": range(2, 19, 2)})


def glm4_moe(rng: Random) -> Settings:
    more = "n_shared_experts moe_intermediate_size attention_bias use_qk_norm num_mtp_layers"
    settings = _experts(rng, "n_routed_experts", "num_local_experts", more=more, rounded=True) | _own_head(rng)
    return settings | {"first_k_dense_replace": rng.randint(0, settings["num_hidden_layers"] + 1)}


granitemoe = _space(
    _by(_experts, "num_local_experts", more="attention_bias", rounded=True), _own_head, {"residual_multiplier": 0.22}
)


def granitemoeshared(rng: Random) -> Settings:
    return granitemoe(rng) | _some(rng, {"shared_intermediate_size": rng.randint(0, 30)}, 0.8)


def phimoe(rng: Random) -> Settings:
    settings = _experts(rng, "num_local_experts", more="attention_bias lm_head_bias", rounded=True) | _own_head(rng)
    two = {"num_experts_per_tok": 2, "num_local_experts": settings["num_local_experts"] + 1}
    return settings | two | {"sliding_window": rng.choice([None, 4])}


# State spaces ---------------------------------------------------------------------------------------------------------


def _time_step(rng: Random) -> int | str:
    return rng.choice(["auto", rng.randint(1, 9)])


def mamba(rng: Random) -> Settings:
    keys = "vocab_size state_size num_hidden_layers conv_kernel use_bias use_conv_bias tie_word_embeddings"
    sizes = {"hidden_size": rng.randint(1, 60), "expand": rng.randint(1, 4), "time_step_rank": _time_step(rng)}
    return _sizes(rng, keys) | sizes | _some(rng, {"intermediate_size": rng.randint(1, 50)}, 0.3)


falcon_mamba = mamba


def mamba2(rng: Random) -> Settings:
    n_heads, d_head, expand = rng.randint(1, 6), rng.randint(1, 8), rng.choice([1, 2, 3])
    sizes = {"hidden_size": n_heads * d_head, "num_heads": expand * n_heads, "head_dim": d_head, "expand": expand}
    keys = "vocab_size state_size num_hidden_layers conv_kernel n_groups use_bias use_conv_bias tie_word_embeddings"
    return sizes | _sizes(rng, keys) | {"time_step_rank": _time_step(rng)}


def _turns(rng: Random, which: str) -> Settings:
    """Of so many layers in turn the one that is another; an offset below 0 is none."""
    period = rng.randint(1, 5)
    return {f"{which}_period": period, f"{which}_offset": rng.randint(-1, period - 1)}


def jamba(rng: Random) -> Settings:
    n_experts = rng.randint(0, 5)
    experts = {
        rng.choice(["num_experts", "num_local_experts"]): n_experts,
        "num_experts_per_tok": rng.randint(1, max(1, n_experts)) if n_experts != 1 else 2,
    }
    state = _sizes(rng, "mamba_expand mamba_d_state mamba_d_conv mamba_proj_bias mamba_conv_bias")
    return {
        **_decoder(rng, rounded=True),
        **{"num_hidden_layers": rng.randint(1, 9), "mamba_dt_rank": _time_step(rng)},
        **_some(rng, {"head_dim": rng.randint(1, 9)}),
        **_turns(rng, "attn_layer"),
        **_turns(rng, "expert_layer"),
        **experts,
        **state,
    }


def _state_heads(rng: Random, inner: int) -> Settings:
    """A number of heads that divides the inner size, with what else Mamba 2 has in layers among others."""
    number = rng.choice([n for n in range(1, inner + 1) if inner % n == 0])
    sizes = _sizes(rng, "mamba_d_state mamba_d_conv mamba_n_groups mamba_proj_bias mamba_conv_bias")
    more = {"mamba_d_head": rng.choice(["auto", inner // number]), "mamba_chunk_size": rng.randint(2, 9)}
    return sizes | {"mamba_n_heads": number, **_some(rng, more)}


def bamba(rng: Random) -> Settings:
    settings = _decoder(rng, "attention_bias mlp_bias mamba_expand", rounded=True, null_kv=True) | _own_head(rng)
    settings["num_hidden_layers"] = layers = rng.randint(1, 6)
    listed = [rng.randint(-1, layers) for _ in range(rng.randint(1, layers))]
    indices = rng.choice([None, [], listed, listed, listed, listed])
    inner = settings["mamba_expand"] * settings["hidden_size"]
    return settings | _state_heads(rng, inner) | {"attn_layer_indices": indices}


def zamba2(rng: Random) -> Settings:
    settings = _decoder(
        rng, "add_bias_linear adapter_rank mamba_expand use_shared_attention_adapter", rounded=True, null_kv=True
    )
    settings["num_hidden_layers"] = layers = rng.randint(1, 7)
    words = _words(rng, layers, "hybrid mamba hybrid linear_attention")
    settings["tie_word_embeddings"] = True  # or the library unties the blocks, each of which has all adapters
    while 2 * settings["hidden_size"] // settings["num_attention_heads"] % 2:  # rotary positions turn pairs
        settings["hidden_size"] -= 1
    divisors = [n for n in range(1, 9) if settings["mamba_expand"] * settings["hidden_size"] % n == 0]
    state = {
        "n_mamba_heads": rng.choice(divisors),
        "mamba_d_state": rng.randint(1, 9),
        "mamba_d_conv": rng.randint(2, 5),
        "mamba_ngroups": rng.choice([1, 2]),
    }
    which = {"layers_block_type": words, "num_mem_blocks": rng.randint(1, 4), "use_mem_rope": rng.random() < 0.5}
    return settings | state | which | {"intermediate_size": rng.choice([None, settings["intermediate_size"]])}


def zamba(rng: Random) -> Settings:
    settings = _decoder(rng, "mamba_expand mamba_d_state mamba_conv_bias mamba_proj_bias") | {"mamba_d_conv": rng.randint(2, 5)}
    settings["num_hidden_layers"] = layers = rng.randint(3, 7)
    words = ["hybrid", "hybrid", *(rng.choice(["hybrid", "mamba", "linear_attention"]) for _ in range(layers - 2))]
    rng.shuffle(words)  # of a single one the library ties the block to none, and stops
    period = rng.randint(1, 3)
    rule = {"attn_layer_period": period, "attn_layer_offset": rng.randrange(min(period, max(layers - 3, 1)))}
    inner = settings["mamba_expand"] * settings["hidden_size"]
    return {
        **settings,
        **rng.choice([{"layers_block_type": words}, rule] if layers > 3 else [{"layers_block_type": words}]),
        **_some(rng, {"attention_head_dim": rng.randint(1, 9)}),
        "n_mamba_heads": rng.choice([n for n in range(1, 9) if inner % n == 0]),
        "mamba_dt_rank": rng.choice(["auto", rng.randint(1, 9)]),
    }


# Short convolutions ---------------------------------------------------------------------------------------------------


def lfm2(rng: Random) -> Settings:
    settings = _decoder(rng, "conv_L_cache conv_bias block_multiple_of", rounded=True)
    layers = settings["num_hidden_layers"]
    attending = [rng.randint(0, layers) for _ in range(rng.randint(0, layers))]
    words = _words(rng, layers, "conv full_attention")
    sizes = {
        "block_ff_dim": rng.randint(2, 60),
        "block_ffn_dim_multiplier": rng.choice([1.0, 1.5, 2]),
        "block_auto_adjust_ff_dim": rng.random() < 0.7,
    }
    which = {"layer_types": words, "full_attn_idxs": attending}
    settings["intermediate_size"] += 1  # of 1 two thirds are none
    if rng.random() < 0.3:
        settings["tie_embedding"] = settings.pop("tie_word_embeddings")
    return settings | _some(rng, sizes, 0.7) | _own_head(rng) | _some(rng, which)


def granitemoehybrid(rng: Random) -> Settings:
    settings = bamba(rng) | {"shared_intermediate_size": rng.randint(1, 30), "mlp_bias": False, "residual_multiplier": 0.22}
    settings["num_local_experts"] = n_experts = rng.randint(0, 5)
    settings["num_experts_per_tok"] = rng.randint(min(1, n_experts), n_experts)
    settings["layer_types"] = _words(rng, settings["num_hidden_layers"], "full_attention linear_attention")
    settings["position_embedding_type"] = rng.choice([None, "rope"])
    return _without(settings, "attn_layer_indices head_dim") | _own_head(rng)


def falcon_h1(rng: Random) -> Settings:
    settings = _decoder(rng, "attention_bias mlp_bias projectors_bias mamba_rms_norm mamba_expand", rounded=True, null_kv=True)
    own = rng.choice([None, 4 * rng.randint(1, 9)])
    inner = own or settings["mamba_expand"] * settings["hidden_size"]
    return settings | _own_head(rng) | _state_heads(rng, inner) | {"mamba_d_ssm": own}


def lfm2_moe(rng: Random) -> Settings:
    settings = _experts(rng, "num_experts", more="conv_L_cache conv_bias moe_intermediate_size", rounded=True) | _own_head(rng)
    words = _words(rng, settings["num_hidden_layers"], "conv full_attention")
    return settings | {"layer_types": words, "num_dense_layers": rng.randint(0, settings["num_hidden_layers"] + 1)}


def rwkv(rng: Random) -> Settings:
    sizes = _sizes(rng, "vocab_size num_hidden_layers intermediate_size? attention_hidden_size? tie_word_embeddings")
    return sizes | {"hidden_size": rng.randint(2, 40), "num_hidden_layers": rng.randint(2, 4)}


def nemotron_h(rng: Random) -> Settings:
    kinds = ["full_attention", "linear_attention", "mlp", "moe"]
    state = {"mamba_num_heads": rng.randint(1, 6), "mamba_head_dim": rng.randint(1, 8), "ssm_state_size": rng.randint(1, 9)}
    n_experts = rng.randint(1, 6)
    experts = {"n_routed_experts": n_experts, "num_experts_per_tok": rng.randint(1, n_experts)}
    keys = "vocab_size intermediate_size moe_intermediate_size conv_kernel n_groups use_bias use_conv_bias mlp_bias"
    return {
        **_grouped(rng, rounded=True),
        **_sizes(rng, keys),
        **_some(rng, {"head_dim": 2 * rng.randint(1, 9)}),
        **state,
        **experts,
        "layers_block_type": [rng.choice(kinds) for _ in range(rng.randint(1, 6))],
        "moe_shared_expert_intermediate_size": rng.randint(1, 30),
        "moe_latent_size": rng.choice([None, rng.randint(1, 20)]),
        "chunk_size": rng.randint(2, 9),
    }


# Encoder and decoder --------------------------------------------------------------------------------------------------


def _stacks(rng: Random) -> Settings:
    heads = rng.choice([(1, 2), (2, 2), (4, 1), (2, 4), (3, 2)])
    return {
        "d_model": 12 * rng.randint(1, 3),
        **dict(zip(("encoder_attention_heads", "decoder_attention_heads"), heads, strict=True)),
        **_sizes(rng, f"vocab_size encoder_layers decoder_layers encoder_ffn_dim decoder_ffn_dim scale_embedding {HEAD}"),
        **{"pad_token_id": 1, "decoder_start_token_id": 2},
    }


bart = _space(_stacks, "max_position_embeddings")
mbart = pegasus = m2m_100 = bart


def marian(rng: Random) -> Settings:
    own = {"decoder_vocab_size": rng.choice([None, 0, rng.randint(12, 90)])}
    return bart(rng) | own | _sizes(rng, "share_encoder_decoder_embeddings")


whisper = _space(_stacks, "num_mel_bins max_source_positions max_target_positions classifier_proj_size use_weighted_layer_sum")


def t5(rng: Random) -> Settings:
    sizes = {"d_model": rng.randint(1, 30), "num_heads": rng.randint(1, 5)}
    keys = f"vocab_size d_kv d_ff num_layers num_decoder_layers? relative_attention_num_buckets {HEAD}"
    return sizes | _sizes(rng, keys) | {"feed_forward_proj": rng.choice(["relu", "gelu", "gated-gelu", "gated-silu"])}


mt5 = t5


# Images ---------------------------------------------------------------------------------------------------------------


def _square(rng: Random, most: int) -> int | list[int]:
    side = rng.randint(1, most)
    return side if rng.random() < 0.5 else [side, side]


def _image(rng: Random) -> int | list[int]:
    return rng.choice([_square(rng, 40), [rng.randint(1, 40), rng.randint(1, 40)]])


def vit(rng: Random) -> Settings:
    image = _image(rng)
    keys = "num_hidden_layers intermediate_size num_channels qkv_bias encoder_stride num_labels"
    settings = _heads(rng) | _sizes(rng, keys) | {"image_size": image, "patch_size": _square(rng, 9)}
    return settings | {"pooler_output_size": rng.choice([None, 0, rng.randint(1, 30)])}


deit = vit


def dinov2(rng: Random) -> Settings:
    image = _image(rng)
    keys = "num_hidden_layers num_channels qkv_bias use_mask_token use_swiglu_ffn num_labels"
    sizes = {"image_size": image, "patch_size": _square(rng, 9), "mlp_ratio": rng.randint(1, 6)}
    return _heads(rng) | _sizes(rng, keys) | sizes


dinov2_with_registers = _space(dinov2, {"num_register_tokens": range(0, 5)})


def dinov3_vit(rng: Random) -> Settings:
    """Heads of a multiple of four numbers: positions turn a half of each for the rows, a half for the columns."""
    n_heads, image, side = rng.choice([1, 2, 4]), rng.randint(9, 40), rng.randint(1, 9)
    biases = "query_bias key_bias value_bias proj_bias mlp_bias"
    keys = f"num_hidden_layers intermediate_size num_channels use_gated_mlp {biases}"
    sizes = {"hidden_size": 4 * n_heads * rng.randint(1, 4), "num_attention_heads": n_heads, "image_size": image}
    return {**sizes, "patch_size": rng.choice([side, [side, side]]), "num_register_tokens": rng.randint(0, 4)} | _sizes(
        rng, keys
    )


def convnext(rng: Random) -> Settings:
    widths, depths = ([rng.randint(1, most) for _ in range(4)] for most in (12, 3))
    keys = "num_channels num_labels"
    sizes = {"hidden_sizes": widths, "depths": depths, "image_size": 64, "patch_size": _square(rng, 6)}
    return sizes | _sizes(rng, keys) | {"layer_scale_init_value": rng.choice([1e-6, 1.0, 0.0])}


def wav2vec2(rng: Random) -> Settings:
    """Seven convolutions of any kernels, positions within groups of channels, a vector for what is masked, adapters."""
    groups, books = rng.choice([1, 2]), rng.choice([1, 2, 3])
    sizes = _heads(rng)
    sizes["hidden_size"] *= groups
    sizes |= {"conv_dim": 7 * [rng.randint(1, 9)], "conv_kernel": [rng.randint(1, 5) for _ in range(7)]}
    sizes |= {"num_conv_pos_embeddings": rng.randint(1, 9), "num_conv_pos_embedding_groups": groups}
    sizes |= {"num_codevector_groups": books, "codevector_dim": books * rng.randint(1, 6)}
    sizes |= {"num_codevectors_per_group": rng.randint(1, 9), "proj_codevector_dim": rng.randint(1, 9)}
    sizes |= {"adapter_attn_dim": rng.choice([None, rng.randint(1, 9)]), "feat_extract_norm": rng.choice(["group", "layer"])}
    sizes |= {"mask_time_prob": rng.choice([0.0, 0.05]), "mask_feature_prob": rng.choice([0.0, 0.0, 0.1])}
    sizes |= {name: [rng.randint(1, 9) for _ in range(5)] for name in ("tdnn_dim", "tdnn_kernel")}
    sizes |= {"xvector_output_dim": rng.randint(1, 9)}
    switches = "conv_bias do_stable_layer_norm use_weighted_layer_sum"
    return sizes | _sizes(rng, f"vocab_size num_hidden_layers intermediate_size classifier_proj_size num_labels {switches}")


def hubert(rng: Random) -> Settings:
    """Without a quantizer and the head of speakers; the norm before the projection may be absent."""
    own = ("codevector", "proj_", "tdnn", "xvector")
    drawn = {name: value for name, value in wav2vec2(rng).items() if not any(word in name for word in own)}
    return drawn | _sizes(rng, "feat_proj_layer_norm")


def sam_vision_model(rng: Random) -> Settings:
    """Layers that attend to all of a small image, and within windows that do not fill it."""
    keys = "num_channels qkv_bias use_abs_pos use_rel_pos"
    sizes = {"image_size": rng.randint(8, 40), "patch_size": rng.randint(1, 4), "window_size": rng.randint(2, 6)}
    sizes |= {
        "num_hidden_layers": rng.randint(1, 4),
        "global_attn_indexes": rng.choice([[0, 2], [1], [], [0, 1, 2, 3], [2, 5]]),
    }
    sizes |= {"output_channels": rng.randint(1, 12), "mlp_dim": rng.choice([None, rng.randint(1, 30)])}
    return _heads(rng) | sizes | _sizes(rng, keys)


def sam(rng: Random) -> Settings:
    """Vectors of one length in its three parts, of eight numbers or a multiple; heads that are narrow towards the image."""
    tower, rate, n_heads = sam_vision_model(rng), rng.choice([1, 2, 3]), rng.choice([1, 2, 4])
    width = 8 * rate * n_heads * rng.randint(1, 2)
    tower |= {"output_channels": width, "num_pos_feats": width // 2}
    sizes = {"hidden_size": width, "image_size": tower["image_size"], "patch_size": tower["patch_size"]}
    prompt = {"mask_input_channels": 4 * rng.randint(1, 4), "num_point_embeddings": rng.randint(4, 6)}
    decoder = {
        "mlp_dim": rng.randint(1, 30),
        "num_hidden_layers": rng.randint(1, 3),
        "num_attention_heads": n_heads,
        "attention_downsample_rate": rate,
        "num_multimask_outputs": rng.randint(1, 4),
        "iou_head_depth": rng.randint(1, 5),
        "iou_head_hidden_dim": rng.randint(1, 30),
    }
    return {
        "vision_config": tower,
        "prompt_encoder_config": sizes | prompt,
        "mask_decoder_config": {"hidden_size": width} | decoder,
        "tie_word_embeddings": rng.choice([True, True, False]),
    }


def detr(rng: Random) -> Settings:
    """Backbones of the library, whose stages are of one to three bottlenecks."""
    n_heads = rng.choice([8, 16])
    widths = [4 * rng.randint(1, 4) for _ in range(4)]
    backbone = {
        "model_type": "resnet",
        "embedding_size": widths[0] + rng.randint(1, 4),
        "hidden_sizes": widths,
        "depths": [rng.randint(1, 3) for _ in range(4)],
        "num_channels": rng.randint(1, 4),
        "out_features": ["stage1", "stage2", "stage3", "stage4"],
    }
    sizes = {
        "d_model": rng.choice([16, 32, 64]),
        "encoder_attention_heads": n_heads,
        "decoder_attention_heads": rng.choice([1, 2, 4]),
    }
    keys = "encoder_layers decoder_layers encoder_ffn_dim decoder_ffn_dim num_labels"
    words = {
        "num_queries": rng.randint(1, 9),
        "position_embedding_type": rng.choice(["sine", "learned"]),
        "use_timm_backbone": False,
    }
    return sizes | {"backbone_config": backbone} | words | _sizes(rng, keys)


def swin(rng: Random) -> Settings:
    """Small images, whose last stages have fewer patches than a window, or patches that do not fill their windows."""
    image = rng.choice([rng.randint(1, 40), [rng.randint(1, 40), rng.randint(1, 40)]])
    sizes = {"embed_dim": 2 * rng.randint(1, 5), "num_heads": [rng.choice([1, 2]) * 2**stage for stage in range(4)]}
    sizes |= {
        "depths": [rng.randint(1, 3) for _ in range(4)],
        "window_size": rng.randint(1, 6),
        "mlp_ratio": rng.choice([4.0, 4.0, rng.randint(1, 5)]),
    }
    keys = "num_channels qkv_bias use_absolute_embeddings encoder_stride num_labels"
    return sizes | {"image_size": image, "patch_size": rng.choice([2, _square(rng, 4)])} | _sizes(rng, keys)


def dinov3_convnext(rng: Random) -> Settings:
    return _without(convnext(rng), "patch_size num_labels")


clip_text_model = _space(_heads, "vocab_size num_hidden_layers intermediate_size max_position_embeddings projection_dim")
clip_vision_model = _space(
    _heads,
    "num_hidden_layers intermediate_size num_channels projection_dim",
    {"image_size": range(1, 41), "patch_size": range(1, 10)},
)


def clip(rng: Random) -> Settings:
    sections = {"text_config": clip_text_model(rng), "vision_config": clip_vision_model(rng)}
    older = {"text_config_dict": clip_text_model(rng), "vision_config_dict": clip_vision_model(rng)}
    return sections | _some(rng, older, 0.3) | _sizes(rng, "projection_dim num_labels")


def siglip_text_model(rng: Random) -> Settings:
    keys = "vocab_size num_hidden_layers intermediate_size max_position_embeddings"
    return _heads(rng) | _sizes(rng, keys) | rng.choice([{}, {"projection_size": rng.choice([None, rng.randint(1, 30)])}])


def siglip_vision_model(rng: Random) -> Settings:
    return _without(clip_vision_model(rng), "projection_dim") | _some(rng, _sizes(rng, "vision_use_head"), 0.7)


def siglip(rng: Random) -> Settings:
    sections = {"text_config": siglip_text_model(rng), "vision_config": siglip_vision_model(rng)}
    return sections | _sizes(rng, "num_labels")


def llama4_vision_model(rng: Random) -> Settings:
    n_heads, side, width = rng.choice([1, 2, 4]), rng.randint(1, 9), rng.randint(1, 30)
    return {
        **{"hidden_size": 4 * n_heads * rng.randint(1, 4), "num_attention_heads": n_heads},
        **_sizes(rng, "num_hidden_layers intermediate_size num_channels"),
        **{"patch_size": side, "image_size": side * rng.randint(1, 5) + rng.randrange(side)},
        **{"projector_input_dim": width, "projector_output_dim": width, "vision_output_dim": rng.randint(1, 30)},
        **_some(rng, {"pixel_shuffle_ratio": rng.choice([1.0, 0.5, 0.25])}),
    }


# A text model that reads images ---------------------------------------------------------------------------------------


def _text(rng: Random) -> Settings:
    keys = "vocab_size num_hidden_layers intermediate_size"
    return _grouped(rng) | _sizes(rng, keys) | {"pad_token_id": rng.choice([None, 0])}


def _tied(rng: Random, text: Settings) -> Settings:
    """What ties the head stands beside the text model's config or, as in older files, within it; or in both."""
    at_top, within = (_some(rng, _sizes(rng, "tie_word_embeddings")) for _ in range(2))
    return {"text_config": text | within, **at_top}


def _llama(rng: Random) -> Settings:
    own = _some(rng, {"head_dim": 2 * rng.randint(1, 6), "num_key_value_heads": None})
    return _text(rng) | own | {"model_type": "llama"} | _sizes(rng, "attention_bias mlp_bias")


def _mistral(rng: Random) -> Settings:
    """Mistral's text model, which takes no notice of LLaMA's switches."""
    switches = _some(rng, _sizes(rng, "attention_bias mlp_bias"), 0.9)
    return _text(rng) | {"model_type": "mistral", "sliding_window": rng.choice([None, 4])} | switches


def _of_family(rng: Random, *families: str) -> Settings:
    """A config of one of these families, as a section of another."""
    family = rng.choice(families)
    return dict(SPACES[family](rng)) | {"model_type": family}


def llava(rng: Random) -> Settings:
    tower = _some(rng, clip_vision_model(rng), 0.95)
    tower |= {"num_attention_heads": rng.choice([1, 2, 4]), "hidden_size": 4 * rng.randint(1, 9)}
    others = "qwen2", "qwen3", "gemma", "gemma3_text", "cohere", "mixtral", "starcoder2"
    text = rng.choice([_llama, _llama, _mistral, lambda rng: _of_family(rng, *others)])(rng)
    siglip = _of_family(rng, "siglip_vision_model", "vit") | {"hidden_size": 8, "num_attention_heads": 2}
    return {
        **_tied(rng, text),
        "vision_config": rng.choice([None, tower, tower, tower, tower | {"model_type": "clip_vision_model"}, siglip]),
        **_some(rng, {"vision_feature_select_strategy": rng.choice(["full", "default"])}),
        **_some(rng, _sizes(rng, "multimodal_projector_bias"), 0.9),
        **_some(rng, {"vision_feature_layer": rng.choice([-2, -1, [-2], [-1, -2], [0, 1, 2]])}),
    }


def pixtral(rng: Random) -> Settings:
    keys = "num_hidden_layers intermediate_size num_channels"
    sides = {"patch_size": rng.randint(1, 9)} | _some(rng, {"image_size": rng.randint(10, 40)})
    return _heads(rng) | {"hidden_size": 16, "num_attention_heads": rng.choice([1, 2, 4])} | _sizes(rng, keys) | sides


def gemma4_vision(rng: Random) -> Settings:
    settings = _grouped(rng) | _sizes(rng, "num_hidden_layers intermediate_size")
    sizes = {"head_dim": 4 * rng.randint(1, 4), "patch_size": rng.randint(1, 9), "position_embedding_size": rng.randint(1, 40)}
    switches = {"use_clipped_linears": rng.random() < 0.5, "standardize": rng.random() < 0.5}
    return settings | sizes | {"pooling_kernel_size": rng.randint(1, 3)} | _some(rng, switches)


def gemma4_audio(rng: Random) -> Settings:
    settings = _heads(rng, even=True) | _sizes(rng, "num_hidden_layers")
    context = {"attention_chunk_size": rng.randint(2, 12), "attention_context_left": rng.randint(1, 13)}
    sizes = {"conv_kernel_size": rng.randint(1, 6), "output_proj_dims": rng.randint(1, 20)} | context
    channels = {"subsampling_conv_channels": [rng.randint(4, 20), rng.randint(1, 9)]}
    return settings | _some(rng, sizes, 0.8) | channels | {"attention_context_right": rng.choice([0, rng.randint(1, 4)])}


def gemma4(rng: Random) -> Settings:
    text = _without(gemma4_text(rng), "num_labels id2label")
    return {
        **_tied(rng, text | {"pad_token_id": 0}),
        **_some(rng, {"vision_config": gemma4_vision(rng)}, 0.8),
        **_some(rng, {"audio_config": gemma4_audio(rng)}),
    }


def idefics3_vision(rng: Random) -> Settings:
    return _without(clip_vision_model(rng), "projection_dim")


smolvlm_vision = idefics3_vision


def idefics3(rng: Random) -> Settings:
    text = rng.choice([_llama, lambda rng: _of_family(rng, "qwen2", "mistral", "gemma2")])(rng)
    return {**_tied(rng, text), "vision_config": idefics3_vision(rng), **_some(rng, {"scale_factor": rng.randint(1, 4)})}


smolvlm = idefics3


def internvl_vision(rng: Random) -> Settings:
    switches = "attention_bias use_qk_norm use_mask_token use_absolute_position_embeddings use_mean_pooling"
    image = _image(rng)
    settings = _heads(rng) | _sizes(rng, f"num_hidden_layers intermediate_size num_channels {switches}")
    return settings | {"image_size": image, "patch_size": _square(rng, 9)} | _some(rng, {"norm_type": "rms_norm"})


def internvl(rng: Random) -> Settings:
    text = _of_family(rng, "qwen2", "qwen2", "qwen3", "llama")
    ratio = _some(rng, {"downsample_ratio": rng.choice([1.0, 0.5, 0.25])})
    return {**_tied(rng, text), "vision_config": internvl_vision(rng), **ratio}


def mistral3(rng: Random) -> Settings:
    text = rng.choice([_mistral, lambda rng: _of_family(rng, "ministral", "llama", "mixtral")])(rng)
    return {
        **_tied(rng, text | {"pad_token_id": None}),
        "vision_config": _of_family(rng, "pixtral", "pixtral", "siglip_vision_model"),
        **_some(rng, {"spatial_merge_size": rng.randint(1, 3)}),
        **_some(rng, _sizes(rng, "multimodal_projector_bias")),
        **_some(rng, {"vision_feature_layer": rng.choice([-2, -1, [-1, -2]])}),
    }


def gemma3(rng: Random) -> Settings:
    tower = idefics3_vision(rng)
    text = _text(rng) | _sizes(rng, "attention_bias") | {"layer_types": None}
    return {
        **_tied(rng, text | _some(rng, {"head_dim": 2 * rng.randint(1, 6)}, 0.7)),
        "vision_config": {**tower, "image_size": 40, **_some(rng, _sizes(rng, "vision_use_head"), 0.9)},
        "mm_tokens_per_image": 1,
        **_sizes(rng, "num_labels"),
    }


def llama4(rng: Random) -> Settings:
    sections = {"text_config": _without_labels(llama4_text(rng)), "vision_config": llama4_vision_model(rng)}
    return sections | _some(rng, _sizes(rng, "tie_word_embeddings"))


def paligemma(rng: Random) -> Settings:
    tower = idefics3_vision(rng)
    text = _text(rng) | _sizes(rng, "attention_bias") | _some(rng, {"head_dim": 2 * rng.randint(1, 6)}, 0.7)
    text |= rng.choice([{}, {"model_type": "gemma"}, {"model_type": "gemma2", "sliding_window": rng.randint(2, 9)}])
    vision = {**tower, "image_size": 40, **_some(rng, _sizes(rng, "vision_use_head"), 0.9)}
    return {
        **_tied(rng, text),
        "vision_config": rng.choice([vision, vision, None]),
        **_some(rng, {"projection_dim": rng.randint(1, 30)}, 0.9),
    }


def _qwen(rng: Random, tower: Settings) -> Settings:
    text = _text(rng) | _sizes(rng, "use_sliding_window") | {"max_window_layers": 2, "sliding_window": 4}
    text |= _some(rng, {"num_key_value_heads": None})
    shared = {
        "in_channels": rng.randint(1, 4),
        "patch_size": rng.randint(1, 9),
        "spatial_merge_size": rng.randint(1, 3),
        "temporal_patch_size": rng.randint(1, 3),
    }
    depth = {rng.choice(["depth", "num_hidden_layers"]): rng.randint(1, 4)}
    vision = {"vision_config": {**tower, **depth, **_some(rng, shared, 0.9)}}
    if rng.random() < 0.5:  # as the files of the hub have them: the keys of the text model beside vision_config
        return text | vision | _some(rng, _sizes(rng, "tie_word_embeddings"))
    return _tied(rng, text) | vision | _some(rng, {"hidden_size": 7})  # which then says nothing


def _tower(rng: Random, width: str) -> Settings:
    n_heads = rng.choice([1, 2, 4])
    return {rng.choice(["num_heads", "num_attention_heads"]): n_heads, width: 4 * n_heads * rng.randint(1, 4)}


def qwen2_vl(rng: Random) -> Settings:
    sizes = {"hidden_size": rng.randint(1, 40), "mlp_ratio": rng.randint(1, 5)}
    return _qwen(rng, _tower(rng, "embed_dim") | _some(rng, sizes, 0.9))


def qwen2_5_vl(rng: Random) -> Settings:
    sizes = {"intermediate_size": rng.randint(1, 40), "out_hidden_size": rng.randint(1, 40)}
    return _qwen(rng, _tower(rng, "hidden_size") | _some(rng, sizes, 0.9))


def _tower_at_positions(rng: Random) -> Settings:
    """Qwen3-VL's tower; all keys may be absent but what would make it large."""
    depth = {rng.choice(["depth", "num_hidden_layers"]): rng.randint(1, 4)}
    sizes = {name: rng.randint(1, 40) for name in ("intermediate_size", "out_hidden_size", "num_position_embeddings")}
    more = {"patch_size": rng.randint(1, 9), "temporal_patch_size": rng.randint(1, 3), "in_channels": rng.randint(1, 4)}
    return _tower(rng, "hidden_size") | depth | sizes | _some(rng, more, 0.8) | {"spatial_merge_size": rng.randint(1, 3)}


def _with_tower(rng: Random, text: Settings, tower: Settings) -> Settings:
    return {"text_config": text, "vision_config": tower} | _some(rng, _sizes(rng, "tie_word_embeddings"), 0.8)


def _deepstack(rng: Random, tower: Settings) -> Settings:
    """Mergers for some layers, or for the three that the library has, in a tower that is deep enough."""
    if rng.random() < 0.3:
        return _without(tower, "num_hidden_layers") | {"depth": rng.randint(25, 27)}
    depth = tower.get("depth") or tower["num_hidden_layers"]
    return tower | {"deepstack_visual_indexes": rng.sample(range(depth), rng.randint(0, depth))}


def qwen3_vl(rng: Random) -> Settings:
    return _with_tower(rng, qwen3_vl_text(rng), _deepstack(rng, _tower_at_positions(rng)))


def qwen3_5(rng: Random) -> Settings:
    settings = _with_tower(rng, _without_labels(qwen3_5_text(rng)), _tower_at_positions(rng))
    return settings | _sizes(rng, "num_labels") | _some(rng, {"token_classification_bias": rng.random() < 0.5})


def qwen3_5_moe(rng: Random) -> Settings:
    return _with_tower(rng, _without_labels(qwen3_5_moe_text(rng)), _tower_at_positions(rng))


def _without_labels(text: Settings) -> Settings:
    return _without(text, "num_labels id2label token_classification_bias")


def qwen3_vl_moe(rng: Random) -> Settings:
    return _with_tower(rng, qwen3_vl_moe_text(rng), _deepstack(rng, _tower_at_positions(rng)))


SPACES: dict[str, Callable[[Random], Mapping[str, Any]]] = {
    name: draw
    for name, draw in vars().items()
    if callable(draw) and name[0] != "_" and getattr(draw, "__module__", "") == __name__
}

# Odd settings: activations that learn, cross-attention, summaries of every kind ----------------------------------------

WORDS = ("gelu", "relu2", "silu", "prelu", "xielu")
LISTED = {"attention_window", "layer_types", "attention_types", "layers_block_type"}  # lists of an entry for each layer
COMPOUND = {"feed_forward_proj": ("{}", "gated-{}")}  # T5's word is an activation, or a gate with one


def with_activations(family: str, settings: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Settings with an activation, in one model of two, under each of the family's keys for one."""
    known = library(architecture(family))
    assert known is not None
    drawn = dict(settings)
    for name, choice in known.choices.items():
        if not name.endswith("activation") or rng.random() < 0.5:
            continue
        section, _, key = choice.names[0].rpartition(".")
        word = rng.choice(COMPOUND.get(key, ("{}",))).format(rng.choice(WORDS))
        drawn |= {section: {**(drawn.get(section) or {}), key: word}} if section else {key: word}
    return drawn


def with_none(family: str, settings: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Settings with, in one model of eight each, none of something, or key-value heads that do not divide the others."""
    known = library(architecture(family))
    assert known is not None
    drawn = dict(settings)
    for dimension in (symbols.L, symbols.n_types, symbols.n_experts, symbols.n_shared, symbols.L_dec):
        key = known.keys.get(dimension)
        is_nothing = key is not None and not key.least and not key.section
        if key and is_nothing and rng.random() < 0.125 and not LISTED & set(drawn):
            drawn = {name: value for name, value in drawn.items() if name not in key.names} | {key.names[0]: 0}
    if symbols.n_kv_heads in known.keys and rng.random() < 0.125:
        drawn[known.keys[symbols.n_kv_heads].names[0]] = 5
    if family in ("bloom", "falcon") and rng.random() < 0.5:
        drawn["n_embed"] = rng.choice([None, drawn["hidden_size"]])
    return drawn


def with_odd_keys(family: str, class_name: str, settings: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Settings with whatever else can change a parameter of the class, in one model of two each."""
    known = library(architecture(family))
    assert known is not None
    drawn = with_none(family, with_activations(family, settings, rng), rng)
    if features.cross_attention in known.flags and rng.random() < 0.5:
        drawn |= {"add_cross_attention": True, "is_decoder": True, "multi_query": False}
    if features.summary_projection in known.flags and rng.random() < 0.5:
        to_labels = rng.random() < 0.5 and not class_name.endswith("ForMultipleChoice")
        drawn |= {"summary_use_proj": rng.random() < 0.7, "summary_proj_to_labels": to_labels}
    return drawn
