"""The features of a page as switches: one for each that a reader ticks, then those that tell kinds of layers apart.

Which kinds of layers a model has follows from how many it has of each: nobody ticks them one by one. A page has them as its
models do, each set of kinds once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from symparams.components.flow import is_layer
from symparams.components.tree import Component
from symparams.components.walks import components
from symparams.expressions.written import ONE
from symparams.models.model import Model
from symparams.pages.presets import published
from symparams.records import frozen


@frozen
class FeatureSwitches:
    """The features that are ticked, a switch each; ``layers`` are the sets of kinds, told apart by the bits of their places."""

    ticked: tuple[str, ...]
    kinds: frozenset[str]
    layers: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, model: Model) -> FeatureSwitches:
        """The switches of a model and of the published ones of its family."""
        kinds = kinds_of_layers(model.architecture.tree)
        layers = dict.fromkeys(each.present & kinds for each in (model, *published(model)))
        return cls(tuple(feature for feature in model.features if feature not in kinds), kinds, tuple(layers))

    @cached_property
    def number(self) -> int:
        """The number of switches."""
        return len(self.ticked) + (len(self.layers) - 1).bit_length()

    def present(self, setting: int) -> frozenset[str]:
        """The features of a setting; a place without a set is that of another."""
        ticked = {feature for switch, feature in enumerate(self.ticked) if setting >> switch & 1}
        place = (setting & (1 << self.number) - 1) >> len(self.ticked)
        return self.layers[place % len(self.layers)] | ticked

    def setting(self, present: frozenset[str]) -> int:
        """The setting of features, of which the kinds of layers are those of a model of the page."""
        return self.mask(present) | self.layers.index(present & self.kinds) << len(self.ticked)

    def mask(self, features: Iterable[str]) -> int:
        """The switches of those features that are ticked."""
        return sum(1 << self.ticked.index(feature) for feature in features if feature in self.ticked)


def kinds_of_layers(tree: Component) -> frozenset[str]:
    """The features that switch nothing but stacks of layers on: those of which a model has no layers are off."""
    gated: dict[str, list[Component]] = {}
    for _, component in components(tree):
        for name in _gates(component):
            gated.setdefault(name, []).append(component)
    return frozenset(name for name, parts in gated.items() if all(map(_is_of_stacks, parts)))


def _gates(component: Component) -> Iterator[str]:
    return (feature.name for feature in component.when if not feature.negated)


def _is_of_stacks(component: Component) -> bool:
    """True for a stack of layers, and for a block of nothing but such stacks, each with a gate of its own."""
    if component.times != ONE:
        return is_layer(component)
    parts = [part for _, part in component.children]
    return bool(parts) and all(any(_gates(part)) and _is_of_stacks(part) for part in parts)
