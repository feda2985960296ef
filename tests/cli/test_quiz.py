"""The quiz as a learner meets it: on a terminal, and as a program that reads and writes lines."""

from __future__ import annotations

import io
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

pytest.importorskip("fsrs")
LONGEST = 120  # seconds until a line is answered
SOON = 20  # seconds in which an interrupt is heard on a busy machine
QUIZ = [sys.executable, "-m", "symparams", "quiz"]
MARKS = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
BEFORE = '{{"at": "{}-01-01T09:00:00Z", "kind": "{}", "model": "{}", "form": "number", "rating": 1, "bank": 1}}\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "progress.jsonl"


def seen(file: Path, *kinds: str) -> Path:
    """A log in which kinds are overdue, the first one most."""
    lines = "".join(BEFORE.format(year, *kind.split()) for year, kind in enumerate(kinds, 2020))
    file.write_text('{"symparams_progress": 1}\n' + lines)
    return file


@pytest.fixture
def piped(cli, file, monkeypatch):
    """``piped("gpt2 -n 1", "h*h\n")`` is what a quiz in this process makes of the lines, or bytes, on its standard input."""

    def command(arguments: str, answers: str | bytes):
        held = io.BytesIO(answers.encode() if isinstance(answers, str) else answers)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(held, encoding="utf-8"))
        return cli(["quiz", *arguments.split(), "--progress", str(file)])

    return command


class Learner:
    """Whoever sits at a terminal: waits for the prompt, types a line, reads what is said to it."""

    def __init__(self, terminal: int, process: subprocess.Popen[bytes]) -> None:
        self.terminal, self.process, self.raw = terminal, process, b""

    def until(self, end: bytes, longest: float = LONGEST) -> str:
        while end not in self.raw:
            assert select.select([self.terminal], [], [], longest)[0], f"nothing more is said after {self.raw!r}"
            try:
                piece = os.read(self.terminal, 65536)
            except OSError:  # the terminal is gone
                break
            if not piece:
                break
            self.raw += piece
        before, _, self.raw = self.raw.partition(end)
        return before.decode().replace("\r\n", "\n")

    def types(self, line: str) -> str:
        os.write(self.terminal, line.encode() + b"\n")
        return self.until(b"> ")

    def ends(self) -> tuple[int, str]:
        said = self.until(b"\0")
        return self.process.wait(), said


@contextmanager
def on_terminal(command: list[str], **environment: str) -> Iterator[Learner]:
    ours, theirs = os.openpty()
    settings = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", **environment}
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever runs the tests may ignore it, which a child inherits
    try:
        process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=settings, start_new_session=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        os.close(theirs)
        try:
            yield Learner(ours, process)
        finally:
            process.kill()
            os.close(ours)


def learner(arguments: str, file: Path, **environment: str) -> AbstractContextManager[Learner]:
    return on_terminal([*QUIZ, *arguments.split(), "--progress", str(file)], **environment)


def test_a_session_on_a_terminal(file):
    seen(file, "attention.layer bert-base-uncased", "gqa.two-savings llama-3-8b")
    with learner("gpt2 llama-3-8b -n 3 --new 0 --seed 7 --chapter attention", file, NO_COLOR="1") as someone:
        opening = someone.until(b"> ")
        assert "1 question: 1 due, 0 new." in opening
        assert "Attention · Self-attention with biases · standard · due" in opening
        assert "in one layer? Write a formula in h, n_heads." in " ".join(opening.split())
        assert "Not yet. The output projection is missing." in someone.types("3h^2 + 3h")
        assert "Hint 1 of 2: Attention turns each token" in someone.types("h")
        assert "I read 4h² + x: what is ‘x’? Symbols: L, V" in someone.types("4h² + x")
        assert "The right number; asked as a formula." in someone.types("2362368")
        os.write(someone.terminal, b"4*h*(h+1)\n")
        code, said = someone.ends()
    assert code == 0
    assert "Right: 4·h² + 4·h, which is 2,362,368 here. At the second try: again in 4 days." in " ".join(said.split())
    assert "1 asked, 0 right at once, 1 with help, 0 wrong. Weakest: Attention. Due tomorrow: 1." in " ".join(said.split())
    assert '"model": "gpt2", "form": "symbolic", "rating": 2, "mistake": "no-output", "bank": "' in file.read_text()


