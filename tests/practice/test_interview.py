"""Interviews as they are held: six read and accepted, and what holds of each step of each script."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from symparams.models.load import load
from symparams.practice.bank import chosen, of_each
from symparams.practice.interview import Posed, interview, names
from symparams.practice.marking import symbols
from symparams.practice.rough import Worth, heard, judge, written_digits

GOLDEN = Path(__file__).parent / "golden"
RIGHT = (Worth.RIGHT, Worth.ENOUGH)


@pytest.fixture
def held(cli, monkeypatch):
    """``held("--lang en", "39M\n")`` is what an interview makes of the lines on its standard input."""

    def command(arguments: str, answers: str):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(answers.encode()), encoding="utf-8"))
        return cli(["interview", *arguments.split()])

    return command


def posed(target: str = "", script: str = "") -> dict[str, Posed]:
    return {step.step.name.partition(".")[2]: step for step in interview(load(target) if target else None, script)[1]}


def worth(step: Posed, typed: str) -> Worth:
    return judge(step, heard(typed), symbols(step.question, {}))[0].worth


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("script", names())
def test_an_interview_is_held_as_it_was_accepted(script, language, held, golden, tmp_path):
    file, said = GOLDEN / f"{script}.{language}.txt", tmp_path / "said.txt"
    answers = re.findall("^> (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    out = held(f"--script {script} --lang {language} --no-save --transcript {said}", "\n".join(answers) + "\n").out
    text = said.read_text(encoding="utf-8")
    golden(file, text)
    assert out == re.sub("^> .*\n", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("file", sorted(GOLDEN.iterdir()), ids=lambda file: file.stem)
def test_the_points_of_the_skills_are_those_of_the_interview(file):
    """Two a step, and the rest of what the sentence says is true of the lines above it."""
    text = file.read_text(encoding="utf-8")
    [(points, possible, skills)] = re.findall(
        r"^  (\d+)(?: of |/)(\d+)[.。] ?(.*)[.。](?: Assumptions|说明)", text, re.MULTILINE
    )
    parts = [tuple(map(int, part)) for part in re.findall(r"(\d+)/(\d+)", skills)]
    assert tuple(map(sum, zip(*parts, strict=True))) == (int(points), int(possible))
    assert int(possible) == 2 * len(re.findall(r"^\d+/\d+  ", text, re.MULTILINE))


@pytest.mark.parametrize("target", ["", "qwen3-8b", "llama-3-70b", "gpt2-medium", "deepseek-v2"])
@pytest.mark.parametrize("script", names())
def test_no_usual_mistake_is_right_at_two_digits_and_the_answer_is_at_three(script, target):
    """A rounded mistake is wrong, or a digit more is asked for; so it is with an answer that rounds to a mistake."""
    if target and script != interview(load(target))[0].name:
        return
    for step in posed(target, script).values():
        value = step.question.value
        assert worth(step, rounded(value, 3)) in RIGHT, step.step.name
        assert worth(step, rounded(value, 2)) in (*RIGHT, Worth.CLOSER), step.step.name
        for mistake in step.question.mistakes:
            assert worth(step, rounded(mistake.value, 2)) not in RIGHT, (step.step.name, mistake.names)


def rounded(value: int | Fraction, digits: int) -> str:
    """A number with so many digits, and zeros behind them where it is larger."""
    return f"{Decimal(f'{float(value):.{digits - 1}e}'):f}"


@pytest.mark.parametrize("target", ["llama-3-8b", "qwen3-8b", "llama-7b", "llama-3-70b", "glm-4-9b"])
def test_each_step_starts_from_the_answer_before_it(target):
    """On one board and with one length, which suit the model: 70B do not fit on the first board."""
    card = {name: step.question for name, step in posed(target, "one-card").items()}
    assert card["step"].given["b"] == card["throughput"].given["b"] == card["requests"].value
    linked = [card[name] for name in ("requests", "step", "throughput", "fp8", "prefill")]
    assert len({(question.board, question.given.get("t") or question.given["s"]) for question in linked}) == 1


@pytest.mark.parametrize("script", names())
def test_each_step_names_a_chapter_in_which_its_model_is_asked(script):
    for step in posed("", script).values():
        assert any(of_each(chosen(step.step.practise), [step.question.model])), step.step.name


@pytest.mark.parametrize(
    ("step", "typed", "taken"),
    [
        ("table", "4e7", Worth.ENOUGH),  # one digit, within 25 %
        ("table", "42M", Worth.RIGHT),  # two, within 10 %
        ("table", "四千万", Worth.ENOUGH),
        ("table", "I guess forty million", Worth.ENOUGH),
        ("table", "43M", Worth.WRONG),
        ("table", "38.0M", Worth.WRONG),  # three, and the question is exact
        ("layer", "6.5M", Worth.CLOSER),  # without the output it is as much
        ("layer", "6.50M", Worth.WRONG),
        ("layer", "12h^2", Worth.FORMULA),
        ("layer", "12*768**2", Worth.RIGHT),
        ("bert", "108.9M, no pooler", Worth.ASSUMED),
        ("bert", "109M, no biases", Worth.RIGHT),
        ("hours", "12.5 at the peak", Worth.EXCLUDED),
        ("hours", "12.5", Worth.WRONG),
        ("cache", "36 MiB", Worth.RIGHT),
        ("cache", "36 MB", Worth.RIGHT),  # of 1,024
    ],
)
def test_a_rough_answer(step, typed, taken):
    assert worth(posed()[step], typed) == taken


def test_what_is_counted_is_not_estimated_and_a_name_is_no_answer():
    assert [worth(posed("", "mixture")["boards"], typed) for typed in ("5", "4", "6", "8, whole node")] == [
        Worth.RIGHT, Worth.WRONG, Worth.WRONG, Worth.ASSUMED,
    ]  # fmt: skip
    assert [worth(posed("", "one-card")["whole"], typed) for typed in ("7B", "6.7B")] == [Worth.NAMED, Worth.RIGHT]


def test_digits_are_counted_as_they_are_written():
    assert {text: written_digits(text) for text in ("60", "59", "0.8B", "6.7", "128K", "1,771,776", "3900万")} == {
        "60": 1,
        "59": 2,
        "0.8B": 1,
        "6.7": 2,
        "128K": 3,
        "1,771,776": 7,
        "3900万": 2,
    }


def test_twice_too_near_to_a_mistake_is_that_mistake(held):
    out = held("--no-save", "39M\n6.5M\n6.5M\n7.09M\n4 + 8\nq\n").out
    assert "one digit more" in out
    assert "The output projection is missing. Once more?" in out
    assert "3 of 4. counting 3/4" in out


def test_who_works_on_with_a_rough_number_is_understood(held):
    """With 55 requests in place of 59 a step takes 22.4 ms and not 23.7."""
    out = held("--script one-card --no-save", "p\np\np\n55\n22.4 ms, reading\nq\n").out
    assert "That follows from your earlier number. Exactly: 1,000·(b·t·M + 2·N) / BW ≈ 23.70 ms." in out
    assert "bottleneck 2/2" in out
    assert "bottleneck 2/2" not in held("--script one-card --no-save", "p\np\np\n59\n22.4 ms, reading\nq\n").out


def test_as_many_questions_as_fit_are_asked_and_the_time_is_told_but_cuts_nothing_off(held, mistake, monkeypatch):
    moments = iter(datetime(2026, 11, 28, 9, 0, tzinfo=UTC) + timedelta(minutes=each) for each in (0, 12.5))
    monkeypatch.setattr("symparams.cli.commands.quizzing.now", lambda: next(moments))
    out = held("--minutes 6 --no-save", "39M\np\n").out  # of 1, 3 and 3 minutes
    assert out.startswith("2 questions, one leads to the next.")
    assert "Planned: 4 of 6 min." in out
    assert "  Time: 13 of 6 min.\n" in out
    assert "2/2  One layer of gpt2" in out
    assert mistake("interview --script mixture --minutes 1") == "The first question takes 2 minutes: give at least that many."
    assert "--minutes 'soon' is not a number of minutes" in mistake("interview --minutes soon")


def test_who_does_not_know_passes_and_a_wrong_unit_costs_no_try(held):
    out = held("--script one-card --no-save", "I don’t know.\n我不知道\npass\np\n24 GB\nabout 24 ms, reading\n60/24ms\nq\n").out
    assert out.count("Let me give you that one:") == 4
    assert "The question asks for ms, not for ‘GB’." in out
    assert "Right: 1,000·(b·t·M + 2·N) / BW" in out
    assert "Right: b·BW / (b·t·M + 2·N)" in out


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_interview_is_printed_for_whoever_holds_it(language, held, golden, mistake):
    """The key is apart; the page has it, too, and a paper without it tells no answer."""
    line = f"llama-3-8b --minutes 18 --lang {language}"
    golden(GOLDEN.parent / f"interview.{language}.txt", held(f"{line} --key end", "").out)
    assert "805,306,368" in held(f"{line} --key only", "").out
    assert "805,306,368" not in held(f"{line} --key none", "").out
    assert held(f"{line} --html", "").out.count("<hr>") == 1
    assert mistake("interview --key none --transcript said.txt") == (
        "--transcript is for an interview in the terminal: leave it out, or the format, -o and --key."
    )


def test_a_formula_without_a_number_is_half(held):
    assert "The right way; the number is this: 12·h² + 13·h = 7,087,872." in (out := held("--no-save", "p\n12h^2\np\n").out)
    assert "1 of 4. counting 1/4" in out


def test_an_interview_ends_with_its_input_and_is_kept(held, tmp_path):
    file = tmp_path / "progress.jsonl"
    assert held(f"--progress {file}", "") == (0, held("--no-save", "q\n").out, "")
    assert not file.exists()
    held(f"--progress {file}", "39M\np\nq\n")
    assert re.findall('"kind": "(.*?)".*"rating": (.)', file.read_text()) == [("embeddings.token", "3")]


def test_the_steps_that_a_model_has_no_answer_to_are_left_out(held, mistake):
    assert "embedding have?" in held("gpt2-medium --no-save", "").out
    assert "BERT" not in held("gpt2-medium --no-save", "p\n" * 6).out
    assert mistake("interview qwen3-0.6b") == (
        "An interview needs 5 questions, and 3 of first can be asked of qwen3-0.6b: name another model."
    )
    assert mistake("interview --script poetry").startswith("Unknown script 'poetry'.")
    assert mistake("interview --transcript no/where/said.txt").startswith("Cannot write 'no/where/said.txt'")
