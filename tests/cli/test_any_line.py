"""Whatever a line holds, it is answered, or refused in one line; nothing else is ever seen."""

from __future__ import annotations

import contextlib
import io
import os
from unittest import mock

from hypothesis import example, given, settings
from hypothesis import strategies as st

from symparams.cli import run
from symparams.cli.commands import COMMANDS

FLAGS = sorted({flag for command in COMMANDS.values() for option in command.signature for flag in option.flags})
TARGETS = ["bloom", "GPT2", "bert-base-uncased", "7B", "h*h + V"]
VALUES = ["h=8", "V=h", "d_ff=4*h", "target=5", "=", "tying", "pooler", "kind", "per-head", "zh", "github", "2", "own", "int4",
          "12GB", "h=d", "1e8", "110M", "hf", os.devnull]  # fmt: skip
BUILDING = {"verify", "discover"}  # models of the library, hundreds of them
FILES = (b"%PDF-", b"\x89PNG", b"PK\x03\x04")  # how files begin that are no text; they go into a pipe as any answer does
# An odd word is a path that does not exist, and no name that the hub would be asked for.
ODD = st.text(max_size=5).map(lambda text: f"{text}\N{CYRILLIC SMALL LETTER ZHE}/no/where")
WORDS = st.sampled_from([*FLAGS, *TARGETS, *VALUES]) | ODD


def written_nowhere(words: list[str]) -> list[str]:
    """The words, with the null device in place of every file that they would write."""
    files = ("-o", "--output", "--transcript")
    return [os.devnull if before in files else word for before, word in zip(["", *words], words, strict=False)]


@settings(max_examples=40)
@example(command="embed", target="README.md", words=["\0.md"])
@given(st.sampled_from([*sorted(set(COMMANDS) - BUILDING), "derve"]), st.sampled_from(TARGETS), st.lists(WORDS, max_size=6))
def test_any_line(command, target, words):
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    nothing = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")  # to read: a quiz is over at once
    with mock.patch("sys.stdin", nothing), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([command, target, *written_nowhere(words)])
    seen = out.buffer.getvalue()
    told = err.getvalue()
    assert code in (0, 1, 2)
    if code == 2:
        assert seen == b""
        assert told.startswith("symparams: ")
        assert told.count("\n") == 1
        assert told[:-1].isprintable()
        assert len(told) < 1_000
    else:
        assert told == ""
        assert seen.startswith(FILES) or seen.decode("utf-8")