def test_a_second_wrong_answer_shows_the_steps_and_a_question_that_is_skipped_does_not_count(file, piped):
    seen(file, "cache.latent deepseek-v3", "cache.why-no-query gpt2")
    code, out, err = piped("deepseek-v3 -n 2 --new 0 --seed 5", "140544\n70,271\ns\n")
    said = " ".join(out.split())
    assert (code, err) == (0, "")
    assert "KV cache · KV cache with MLA · hard · due" in said
    assert "with e = 2 bytes a number? Write the exact number." in said
    assert "Not yet. You counted the compressed vector twice; one serves keys and values together." in said
    assert "The answer: 70,272 bytes. One compressed vector stands for the keys and values of all heads" in said
    assert "serves all of them. Again tomorrow." in said
    assert "M(dec) = (L_dense + L_moe) × M(compressed)" in said
    assert "Why are keys and values cached, but not queries? (a) " in said
    assert "Skipped; it does not count." in said
    assert "1 asked, 0 right at once, 0 with help, 1 wrong. Weakest: KV cache." in said
    assert '"form": "number", "rating": 1, "mistake": "latent-twice"' in file.read_text()


def test_a_line_of_a_terminal_is_no_wider_than_it(file):
    with learner("gpt2 -n 1 --seed 7 --lang zh", file, COLUMNS="40") as someone:
        said = someone.until(b"> ") + someone.types("?") + someone.types("a")
    assert all(sum(2 if "⺀" <= c <= "￮" else 1 for c in MARKS.sub("", line)) <= 40 + 2 for line in said.split("\n"))


# Of each interview the first lines that are typed, right, wrong and vague, and what is said to each.
INTERVIEWS = {
    "first": [
        ("about 39 million", "Right: V·h = 38,597,376."),
        ("2.4M", "The feed-forward is missing. Once more?"),
        ("sizeable", "Give me a number, however rough, or a formula."),
        ("I don't know", "Let me give you that one: 12·h² + 13·h"),
    ],
    "one-card --lang zh": [
        ("大概六十七亿", "对：4·L·h² + 3·L·h·d_ff"),
        ("四亿", "键和值你只算了其中一个，两个都要算。再试一次？"),
        ("很多", "请给一个数，多粗略都行，或者写公式。"),
        ("我不知道", "这题我来说：2·L·h·(h − n_kv_heads·d_head)"),
    ],
}


@pytest.mark.parametrize("script", INTERVIEWS)
def test_an_interview_on_a_terminal_hears_what_is_right_wrong_and_vague(script):
    command = [sys.executable, "-m", "symparams", "interview", "--no-save", "--minutes", "12", "--script", *script.split()]
    with on_terminal(command, NO_COLOR="1") as someone:
        someone.until(b"> ")
        for typed, said in INTERVIEWS[script]:
            assert said in " ".join(MARKS.sub("", someone.types(typed)).split()), typed
        os.write(someone.terminal, b"q\n")
        code, said = someone.ends()
    assert code == 0
    assert "2/4" in said


def test_an_arrow_upwards_shows_the_line_before(file):
    with learner("gpt2 -n 1 --seed 7", file) as someone:
        someone.until(b"> ")
        someone.types("12345678901")
        os.write(someone.terminal, b"\x1b[A")
        time.sleep(0.3)
        assert "12345678901" in someone.types("")


def test_an_easy_answer_comes_back_later(file, piped):
    seen(file, "embeddings.token bert-base-uncased", "attention.layer bert-base-uncased")
    said = piped("gpt2 -n 2 --new 0", "38597376\ne\nq\n").out
    assert "Easy, then. Again in " in said
    assert '"rating": 4, "instead": true, "bank": "' in file.read_text()
    assert "1 asked, 1 right at once" in said


def test_ctrl_c_ends_with_the_score_and_all_is_kept(file):
    seen(file, "embeddings.token bert-base-uncased", "attention.layer bert-base-uncased")
    with learner("gpt2 -n 2 --new 0", file) as someone:
        someone.until(b"> ")
        someone.types("38597376")
        os.killpg(someone.process.pid, signal.SIGINT)
        code, said = someone.ends()
    assert code == 0
    assert "1 asked, 1 right at once, 0 with help, 0 wrong." in " ".join(MARKS.sub("", said).split())
    assert file.read_text().count('"rating": 3') == 1


BEFORE_THE_WAIT = """
import _thread, threading
from symparams.cli.quiz.speech import Speech
threading.Timer(0.5, _thread.interrupt_main).start()  # as a signal that no system call has seen
try:
    Speech().hear()
except KeyboardInterrupt:
    print("heard")
"""


