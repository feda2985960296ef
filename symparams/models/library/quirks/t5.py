"""T5: one word, feed_forward_proj, says the activation and whether there is a gate; null ties the LM head."""

from __future__ import annotations

from symparams.errors import ConfigError, quoted
from symparams.expressions.symbols import L_enc
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings

GATED = "gated"
ENCODERS = (
    "EncoderModel",
    "ForTokenClassification",
)  # in the other classes each stack knows what it is, whatever the config says


def words(settings: Settings, library: Library) -> list[str]:
    """The parts of feed_forward_proj: a gate, where there is one, and the activation."""
    return (settings.word("feed_forward_proj", library.extra["feed_forward_proj"]) or "").split("-")


def gated_feed_forward(settings: Settings, library: Library) -> bool:
    """The gate is the first part of the word gated-gelu; is_gated_act has the say where it is there."""
    return settings.flag("is_gated_act", default=words(settings, library)[0] == GATED)


def activation(settings: Settings, library: Library) -> str | None:
    """The activation is the last part of the word, gated-gelu the library's gelu_new; dense_act_fn has the say over it.

    "" without a config, where the definition has the say: a gate's is another than that of a network without one.
    """
    if not settings.values:
        return ""
    last = words(settings, library)[-1]
    return settings.word("dense_act_fn", "gelu_new" if words(settings, library) == [GATED, "gelu"] else last)


def decoder_layers(settings: Settings, library: Library) -> int | None:
    """The decoder has num_layers layers; num_hidden_layers, the other spelling, is not read for it: the default stays."""
    return settings.size("num_decoder_layers") or settings.size("num_layers", default=library.keys[L_enc].default)


def tied(settings: Settings, library: Library) -> bool:
    """null under tie_word_embeddings leaves the LM head tied, where elsewhere it is off."""
    return settings.flag("tie_word_embeddings", default=True) or not settings.has("tie_word_embeddings")


def check(settings: Settings, library: Library) -> None:
    """The library refuses a feed_forward_proj of other parts; no tree here is an encoder with cross-attention."""
    *gate, last = words(settings, library)
    if gate not in ([], [GATED]) or last in ("", GATED):
        raise ConfigError(
            f"feed_forward_proj = {quoted(settings.values.get('feed_forward_proj'), 30)} in the config: "
            "write an activation, as in relu, or a gate with one, as in gated-gelu."
        )
    if settings.flag("is_decoder") and (named := settings.class_name).endswith(ENCODERS):
        raise ConfigError(f"is_decoder = true in the config: {named} is supported only as an encoder, without cross-attention.")
