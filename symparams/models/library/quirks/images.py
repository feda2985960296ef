"""Images: sides that are a number or a pair, the patches that an image falls into, the size of the pooler."""

from __future__ import annotations

from symparams.errors import ConfigError, quoted
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import L_text, L_vision, d_proj, h, image, merge, patch
from symparams.models.library.record import Library
from symparams.models.library.settings import MISSING, Settings, read_whole

SIDES = 2  # height and width
VISION = "vision_config"
DEEPSTACK, USUAL_DEEPSTACK = "deepstack_visual_indexes", [8, 16, 24]
USUAL_WINDOW, USUAL_WHOLE_LAYERS = 112, [7, 15, 23, 31]  # the defaults of the library


def sides(settings: Settings, library: Library, dimension: Dimension) -> tuple[int, int]:
    """Height and width, which a config gives as one whole number or as a pair."""
    key = library.keys[dimension]
    name, given = settings.find(key.names[:1])
    value = key.default if given is MISSING else given
    pair = value if isinstance(value, (list, tuple)) else (value, value)
    if len(pair) != SIDES:
        raise ConfigError(f"{name} = {quoted(value, 30)} in the config must be a whole number or a pair of them.")
    return read_whole(name, pair[0]), read_whole(name, pair[1])


def image_side(settings: Settings, library: Library) -> int | None:
    """An image may be a pair of sides; it has one side where they are equal."""
    height, breadth = sides(settings, library, image)
    return height if height == breadth else None


def patch_side(settings: Settings, library: Library) -> int | None:
    """A patch may be a pair of sides; it has one side where they are equal."""
    height, breadth = sides(settings, library, patch)
    return height if height == breadth else None


def n_patches(settings: Settings, library: Library) -> int:
    """The number of patches is in no config: it follows from the sides, which need not be equal."""
    (height, breadth), (rows, columns) = (sides(settings, library, dimension) for dimension in (image, patch))
    return (height // rows) * (breadth // columns)


def widened(settings: Settings, library: Library) -> int:
    """DINOv2's feed-forward is mlp_ratio·h wide; with a gate two thirds of that, rounded up to a multiple of 8."""
    wide = library.need(settings, h) * settings.need("mlp_ratio", default=library.extra["mlp_ratio"])
    return -(-(wide * 2 // 3) // 8) * 8 if settings.flag("use_swiglu_ffn") else wide


def activation(settings: Settings, library: Library) -> str | None:
    """DINOv3's one key for the network with a gate and that without; "" without a config, where their definitions differ."""
    return settings.word("hidden_act", "gelu") if settings.values else ""


def check_square(settings: Settings, library: Library) -> None:
    """A patch that is not as high as it is wide has no side, which is one dimension here."""
    height, breadth = sides(settings, library, patch)
    if height != breadth:
        raise ConfigError(
            f"patch_size = {quoted(settings.values['patch_size'], 30)} in the config: only square patches are supported."
        )


def check_adapter(settings: Settings, library: Library) -> None:
    """The second matrix of Llama 4's adapter is projector_output_dim × projector_output_dim: it reads what the first gives."""
    section, name = library.around(settings, d_proj), library.key(d_proj).rpartition(".")[2]
    made, read = (section.need(side, default=library.keys[d_proj].default) for side in (name, "projector_output_dim"))
    if made != read:
        raise ConfigError(f"{name} = {made} and projector_output_dim = {read} in the config: the adapter needs them equal.")


def shuffled(settings: Settings, library: Library) -> int:
    """A pixel_shuffle_ratio of 0.5 merges squares of 2 × 2 patches."""
    return _side_of(library.around(settings, patch), "pixel_shuffle_ratio", library)


def downsampled(settings: Settings, library: Library) -> int:
    """A downsample_ratio of 0.5 merges squares of 2 × 2 patches."""
    return _side_of(settings, "downsample_ratio", library)


def _side_of(settings: Settings, name: str, library: Library) -> int:
    """The side of the squares of patches that a ratio merges."""
    ratio = settings.values.get(name, library.extra[name])
    is_number = isinstance(ratio, (int, float)) and not isinstance(ratio, bool) and 0 < ratio <= 1
    side = round(1 / ratio) if is_number else 0
    if not side or side * ratio != 1:
        raise ConfigError(f"{name} = {quoted(ratio, 30)} in the config must be 1 / a whole number.")
    return side


def pools(settings: Settings, library: Library) -> bool:
    """Squares of one patch are not pooled."""
    return library.need(settings, merge) > 1


def pooled_size(settings: Settings, library: Library) -> int | None:
    """The pooler's size of 0 means, as null does, that of the hidden layers."""
    return settings.size("pooler_output_size", least=0) or None


def window(settings: Settings, library: Library) -> int:
    """Qwen2.5-VL's image encoder has windows of window_size pixels a side, which hold whole squares of merged patches."""
    tower, side = settings.inner(VISION), library.need(settings, merge)
    pixels = tower.need("window_size", default=USUAL_WINDOW)
    return (pixels // (library.need(settings, patch) * side) * side) ** 2


def whole_layers(settings: Settings, library: Library) -> int:
    """Some layers of Qwen2.5-VL's image encoder, by their index from 0, have no windows."""
    named = settings.inner(VISION).listed("fullatt_block_indexes")
    indexes = USUAL_WHOLE_LAYERS if named is None else named
    return sum(0 <= index < library.need(settings, L_vision) for index in set(indexes))


def deepstack(settings: Settings, library: Library) -> int:
    """There is a merger for each layer of the image encoder that is listed by its index from 0."""
    return len(_deepstack(settings))


def unread_mergers(settings: Settings, library: Library) -> int:
    """The text model reads one of the mergers of layers after each of its own layers, and no more."""
    return max(0, deepstack(settings, library) - library.need(settings, L_text))


def check_deepstack(settings: Settings, library: Library) -> None:
    """The library builds a merger for an index of no layer, or for one listed twice, and nothing ever reads it."""
    indexes, layers = _deepstack(settings), library.need(settings, L_vision)
    if len(set(indexes)) < len(indexes) or not all(0 <= index < layers for index in indexes):
        raise ConfigError(f"{DEEPSTACK} = {quoted(indexes, 30)} in the config must be different layers from 0 to {layers - 1}.")


def _deepstack(settings: Settings) -> list[int]:
    listed = settings.inner("vision_config").listed(DEEPSTACK)
    return USUAL_DEEPSTACK if listed is None else [read_whole(DEEPSTACK, index, least=0) for index in listed]


def no_window(settings: Settings, library: Library) -> None:
    """Qwen2-VL's image encoder, whose keys are otherwise Qwen2.5-VL's, has no windows."""


def rms_norms(settings: Settings, library: Library) -> bool:
    """A word says which norms the layers of InternViT have."""
    word = settings.word("norm_type", library.extra["norm_type"])
    if word not in ("layer_norm", "rms_norm"):
        raise ConfigError(f"norm_type = {quoted(word, 30)} in the config must be layer_norm or rms_norm.")
    return word == "rms_norm"
