"""Progress and schedule: a log that loses nothing, and the days that FSRS works out from it."""

from __future__ import annotations

import codecs
import multiprocessing
import os
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from symparams.practice import progress as module
from symparams.practice.kind import EDITION
from symparams.practice.progress import AGAIN, EASY, GOOD, HARD, HEAD, Log, Progress, ProgressError, Review, parsed, place
from symparams.practice.schedule import Card, Schedule
from tests.growth import MOST, steps

pytest.importorskip("fsrs")
START = datetime(2026, 11, 21, 9, tzinfo=UTC)


def review(kind: str = "attention.qkv", rating: int = GOOD, days: float = 0, **other: object) -> Review:
    return Review(START + timedelta(days=days), kind, str(other.pop("model", "gpt2")), "symbolic", rating, **other)  # type: ignore[arg-type]


def test_a_line_of_the_log_is_what_the_learner_answered(tmp_path):
    file = tmp_path / "folder" / "progress.jsonl"
    progress = Progress(file)
    assert progress.read() == Log(file)
    assert progress.add(review(rating=HARD, mistake="no-bias"))
    assert file.read_text() == (
        '{"symparams_progress": 1}\n'
        '{"at": "2026-11-21T09:00:00Z", "kind": "attention.qkv", "model": "gpt2", "form": "symbolic", "rating": 2, '
        f'"mistake": "no-bias", "bank": "{EDITION}"}}\n'
    )
    assert progress.read().reviews == (review(rating=HARD, mistake="no-bias"),)


def content() -> bytes:
    return HEAD + b"".join(review(f"attention.k{i}", rating=1 + i % 4, days=i).line for i in range(4))


def test_a_log_cut_off_anywhere_keeps_every_whole_line(tmp_path):
    whole = content()
    for end in range(0, len(whole) + 1, 3):
        file = tmp_path / "progress.jsonl"
        file.write_bytes(whole[:end])
        log = Progress(file).read()
        lines = max(0, whole[:end].count(b"\n") - 1)
        assert len(log.reviews) >= lines
        Schedule.of(log)
        assert Progress(file).add(review("norms.layer", days=9))
        after = Progress(file).read()
        assert after.reviews[-1] == review("norms.layer", days=9)
        assert after.reviews[: len(log.reviews)] == log.reviews
        assert file.read_bytes().startswith(whole[:end])


def test_a_byte_that_is_flipped_spoils_one_line_at_most(tmp_path):
    whole, chance = content(), random.Random(7)  # noqa: S311 - no secret is made of it
    for place_of in range(0, len(whole), 2):
        spoiled = bytearray(whole)
        spoiled[place_of] ^= 1 << chance.randrange(8)
        try:
            log = parsed(bytes(spoiled), tmp_path / "progress.jsonl")
        except ProgressError:  # the head is of a newer version now
            assert place_of < len(HEAD)
            continue
        assert len(log.reviews) >= 2
        assert len(log.reviews) + len(log.damaged) >= 4 or whole[place_of : place_of + 1] == b"\n"
        Schedule.of(log)


def test_a_file_that_is_none_of_ours_or_newer_is_not_written_to(tmp_path):
    file = tmp_path / "progress.jsonl"
    for held in (b'{"symparams_progress": 2}\n', b'{"symparams_progress": "1.1"}\n', b"\x89PNG\r\n\x1a\n\0\0",
                 b"Chapter 1. It was a dark night.\n", b'{"a": 1}\n', b"\n\n"):  # fmt: skip
        file.write_bytes(held)
        with pytest.raises(ProgressError, match="move it away or give --progress FILE"):
            Progress(file).read()
        assert file.read_bytes() == held


def test_what_a_newer_bank_wrote_is_kept_and_ignored(tmp_path):
    line = b'{"at": "2026-11-21T09:00:00Z", "kind": "new.kind", "model": "m", "form": "f", "rating": 3, "more": [1]}\n'
    log = parsed(HEAD + line + b"{}\n" + review().line, tmp_path / "x.jsonl")
    assert [each.kind for each in log.reviews] == ["new.kind", "attention.qkv"]
    assert log.damaged == (3,)


def test_whatever_stands_in_a_log_its_lines_are_read_and_another_is_added(tmp_path):
    file = tmp_path / "progress.jsonl"
    for line in (b"", b"\0\0\0\n", b"x" * 1_000_000 + b"\n", b"[" * 100_000 + b"\n", b'{"at": ' + b"9" * 5000 + b"\n"):
        held = codecs.BOM_UTF8 + (HEAD + line + review().line).replace(b"\n", b"\r\n")
        file.write_bytes(held)  # as an editor on Windows leaves it
        assert Progress(file).read() == Log(file, (review(),), (2,) if line else ()), line[:9]
        assert Progress(file).add(review(days=1))
        assert file.read_bytes() == held + review(days=1).line


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes with names")
def test_a_pipe_is_refused_and_waits_for_nobody(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ProgressError, match=r": It is not a file\. Give another file with --progress\.$"):
        Progress(tmp_path / "pipe").read()


