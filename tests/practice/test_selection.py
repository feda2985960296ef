"""Selection: what a quiz asks, in which order."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from symparams.models.load import load
from symparams.practice.bank import models
from symparams.practice.kind import chapters, kinds
from symparams.practice.paths import ENOUGH, asked_on, path, today
from symparams.practice.progress import AGAIN, GOOD, Log, Review
from symparams.practice.schedule import Schedule
from symparams.practice.selection import DUE, EARLY, NEW, ROUND, Asked, Wish, choose
from symparams.practice.walk import walk

pytest.importorskip("fsrs")
NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
EVERY = list(kinds().values())


def wish(count: int = 10, new: int = 10, seed: str = "7", *, fills: bool = False, targets: tuple[str, ...] = ()) -> Wish:
    return Wish(EVERY, models(targets), count, new, seed, fills)


def log(*reviews: tuple[str, str, int, int]) -> Schedule:
    found = [Review(NOW - timedelta(days=days), kind, model, "number", rating) for kind, model, rating, days in reviews]
    return Schedule.of(Log(Path(), tuple(found)))


def names(asked: list[Asked]) -> list[str]:
    return [each.question.kind.name for each in asked]


def test_what_is_due_comes_first_the_most_overdue_before_all():
    schedule = log(
        ("attention.layer", "gpt2", AGAIN, 3), ("gqa.saving", "llama-3-8b", AGAIN, 30), ("embeddings.token", "gpt2", GOOD, 1)
    )
    asked = choose(wish(4), schedule, NOW)
    assert names(asked)[:2] == ["gqa.saving", "attention.layer"]
    assert [each.state for each in asked] == [DUE, DUE, NEW, NEW]
    assert "embeddings.token" not in names(asked)


def test_new_ones_mix_the_levels_no_two_of_a_chapter_in_a_row_where_there_are_others():
    asked = choose(wish(12, 12), log(), NOW)
    chapters = [each.question.kind.chapter for each in asked]
    assert [each.question.kind.level for each in asked] == 2 * [*ROUND]
    assert all(one != other for one, other in pairwise(chapters))


def test_a_standard_question_is_of_a_chapter_that_a_warm_up_has_opened():
    chapters = [each.question.kind.chapter for each in choose(wish(5, 5), log(), NOW)]
    assert chapters[2] in chapters[:2]
    assert chapters[4] in chapters[:4]


def test_so_many_are_new_and_no_more():
    assert len(choose(wish(10, 2), log(), NOW)) == 2
    assert choose(wish(10, 0), log(), NOW) == []


def test_each_review_takes_another_model():
    one_kind = replace(wish(1), kinds=[kinds()["attention.layer"]])
    [before] = choose(one_kind, log(), NOW)
    [again] = choose(one_kind, log(("attention.layer", before.question.model.name, AGAIN, 5)), NOW)
    assert again.question.model.name != before.question.model.name


def test_what_is_not_due_fills_a_quiz_of_so_many():
    schedule = log(*((kind.name, "gpt2", GOOD, 0) for kind in EVERY if kind.chapter != "published"))
    assert not [each for each in choose(wish(), schedule, NOW) if each.state == EARLY]
    assert {each.state for each in choose(wish(5, 0, fills=True), schedule, NOW)} == {EARLY}


def test_a_seed_is_one_quiz():
    def instances(seed: str) -> list[tuple[str, str, str]]:
        chosen = choose(wish(seed=seed), log(), NOW)
        return [(each.question.kind.name, each.question.model.name, str(each.question.form)) for each in chosen]

    assert instances("7") == instances("7")
    assert any(instances("7") != instances(seed) for seed in "89")


def test_a_target_is_asked_about_alone():
    """No question names a model of another family, as that of Mixtral's memory does and GPT-2's three numbers."""
    families = {name: name.split("-")[0].rstrip("0123456789") for name in ("gpt2", "llama-3-8b", "mixtral-8x7b", "deepseek-v3")}
    for target, family in families.items():
        asked = [each.question for each in choose(wish(count=200, new=200, targets=(target,)), log(), NOW)]
        assert {question.model.name for question in asked} == {target}
        others = [other for other in families.values() if other != family]
        texts = {question.kind.name: question.kind.texts["en"].lower().replace("gpt-2", "gpt") for question in asked}
        texts.pop("embeddings.why-context", None)  # GPT-2 beside Llama, which has no such table
        assert [name for name, text in texts.items() if any(other in text for other in others)] == [], target


def test_a_walk_is_the_sheet_in_its_order_up_to_the_total():
    asked = walk(load("gpt2"))
    found = [(each.question.kind.name, repr(each.question.shown)) for each in asked]
    assert found[0] == ("embeddings.token_embedding", "V*h")
    assert found[-1] == ("total", "12*L*h**2 + 13*L*h + V*h + max_pos*h + 2*h")
    assert [
        each.names
        for question in asked
        if question.question.kind.name == "decoder.attention"
        for each in question.question.mistakes
    ]


def test_a_path_goes_on_to_the_next_day_when_enough_was_asked():
    days = path("interview-7-days")
    assert [day.number for day in days] == list(range(1, 8))
    assert {name for day in days for name in day.chapters} == {chapter.name for chapter in chapters()}
    for day in days:
        asked = choose(Wish(day.kinds, models(day.models), ENOUGH, ENOUGH, "7"), log(), NOW)
        assert len(asked) == ENOUGH, day
    assert today(days, log()).number == 1
    seen = [(kind.name, "gpt2", GOOD, 1) for kind in days[0].kinds[:ENOUGH]]
    assert today(days, log(*seen[1:])).number == 1
    second = today(days, log(*seen))
    assert second.number == 2
    assert {kind.name for kind in asked_on(second, log(*seen))} == {kind.name for kind in second.kinds} | {
        name for name, *_ in seen
    }
