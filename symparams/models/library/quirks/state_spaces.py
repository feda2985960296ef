"""State spaces: sizes that a config leaves to others, and Jamba's layers, where attention and experts take turns."""

from __future__ import annotations

from symparams.errors import ConfigError
from symparams.expressions.symbols import L, d_inner, expand, h, n_experts, n_ssm_heads, r_dt
from symparams.models.library.record import Library
from symparams.models.library.settings import MOST_DIGITS, Settings


def time_step_rank(settings: Settings, library: Library) -> int | None:
    """The word "auto" stands for the rank of Δ that follows from the hidden size."""
    return None if settings.values.get(library.key(r_dt)) == "auto" else library.keys[r_dt].read(settings)


def inner_size(settings: Settings, library: Library) -> int:
    """The inner size is a multiple of the hidden size, whatever intermediate_size says."""
    return settings.need("expand", default=library.extra["expand"]) * library.need(settings, h)


def given_inner_size(settings: Settings, library: Library) -> int:
    """The inner size may be in the config; where it is not, it is a multiple of the hidden size."""
    return settings.size("intermediate_size") or inner_size(settings, library)


def own_inner_size(settings: Settings, library: Library) -> int:
    """The inner size has a key of its own; where that is null, it is a multiple of the hidden size."""
    given = library.keys[d_inner].read(settings)
    return given or settings.need("mamba_expand", default=library.extra["mamba_expand"]) * library.need(settings, h)


def attention_layers(settings: Settings, library: Library) -> int:
    """Of attn_layer_period layers in turn, the one at attn_layer_offset attends."""
    return _in_turn(settings, library, "attn_layer")


def expert_layers(settings: Settings, library: Library) -> int:
    """Of expert_layer_period layers in turn, the one at expert_layer_offset has experts; a single expert is none."""
    number = _in_turn(settings, library, "expert_layer")
    return number if library.need(settings, n_experts) > 1 else 0


def which_attend(settings: Settings, library: Library) -> tuple[int, ...]:
    """The layers that attend, by their index from 0, follow from the same keys."""
    return _which(settings, library, "attn_layer")


def which_have_experts(settings: Settings, library: Library) -> tuple[int, ...]:
    """The layers with experts, by their index from 0, follow from the same keys."""
    return _which(settings, library, "expert_layer") if library.need(settings, n_experts) > 1 else ()


def listed(settings: Settings, library: Library) -> tuple[int, ...]:
    """The layers that attend are listed by their indices from 0; an index of no layer is one of none, as is null."""
    indices = settings.indices("attn_layer_indices") or set()
    return tuple(layer for layer in range(library.need(settings, L)) if layer in indices)


def check_heads(settings: Settings, library: Library) -> None:
    """The library refuses a size of a state space's heads that is not the inner size over their number; "auto" is that size."""
    given = None if settings.values.get("mamba_d_head") == "auto" else settings.size("mamba_d_head")
    heads = library.need(settings, n_ssm_heads)
    own = library.size(settings, d_inner) if d_inner in library.keys else None
    inner = own or library.need(settings, expand) * library.need(settings, h)
    if given is not None and given * heads != inner:
        raise ConfigError(
            f"mamba_d_head = {given} in the config is not the inner size over {library.key(n_ssm_heads)}, {inner} / {heads}: "
            "give that, or leave it out."
        )


def _which(settings: Settings, library: Library, which: str) -> tuple[int, ...]:
    period, offset = _turn(settings, library, which)
    return tuple(layer for layer in range(library.need(settings, L)) if layer % period == offset)


def _turn(settings: Settings, library: Library, which: str) -> tuple[int, int]:
    period = settings.need(f"{which}_period", default=library.extra[f"{which}_period"])
    return period, settings.need(f"{which}_offset", default=library.extra[f"{which}_offset"], least=1 - 10**MOST_DIGITS)


def _in_turn(settings: Settings, library: Library, which: str) -> int:
    """The number of layers i with i mod period = offset; none has an offset below 0, and the library refuses one too large."""
    period, offset = _turn(settings, library, which)
    if offset >= period:
        raise ConfigError(f"{which}_offset = {offset} in the config must be below {which}_period = {period}.")
    return max(0, -(-(library.need(settings, L) - offset) // period)) if offset >= 0 else 0
