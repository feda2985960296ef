"""MiniMax: which layers have linear attention, by words, by the numbers of the authors' files, or every second one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symparams.errors import ConfigError
from symparams.expressions.symbols import L
from symparams.models.library.quirks.layer_types import FULL, LINEAR, LISTED, listed_words
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings

NUMBERS = "attn_type_list"
WORDS = (LINEAR, FULL)  # of 0 and 1


def form(settings: Settings, library: Library) -> Mapping[str, Any]:
    """The authors' files have a number for each layer, 1 where it attends."""
    numbers = settings.listed(NUMBERS)
    if numbers is None or LISTED in settings.values:
        return settings.values
    if not all(isinstance(number, int) and number in (0, 1) for number in numbers):
        raise ConfigError(f"{NUMBERS} in the config must be a list of 0 and 1.")
    others = {key: value for key, value in settings.values.items() if key != NUMBERS}
    return others | {LISTED: [WORDS[number] for number in numbers]}


def attention_layers(settings: Settings, library: Library) -> int:
    """The layers that attend are those whose word is full_attention; where there are no words, the first of every two."""
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
    number = library.need(settings, L)
    words = listed_words(settings, number, WORDS) or [FULL if layer % 2 == 0 else LINEAR for layer in range(number)]
    return tuple((layer,) for layer, own in enumerate(words) if own == word)