def test_what_cannot_be_a_file_is_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    for name in ("folder", "no\0name", "n" * 300):
        with pytest.raises(ProgressError, match=r"^Cannot read "):
            Progress(tmp_path / name).read()
    with pytest.raises(ProgressError, match=r"The system knows no home for '~nobodyhere/a\.jsonl': write"):
        place("~nobodyhere/a.jsonl", {})


def test_a_file_that_cannot_be_written_says_why_once(tmp_path, monkeypatch):
    file = tmp_path / "progress.jsonl"
    assert Progress(file).add(review())
    file.chmod(0o444)
    progress = Progress(file)
    assert not progress.add(review())
    assert progress.failure == os.strerror(13)
    folder = Progress(tmp_path / "progress.jsonl" / "inside")
    assert not folder.add(review())

    def full(*_: object) -> int:
        raise OSError(28, os.strerror(28))

    file.chmod(0o644)
    monkeypatch.setattr(module.os, "write", full)
    disk = Progress(file)
    assert not disk.add(review())
    assert disk.failure == os.strerror(28)


def _answer_often(path: str, kind: str) -> None:
    progress = Progress(Path(path))
    for day in range(200):
        assert progress.add(review(kind, days=day))


def test_two_quizzes_at_once_lose_nothing(tmp_path):
    file = tmp_path / "progress.jsonl"
    context = multiprocessing.get_context("spawn")
    both = [context.Process(target=_answer_often, args=(str(file), f"attention.{name}")) for name in "ab"]
    for each in both:
        each.start()
    for each in both:
        each.join()
    log = Progress(file).read()
    assert (len(log.reviews), log.damaged) == (400, ())


def test_the_file_is_the_one_that_is_given_or_named_or_the_users(monkeypatch):
    assert place("a.jsonl", {module.VARIABLE: "b.jsonl"}) == Path("a.jsonl")
    assert place("", {module.VARIABLE: "b.jsonl"}) == Path("b.jsonl")
    usual = place("", {})
    assert usual is not None
    assert usual.parts[-2:] == ("symparams", "progress.jsonl")
    monkeypatch.setitem(__import__("sys").modules, "platformdirs", None)
    assert place("", {}) is None


def days(*ratings: int) -> list[int]:
    schedule, found = Schedule.of(Log(Path())), []
    for rating in ratings:
        before = schedule.due(Card("attention.qkv")) or START
        due = schedule.after(Review(before, "attention.qkv", "gpt2", "symbolic", rating))
        assert due is not None
        found.append((due - before).days)
    return found


def test_right_answers_come_back_ever_later_and_wrong_ones_soon():
    assert days(GOOD, GOOD, GOOD, GOOD) == [2, 11, 46, 163]
    assert days(GOOD, GOOD, GOOD, AGAIN) == [2, 11, 46, 3]
    assert days(HARD) == days(AGAIN) == [1]
    assert days(EASY)[0] > days(GOOD)[0]


def test_a_review_that_stands_for_another_replaces_it():
    both = Log(Path(), (review(), review(rating=EASY, instead=True)))
    alone = Log(Path(), (review(rating=EASY),))
    assert Schedule.of(both).due(Card("attention.qkv")) == Schedule.of(alone).due(Card("attention.qkv"))
    assert Schedule.of(both).seen[Card("attention.qkv")].times == 1


def test_what_is_dated_in_the_future_is_left_out_until_then():
    """A review dated 2999 would keep its card from ever being due."""
    log = Log(Path(), (review(days=300_000), review()))
    assert Schedule.of(log).due_by(START + timedelta(days=400)) == []
    assert Schedule.of(log.until(START)).due_by(START + timedelta(days=400)) == [Card("attention.qkv")]
    assert log.until(START + timedelta(days=299_999)) == log


def test_twice_the_reviews_of_a_card_take_twice_the_steps():
    logs = {number: Log(Path(), tuple(review(days=i) for i in range(number))) for number in (100, 200)}
    few, many = (steps(lambda log=log: Schedule.of(log)) for log in logs.values())
    assert many <= MOST * few
    record = Schedule.of(logs[200]).seen[Card("attention.qkv")]
    assert (record.times, len(record.models)) == (200, 1), "what is kept of a card does not grow"


def test_a_number_of_a_name_is_learnt_for_each_model_by_itself():
    log = Log(Path(), (review("published.llama-7b", model="llama-7b"), review(model="gpt2"), review(model="bert-base-uncased")))
    assert set(Schedule.of(log).seen) == {Card("published.llama-7b", "llama-7b"), Card("attention.qkv")}
