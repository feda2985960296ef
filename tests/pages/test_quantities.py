"""Other quantities in a page: the browser's numbers, inputs and faults against what a model measures."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import pytest

from symparams import Model, SymparamsError, load
from symparams.errors import MissingDimensionError
from symparams.expressions.written import exact
from symparams.models.inputs import checked_calculation
from symparams.quantities.streams import fixed_inputs
from tests.pages.cases import FAMILIES, WORDS, cases, page_of

INPUTS = 10**6


class Measured(NamedTuple):
    """What is asked for of a quantity, and what Python measures."""

    asked: dict[str, Any]
    taken: set[str]
    count: str | None
    fault: str | None
    fixed: set[str]


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
        fixed = {name: size for name, size in sizes_fixed(model).items() if name in inputs}
        inputs |= fixed  # another is refused
        asked = {"given": {**case.given, **inputs}, "on": case.on, "quantity": quantity}
        found.append(Measured(asked, *measured(model, quantity, inputs), {*fixed}))
    return found


def sizes_fixed(model: Model) -> dict[str, str]:
    """The inputs that the sizes of a model fix, as they are typed."""
    sizes = fixed_inputs(model.tree).items()
    return {letter.name: str(exact(size, model.values)) for letter, size in sizes if {*size.dimensions} <= model.values.keys()}


def measured(model: Model, quantity: str, inputs: dict[str, str]) -> tuple[set[str], str | None, str | None]:
    """The inputs on which a quantity depends, what it is, or what is said; what is needless is left out."""
    given = dict(inputs)
    while True:
        try:
            return set(given), str(checked_calculation(model, quantity, given).value()), None
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


def test_an_input_that_the_sizes_fix_cannot_be_another(node):
    own = next(preset for preset in page_of("whisper")["presets"] if preset["target"] == "whisper-tiny")
    sources = ({"s_src": "100"}, {"s_src": "1500"}, {})
    asked = [{**own, "given": {**own["held"], "b": "1", "t": "4", "e": "2", **source}, "own": own} for source in sources]
    answers = node(data=page_of("whisper"), words=WORDS, cases=[{**case, "quantity": "kv_cache"} for case in asked])
    assert answers[0]["fault"] == "s_src = 100 contradicts s_src = max_source = 1500: leave it out."
    assert [answer["count"] for answer in answers[1:]] == [str(2 * 4 * 384 * (4 + 1_500) * 2)] * 2


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
                # of nothing, nothing is said, nor of what is so in any case
                unread = {name for name in ("t", "s_src") if each.asked["given"].get(name) == "0"} | each.fixed
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
