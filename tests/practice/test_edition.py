"""The edition of the bank rises with every question that asks or answers otherwise."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from symparams.practice.bank import models, of_each
from symparams.practice.facts import facts
from symparams.practice.kind import EDITION, kinds, mistakes
from symparams.practice.question import Question

STORED = Path(__file__).parent / "edition.json"
WHAT_TO_DO = (
    "{changed} no longer as in the edition of {edition}, which decks of cards and exams are known by: raise EDITION in "
    "symparams/practice/kind.py to a later day or hour, then write `pytest tests/practice/test_edition.py --golden-update`."
)


def digest(question: Question) -> str:
    """Of what a question says in every language, its answer, and what is said to wrong answers."""
    kind = question.kind
    said = [
        kind.level,
        [str(form) for form in kind.forms],
        kind.unit,
        *map(dict, (kind.texts, kind.topic, kind.note, kind.right, *kind.others, *kind.reasons)),
    ]
    known = mistakes()
    told = [[repr(each.written), str(each.value), [dict(known[name]) for name in each.names]] for each in question.mistakes]
    answer = [] if kind.is_choice else [repr(question.shown), str(question.value), dict(question.given)]
    whole = [question.model.name, *said, answer, told]
    return sha256(json.dumps(whole, ensure_ascii=False, sort_keys=True).encode()).hexdigest()[:16]


@cache
def found() -> dict[str, str]:
    told = {f"fact.{fact.name}": sha256(repr((fact.record, fact.numbers)).encode()).hexdigest()[:16] for fact in facts()}
    return {question.kind.name: digest(question) for question in of_each(kinds().values(), models())} | told


def problem(stored: dict[str, str], edition: str) -> str:
    """What is to be done; nothing where the bank is as it was in its edition."""
    now = found()
    changed = [name for name in {**stored, **now} if stored.get(name) != now.get(name)]
    return WHAT_TO_DO.format(changed=", ".join(changed), edition=edition) if changed and edition >= EDITION else ""


def test_the_edition_rises_with_every_change_of_a_question(request: pytest.FixtureRequest) -> None:
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {"edition": "", "questions": {}}
    assert not (said := problem(stored["questions"], stored["edition"])), said
    now = {"edition": EDITION, "questions": found()}
    if request.config.getoption("--golden-update"):
        STORED.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    assert stored == now, "The edition was raised: write `pytest tests/practice/test_edition.py --golden-update`."
