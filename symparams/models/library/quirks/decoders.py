"""Decoders: the size of a head, how many share a key and a value, and switches of Falcon, OPT, Phi that decide in pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symparams.errors import ConfigError
from symparams.expressions.symbols import L, d_emb, d_head, h, n_heads, n_kv_heads
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings

TWO_NORMS = 2
NO_ROPE_LAYERS = "no_rope_layers"


def width(settings: Settings, library: Library) -> int | None:
    """BLOOM and Falcon take n_embed, an older spelling, before hidden_size, but where it is null."""
    return settings.size("n_embed") or settings.size("hidden_size", default=library.keys[h].default)


def rounded(settings: Settings, library: Library) -> int | None:
    """The library takes any n_heads, and rounds h / n_heads down to the size of a head where no key gives it."""
    given = library.keys[d_head].read(settings)
    width, heads = library.size(settings, h), library.size(settings, n_heads)
    if given is not None or not width or not heads or width % heads == 0:
        return given
    return width // heads or None


def turned_by_rule(settings: Settings, library: Library) -> dict[str, Any]:
    """An empty no_rope_layers, as in published files of Llama 4, stands for the library's rule, as null does."""
    return {name: value for name, value in settings.values.items() if name != NO_ROPE_LAYERS or value}


def one_or_all(settings: Settings, library: Library) -> int | None:
    """One switch, multi_query, says whether all queries share one head of key and value, or have one each."""
    return 1 if settings.flag("multi_query", default=True) else library.size(settings, n_heads)


def one_each_or_groups(settings: Settings, library: Library) -> int | None:
    """ChatGLM's multi_query_group_num counts where multi_query_attention is on; otherwise each query has its own."""
    if settings.flag("multi_query_attention"):
        return library.keys[n_kv_heads].read(settings)
    return library.size(settings, n_heads)


def any_input_bias(settings: Settings, library: Library) -> bool:
    """The matrix of ChatGLM's queries, keys and values has a bias by the switch for all matrices, or by its own."""
    return any([settings.flag("add_bias_linear"), settings.flag("add_qkv_bias")])


def without_most_positions(settings: Settings, library: Library) -> bool:
    """The code that goes with Baichuan's larger models has ALiBi, and their configs have no max_position_embeddings."""
    return not settings.has("max_position_embeddings")


def check_chatglm(settings: Settings, library: Library) -> None:
    """ChatGLM-6B, the first, shares its model_type and is another architecture; no published model has these switches."""
    for key in ("position_encoding_2d", "inner_hidden_size"):
        if key in settings.values:
            raise ConfigError(f"{key} in the config: that is ChatGLM-6B, the first of its name, which is another architecture.")
    for key in ("rmsnorm", "post_layer_norm"):
        if not settings.flag(key, default=True):
            raise ConfigError(f"{key} = false in the config: only true is supported.")
    if settings.values.get("pre_seq_len") is not None:
        raise ConfigError("pre_seq_len in the config: the vectors of a learned prefix are not supported.")


def falcon_heads(settings: Settings, library: Library) -> int | None:
    """Falcon's new architecture has any number of key-value heads; in the old one a switch decides."""
    if settings.flag("new_decoder_architecture"):
        return settings.size("num_kv_heads") or library.size(settings, n_heads)
    return one_or_all(settings, library)


def has_rotary_positions(settings: Settings, library: Library) -> bool:
    """Granite 4 has no positions but where this key says "rope"."""
    return settings.word("position_embedding_type") == "rope"


def check_attention_head_dim(settings: Settings, library: Library) -> None:
    """The library does not read attention_head_dim, an older spelling: it takes head_dim, or its default."""
    given, head = settings.size("attention_head_dim"), settings.size("head_dim", default=library.keys[d_head].default)
    if given not in (None, head):
        raise ConfigError(
            f"attention_head_dim = {given} in the config: transformers does not read it, and takes head_dim = {head}."
        )


def separate_norms(settings: Settings, library: Library) -> bool:
    """Falcon's attention and feed-forward have a norm each, but side by side they may share one."""
    if not settings.flag("parallel_attn", default=True):
        return True
    number = settings.size("num_ln_in_parallel_attn", least=0)
    return number == TWO_NORMS or (number is None and settings.flag("new_decoder_architecture"))


def projects(settings: Settings, library: Library) -> bool:
    """OPT projects its embedding where that has a width of its own."""
    return library.size(settings, d_emb) not in (None, library.size(settings, h))


def closing_norm(settings: Settings, library: Library) -> bool:
    """OPT norms after the last layer where the norms come first, but for checkpoints that dropped it."""
    return settings.flag("do_layer_norm_before", default=True) and not settings.flag("_remove_final_layer_norm")


def all_with_window(settings: Settings, library: Library) -> Mapping[str, Any]:
    """Without layer_types the library gives the window to every layer."""
    if settings.has("layer_types"):
        return settings.values
    return {**settings.values, "layer_types": ["sliding_attention"] * library.need(settings, L)}


def pattern_if_read(settings: Settings, library: Library) -> Mapping[str, Any]:
    """The library reads sliding_window_pattern only where there is a window and no layer_types; files have "LLLG" under it."""
    is_read = settings.values.get("sliding_window", True) and not settings.has("layer_types")
    return settings.values if is_read else {k: v for k, v in settings.values.items() if k != "sliding_window_pattern"}


def check_phi(settings: Settings, library: Library) -> None:
    """Phi's norms of query and key are of length h / n_heads in the library, whatever the size of a head."""
    head, width, heads = (library.size(settings, dimension) for dimension in (d_head, h, n_heads))
    if settings.flag("qk_layernorm") and head and width and heads and head != width // heads:
        raise ConfigError(f"head_dim = {head} with qk_layernorm in the config: give it h / n_heads, or leave it out.")
