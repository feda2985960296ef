"""Extents: in how many of a model's layers its windows hold and its positions act, as its config or its library says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from symparams.components.facts import AttentionFacts
from symparams.expressions.symbols import W
from symparams.models.model import Model
from symparams.models.windows import Layers, attention_with, config_of, layers_with_windows, tree_of, window_of

Share: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Extent:
    """In how many of all layers something holds, and in how many of every so many; None where that is not known."""

    counted: Share | None = None
    share: Share | None = None

    @property
    def is_everywhere(self) -> bool:
        """True if it holds in all of them."""
        some, every = self.counted or self.share or (0, 1)
        return some == every

    @property
    def is_nowhere(self) -> bool:
        """True if it holds in none."""
        some, _ = self.counted or self.share or (1, 1)
        return some == 0


EVERYWHERE, NOWHERE = Extent(share=(1, 1)), Extent(share=(0, 1))


def extent_of_window(model: Model, facts: AttentionFacts) -> Extent:
    """Return the layers in which attention has its window; none where a config, or the library for it, switches it off."""
    if facts.window is None or (model.library and not _is_switched_on(model)):
        return NOWHERE
    layers = layers_with_windows(model)
    if facts.windowed is None or layers is None:
        return EVERYWHERE
    return NOWHERE if layers.number == 0 else _extent(layers)


def extent_of_positions(model: Model, facts: AttentionFacts) -> Extent:
    """Return the layers in which the positions of attention act on it."""
    if facts.positioned is None:
        return EVERYWHERE
    _, layers = attention_with(tree_of(model), lambda other: other.positioned) or (None, None)
    return EVERYWHERE if layers is None else _extent(Layers(model, facts.positioned, layers, is_of_window=False))


def _is_switched_on(model: Model) -> bool:
    return bool(model.values.get(W) or (model.library and window_of(model, config_of(model, model.library))))


def _extent(layers: Layers) -> Extent:
    """Return the extent by the pattern of the layers; where a config lists others, by their number alone."""
    turns, share, number = layers.listed, layers.configured.share, layers.number
    if turns and not any(turns):
        return NOWHERE
    if turns and all(turns) and len(turns) == layers.number_in_config:
        return EVERYWHERE
    if share is not None and turns is not None:
        some, every = share
        holds = len(turns) >= every and sum(turns[:every]) == some
        share = share if holds and all(here == turns[i % every] for i, here in enumerate(turns)) else None
    is_counted = layers.is_bound and number is not None and layers.every is not None and number <= layers.every
    return Extent((number or 0, layers.every or 0) if is_counted else None, share)
