"""Layer types: which layers attend and which have linear attention, by a list of words or by an interval."""

from __future__ import annotations

from collections.abc import Sequence

from symparams.errors import ConfigError, quoted
from symparams.expressions.symbols import L, L_text
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings

LISTED, INTERVAL = "layer_types", "full_attention_interval"
FULL, LINEAR = "full_attention", "linear_attention"
USUAL_INTERVAL = 4


def attention_layers(settings: Settings, library: Library) -> int:
    """The layers that attend are those whose word is full_attention, or the last of each full_attention_interval."""
    return len(which_attend(settings, library))


def linear_layers(settings: Settings, library: Library) -> int:
    """The layers with linear attention are all others."""
    return len(which_do_not_attend(settings, library))


def which_attend(settings: Settings, library: Library) -> tuple[tuple[int], ...]:
    """The layers that attend, by their index from 0, follow from the same keys."""
    return _of(FULL, settings, library)


def which_do_not_attend(settings: Settings, library: Library) -> tuple[tuple[int], ...]:
    """The layers with linear attention, by their index from 0, follow from the same keys."""
    return _of(LINEAR, settings, library)


def _of(word: str, settings: Settings, library: Library) -> tuple[tuple[int], ...]:
    return tuple((layer,) for layer, own in enumerate(_words(settings, library)) if own == word)


def _words(settings: Settings, library: Library) -> list[str]:
    """The word of each layer: those listed, or else the last of each interval attends."""
    letter = L if L in library.keys else L_text
    own, number = settings.place(library.keys[letter].names)[0], library.need(settings, letter)
    listed = listed_words(own, number, (FULL, LINEAR))
    if listed is None:
        interval = own.need(INTERVAL, default=USUAL_INTERVAL)
        return [FULL if (layer + 1) % interval == 0 else LINEAR for layer in range(number)]
    return listed


def listed_words(settings: Settings, number: int, known: Sequence[str]) -> list[str] | None:
    """The list of a word for each of so many layers, each one of those that are known; None where there is no list."""
    listed = settings.listed(LISTED)
    if listed is None:
        return None
    if len(listed) != number:
        raise ConfigError(f"{LISTED} in the config has {len(listed):,} entries for {number:,} layers: give one for each layer.")
    unknown = next((word for word in listed if word not in known), None)
    if unknown is not None:
        raise ConfigError(f"{LISTED} in the config: {quoted(unknown, 30)} is not {' or '.join(known)}.")
    return listed
