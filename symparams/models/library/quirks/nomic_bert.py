"""Nomic BERT as its authors ship it: one word names the activation and whether there is a gate, one number the positions."""

from __future__ import annotations

from symparams.errors import ConfigError, quoted
from symparams.expressions.symbols import V, d_ff, h, n_heads
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings

GATES = {"swiglu": "silu", "geglu": "gelu", "glu": "sigmoid"}
PLAIN = {"gelu": "gelu", **dict.fromkeys(("gelu_new", "gelu_fast", "gelu_pytorch_tanh"), "gelu_pytorch_tanh")}
MULTIPLE = 256  # that of the inner size of a network with a gate
FRACTION, DEFAULT = "rotary_emb_fraction", "gelu_new"


def word(settings: Settings) -> str:
    """The activation's word in the config; GPT-2's where there is none."""
    return settings.word("activation_function", DEFAULT) or DEFAULT


def has_gate(settings: Settings, library: Library) -> bool:
    """SwiGLU, GeGLU and GLU have a gate."""
    return word(settings) in GATES


def activation(settings: Settings, library: Library) -> str:
    """That of the gate; a network without one has the exact GELU, whichever GELU the word names.

    "" without a config, where the definition has the say.
    """
    return GATES.get(word(settings), "gelu") if settings.values else ""


def head_activation(settings: Settings, library: Library) -> str:
    """The head has SiLU beside SwiGLU, and otherwise a GELU, by tanh where the word of a network without a gate asks for it.

    "" without a config, where the definition has the say.
    """
    own = {"swiglu": "silu", **PLAIN}
    return own.get(word(settings), "gelu") if settings.values else ""


def padded_words(settings: Settings, library: Library) -> int:
    """The table of tokens has as many rows as the next multiple of pad_vocab_size_multiple."""
    words, multiple = library.need(settings, V), settings.need("pad_vocab_size_multiple", default=1)
    return -(-words // multiple) * multiple


def inner_size(settings: Settings, library: Library) -> int:
    """With a gate the next multiple of 256 from n_inner on, or from 8/3 of the width; without one n_inner, or 4 of them."""
    width, given = library.need(settings, h), library.keys[d_ff].read(settings)
    if not has_gate(settings, library):
        return given or 4 * width
    return -(-(given or 8 * width // 3) // MULTIPLE) * MULTIPLE


def has_learned_positions(settings: Settings, library: Library) -> bool:
    """There is a table of positions where no part of a head is turned; without a config the definition has the say."""
    return bool(settings.values) and not _fraction(settings)


def check(settings: Settings, library: Library) -> None:
    """What the authors' code computes otherwise than any tree here, or refuses itself."""
    if settings.has("img_size"):
        raise ConfigError("img_size in the config: the image encoder of nomic-embed-vision is not supported.")
    for key in ("num_experts", "moe_every_n_layers"):
        if settings.values.get(key):
            raise ConfigError(f"{key} in the config: the mixture of experts of nomic-embed-text-v2-moe is not supported.")
    if settings.flag("prenorm"):
        raise ConfigError(
            "prenorm = true in the config: only false is supported; the authors' text model then leaves its last residual out."
        )
    if settings.flag("norm_mlp"):
        raise ConfigError("norm_mlp = true in the config: only false is supported, no norm within the feed-forward network.")
    heads = library.need(settings, n_heads)
    if settings.size("num_heads_kv") not in (None, heads):
        raise ConfigError(
            f"num_heads_kv in the config: the authors' code cuts queries, keys and values alike, into {heads} heads."
        )
    if settings.flag("mlp_fc1_bias", default=True) is not settings.flag("mlp_fc2_bias", default=True):
        raise ConfigError("mlp_fc1_bias and mlp_fc2_bias differ in the config: only both biases or neither are supported.")
    if word(settings) not in {*GATES, *PLAIN}:
        known = ", ".join((*GATES, *PLAIN))
        raise ConfigError(f"activation_function = {quoted(word(settings))} in the config: the authors' code takes {known}.")


def _fraction(settings: Settings) -> float:
    fraction = settings.values.get(FRACTION) or 0
    if isinstance(fraction, bool) or not isinstance(fraction, (int, float)) or not 0 <= fraction <= 1:
        raise ConfigError(f"{FRACTION} = {quoted(fraction, 30)} in the config must be a number from 0 to 1.")
    return fraction
