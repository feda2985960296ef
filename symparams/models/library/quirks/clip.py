"""CLIP, and what else has two encoders or an encoder and a decoder, each with a config of its own."""

from __future__ import annotations

from symparams.errors import ConfigError
from symparams.expressions.symbols import h_text, h_vision, n_heads_text, n_heads_vision
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings


def check(settings: Settings, library: Library) -> None:
    """The library refuses a hidden size that its heads do not divide."""
    for width_of, heads_of in ((h_text, n_heads_text), (h_vision, n_heads_vision)):
        width, number = library.need(settings, width_of), library.need(settings, heads_of)
        if width % number:
            section, _, name = library.key(width_of).rpartition(".")
            heads = library.key(heads_of).rpartition(".")[2]
            raise ConfigError(f"{section}: {name} = {width} is not a multiple of {heads} = {number}.")
