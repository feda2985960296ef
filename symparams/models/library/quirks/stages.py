"""Stages of an image encoder: four of each, and which of them a backbone gives."""

from __future__ import annotations

from symparams.errors import ConfigError, quoted
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings

STAGES = 4
LISTS = ("depths", "hidden_sizes", "num_heads")  # which have an entry a stage


def check_four(settings: Settings, library: Library) -> None:
    """A tree here has four stages, as all published models have, and every list an entry for each."""
    for name in LISTS:
        listed = settings.listed(name)
        if listed is not None and len(listed) != STAGES:
            raise ConfigError(f"{name} has {len(listed)} entries in the config: only {STAGES} stages are supported.")
    if settings.need("num_stages", default=STAGES) != STAGES:
        raise ConfigError(
            f"num_stages = {quoted(settings.values['num_stages'], 30)} in the config: only {STAGES} stages are supported."
        )


def check_feature_maps(settings: Settings, library: Library) -> None:
    """A backbone has a norm for each stage that it gives; here it gives the last."""
    named = str(next(iter(settings.listed("architectures") or ()), ""))
    given = settings.listed("out_features") or [f"stage{STAGES}"]
    if named.endswith("Backbone") and given != [f"stage{STAGES}"]:
        raise ConfigError(
            f"out_features = {quoted(given, 40)} in the config: {named} is supported only with the last stage, stage{STAGES}."
        )


def layer_scales(settings: Settings, library: Library) -> bool:
    """A layer scale that would begin at 0 or below is none."""
    value = settings.values.get("layer_scale_init_value", library.extra["layer_scale_init_value"])
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ConfigError(f"layer_scale_init_value = {quoted(value, 30)} in the config must be a number.")
    return value > 0
