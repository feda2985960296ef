"""DETR: its backbone, a ResNet of the library or of timm, which no key of DETR's own describes."""

from __future__ import annotations

from collections.abc import Sequence

from symparams.errors import ConfigError, quoted
from symparams.models.library.record import Library
from symparams.models.library.settings import Quirk, Settings, read_whole

SECTION, TIMM, OWN = "backbone_config", "timm_backbone", "resnet"
STAGES = 4
EVERY = [f"stage{number}" for number in range(1, STAGES + 1)]
LISTS = ("hidden_sizes", "depths")
AS_THEY_ARE = {
    "layer_type": "bottleneck",
    "hidden_act": "relu",
    "downsample_in_first_stage": False,
    "downsample_in_bottleneck": False,
}


def trained_stages(settings: Settings, library: Library) -> bool:
    """The library trains the last stages of a ResNet of timm, and none of its own: their names are not what it looks for."""
    return _is_of_timm(settings)


def channels(settings: Settings, library: Library) -> int:
    """DETR's own key tells the channels of an image to a ResNet of timm that has no config, and to no other."""
    key = "num_channels" if _is_of_timm(settings) and not settings.has(SECTION) else f"{SECTION}.num_channels"
    return settings.need(key, default=library.extra["num_channels"])


def stem(settings: Settings, library: Library) -> int:
    """A ResNet of timm begins as the one of the paper does."""
    usual: int = library.extra["embedding_size"]
    return usual if _is_of_timm(settings) else settings.need(f"{SECTION}.embedding_size", default=usual)


def _stage(name: str, stage: int) -> Quirk:
    def size(settings: Settings, library: Library) -> int:
        """What a ResNet of timm has by its name, the library's own lists."""
        return _listed(settings, library, name)[stage]

    return size


width_1, width_2, width_3, width_4 = (_stage("hidden_sizes", stage) for stage in range(STAGES))
depth_1, depth_2, depth_3, depth_4 = (_stage("depths", stage) for stage in range(STAGES))


def learned_positions(settings: Settings, library: Library) -> bool:
    """The library knows two words for the positions of an image."""
    word = settings.word("position_embedding_type", "sine")
    if word not in ("sine", "learned"):
        raise ConfigError(f"position_embedding_type = {quoted(word, 30)} in the config must be 'sine' or 'learned'.")
    return word == "learned"


def check_backbone(settings: Settings, library: Library) -> None:
    """Of all backbones the tree has a ResNet of four stages of bottlenecks, of which the last is read."""
    inner, known = settings.inner(SECTION), list(library.extra["timm"])
    kind = inner.word("model_type", TIMM if _is_of_timm(settings) else OWN)
    if kind not in (TIMM, OWN) or settings.values.get("backbone_kwargs"):
        what = f"{SECTION}: model_type = {quoted(kind, 30)}" if kind not in (TIMM, OWN) else "backbone_kwargs"
        raise ConfigError(
            f"{what} in the config: DETR is supported with a ResNet of timm ({', '.join(known)}) or of the library."
        )
    if kind == TIMM:
        _check_timm(settings, inner, known)
        return
    for name, value in AS_THEY_ARE.items():
        if (given := inner.values.get(name, value)) != value:
            raise ConfigError(f"{SECTION}: {name} = {quoted(given, 30)}: DETR is supported with {name} = {quoted(value, 30)}.")
    for name in LISTS:
        if len(listed := _listed(settings, library, name)) != STAGES:
            raise ConfigError(f"{SECTION}: {name} has {len(listed)} entries: only {STAGES} stages are supported.")
    if stem(settings, library) == _listed(settings, library, "hidden_sizes")[0]:
        raise ConfigError(
            f"{SECTION}: embedding_size is the first of hidden_sizes: a first stage without a shortcut is not supported."
        )
    segments = settings.class_name.endswith("ForSegmentation")
    given = inner.listed("out_features") or EVERY[-1:]
    if given[-1:] != EVERY[-1:] or (segments and given != EVERY):
        wanted = ", ".join(EVERY) if segments else EVERY[-1]
        raise ConfigError(f"{SECTION}: out_features = {quoted(given, 60)}: DETR reads {wanted} here.")


def _check_timm(settings: Settings, inner: Settings, known: Sequence[str]) -> None:
    name = _name(settings)
    if name not in known:
        raise ConfigError(f"backbone = {quoted(name, 30)} in the config: of timm's DETR is supported with {', '.join(known)}.")
    if settings.flag("dilation") or inner.has("output_stride"):
        raise ConfigError(
            "dilation = true in the config: DETR is supported with a last stage that halves the sides of the image."
        )
    if (inner.listed("out_indices") or [1, 2, 3, 4]) != [1, 2, 3, 4]:
        raise ConfigError(f"{SECTION}: out_indices = {quoted(inner.values['out_indices'], 30)}: DETR reads [1, 2, 3, 4].")


def _is_of_timm(settings: Settings) -> bool:
    if settings.has(SECTION):
        return settings.inner(SECTION).word("model_type", OWN) == TIMM
    return settings.flag("use_timm_backbone", default=True) and not settings.values.get("backbone_kwargs")


def _name(settings: Settings) -> str:
    where = settings.inner(SECTION) if settings.has(SECTION) else settings
    return where.word("backbone") or "resnet50"


def _listed(settings: Settings, library: Library, name: str) -> list[int]:
    usual: list[int] = library.extra[name]
    if _is_of_timm(settings):
        return list(library.extra["timm"].get(_name(settings), usual)) if name == "depths" else usual
    listed = settings.inner(SECTION).listed(name)
    return usual if listed is None else [read_whole(f"{SECTION}.{name}", size) for size in listed]
