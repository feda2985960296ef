"""Writers: a model's features and sizes as a config says them, for what no key or flag by itself says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symparams.architectures._mixed_stacks import KINDS
from symparams.errors import OptionError
from symparams.expressions.symbols import L, L_dense, L_text, n_shared
from symparams.models.library.quirks.gemma3n import SHARE, SPARSITY
from symparams.models.library.quirks.images import DEEPSTACK
from symparams.models.library.quirks.layer_kinds import LINEAR
from symparams.models.library.quirks.shared_layers import GLOBAL, LOCAL, OWN, TYPES
from symparams.models.library.quirks.short_convolutions import ADJUSTS, ATTENDING, OLD
from symparams.models.library.quirks.state_spaces import attention_layers, expert_layers
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings, put

Sizes = Mapping[str, int]  # by the names of their letters
BLOCKS = "layers_block_type"


def albert(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """Each layer that is stored is a group of one layer."""
    config |= {"num_hidden_groups": sizes["L_stored"], "inner_group_num": 1}


def dbrx(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The base of the rotary positions, without which the library builds no attention."""
    config["attn_config"] = {"rope_theta": 500_000, **config.get("attn_config", {})}


def speech(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """Convolutions of one width, their norms, and whether something is masked or adapted."""
    config |= {"conv_dim": 7 * [sizes["h_conv"]], "feat_extract_norm": "layer" if "conv_norms" in present else "group"}
    config |= {"mask_time_prob": 0.05 if "mask_vector" in present else 0.0, "mask_feature_prob": 0.0}
    if "adapters" not in present:
        config["adapter_attn_dim"] = None


def deberta(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The relative positions: how many, and what attends to what."""
    kinds = {"c2p": "content_to_position", "p2c": "position_to_content"}
    config["pos_att_type"] = [word for word, feature in kinds.items() if feature in present]
    if "max_rel" in sizes:
        config["max_relative_positions"] = sizes["max_rel"]


def deberta_v2(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The relative positions: how many, whether normed, and what attends to what through projections of its own."""
    kinds = {"c2p": "content_to_position" in present, "p2c": "position_to_content" in present}
    has_own = any(kinds.values())
    config["norm_rel_ebd"] = "layer_norm" if "relative_position_norm" in present else "none"
    config["share_att_key"] = not has_own
    config["pos_att_type"] = [word for word, is_there in kinds.items() if is_there or not has_own]
    if "max_rel" in sizes:
        config["position_buckets"] = sizes["max_rel"]


def esm(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """A word says whether positions are learned or turn queries and keys."""
    config["position_embedding_type"] = "absolute" if "position_embeddings" in present else "rotary"


def nomic_bert(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """A word says whether there is a gate, a fraction whether positions turn; both matrices of a network have biases alike."""
    config["mlp_fc2_bias"] = config["mlp_fc1_bias"]
    config["rotary_emb_fraction"] = 0.0 if "position_embeddings" in present else 1.0
    if ("gated_feed_forward" in present) is not (config.get("activation_function") in ("swiglu", "geglu", "glu")):
        config["activation_function"] = "swiglu" if "gated_feed_forward" in present else "gelu"


def ranks(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """Without compression there is no rank of the queries."""
    if "query_compression" not in present:
        config["q_lora_rank"] = None


def paligemma(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The text model is Gemma 2, whose sublayers have a norm after them, too, or Gemma."""
    config["text_config"] = {**config.get("text_config", {}), "model_type": "gemma2" if "post_norms" in present else "gemma"}


def experts_after(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The layers without experts come first."""
    first, others = _numbers(("L_dense", "L_moe"), present, sizes)
    config |= {"num_hidden_layers": first + others, library.key(L_dense): first}


def shared_experts(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """There may be no shared experts."""
    if "shared_experts" not in present:
        config[library.key(n_shared)] = 0


def sparse_layers(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The layers without experts, which come first, are listed with the others."""
    first, others = _numbers(("L_dense", "L_moe"), present, sizes)
    config["mlp_layer_types"] = [*first * ["dense"], *others * ["sparse"]]


def experts_among(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The layers without experts by their numbers, as if they came first."""
    first, others = _numbers(("L_dense", "L_moe"), present, sizes)
    layers = {"num_hidden_layers": first + others, "decoder_sparse_step": 1, "mlp_only_layers": list(range(first))}
    _put_of_text(config, layers, sizes)


def experts_interleaved(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The layers with experts by their numbers, as if they came last."""
    first, others = _numbers(("L_dense", "L_moe"), present, sizes)
    layers = {"num_hidden_layers": first + others, "moe_layers": list(range(first, first + others))}
    _put_of_text(config, layers, sizes)


def _put_of_text(config: dict[str, Any], layers: Mapping[str, Any], sizes: Sizes) -> None:
    """Put settings of a text model into its config, which may stand within a composite's."""
    if "h" in sizes:
        config |= layers
    else:
        config["text_config"] = {**config.get("text_config", {}), **layers}


def deepstack(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """As many layers of the image encoder as have a merger: those of the config, or else the first ones."""
    vision, number = config.get("vision_config") or {}, sizes.get("n_deepstack", 0)
    if len(vision.get(DEEPSTACK, ())) != number:
        config["vision_config"] = {**vision, DEEPSTACK: list(range(number))}


def windows_and_whole(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The layers that attend to the whole image: those of the config where they are as many, else the last of each group."""
    whole, windowed = _numbers(("L_full", "L_windowed"), present, sizes)
    layers = whole + windowed
    listed = {index for index in config.get("global_attn_indexes") or () if index in range(layers)}
    config["num_hidden_layers"] = layers
    if len(listed) != whole:
        config["global_attn_indexes"] = [layers * (group + 1) // whole - 1 for group in range(whole)]


def masks(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The sizes that SAM's config gives otherwise or more than once: vectors of one length, one mask more than outputs."""
    width, tower = sizes["h"], config.get("vision_config") or {}
    config["vision_config"] = {**tower, "output_channels": width, "num_pos_feats": width // 2}
    prompt = {"image_size": sizes["image"], "patch_size": sizes["patch"]}
    config["prompt_encoder_config"] = {**(config.get("prompt_encoder_config") or {}), **prompt}
    config["mask_decoder_config"] = {
        **(config.get("mask_decoder_config") or {}),
        "hidden_size": width,
        "attention_downsample_rate": width // (sizes["n_heads"] * sizes["d_head_final"]),
        "num_multimask_outputs": sizes["n_masks"] - 1,
        "iou_head_depth": sizes.get("L_iou", 0) + 2,
    }


def backbone(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """A ResNet of timm by its name, where its stages are trained, or else the library's own by its sizes."""
    config["position_embedding_type"] = "learned" if "position_embeddings" in present else "sine"
    depths, widths = ([sizes[f"{letter}_{stage}"] for stage in (1, 2, 3, 4)] for letter in ("L", "h"))
    if "trained_stages" not in present:
        own = {"embedding_size": sizes["h_0"], "hidden_sizes": widths, "depths": depths, "num_channels": sizes["n_channels"]}
        every = {"model_type": "resnet", "out_features": ["stage1", "stage2", "stage3", "stage4"], **own}
        config |= {"use_timm_backbone": False, "backbone_config": every}
        return
    named = [name for name, layers in library.extra["timm"].items() if layers == depths]
    if not named or (sizes["h_0"], widths) != (library.extra["embedding_size"], library.extra["hidden_sizes"]):
        raise OptionError(f"timm has no ResNet of {depths} layers and {widths} channels: exclude trained_stages.")
    config |= {"use_timm_backbone": True, "backbone": named[0], "num_channels": sizes["n_channels"]}
    config.pop("backbone_config", None)


def falcon(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The new architecture where some, but not all, queries share heads; how many norms stand side by side."""
    shared, has_two = sizes["n_kv_heads"], "separate_norms" in present
    config["multi_query"] = shared == 1
    config["new_decoder_architecture"] = shared not in (1, sizes["n_heads"]) or ("parallel_attention" in present and has_two)
    config |= {"num_kv_heads": shared, "num_ln_in_parallel_attn": 2 if has_two else 1}


def one_or_all(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """One switch says whether all queries share one head of key and value."""
    config["multi_query"] = sizes["n_kv_heads"] == 1


def turns(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """Layers that take turns: a period and an offset by which as many attend, and as many have experts.

    Those of the config, or else the library's, where they pick so many: which layers these are decides the names.
    """
    first, others, attending = _numbers(("L_dense", "L_moe", "L_attn"), present, sizes)
    config["num_hidden_layers"] = first + others
    if attention_layers(Settings(config), library) != attending:
        config |= _turn("attn_layer", attending, first + others)
    if expert_layers(Settings(config), library) != others:
        config |= _turn("expert_layer", others, first + others)


def listed_turns(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The layers that attend by their indices: those of the config, or the first ones where these are not as many."""
    attending, recurring = _numbers(("L_attn", "L_mamba"), present, sizes)
    config["num_hidden_layers"] = attending + recurring
    listed = {index for index in config.get("attn_layer_indices") or () if index in range(config["num_hidden_layers"])}
    if len(listed) != attending:
        config["attn_layer_indices"] = list(range(attending))


def layer_kinds(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The kind of each layer by its word; words of the config stay where as many are of each kind."""
    kinds, keys = library.extra["kinds"], tuple(library.extra["listed"])
    where, names = Settings(config).place(keys)
    listed, _ = where.find(names)
    words = _words(where.listed(listed), {name: word for name, (word, *_) in kinds.items()}, present, sizes)
    put(config, keys, words)
    for letter in (L, L_text):
        if letter in library.keys:
            library.keys[letter].write(config, len(words))


def short_convolutions(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The size of the network as it is, and none of the keys of the first files."""
    config[ADJUSTS] = False
    for old in (*OLD, ATTENDING):
        config.pop(old, None)


def first_dense(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """How many layers without experts come first."""
    [config[library.key(L_dense)]] = _numbers(("L_dense",), present, sizes)


def granite(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """A word says whether positions turn; without experts their number is 0, and the one network is the shared one."""
    config["position_embedding_type"] = "rope" if "rotary_positions" in present else None
    if "moe_layers" not in present:
        config |= {"num_local_experts": 0, "shared_intermediate_size": sizes["d_ff"]}


def nemotron(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The words of the layers stand in place of a pattern. Without a latent size there is none."""
    config.pop("hybrid_override_pattern", None)
    if "latent_experts" not in present:
        config["moe_latent_size"] = None


def hybrids(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The kind of each layer, and how many blocks there are; words of the config stay where as many are of each kind."""
    words = _words(config.get(BLOCKS), {"L_mamba": LINEAR, "L_own": "hybrid", "L_shared": "hybrid"}, present, sizes)
    config |= {"num_hidden_layers": len(words), BLOCKS: words}
    config["use_shared_attention_adapter"] = "attention_adapters" in present
    [own] = _numbers(("L_own",), present, sizes)
    if own:
        config["num_mem_blocks"] = own


def zamba(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The kind of each layer; all hybrid layers share one block."""
    mine: dict[str, Any] = {BLOCKS: config.get(BLOCKS)}
    hybrids(mine, present, sizes, library)
    if mine.get("num_mem_blocks", 1) != 1:
        raise OptionError("transformers shares one block among all hybrid layers of Zamba: L_own must be 1.")
    config |= {name: mine[name] for name in ("num_hidden_layers", BLOCKS)}


def marian(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The decoder's vocabulary, where it has one of its own."""
    config["decoder_vocab_size"] = sizes.get("V_dec")


def opt(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """A stack of pre-norm layers that ends without a norm."""
    config["_remove_final_layer_norm"] = "closing_norm" not in present


def _shared_layers(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """Local and global layers, listed one by one unless the config lists as many of each; those that share stand last."""
    local, whole, local_shared, whole_shared = numbers = _numbers([kind.name for kind in OWN], present, sizes)
    config |= {"num_hidden_layers": sum(numbers), "num_kv_shared_layers": local_shared + whole_shared}
    if config.get(TYPES) is not None and tuple(library.size(Settings(config), kind) for kind in OWN) == numbers:
        return
    config[TYPES] = [LOCAL] * local + [GLOBAL] * whole + [LOCAL] * local_shared + [GLOBAL] * whole_shared


def gemma3n(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The layers, and whether all of them or none have a sparse gate, unless the config lists which."""
    _shared_layers(config, present, sizes, library)
    number, listed = config["num_hidden_layers"], config.get(SPARSITY)
    if listed is None or len(listed) != number or any(listed) != ("gate_sparsity" in present):
        config[SPARSITY] = [SHARE if "gate_sparsity" in present else 0.0] * number


def gemma4_audio(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The channels of the two convolutions are one list; a frame that sees ahead sees one more, unless told otherwise."""
    if "h_conv_1" not in sizes:
        return
    config["subsampling_conv_channels"] = [sizes["h_conv_1"], sizes["h_conv_2"]]
    config["attention_context_right"] = int("bidirectional" in present) * max(config.get("attention_context_right", 1), 1)


def gemma4(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The layers, the inputs of each layer's own, and sizes that follow from switches."""
    _shared_layers(config, present, sizes, library)
    config["hidden_size_per_layer_input"] = sizes["d_layer"] if "per_layer_inputs" in present else 0
    config["use_double_wide_mlp"] = sizes.get("d_ff_shared", sizes["d_ff"]) != sizes["d_ff"]
    shared = sizes.get("n_kv_global", sizes["n_kv_heads"])
    if shared != sizes["n_kv_heads"] and "key_is_value" not in present:
        section = {"head_dim": sizes["d_head_global"], "num_key_value_heads": shared}
        config["per_layer_config"] = {str(i): section for i, kind in enumerate(config[TYPES]) if kind == GLOBAL}
    config["use_bidirectional_attention"] = "all" if "bidirectional" in present else None


def state_space(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The inner size and, in Mamba, the rank of the time step."""
    config["intermediate_size"] = sizes["d_inner"]
    if sizes["d_inner"] % sizes["h"] == 0:
        config["expand"] = sizes["d_inner"] // sizes["h"]
    if "r_dt" in sizes:
        config["time_step_rank"] = sizes["r_dt"]


def t5(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The gate is a part of the word for the activation; an output of its own where the model does not tie."""
    activation = str(config.get("feed_forward_proj") or "relu").rpartition("-")[2]
    config["feed_forward_proj"] = f"gated-{activation}" if "gated_feed_forward" in present else activation
    config["tie_word_embeddings"] = "tying" in present
    config.pop("is_gated_act", None)


def dinov2(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The size of the feed-forward as a multiple of h; with a gate it is two thirds of that."""
    thirds = 3 if "gated_feed_forward" in present else 2
    config["mlp_ratio"] = thirds * sizes["d_ff"] // (2 * sizes["h"])


def internvl(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The side of the squares of patches as the share that is left of the image's side."""
    config["downsample_ratio"] = 1 / sizes["merge"]


def internvl_vision(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """A word says which norms the layers have."""
    config["norm_type"] = "rms_norm" if "rms_norms" in present else "layer_norm"


def images(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """The size of the pooler, where it is not that of the layers."""
    if "d_pool" in sizes:
        config["pooler_output_size"] = sizes["d_pool"]


def xlnet(config: dict[str, Any], present: frozenset[str], sizes: Sizes, library: Library) -> None:
    """A word says whether a token sees what comes after it."""
    config["attn_type"] = "uni" if "causal" in present else "bi"


def _turn(which: str, number: int, layers: int) -> dict[str, int]:
    """A period and an offset that pick so many of the layers; OptionError where none do."""
    for period in (layers // number, -(-layers // number)) if number else (layers + 1,):
        offset = max(0, layers - number * period)
        if offset < period and -(-(layers - offset) // period) == number:
            return {f"{which}_period": period, f"{which}_offset": offset}
    raise OptionError(f"The library has no {which}_period by which {number} of {layers} layers take turns.")


def _numbers(letters: Sequence[str], present: frozenset[str], sizes: Sizes) -> tuple[int, ...]:
    """Return how many layers of each kind a model has."""
    return tuple(sizes[letter] if KINDS[letter] in present else 0 for letter in letters)


def _words(listed: list[str] | None, words: Mapping[str, str], present: frozenset[str], sizes: Sizes) -> list[str]:
    """Return the word of each layer, kind by kind; those that the config lists if it has as many of each."""
    numbers = zip(words.values(), _numbers(tuple(words), present, sizes), strict=True)
    own = [word for word, number in numbers for _ in range(number)]
    return listed if listed and sorted(listed) == sorted(own) else own
