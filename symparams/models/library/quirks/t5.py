"""T5: one word, feed_forward_proj, says the activation and whether there is a gate; null ties the LM head."""

from __future__ import annotations

from symparams.errors import ConfigError, quoted
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings

GATED = "gated"


def words(settings: Settings, library: Library) -> list[str]:
    """The parts of feed_forward_proj: a gate, where there is one, and the activation."""
    return (settings.word("feed_forward_proj", library.extra["feed_forward_proj"]) or "").split("-")


def gated_feed_forward(settings: Settings, library: Library) -> bool:
    """The gate is the first part of the word gated-gelu."""
    return words(settings, library)[0] == GATED


def activation(settings: Settings, library: Library) -> str:
    """The activation is the last part of the word; the library reads gated-gelu as its gelu_new."""
    last = words(settings, library)[-1]
    return "gelu_new" if words(settings, library) == [GATED, "gelu"] else last


def tied(settings: Settings, library: Library) -> bool:
    """null under tie_word_embeddings leaves the LM head tied, where elsewhere it is off."""
    return settings.flag("tie_word_embeddings", default=True) or not settings.has("tie_word_embeddings")


def check(settings: Settings, library: Library) -> None:
    """The library refuses a feed_forward_proj of other parts; a T5 that is a decoder alone is no tree here."""
    *gate, last = words(settings, library)
    if gate not in ([], [GATED]) or last in ("", GATED):
        raise ConfigError(
            f"feed_forward_proj = {quoted(settings.values.get('feed_forward_proj'), 30)} in the config: "
            "write an activation, as in relu, or a gate with one, as in gated-gelu."
        )
    if settings.flag("is_decoder"):
        raise ConfigError("is_decoder = true in the config: only the encoder, or encoder and decoder, are known.")
