"""Encoders of speech: lists of seven convolutions, where they are normed, what is masked, adapters."""

from __future__ import annotations

from symparams.errors import ConfigError, quoted
from symparams.expressions.symbols import h_conv
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings, read_whole

CHANNELS, KERNELS, MOVES = "conv_dim", "conv_kernel", "conv_stride"
STRIDES = [5, 2, 2, 2, 2, 2, 2]
DILATED, DILATIONS = "tdnn_dilation", [1, 2, 3, 1, 1]
NORMS = ("group", "layer")
ADAPTERS = "adapter_attn_dim"


def check_seven(settings: Settings, library: Library) -> None:
    """A tree here has seven convolutions, of as many channels each, which move as those of all published models do."""
    for name in (CHANNELS, KERNELS, MOVES):
        listed = settings.listed(name)
        if listed is not None and len(listed) != len(STRIDES):
            raise ConfigError(
                f"{name} has {len(listed)} entries in the config: only {len(STRIDES)} convolutions are supported."
            )
    channels, moves = settings.listed(CHANNELS), settings.listed(MOVES)
    if channels and any(one != channels[0] for one in channels):
        raise ConfigError(
            f"{CHANNELS} = {quoted(channels, 60)} in the config: only convolutions of equal widths are supported."
        )
    if moves not in (None, STRIDES):
        raise ConfigError(f"{MOVES} = {quoted(moves, 60)} in the config: only {STRIDES} is supported.")


def channels(settings: Settings, library: Library) -> int | None:
    """Every convolution has as many channels as the first."""
    listed = settings.listed(CHANNELS)
    return read_whole(f"{CHANNELS}[0]", listed[0]) if listed else library.keys[h_conv].default


def check_time_delay(settings: Settings, library: Library) -> None:
    """The head for a vector of the speaker has five layers, which look as far as those of all published models do."""
    for name in ("tdnn_dim", "tdnn_kernel", DILATED):
        listed = settings.listed(name)
        if listed is not None and len(listed) != len(DILATIONS):
            raise ConfigError(f"{name} has {len(listed)} entries in the config: only {len(DILATIONS)} layers are supported.")
    if settings.listed(DILATED) not in (None, DILATIONS):
        raise ConfigError(f"{DILATED} = {quoted(settings.listed(DILATED), 60)} in the config: only {DILATIONS} is supported.")


def check_activation(settings: Settings, library: Library) -> None:
    """The convolutions of every published model end in GELU."""
    chosen = settings.word("feat_extract_activation", "gelu")
    if chosen != "gelu":
        raise ConfigError(f'feat_extract_activation = {quoted(chosen)} in the config: only "gelu" is supported.')


def check_length(settings: Settings, library: Library) -> None:
    """Convolutions above the layers, which make the sequence shorter, have no tree here."""
    if settings.flag("add_adapter"):
        raise ConfigError(
            "add_adapter = true in the config is not supported: only an encoder without convolutions above it is."
        )


def check_batch_norm(settings: Settings, library: Library) -> None:
    """Statistics of a batch, over which some descendants of HuBERT norm the frames, are in no tree here."""
    if settings.flag("conv_pos_batch_norm"):
        raise ConfigError("conv_pos_batch_norm = true in the config: only false is supported, normalized weights.")


def has_norms_in_all(settings: Settings, library: Library) -> bool:
    """A word says whether each convolution is followed by a LayerNorm, or the first alone by a GroupNorm."""
    norms = settings.word("feat_extract_norm", NORMS[0])
    if norms not in NORMS:
        raise ConfigError(f'feat_extract_norm = {quoted(norms)} in the config: only "group" and "layer" are supported.')
    return norms == NORMS[1]


def masks(settings: Settings, library: Library) -> bool:
    """The vector of masked frames is there where something may be masked."""
    return any(settings.number(name, library.extra[name]) > 0 for name in ("mask_time_prob", "mask_feature_prob"))


def has_adapters(settings: Settings, library: Library) -> bool:
    """The library gives adapters to pre-norm layers alone."""
    return settings.has(ADAPTERS) and settings.flag("do_stable_layer_norm")
