"""DeBERTa-v2: settings of several words, and sizes that are other sizes."""

from __future__ import annotations

from symparams.errors import ConfigError, quoted
from symparams.expressions.symbols import d_conv, d_emb, h, max_pos, n_heads
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings


def distances(settings: Settings, library: Library) -> int | None:
    """The relative distances on either side are the buckets, or the longest distance, or the longest sequence."""
    buckets, longest = (settings.need(name, default=-1, least=-1) for name in ("position_buckets", "max_relative_positions"))
    return next((size for size in (buckets, longest) if size > 0), library.size(settings, max_pos))


def listed(settings: Settings, name: str) -> list[str]:
    """A setting of several words, as a list or as "p2c|c2p"."""
    value = settings.values.get(name)
    return [word.strip() for word in value.lower().split("|")] if isinstance(value, str) else settings.listed(name) or []


def content_to_position(settings: Settings, library: Library) -> bool:
    """Content attends to positions through a projection of its own where the word c2p is there and no key is shared."""
    return _attends(settings, "c2p")


def position_to_content(settings: Settings, library: Library) -> bool:
    """Positions attend to content through a projection of their own where the word p2c is there and no key is shared."""
    return _attends(settings, "p2c")


def attends(settings: Settings, library: Library) -> str:
    """The words c2p and p2c say that content attends to positions and positions to content; where the projections of
    content are shared with positions, positions pass both, whatever attends to them."""
    if not settings.flag("relative_attention"):
        return ""
    kinds = [kind for kind in ("c2p", "p2c") if kind in listed(settings, "pos_att_type")]
    return " ".join([*kinds, *(["shared"] if settings.flag("share_att_key") else [])])


def relative_position_norm(settings: Settings, library: Library) -> bool:
    """The relative positions are normed where the word layer_norm is among those of norm_rel_ebd."""
    return "layer_norm" in listed(settings, "norm_rel_ebd")


def check(settings: Settings, library: Library) -> None:
    """The library builds heads or a pooler of another width, and cannot run them; no tree here has convolutions in groups."""
    width, heads = library.size(settings, h), library.size(settings, n_heads)
    head = width // heads if width and heads else None
    for name, supported in (("attention_head_size", head), ("pooler_hidden_size", width)):
        if name in settings.values and settings.size(name) != supported:
            raise ConfigError(f"{name} = {quoted(settings.values[name], 30)} in the config: only {supported} is supported.")
    if library.size(settings, d_conv) and settings.need("conv_groups", default=1) != 1:
        raise ConfigError(f"conv_groups = {quoted(settings.values['conv_groups'], 30)} in the config: only 1 is supported.")


def projects(settings: Settings, library: Library) -> bool:
    """The embeddings are projected where they have a width, and it is not that of the layers."""
    return settings.has("embedding_size") and library.size(settings, d_emb) != library.size(settings, h)


def _attends(settings: Settings, kind: str) -> bool:
    own = settings.flag("relative_attention") and not settings.flag("share_att_key")
    return own and kind in listed(settings, "pos_att_type")
