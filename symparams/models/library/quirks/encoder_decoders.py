"""Models of two stacks: heads that must divide the width of each, BART's labels, and Marian's second vocabulary."""

from __future__ import annotations

from symparams.errors import ConfigError
from symparams.expressions.symbols import h, h_text, h_vision, n_heads_dec, n_heads_enc, n_heads_text, n_heads_vision
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings

LABELS = 3  # of natural language inference, which BART's classifier has by default


def check(settings: Settings, library: Library) -> None:
    """The library refuses a hidden size that the heads of a stack do not divide."""
    width = library.need(settings, h)
    for number in (n_heads_enc, n_heads_dec):
        heads = library.need(settings, number)
        if width % heads:
            raise ConfigError(f"{library.key(h)} = {width} in the config is not a multiple of {library.key(number)} = {heads}.")


def check_towers(settings: Settings, library: Library) -> None:
    """The library refuses a hidden size that its heads do not divide."""
    for width_of, heads_of in ((h_text, n_heads_text), (h_vision, n_heads_vision)):
        width, number = library.need(settings, width_of), library.need(settings, heads_of)
        if width % number:
            section, _, name = library.key(width_of).rpartition(".")
            heads = library.key(heads_of).rpartition(".")[2]
            raise ConfigError(f"{section}: {name} = {width} is not a multiple of {heads} = {number}.")


def bart_labels(settings: Settings, library: Library) -> int:
    """BART's classifier has three labels where the config says nothing of labels, not the library's usual two."""
    is_said = "num_labels" in settings.values or "_num_labels" in settings.values or settings.has("id2label")
    return settings.labels if is_said else LABELS


def target_vocabulary(settings: Settings, library: Library) -> int | None:
    """Marian's decoder has a vocabulary of its own, where 0 is none, as null is."""
    return settings.size("decoder_vocab_size", least=0) or None
