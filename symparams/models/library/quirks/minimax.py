"""MiniMax: which layers have linear attention, by the numbers of the authors' files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symparams.errors import ConfigError
from symparams.models.library.quirks.layer_kinds import FULL, LINEAR, LISTED
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
