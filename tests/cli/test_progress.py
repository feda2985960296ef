"""What takes longer than a second shows on a terminal that it goes on, and how far; then it is wiped off. No pipe has it."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import time
from contextlib import redirect_stderr
from pathlib import Path
from types import SimpleNamespace

import pytest

from symparams import load
from symparams.answers import verification
from symparams.cli import progress
from symparams.cli.progress import going_on

from ..models.hub import COUNT, Hub, response, serving
from .terminal import on_a_terminal, screen

PROGRAM = [sys.executable, "-m", "symparams"]


class Terminal(io.StringIO):
    """A stream that says of itself that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal, and a program that has no patience."""
    monkeypatch.setattr(progress, "SOON", 0.05)
    monkeypatch.setattr(progress, "OFTEN", 0.05)
    return Terminal()


@pytest.fixture
def slow_hub(monkeypatch: pytest.MonkeyPatch):
    """It answers after three seconds."""

    def behave(connection, _):
        time.sleep(3)
        connection.sendall(response())

    with serving() as hub:
        hub.behaviour = behave
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
        yield hub


def test_a_slow_hub_is_seen_on_a_terminal_and_wiped_off_and_leaves_nothing_in_a_pipe(slow_hub: Hub, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with subprocess.Popen([*PROGRAM, "count", "someone/model"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as piped:
        code, seen = on_a_terminal("count someone/model", "utf-8")
        assert piped.communicate() == (f"{COUNT}\n".encode(), b"")
    assert code == 0
    assert b"symparams: asking the hub for someone/model, 1 s of at most 10 s" in seen
    assert b"2 s of at most 10 s" in seen
    assert screen(seen) == [str(COUNT), ""]


def test_what_is_quick_shows_nothing():
    assert on_a_terminal("count gpt2", "utf-8") == (0, b"124439808\r\n")


def test_a_log_has_a_line_now_and_then_of_what_takes_minutes(monkeypatch):
    monkeypatch.setattr(progress, "SELDOM", 0.05)
    with redirect_stderr(io.StringIO()) as log:
        for is_logged in (True, False):
            with going_on("site", is_logged=is_logged) as tell:
                tell("1 of 3")
                time.sleep(0.1)
                tell("2 of 3")
                tell("3 of 3")
    assert log.getvalue() == "symparams: site: 2 of 3, 0 s\n"


def test_a_line_says_what_goes_on_and_how_far_it_is(terminal, monkeypatch):
    with redirect_stderr(terminal), going_on("verifying gpt2") as tell_how_far:
        tell_how_far("2 of 3, building GPT2Model")
        time.sleep(0.3)
    assert "\rsymparams: verifying gpt2: 2 of 3, building GPT2Model, 0 s" in terminal.getvalue()
    assert screen(terminal.getvalue().encode()) == [""]
    monkeypatch.setattr(verification, "refuse_without_library", lambda: None)
    monkeypatch.setattr(verification, "build", lambda _: SimpleNamespace(named_parameters=list))
    steps = []
    verification.verify(load("gpt2"), steps.append)
    assert steps == ["1 of 3, importing transformers", "2 of 3, building GPT2LMHeadModel", "3 of 3, comparing the tensors"]


def test_an_error_stands_on_a_line_of_its_own(terminal):
    def interrupted():
        with redirect_stderr(terminal), going_on("a long search"):
            time.sleep(0.3)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert terminal.getvalue().startswith("\rsymparams: a long search, 0 s")
    assert screen(terminal.getvalue().encode()) == [""]


def test_no_name_moves_the_cursor_and_no_line_is_wider_than_the_terminal(terminal, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    with redirect_stderr(terminal), going_on("\x1b[2J 模型 " + "x" * 100):
        time.sleep(0.3)
    lines = re.split(r"[\r\n]", terminal.getvalue())
    assert any(line.startswith("symparams: ?[2J ?? xxx") for line in lines)
    assert all(line.isascii() and (line == "" or line.isprintable()) and len(line) < 40 for line in lines)


def test_a_terminal_that_is_gone_stops_nothing(monkeypatch):
    class Gone(Terminal):
        def write(self, text: str) -> int:
            raise OSError

    monkeypatch.setattr(progress, "SOON", 0.01)
    for stream in (Gone(), None):
        with redirect_stderr(stream), going_on("something") as tell_how_far:
            tell_how_far("1 of 3")
            time.sleep(0.1)
