"""Options of the library that no tree here has: each is an error, never ignored."""

from __future__ import annotations

from symparams.errors import ConfigError, quoted
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings


def check_decoder(settings: Settings, library: Library) -> None:
    """The library adds cross-attention to a decoder alone."""
    if settings.flag("add_cross_attention") and not settings.flag("is_decoder"):
        raise ConfigError("add_cross_attention = true in the config needs is_decoder = true: only a decoder reads an encoder.")


def check_shared_heads(settings: Settings, library: Library) -> None:
    """The library has no cross-attention whose queries share one head of key and value."""
    if settings.flag("add_cross_attention") and settings.flag("multi_query", default=True):
        raise ConfigError("add_cross_attention = true in the config needs multi_query = false: transformers supports no other.")


def check_positions(settings: Settings, library: Library) -> None:
    """Relative positions, which older releases of the library had for BERT, add parameters that are not in the tree."""
    positions = settings.word("position_embedding_type")
    if positions not in (None, "absolute"):
        raise ConfigError(f'position_embedding_type = {quoted(positions)} in the config: only "absolute" is supported.')


def check_untied(settings: Settings, library: Library) -> None:
    """The library refuses to tie DBRX's head."""
    if settings.flag("tie_word_embeddings"):
        raise ConfigError("tie_word_embeddings = true in the config: only false is supported, an LM head of its own.")


def check_silu(settings: Settings, library: Library) -> None:
    """The activation of DBRX's experts is a name within an object, and every published one is SiLU."""
    chosen = settings.inner("ffn_config").inner("ffn_act_fn").word("name", "silu")
    if chosen != "silu":
        raise ConfigError(f'ffn_config.ffn_act_fn.name = {quoted(chosen)} in the config: only "silu" is supported.')


def check_xielu(settings: Settings, library: Library) -> None:
    """Apertus has xIELU in every published model, and its two learned numbers are part of the tree."""
    chosen = settings.word("hidden_act", "xielu")
    if chosen != "xielu":
        raise ConfigError(f'hidden_act = {quoted(chosen)} in the config: only "xielu" is supported.')
