"""Stages of an image encoder: four of each, and which of them a backbone gives."""

from __future__ import annotations

from symparams.errors import ConfigError, quoted
from symparams.expressions.symbols import image, patch, window
from symparams.models.library.quirks.images import sides
from symparams.models.library.record import Library
from symparams.models.library.settings import Quirk, Settings

STAGES = 4
BACKBONE = "Backbone"
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
    named = settings.class_name
    given = settings.listed("out_features") or [f"stage{STAGES}"]
    if named.endswith(BACKBONE) and given != [f"stage{STAGES}"]:
        raise ConfigError(
            f"out_features = {quoted(given, 40)} in the config: {named} is supported only with the last stage, stage{STAGES}."
        )


def layer_scales(settings: Settings, library: Library) -> bool:
    """A layer scale that would begin at 0 or below is none."""
    return settings.number("layer_scale_init_value", library.extra["layer_scale_init_value"]) > 0


def _sides(settings: Settings, library: Library, stage: int) -> list[int]:
    """The sides of Swin's feature map, in patches: each stage halves those before it, which are padded to even numbers."""
    pairs = zip(sides(settings, library, image), sides(settings, library, patch), strict=True)
    return [-(-pixels // (2**stage * side)) for pixels, side in pairs]


def _patches(stage: int) -> Quirk:
    def patches(settings: Settings, library: Library) -> int:
        """An image need not be as high as it is wide."""
        height, breadth = _sides(settings, library, stage)
        return height * breadth

    return patches


def _windowed(stage: int) -> Quirk:
    def windowed(settings: Settings, library: Library) -> int:
        """A window is as wide as the shorter side at most, and the last of a row is filled up; a backbone's are all whole."""
        height, breadth = _sides(settings, library, stage)
        side = library.need(settings, window)
        if not settings.class_name.endswith(BACKBONE):
            side = min(height, breadth, side)
        return -(-height // side) * -(-breadth // side) * side**2

    return windowed


patches_1, patches_2, patches_3, patches_4 = map(_patches, range(STAGES))
windowed_1, windowed_2, windowed_3, windowed_4 = map(_windowed, range(STAGES))
