"""Anchors: what the sections and the steps of a sheet are called in the address of a page, and which is about a part.

A view need not have a step for each part of the tree, nor a part of the tree for each step: what is nearest is led to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.components.walks import is_within
from symparams.records import frozen

TOTAL = "total"


@frozen
class AnchoredPart:
    """A section or a step of a sheet: its anchor, the path of what it is about, what it is called."""

    anchor: str
    path: str
    name: str
    is_section: bool = False


Places: TypeAlias = Sequence[AnchoredPart]


@dataclass
class Anchors:
    """The anchors of one sheet, each given once; those of ``sections`` are theirs."""

    sections: dict[str, str]  # their paths by their names
    places: list[AnchoredPart] = field(default_factory=list)
    given: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.given |= {TOTAL, *self.sections}

    def copy(self) -> Anchors:
        """The anchors that were given so far, to which others are added."""
        return Anchors(self.sections, [*self.places], {*self.given})

    def section(self, name: str) -> None:
        """A section begins."""
        self.places.append(AnchoredPart(name, self.sections[name], name, is_section=True))

    def step(self, path: str, name: str) -> str:
        """The anchor of a step: its path, with its name where that is taken."""
        section = self.places[-1] if self.places else AnchoredPart("", "", "")
        within = next((place for place in reversed(self.places) if place.is_section), section)
        about = path or f"{within.path or within.anchor}.{name}"
        anchor = about if about not in self.given else f"{about}.{re.sub('[:/]', '.', name)}"
        while anchor in self.given:
            anchor += "+"
        self.given.add(anchor)
        self.places.append(AnchoredPart(anchor, about, name))
        return anchor


def nearest(path: str, component: Component, places: Places) -> str:
    """The anchor of what is nearest to a part: its own step, that of its like, of a part of it, of what stands around it."""
    parent, _, name = path.rpartition(".")
    kind = component.kind.name
    together = (name, kind, f"{kind}s", f"one:{kind}") if component.role is Role.NORM else (name,)
    tests: tuple[Callable[[AnchoredPart], bool], ...] = (
        lambda place: place.path == path,
        lambda place: place.path == parent and place.name in together,
        lambda place: _parent(place) != "" and place.path.rpartition(".")[2] == name and is_within(parent, _parent(place)),
        lambda place: place.path.startswith(f"{path}."),
        lambda place: place.name in together and place.path != "" and is_within(parent, place.path),
        lambda place: place.is_section and place.name == name,
        lambda place: not place.is_section and name in place.path.split("."),
        lambda place: place.name in together,
        lambda place: place.path != "" and is_within(parent, place.path),
    )
    anchors = (place.anchor for test in tests for place in places if test(place))
    return next(anchors, TOTAL)


def _parent(place: AnchoredPart) -> str:
    return place.path.rpartition(".")[0]
