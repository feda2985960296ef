"""Text fits the page that it is written on: the terminal's width, the one that is asked for, or 80 where there is neither."""

from __future__ import annotations

import sys

from symparams.expressions.printing.metric import columns


def widest(text: str) -> int:
    return max(map(columns, text.splitlines()))


def test_a_sheet_is_as_wide_as_the_terminal(cli, monkeypatch):
    for width in [60, 80, 132]:
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setattr(type(sys.stdout), "isatty", lambda stream: True, raising=False)
        assert widest(cli("derive bert-base-uncased").out) <= width


def test_a_sheet_is_as_wide_as_the_terminal_a_pipe_or_what_is_asked_for(cli, monkeypatch, mistake):
    monkeypatch.setenv("COLUMNS", "200")
    assert widest(cli("derive deepseek-v3").out) <= 80
    assert widest(cli("derive bert-base-uncased --width 60").out) <= 60
    for width in ("40", "10000"):
        assert cli(f"derive --expr h*V --width {width}").code == 0
    for width in ("3", "39", "10001"):
        told = f"--width '{width}' is not a width of a page: write one from 40 to 10,000."
        assert mistake(f"derive --expr h*V --width {width}") == told
