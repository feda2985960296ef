"""A hunt: inputs of a target, drawn and shrunk by hypothesis until the time is over, and the smallest that fails kept."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import strategies as st

FOUND = Path(__file__).parent / "found"
INPUTS_A_ROUND = 50
MOST_CALLS = 20_000_000  # of functions, for one input: ten seconds of a slow machine, and the same on every machine


@dataclass(frozen=True)
class Target:
    """What is fuzzed: inputs that JSON can hold, and what must be so for each, told by an exception where it is not."""

    inputs: st.SearchStrategy[Any]
    holds: Callable[[Any], None]


@dataclass(frozen=True)
class Finding:
    """An input for which a target does not hold, and what was raised."""

    target: str
    input: Any
    said: str

    def keep(self, folder: Path = FOUND) -> Path:
        """Write it where the ordinary tests replay it."""
        text = json.dumps({"target": self.target, "said": self.said, "input": self.input}, indent=1) + "\n"
        name = hashlib.sha256(json.dumps(self.input).encode()).hexdigest()[:10]
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{self.target}-{name}.json"
        file.write_text(text, encoding="utf-8", newline="\n")
        return file


class TooMuchWorkError(Exception):
    """An input for which more functions are called than any input is worth."""


@contextmanager
def bounded(most_calls: int = MOST_CALLS) -> Iterator[None]:
    """Work that is measured in calls of functions, which no other load of the machine changes."""
    left = most_calls

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise TooMuchWorkError(f"more than {most_calls:,} calls and returns")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)


def hunt(name: str, target: Target, seed: int, until: float, inputs: int = INPUTS_A_ROUND) -> Finding | None:
    """The smallest input of one round that fails; None where none does. ``until`` is a time of ``time.monotonic``."""
    found: list[tuple[int, Finding]] = []

    @hypothesis.seed(seed)
    @settings(
        max_examples=inputs,
        deadline=None,
        database=None,
        derandomize=False,
        phases=(Phase.generate, Phase.target, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(target.inputs)
    def one_round(value: Any) -> None:
        if time.monotonic() > until:
            return
        try:
            with bounded():
                target.holds(value)
        except Exception as error:
            said = f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]
            found.append((len(json.dumps(value)), Finding(name, value, said)))
            raise

    try:
        one_round()
    except Exception:  # what hypothesis makes of a failure, or of a shrinking that ran out of time
        if not found:
            raise
    return min(found, key=lambda pair: pair[0])[1] if found else None


def hunt_all(targets: dict[str, Target], seed: int, seconds: float, folder: Path = FOUND) -> list[Finding]:
    """What is found wrong within the time, one finding a target, each kept in the folder as soon as it is known."""
    until, findings, rounds = time.monotonic() + seconds, [], 0
    left = dict(targets)
    while left and time.monotonic() < until:
        for name in list(left):
            share = (until - time.monotonic()) / len(left)  # what is slow to make small leaves the others their time
            finding = hunt(name, left[name], seed + rounds, time.monotonic() + share)
            if finding is not None:
                print(
                    f"{name}: {finding.said}\n  {json.dumps(finding.input)[:2_000]}\n  kept as {finding.keep(folder)}",
                    flush=True,
                )
                findings.append(finding)
                del left[name]  # until it is mended, it would be found again
        rounds += 1
    print(f"{rounds} rounds of {INPUTS_A_ROUND} inputs for each of {len(targets)} targets, seed {seed}: {len(findings)} found")
    return findings
