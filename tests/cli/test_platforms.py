"""What differs on other systems, simulated here: paths, locks, missing features of an operating system, consoles, locales."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from unittest.mock import Mock

from symparams import load
from symparams.cli import output, run
from symparams.models.sources.python_file import read_file
from symparams.models.sources.target import is_config, is_hub_identifier, is_python

GPT2 = {"model_type": "gpt2", "n_embd": 8, "n_head": 2, "n_layer": 1, "vocab_size": 10, "n_positions": 4}
OWN = "from symparams import Architecture, linear\n{}A = Architecture('a', tree=linear(2, 3, bias=False))\n"


# Paths ----------------------------------------------------------------------------------------------------------------


def test_what_a_target_means_is_read_off_its_text():
    for target, meant in [
        (r"C:\models\bert\config.json", "config"),
        (r"C:\models\bert", "config"),
        ("C:/models/bert/config.json", "config"),
        (r"..\bert", "config"),
        (r"\\server\share\bert", "config"),
        (r"\\?\C:\models\bert", "config"),
        (r"models\bert.json", "config"),
        (r"C:\mine.py", "file"),
        (r"C:\MINE.PY", "file"),
        (r"C:\mine.py:NAME", "file"),
        (r"C:\MINE.PY:NAME", "file"),
        (r"\\server\share\mine.py:NAME", "file"),
        ("Qwen/Qwen3-8B", "hub"),
        ("gpt2", "name"),
        ("GPT2", "name"),
        ("CON", "name"),
        ("C:bert", "name"),
    ]:
        found = [
            name
            for name, knows in (("hub", is_hub_identifier), ("file", is_python), ("config", is_config))
            if knows(target) and not (name == "config" and is_hub_identifier(target))
        ]
        assert (found or ["name"])[0] == meant


NAMES = ["mine.py", "MINE.PY", "İ.py", *([] if os.name == "nt" else ["C:mine.py", r"C:\mine.py"])]  # there it is the root


def test_a_file_and_a_name_in_it_whatever_colons_the_path_has(tmp_path, monkeypatch):
    for name in NAMES:
        monkeypatch.chdir(tmp_path)
        Path(name).write_text(OWN.format(""), encoding="utf-8")
        assert read_file(name).count() == read_file(f"{name}:A").count() == 6


# Files ----------------------------------------------------------------------------------------------------------------


def test_a_config_or_a_file_of_ones_own_with_any_line_ends(tmp_path):
    config, own = tmp_path / "config.json", tmp_path / "mine.py"
    for ends, encoding in product(("\n", "\r\n", "\r"), ("utf-8", "utf-8-sig")):
        config.write_bytes(json.dumps(GPT2, indent=1).replace("\n", ends).encode(encoding))
        own.write_bytes(OWN.format("# 层\n").replace("\n", ends).encode(encoding))
        assert (load(tmp_path).count(), load(str(own)).count()) == (1000, 6), (ends, encoding)


def test_a_file_that_another_program_holds_keeps_its_content(tmp_path, mistake, monkeypatch):
    held = PermissionError(13, "The process cannot access the file because it is being used by another process")
    target = tmp_path / "out.txt"
    target.write_text("old", encoding="utf-8")
    for step in ("replace", "chmod"):
        with monkeypatch.context() as refusing:
            refusing.setattr(output.os, step, Mock(side_effect=held))
            told = mistake(["count", "gpt2", "-o", str(target)])
        assert f"{held.strerror}. Name a file in a folder that you may write to." in told
        assert target.read_text(encoding="utf-8") == "old"
        assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]


# Features of the operating system --------------------------------------------------------------------------------------

ELSEWHERE = """
import os, signal, sys
for name in ("SIGPIPE", "SIGHUP", "SIGALRM", "SIGKILL", "SIGTERM", "pthread_sigmask", "alarm", "SIG_BLOCK", "SIG_SETMASK"):
    delattr(signal, name) if hasattr(signal, name) else None
for name in ("getuid", "geteuid", "fchmod", "fork", "fchown", "chown", "getpgid", "openpty", "ttyname", "O_NONBLOCK"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("termios", "resource", "fcntl", "pwd", "grp", "pty", "tty", "readline"):
    sys.modules[name] = None
from symparams.cli import main
sys.argv[0] = "symparams"
main()
"""


def test_a_system_without_signals_users_and_terminals_gives_the_same(tmp_path, cli):
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    for line in ("derive gpt2 --latex", f"count gpt2 -o {tmp_path / 'out.txt'}"):
        command = [sys.executable, "-c", ELSEWHERE, *line.split()]
        there = subprocess.run(command, capture_output=True, check=False, env=environment)
        assert (there.returncode, there.stdout.decode(), there.stderr.decode()) == cli(line)


# Consoles and locales ---------------------------------------------------------------------------------------------------


def on_a_console(words: list[str], encoding: str) -> tuple[int, str, str]:
    """The exit code of a line, and what is seen of it where standard output has an encoding."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding=encoding), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    return code, out.buffer.getvalue().decode(encoding), err.getvalue()


CONSOLES = ("cp1252", "cp936", "cp437", "cp850", "shift_jis", "ascii")


def test_a_console_shows_all_or_is_told_by_its_name_what_it_lacks():
    for line in ["count gpt2", "derive gpt2", "derive gpt2 --lang zh", "show bloom", "--help"]:
        whole = on_a_console(line.split(), "utf-8")
        for encoding in CONSOLES:
            code, seen, told = on_a_console(line.split(), encoding)
            if code == 0:
                assert (code, seen, told) == whole, encoding
            else:
                assert (code, seen, told.count("\n")) == (2, "", 1), encoding
                assert told.startswith(f"symparams: Cannot write to standard output: its encoding {encoding} has no")
                assert line != "count gpt2", "a number fits every console"


def test_no_locale_changes_a_byte(cli, monkeypatch):
    """What ``locale.setlocale`` does to a process; the locale itself need not be installed."""
    before = cli("derive gpt2").out
    monkeypatch.setattr("locale.localeconv", lambda: {"decimal_point": ",", "thousands_sep": ".", "grouping": [3, 0]})
    monkeypatch.setattr("locale.str", lambda value: str(value).replace(".", ","))
    assert cli("derive gpt2").out == before
