"""What fuzzing found stays found: each input in ``found`` holds, and a hunt sees a mistake that is there."""

from __future__ import annotations

import json
import time

import pytest

from tests.fuzz.hunt import FOUND, Finding, Target, TooMuchWorkError, bounded, hunt, hunt_all
from tests.fuzz.targets import TARGETS

FILES = sorted(FOUND.glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_what_was_found_holds(file):
    found = json.loads(file.read_text(encoding="utf-8"))
    with bounded():
        TARGETS[found["target"]].holds(found["input"])


@pytest.mark.parametrize("name", TARGETS)
def test_each_target_holds_for_a_few_inputs(name):
    assert hunt(name, TARGETS[name], seed=1, until=time.monotonic() + 5, inputs=8) is None


def refuse_products(value: dict[str, str]) -> None:
    if "*" in value["text"]:
        raise ZeroDivisionError("a product")


def test_a_mistake_is_found_made_small_and_kept(tmp_path, capsys):
    wrong = {"products": Target(TARGETS["expression"].inputs, refuse_products)}
    [finding] = hunt_all(wrong, seed=1, seconds=30, folder=tmp_path)
    assert (finding.target, finding.said) == ("products", "ZeroDivisionError: a product")
    assert finding.input["values"] == {}
    assert len(finding.input["text"]) <= len("10**12")  # the least of the formulas that are tried, or less
    [file] = tmp_path.iterdir()
    assert json.loads(file.read_text(encoding="utf-8"))["input"] == finding.input
    assert str(file) in capsys.readouterr().out


def test_work_without_end_is_found():
    def without_end(value: object) -> None:
        while True:
            abs(-1)

    with pytest.raises(TooMuchWorkError), bounded(most_calls=10_000):
        without_end(None)


def test_the_same_finding_has_one_file(tmp_path):
    finding = Finding("line", ["count", "\ud800"], "said")
    assert finding.keep(tmp_path) == finding.keep(tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
