"""State spaces: sizes that a config leaves to others."""

from __future__ import annotations

from symparams.expressions.symbols import h, r_dt
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings


def time_step_rank(settings: Settings, library: Library) -> int | None:
    """The word "auto" stands for the rank of Δ that follows from the hidden size."""
    return None if settings.values.get(library.key(r_dt)) == "auto" else library.keys[r_dt].read(settings)


def inner_size(settings: Settings, library: Library) -> int:
    """The inner size is a multiple of the hidden size, whatever intermediate_size says."""
    return settings.need("expand", default=library.extra["expand"]) * library.need(settings, h)


def given_inner_size(settings: Settings, library: Library) -> int:
    """The inner size may be in the config; where it is not, it is a multiple of the hidden size."""
    return settings.size("intermediate_size") or inner_size(settings, library)
