"""What a page says besides the derivation: other ways to count, and the rule of thumb, decided as Python decides it."""

from __future__ import annotations

from typing import Any

import pytest

from symparams import Model, derive, load
from symparams.derivations.derivation import Derivation
from symparams.derivations.steps import Note
from symparams.expressions.nodes import Expression
from symparams.sheets.whole import _in_a_cell
from tests.pages.cases import FAMILIES, WORDS, cases, page_of

PUBLISHED = (
    "bert-base-uncased",
    "llama-3-8b",
    "deepseek-v3",
    "t5-small",
    "mixtral-8x7b",
    "qwen2-7b",
    "mamba-130m",
    "vit-base-patch16-224",
)


def conventions_of(found: Derivation) -> list[list[Any]]:
    """The other ways to count, but for what one token uses: the difference, and its number."""
    shown = [each for each in found.conventions if each.note != Note(("convention.active",))]
    is_bound = found.total.value is not None
    return [[_plain(each.difference.closed), str(each.difference.value) if is_bound else None] for each in shown]


def rule_of(found: Derivation) -> list[Any] | None:
    """The rule of thumb: what it counts, as formulas and as a number; what it leaves out."""
    rule = found.rule_of_thumb
    if rule is None:
        return None
    is_bound = rule.error is not None
    sources = [[each.name, _cell(each), str(each.value) if is_bound else None] for each in rule.sources]
    value = str(rule.estimate.value) if is_bound else None
    return [rule.rule.key.removeprefix("rule."), _plain(rule.estimate.closed), _plain(rule.squares), value, sources]


def _plain(formula: Expression | None) -> str | None:
    return None if formula is None else repr(formula)


def _cell(step: Any) -> str | None:
    cell = _in_a_cell(step)
    return None if cell is None else repr(cell.inner)  # type: ignore[attr-defined]


@pytest.mark.parametrize("family", FAMILIES)
def test_they_are_those_of_python(node, family):
    drawn = [case for case in [*cases(family, 40, seed=5), *cases(family, 40, seed=6, largest=1024)] if case.fault is None]
    assert len(drawn) > 8
    answers = node(data=page_of(family), words=WORDS, cases=[case.asked for case in drawn])
    for case, answer in zip(drawn, answers, strict=True):
        off = [feature for feature in load(family).features if feature not in case.on]
        found = derive(load(family, include=case.on, exclude=off, **case.given))
        assert [each[1:] for each in answer["conventions"]] == conventions_of(found), case
        assert answer["rule"] == rule_of(found), case


@pytest.mark.parametrize("target", PUBLISHED)
def test_those_of_a_published_model_are_those_of_its_sheet(node, target):
    model = load(target)
    [answer] = node(data=page_of(target), words=WORDS, cases=[_opened(model)])
    found = derive(model)
    assert [each[1:] for each in answer["conventions"]] == conventions_of(found)
    assert answer["rule"] == rule_of(found)


def _opened(model: Model) -> dict[str, Any]:
    own = page_of(model.name)["presets"][0]
    return {"given": own["held"], "on": own["on"]}
