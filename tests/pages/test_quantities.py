"""Other quantities in a page: the browser's numbers, inputs and faults against what a model measures."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import pytest

from symparams import Model, SymparamsError, load
from symparams.errors import MissingDimensionError
from symparams.models.inputs import asked_for
from tests.pages.cases import FAMILIES, WORDS, cases, page_of

INPUTS = 10**6


class Measured(NamedTuple):
    """What is asked for of a quantity, and what Python measures."""

    asked: dict[str, Any]
    taken: set[str]
    count: str | None
    fault: str | None


def drawn(family: str, quantity: str, names: list[str], number: int, *, share: float = 0.95) -> list[Measured]:
    """So many settings, sizes and inputs by chance; ``share`` of the inputs are given."""
    chance, found = Random(f"{family} {quantity}"), []  # noqa: S311 - for sizes, not for secrets
    for case in cases(family, number, seed=7):
        inputs = {name: chance.choice(("0", "1", str(chance.randint(1, INPUTS)), str(chance.randint(1, INPUTS))))
                  for name in names if chance.random() < share}  # fmt: skip
        off = [feature for feature in load(family).features if feature not in case.on]
        try:
            model = load(family, include=case.on, exclude=off, **case.given)
        except SymparamsError:
            continue  # which tests/pages/test_exact.py looks at
        asked = {"given": {**case.given, **inputs}, "on": case.on, "quantity": quantity}
        found.append(Measured(asked, *measured(model, quantity, inputs)))
    return found


def measured(model: Model, quantity: str, inputs: dict[str, str]) -> tuple[set[str], str | None, str | None]:
    """The inputs on which a quantity depends, what it is, or what is said; what is needless is left out."""
    given = dict(inputs)
    while True:
        try:
            return set(given), str(asked_for(model, quantity, given).value()), None
        except MissingDimensionError as error:
            return set(given), None, str(error)
        except SymparamsError as error:
            needless = next((name for name in given if _refuses(str(error), name)), None)
            if needless is None:
                return set(given), None, str(error)
            del given[needless]


def _refuses(said: str, name: str) -> bool:
    return any(
        f"{before} {name}{after}" in said
        for before, after in (("depend on", ":"), ("depend on", " without"), ("leave out", "."))
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_a_quantity_is_what_python_measures(node, family):
    held = {each["name"]: [name for name, _ in each["inputs"]] for each in page_of(family)["quantities"]}
    assert "weight_memory" in held
    counted = 0
    for quantity, names in held.items():
        asked = drawn(family, quantity, names, 10)
        counted += sum(each.count is not None for each in asked)
        answers = node(data=page_of(family), words=WORDS, cases=[each.asked for each in asked])
        for each, answer in zip(asked, answers, strict=True):
            shown = (each.asked, answer["fault"], answer["missing"])
            assert answer["count"] == each.count, (quantity, each.fault, shown)
            if each.count is not None:
                given = set(answer["taken"]) & set(each.asked["given"])
                unread = {
                    name for name in ("t", "s_src") if each.asked["given"].get(name) == "0"
                }  # of nothing, nothing is said
                assert given - unread == each.taken - unread, shown
            elif answer["missing"]:
                given = ", ".join(f"{name}=…" for name in answer["missing"])
                lacking = ", ".join(
                    f"{name} (the bytes of a number type)" if name == "e" else name for name in answer["missing"]
                )
                assert each.fault == f"{quantity} of {family} has no value for {lacking}: give {given}.", shown
            elif str(each.fault).startswith("FLOPs are not derived"):
                assert answer["fault"] == f"{quantity} of {family} is not derived with these parts: choose others.", shown
            else:
                assert answer["fault"] == each.fault, shown
    assert counted > 1
