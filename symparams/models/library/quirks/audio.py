"""Encoders of sounds: the convolutions over a spectrogram, whose channels a config lists."""

from __future__ import annotations

from symparams.errors import ConfigError, quoted
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings, read_whole

CHANNELS = "subsampling_conv_channels"
RIGHT = "attention_context_right"
CONVOLUTIONS = 2
BANDS = 4  # the library makes one band of so many channels of the first


def first_channels(settings: Settings, library: Library) -> int:
    """The channels of the first convolution, of which the library makes the bands of frequencies that are left: a fourth."""
    return _channels(settings, library)[0]


def second_channels(settings: Settings, library: Library) -> int:
    """Those of the second."""
    return _channels(settings, library)[1]


def sees_ahead(settings: Settings, library: Library) -> bool:
    """A frame sees later ones where the context to the right has any."""
    return settings.need(RIGHT, default=0, least=0) > 0


def _channels(settings: Settings, library: Library) -> list[int]:
    listed = settings.listed(CHANNELS)
    given = library.extra[CHANNELS] if listed is None else listed
    if len(given) != CONVOLUTIONS:
        raise ConfigError(
            f"{CHANNELS} = {quoted(given, 30)} in the config must be the channels of two convolutions: [128, 32]."
        )
    return [read_whole(CHANNELS, given[0], least=BANDS), read_whole(CHANNELS, given[1])]
