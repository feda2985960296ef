"""Growth: the steps of Python that something takes, whatever the speed of the machine."""

from __future__ import annotations

import sys
from collections.abc import Callable

MOST = 2.5  # times the steps for twice the input: linear, with some room


def steps(work: Callable[[], object]) -> int:
    """Return the number of lines, calls and returns of Python that a function takes."""
    taken = 0

    def step(*_: object) -> object:
        nonlocal taken
        taken += 1
        return step

    before = sys.gettrace()
    sys.settrace(step)  # type: ignore[arg-type]
    try:
        work()
    finally:
        sys.settrace(before)
    return taken
