"""Each target holds for what was once found wrong, and for inputs that are drawn: 3, or as many as FUZZ_EXAMPLES says."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, example, given, settings

from tests.formats.test_names import CONTROLS, FOREIGN, MARKS
from tests.fuzz.targets import TARGETS

EXAMPLES = os.environ.get("FUZZ_EXAMPLES")
DRAWING = settings(max_examples=int(EXAMPLES or 3), deadline=None, database=None, suppress_health_check=list(HealthCheck))
MOST_CALLS = 20_000_000  # of functions, for one input: ten seconds of a slow machine, and the same on every machine
FOUND = {  # or thought of
    "expression": [{"text": text, "values": {}} for text in ("03", "¼", "µ", "h²")],
    "line": [["derive", "bloom", ["--pdf"]]],
    "name": [" ", (CONTROLS + MARKS).replace("\0", "").replace("/", ""), FOREIGN],
    "tree": [["times", "h", ["times", 0, ["norm", 5]]]],
}


@contextmanager
def bounded(most_calls: int = MOST_CALLS) -> Iterator[None]:
    """Work that is measured in calls of functions, which no other load of the machine changes."""
    left = most_calls

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise RuntimeError(f"more than {most_calls:,} calls and returns")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_holds(name):
    inputs, holds = TARGETS[name]

    @settings(DRAWING, derandomize=not EXAMPLES)
    @given(inputs)
    def held(value):
        with bounded():
            holds(value)

    for found in FOUND.get(name, ()):
        held = example(found)(held)
    held()


def test_work_without_end_is_found():
    def without_end() -> None:
        while True:
            abs(-1)

    with pytest.raises(RuntimeError, match="more than 10,000 calls"), bounded(most_calls=10_000):
        without_end()
