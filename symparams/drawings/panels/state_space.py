"""The panels of state spaces: Mamba's, whose step, B and C are selected by the input, and Mamba 2's, whose heads share them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.drawings.group import Group
from symparams.drawings.marks import Rectangle, Tint
from symparams.drawings.panels import facts
from symparams.drawings.panels.sketch import GAP, RISE, SHORT, SIGN, Part, Sketch, Span
from symparams.drawings.work import Work


def state_space(work: Work, path: str, component: Component, width: float) -> Group | None:
    """The panel; None where it holds other parts than these."""
    return None
