"""Extents: in how many of a model's layers its windows hold and its positions act, as its config or its library says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from symparams.components.tree import Attending
from symparams.expressions.symbols import L_window, W
from symparams.models.library import Settings
from symparams.models.library.settings import MOST_LISTED
from symparams.models.model import Model
from symparams.models.windows import (
    RULES,
    SLIDING,
    config_of,
    counted,
    fourth,
    layers_of,
    layers_said,
    patterns_of,
    sixth,
    text_of,
    third,
    window_of,
    window_values,
)

Share = tuple[int, int]


@dataclass(frozen=True)
class Extent:
    """In how many of all layers something holds, and in how many of every so many; None where that is not known."""

    counted: Share | None = None
    share: Share | None = None

    @property
    def is_everywhere(self) -> bool:
        """Whether it holds in all of them."""
        some, every = self.counted or self.share or (0, 1)
        return some == every

    @property
    def is_nowhere(self) -> bool:
        """Whether it holds in none."""
        some, _ = self.counted or self.share or (1, 1)
        return some == 0


EVERYWHERE, NOWHERE = Extent(share=(1, 1)), Extent(share=(0, 1))


def extent_of_window(model: Model, attending: Attending) -> Extent:
    """In which layers attention has its window: nowhere, too, where a config, or the library for it, switches it off."""
    if attending.window is None or not _has_window(model, attending.windowed):
        return NOWHERE
    if not attending.windowed:
        return EVERYWHERE
    return _extent(model, attending.windowed, window_values(model).get(L_window), _sliding(text_of(model)))


def extent_of_positions(model: Model, attending: Attending) -> Extent:
    """In which layers the positions of attention act on it."""
    if not attending.positioned:
        return EVERYWHERE
    text, layers = text_of(model), layers_of(model)
    listed = text.listed("no_rope_layers")  # 1 for a layer that has them
    turns = None if listed is None else [bool(each) for each in listed]
    number = None
    if layers is not None and attending.positioned in SHARES:
        some, every = SHARES[attending.positioned](text)
        number = sum(turns[:layers]) if turns else layers // every * some + min(layers % every, some)
    return _extent(model, attending.positioned, number, turns)


def _has_window(model: Model, described: str) -> bool:
    """Whether there is one in any layer; a tree that is no family of the library's is taken at its word.

    The layers of a config are counted also where no letter has a value.
    """
    if not model.library:
        return True
    text, rule = text_of(model), RULES.get(described)
    layers = layers_said(model.library, text)
    is_there = bool(model.values.get(W) or window_of(model, config_of(model, model.library)))
    return is_there and (rule is None or layers is None or counted(text, model.library, rule, layers) > 0)


def _extent(model: Model, described: str, number: int | None, listed: list[bool] | None) -> Extent:
    """By the words that a tree has for the layers; where a config lists others, by their number alone."""
    if listed and not any(listed):
        return NOWHERE
    if listed and all(listed) and model.library and len(listed) == layers_said(model.library, text_of(model)):
        return EVERYWHERE
    layers, share = layers_of(model), SHARES[described](text_of(model)) if described in SHARES else None
    if share is not None and listed is not None:
        some, every = share
        holds = len(listed) >= every and sum(listed[:every]) == some
        share = share if holds and all(each == listed[i % every] for i, each in enumerate(listed)) else None
    return Extent(None if number is None or layers is None or number > layers else (number, layers), share)


def _sliding(settings: Settings) -> list[bool] | None:
    """Whether there is a window, layer by layer, where a config lists it."""
    kinds, patterns = settings.listed("layer_types"), patterns_of(settings)
    if kinds is not None:
        return [kind == SLIDING for kind in kinds]
    if patterns is None:
        return None
    turns = (kind == "local" for pattern, often in patterns for _ in range(often) for kind in pattern)
    return list(islice(turns, MOST_LISTED))


def _every_second(settings: Settings) -> Share:
    return 1, 2


def _all_but_one(of: Callable[[Settings], int]) -> Callable[[Settings], Share]:
    return lambda settings: (of(settings) - 1, of(settings))


# By the words that a tree has for the layers: in how many of every so many.
SHARES: Mapping[str, Callable[[Settings], Share]] = MappingProxyType(
    {
        "every second layer, from the first": _every_second,
        "every second layer, from the second": _every_second,
        "five layers of six": _all_but_one(sixth),
        "all layers but every fourth": _all_but_one(fourth),
        "two layers of three, on either side": _all_but_one(third),
    }
)