def test_an_interrupt_just_before_the_wait_for_a_key_ends_it():
    with on_terminal([sys.executable, "-c", BEFORE_THE_WAIT]) as someone:
        someone.until(b"> ")
        someone.until(b"heard", SOON)


def test_a_pipe_of_answers_has_neither_prompts_nor_colours_and_its_end_is_polite(piped):
    code, said, err = piped("gpt2 --plain --seed 7 --count 3", "s\nwhat?\nq\n")
    assert (code, err, "\x1b" in said) == (0, "", False)
    assert not re.search("^> ", said, re.M)
    assert said.startswith("3 questions: 0 due, 3 new.")
    assert said.splitlines()[-1].strip() == "Nothing was answered."
    assert piped("gpt2 --plain --seed 7 --count 3", "s\nwhat?\nq\n").out == said
    for answers in ("5", "", b"\xff\xfe\0\n\x1b[A\n"):
        code, said, err = piped("gpt2 --seed 1 -n 3", answers)
        assert (code, err, "\x1b" in said) == (0, "", False), answers
        assert ("Not yet." in said) == (answers == "5")


def test_what_cannot_be_saved_is_told_once_and_the_quiz_goes_on(file, piped):
    seen(file, "embeddings.token bert-base-uncased", "attention.layer bert-base-uncased")
    file.chmod(0o444)
    before = file.read_text()
    code, said, err = piped("gpt2 -n 2 --new 0", "38597376\n4h(h+1)\n")
    assert (code, file.read_text()) == (0, before)
    assert err.count("Progress cannot be saved in") == 1
    assert "2 asked, 2 right at once" in said


def test_a_file_that_is_damaged_or_none_of_ours_is_named(file, piped):
    seen(file, "attention.layer gpt2")
    with file.open("a") as log:
        log.write('{"at": "2020-01-\n')
    assert piped("gpt2 -n 1 --new 0", "4h(h+1)\n").err == "symparams: progress.jsonl:3 is damaged and was skipped.\n"
    assert '{"at": "2020-01-\n' in file.read_text()
    assert file.read_text().count('"rating"') == 2
    for held in ('{"symparams_progress": 2}\n', "my thesis\n"):
        file.write_text(held)
        code, said, err = piped("gpt2 -n 1", "q\n")
        assert (code, said, file.read_text()) == (2, "", held)
        assert "move it away or give --progress FILE." in err


def test_without_the_extra_it_schedules_nothing_and_says_so_once(piped, monkeypatch):
    for name in ("fsrs", "platformdirs"):
        monkeypatch.setitem(sys.modules, name, None)
    code, said, err = piped("gpt2 -n 1 --seed 7 --chapter embeddings", "a\na\n")
    assert (code, err.count("symparams[practice]")) == (0, 1)
    assert "gain in" not in said
    assert "gain tomorrow" not in said


def test_nothing_is_kept_where_nobody_wants_it_and_a_line_a_chapter_tells_how_it_goes(file, piped):
    assert "1 asked, " in piped("gpt2 -n 1 --seed 7 --no-save --chapter attention --level warm-up", "a\n0\n").out
    assert not file.exists()
    seen(file, "attention.layer gpt2")
    said = piped("--stats", "").out
    assert "Attention: 1 of " in said
    assert "1 due, 0% right at once." in said
    assert re.search(r"^Embeddings: none of \d+ seen\.$", said, re.M)


def test_a_derivation_is_asked_in_the_order_of_the_sheet(file, piped):
    said = piped("gpt2 --derive --plain", "V*h\nh max_pos\nVh + max_pos h\nq\n").out
    assert re.findall(r"^\d+/\d+ .* (\S+)$", said, re.M)[:4] == [
        "embeddings.token_embedding",
        "embeddings.position_embedding",
        "embeddings",
        "decoder.attention.query_key_value",
    ]
    assert "3 asked, 3 right at once, 0 with help, 0 wrong." in said
    assert not file.exists()


def test_a_mistake_is_one_line(file, piped):
    seen(file, "attention.layer gpt2")  # which is of another chapter
    for arguments, told in (
        ("gpt2 -n 0", "--count '0' is not a number of questions: write one from 1 to 1,000."),
        ("gpt2 --new few", "--new 'few' is not a number of questions"),
        ("--derive", "--derive needs a single target: write"),
        ("gpt2 --chapter mixtures --level standard", "The bank has no such question of gpt2"),
        ("gtp2", "Did you mean 'gpt2'?"),
    ):
        code, said, err = piped(arguments, "")
        assert (code, said, err.count("\n")) == (2, "", 1), arguments
        assert told in err
