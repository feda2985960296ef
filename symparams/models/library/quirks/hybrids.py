"""Hybrid layers: those before whose state space stands a transformer block, of which a few are used in turn (Zamba)."""

from __future__ import annotations

from collections.abc import Sequence

from symparams.errors import ConfigError
from symparams.expressions.symbols import L, L_own, d_head, expand, h, n_groups, n_heads, n_ssm_heads
from symparams.models.library.quirks import layer_kinds
from symparams.models.library.record import Library
from symparams.models.library.settings import MOST_DIGITS, Settings

RULE, OFFSET = ("attn_layer_period", 1), ("attn_layer_offset", 1 - 10**MOST_DIGITS)


def heads(settings: Settings, library: Library) -> int | None:
    """In the keys of Zyphra's own code, those of its first files, the size of a head of the state space tells their number."""
    width = settings.size("mamba_headdim")
    given = library.keys[n_ssm_heads].read(settings)
    if width is None or settings.has(*library.keys[n_ssm_heads].names):
        return given
    inner = library.need(settings, expand) * library.need(settings, h)
    if inner % width:
        raise ConfigError(f"mamba_headdim = {width} in the config does not divide the inner size, {inner}.")
    return inner // width


def groups(settings: Settings, library: Library) -> int | None:
    """A file in the keys of that code that names no number of groups has one."""
    is_own = settings.has("lora_rank") and not settings.has(*library.keys[n_groups].names)
    return 1 if is_own else library.keys[n_groups].read(settings)


def attention_adapters(settings: Settings, library: Library) -> bool:
    """The switch of the library, or that of Zyphra's own code."""
    return settings.flag("use_shared_attention_adapter", default=settings.flag("use_shared_attention_lora"))


def given_head(settings: Settings, library: Library) -> int | None:
    """The size of a head, which Zamba's config may give."""
    return library.keys[d_head].read(settings) or head(settings, library)


def recurrent(settings: Settings, library: Library) -> tuple[int, ...]:
    """The layers that are not hybrid."""
    hybrid = _hybrid(settings, library)
    return tuple(layer for layer in range(len(_words(settings, library))) if layer not in hybrid)


def head(settings: Settings, library: Library) -> int | None:
    """The library takes any number of heads, and rounds 2·h / n_heads down to the size of a head."""
    width, heads = 2 * library.need(settings, h), library.need(settings, n_heads)
    return width // heads if width % heads else None


def own(settings: Settings, library: Library) -> tuple[int, ...]:
    """The hybrid layers with a block of their own: the first of them, as many as there are blocks."""
    return _hybrid(settings, library)[: _blocks(settings, library)]


def shared(settings: Settings, library: Library) -> tuple[int, ...]:
    """All others, which use these blocks in turn."""
    return _hybrid(settings, library)[_blocks(settings, library) :]


def adapters_of_own(settings: Settings, library: Library) -> tuple[tuple[int, int], ...]:
    """Where the library keeps the adapters of each: in the layer with the block, by their place among the hybrid layers."""
    return _adapters(settings, library)[: _blocks(settings, library)]


def adapters_of_shared(settings: Settings, library: Library) -> tuple[tuple[int, int], ...]:
    """The same of the layers that share a block."""
    return _adapters(settings, library)[_blocks(settings, library) :]


def check(settings: Settings, library: Library) -> None:
    """Blocks are untied with the word embeddings, and then each layer has the adapters of all that would share its block."""
    listed, number = library.extra["listed"], library.need(settings, L)
    if not any(settings.has(name) for name in listed) and number != len(library.extra["usual"]):
        raise ConfigError(f"num_hidden_layers = {number} in the config needs {listed[0]}: say which layers are hybrid.")
    for key, needed in (("use_shared_block_lora", True), ("gated_linear_unit", True), ("ft_lora", False)):
        if settings.flag(key, default=needed) is not needed:
            raise ConfigError(f"{key} = {str(not needed).lower()} in the config: transformers has no such Zamba2.")
    if shared(settings, library) and not settings.flag("tie_word_embeddings", default=True):
        raise ConfigError(
            "tie_word_embeddings = false in the config: transformers then gives each hybrid layer a block of its own, with "
            "the adapters of all; leave it out, or give as many num_mem_blocks as there are hybrid layers."
        )


def check_zamba(settings: Settings, library: Library) -> None:
    """Attention reads the stream and the embedding, and nothing of another size; the library stops at a block with no other."""
    if own(settings, library) and not shared(settings, library) and settings.flag("tie_word_embeddings", default=True):
        raise ConfigError("A single hybrid layer in the config: transformers builds Zamba with none, or with several.")
    width, given = 2 * library.need(settings, h), settings.size("attention_hidden_size")
    if given not in (None, width):
        raise ConfigError(f"attention_hidden_size = {given} in the config is not 2·hidden_size = {width}: give that.")


def _words(settings: Settings, library: Library) -> Sequence[str]:
    """The words of the layers; Zamba's config may give a rule in their place, for those after the first."""
    extra = library.extra
    if "first" not in extra or any(settings.has(name) for name in extra["listed"]):
        return layer_kinds.words(settings, library)
    period, offset = (settings.need(key, default=extra[key], least=least) for key, least in (RULE, OFFSET))
    others = range(library.need(settings, L) - len(extra["first"]))
    words = [*extra["first"], *("hybrid" if i % period == offset else "linear_attention" for i in others)]
    if len(words) != library.need(settings, L):
        raise ConfigError(f"num_hidden_layers in the config needs {extra['listed'][0]} where it is less than {len(words)}.")
    return words


def _hybrid(settings: Settings, library: Library) -> tuple[int, ...]:
    kinds = library.extra["kinds"][L_own.name]
    return tuple(layer for layer, word in enumerate(_words(settings, library)) if word in kinds)


def _blocks(settings: Settings, library: Library) -> int:
    if "num_mem_blocks" not in library.extra:
        return 1
    return settings.need("num_mem_blocks", default=library.extra["num_mem_blocks"])


def _adapters(settings: Settings, library: Library) -> tuple[tuple[int, int], ...]:
    layers, blocks = _hybrid(settings, library), _blocks(settings, library)
    return tuple((layers[use % blocks], use) for use in range(len(layers)))
