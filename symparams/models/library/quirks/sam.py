"""SAM's image encoder: which layers attend to the whole image, and which within windows."""

from __future__ import annotations

from symparams.errors import ConfigError, quoted
from symparams.expressions.symbols import h, image, patch
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings, read_whole

LAYERS, WHOLE = "num_hidden_layers", "global_attn_indexes"
Numbers = tuple[tuple[int], ...]


def which_have_none(settings: Settings, library: Library) -> Numbers:
    """global_attn_indexes names the layers without windows, from 0."""
    named = settings.listed(WHOLE)
    indexes = {read_whole(WHOLE, index, least=-(10**9)) for index in (library.extra[WHOLE] if named is None else named)}
    return tuple((layer,) for layer in range(_layers(settings, library)) if layer in indexes)


def which_have_windows(settings: Settings, library: Library) -> Numbers:
    """All others have windows."""
    whole = which_have_none(settings, library)
    return tuple((layer,) for layer in range(_layers(settings, library)) if (layer,) not in whole)


def whole_layers(settings: Settings, library: Library) -> int:
    """The layers without windows are counted in no key."""
    return len(which_have_none(settings, library))


def window_layers(settings: Settings, library: Library) -> int:
    """Nor are those with windows."""
    return len(which_have_windows(settings, library))


def widened(settings: Settings, library: Library) -> int:
    """A feed-forward whose size is null is mlp_ratio·h wide."""
    ratio = settings.values.get("mlp_ratio", library.extra["mlp_ratio"])
    if isinstance(ratio, bool) or not isinstance(ratio, (int, float)):
        raise ConfigError(f"mlp_ratio = {quoted(ratio, 30)} in the config must be a number.")
    return settings.size("mlp_dim") or int(library.need(settings, h) * ratio)


def check(settings: Settings, library: Library) -> None:
    """An image smaller than a patch has none."""
    sizes = [library.need(settings, side) for side in (image, patch)]
    if sizes[0] < sizes[1]:
        raise ConfigError(f"image_size = {sizes[0]} in the config is smaller than patch_size = {sizes[1]}.")


def _layers(settings: Settings, library: Library) -> int:
    return settings.need(LAYERS, default=library.extra[LAYERS], least=0)
