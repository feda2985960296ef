"""Where a model comes from: what it is called there, and what it has when nobody chooses anything."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any

from symparams.errors import printable
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import by_reading


@dataclass(frozen=True)
class Origin:
    """Where a model comes from: what it is called there, and what it has when nobody chooses anything.

    ``given`` are the dimensions whose values were given, the others follow from relations; ``usual`` the features that the
    target has by itself. A model from a config has its class, by default the base class, and its config; its name may be
    that of any file, and what could not be shown of it is replaced. Of a published model, ``dtype`` is the number type that
    its config names. What was read by itself knows the ``target`` and the ``architecture`` that it was read by, as they are
    typed, and the ``sizes`` that it gave; they tell no two models apart.
    """

    name: str
    source: str = ""
    given: frozenset[Dimension] = frozenset()
    usual: frozenset[str] = frozenset()
    class_name: str = ""
    assumes_base: bool = False
    config: Mapping[str, Any] | None = None
    dtype: str = ""
    target: str = field(default="", compare=False)
    architecture: str = field(default="", compare=False)
    sizes: Mapping[Dimension, int] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for name in ("name", "source"):
            object.__setattr__(self, name, printable(getattr(self, name)))

    def changed(self, values: Mapping[Dimension, int], followed: Container[Dimension]) -> list[Dimension]:
        """The given dimensions whose value is neither the target's own nor what follows from it, in order; none of a family."""
        own = self.sizes or {}
        changed = (each for each in self.given if own and (own[each] != values[each] if each in own else each not in followed))
        return sorted(changed, key=by_reading)
