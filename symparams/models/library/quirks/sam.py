"""SAM: which layers of its image encoder attend to the whole image, and which within windows; sizes that must agree."""

from __future__ import annotations

from symparams.errors import ConfigError
from symparams.expressions.symbols import h, image, n_heads, patch
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings, read_whole

LAYERS, WHOLE = "num_hidden_layers", "global_attn_indexes"
WIDTH, RATE = "mask_decoder_config.hidden_size", "mask_decoder_config.attention_downsample_rate"
CHANNELS, WAVES = "vision_config.output_channels", "vision_config.num_pos_feats"
TOWER = "image_encoder"


def whole(settings: Settings, library: Library) -> tuple[int, ...]:
    """global_attn_indexes names the layers without windows, from 0."""
    named = settings.listed(WHOLE)
    indexes = {read_whole(WHOLE, index, least=-(10**9)) for index in (library.extra[WHOLE] if named is None else named)}
    return tuple(layer for layer in range(_layers(settings, library)) if layer in indexes)


def windowed(settings: Settings, library: Library) -> tuple[int, ...]:
    """All others have windows."""
    others = whole(settings, library)
    return tuple(layer for layer in range(_layers(settings, library)) if layer not in others)


def widened(settings: Settings, library: Library) -> int:
    """A feed-forward whose size is null is mlp_ratio·h wide."""
    ratio = settings.number("mlp_ratio", library.extra["mlp_ratio"])
    return settings.size("mlp_dim") or int(library.need(settings, h) * ratio)


def check(settings: Settings, library: Library) -> None:
    """An image smaller than a patch has none."""
    sizes = [library.need(settings, side) for side in (image, patch)]
    if sizes[0] < sizes[1]:
        raise ConfigError(f"image_size = {sizes[0]} in the config is smaller than patch_size = {sizes[1]}.")


def masks(settings: Settings, library: Library) -> int:
    """Beside the masks of which one answers an unclear prompt there is one for a clear prompt."""
    return 1 + _of(settings, library, "mask_decoder_config.num_multimask_outputs", least=0)


def hidden_layers(settings: Settings, library: Library) -> int:
    """The network that judges masks has a first and a last layer however deep it is."""
    return max(0, _of(settings, library, "mask_decoder_config.iou_head_depth", least=0) - 2)


def final_head(settings: Settings, library: Library) -> int:
    """The library divides by the config's rate in the final attention alone, and by 2 in the layers, whatever it says."""
    width, rate = _of(settings, library, WIDTH), _of(settings, library, RATE)
    return width // rate // library.need(settings, n_heads)


def check_heads(settings: Settings, library: Library) -> None:
    """The library refuses a width that its heads do not divide, whole, or narrower between tokens and image."""
    width, rate, heads = _of(settings, library, WIDTH), _of(settings, library, RATE), library.need(settings, n_heads)
    for what, inner in (("", width), (" // 2", width // 2), (f" // {RATE.rpartition('.')[2]}", width // rate)):
        if inner % heads or not inner:
            raise ConfigError(
                f"mask_decoder_config: hidden_size{what} = {inner} is not a multiple of num_attention_heads = {heads}."
            )


def check_widths(settings: Settings, library: Library) -> None:
    """Vectors of the image, of the prompt and of the decoder are added up; where they differ the library's model cannot run."""
    width = library.need(settings, h)
    others = {key: _of(settings, library, key) for key in (WIDTH, CHANNELS)} | {f"2·{WAVES}": 2 * _of(settings, library, WAVES)}
    for key, other in others.items():
        if other != width:
            raise ConfigError(f"{key} = {other} in the config must be {library.key(h)} = {width}: SAM adds up these vectors.")
    sides = [library.sections[TOWER].key, "prompt_encoder_config"]
    grids = [_of(settings, library, f"{of}.image_size") // _of(settings, library, f"{of}.patch_size") for of in sides]
    if grids[0] != grids[1]:
        raise ConfigError(
            f"An image has {grids[0]} patches a side by {sides[0]} and {grids[1]} by {sides[1]}: give it as many."
        )


def _of(settings: Settings, library: Library, key: str, *, least: int = 1) -> int:
    return settings.need(key, default=library.extra[key], least=least)


def _layers(settings: Settings, library: Library) -> int:
    return settings.need(LAYERS, default=library.extra[LAYERS], least=0)
