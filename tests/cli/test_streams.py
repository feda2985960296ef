"""Standard output, standard error, devices and pipes: closed, full, of another encoding."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .terminal import on_a_terminal

PROGRAM = [sys.executable, "-m", "symparams"]
UTF8 = {**os.environ, "PYTHONIOENCODING": "utf-8"}


def shell(script: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A shell line in which symparams stands for this Python's."""
    line = f"symparams() {{ '{sys.executable}' -m symparams \"$@\"; }}; {script}"
    return subprocess.run(["bash", "-c", line], capture_output=True, check=False, env={**UTF8, **environment}, timeout=60)


def test_standard_output_has_two_names_and_a_reader_may_have_seen_enough():
    for name in ["-", "/dev/stdout"]:
        done = subprocess.run([*PROGRAM, "count", "gpt2", "-o", name], capture_output=True, check=True)
        assert done.stdout == b"124439808\n"
    # As in ``symparams derive gpt2 | head -1``: here the reader is gone before the first line.
    for arguments in [["derive", "gpt2"], ["--help"]]:
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([*PROGRAM, *arguments], stdout=writer, stderr=subprocess.PIPE, check=False)
        os.close(writer)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("arguments", [["count", "gpt2", "-o", "/dev/full"], ["--help"]])
def test_a_full_disk_is_one_line(arguments):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"symparams: Cannot write ")
    assert done.stderr.count(b"\n") == 1


def test_the_same_arguments_give_the_same_bytes():
    """Whatever order Python gives its sets."""
    command = [*PROGRAM, "derive", "bert-base-uncased", "--json"]
    environments = [{**UTF8, "PYTHONHASHSEED": seed} for seed in ("1", "2")]
    first, second = (
        subprocess.run(command, capture_output=True, check=True, env=environment).stdout for environment in environments
    )
    assert first == second


@pytest.mark.parametrize("name", ["/proc/self/fd/1", "link"])
def test_what_a_descriptor_is_redirected_to_is_appended_to_and_never_replaced(name, tmp_path):
    results = tmp_path / "results.txt"
    results.write_text("earlier\n")
    (tmp_path / "link").symlink_to("/dev/stdout")
    name = str(tmp_path / "link") if name == "link" else name
    both = f"symparams count gpt2 -o {name} >> {results} && symparams count gpt2 -o /dev/fd/7 7>> {results}"
    assert shell(both).returncode == 0
    assert results.read_text() == "earlier\n124439808\n124439808\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "results.txt"]


def test_devices_and_pipes_are_written_to_and_what_is_not_open_is_one_line(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = shell(f"cat {pipe} & symparams count gpt2 -o {pipe}; symparams count gpt2 -o /dev/null; wait")
    assert (done.stdout, done.stderr) == (b"124439808\n", b"")
    assert pipe.is_fifo()
    assert Path("/dev/null").is_char_device()
    done = shell("symparams count gpt2 -o /dev/fd/77")
    assert done.stderr.startswith(b"symparams: Cannot write '/dev/fd/77': Bad file descriptor.")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)


CONFIG = """'{"model_type": "gpt2", "n_embd": 8, "n_head": 2, "n_layer": 1, "vocab_size": 10, "n_positions": 4}'"""
CLOSED = b"symparams: Cannot write to standard output: it is closed. Write to a file with -o.\n"
NO_INPUT = b"symparams: Standard input is closed: give a config.json, or a pipe that holds one.\n"


def test_streams_that_are_closed_or_full():
    for script, code, out, err in [
        ("symparams count gpt2 >&-", 2, b"", CLOSED),
        ("symparams count - <&-", 2, b"", NO_INPUT),
        (f"echo {CONFIG} | symparams count - 2>&-", 0, b"1000\n", b""),  # its note goes nowhere
        ("symparams count blom 2>/dev/full", 2, b"", b""),
        ("symparams count gpt2 >&- 2>&-", 2, b"", b""),
    ]:
        done = shell(script)
        assert (done.returncode, done.stdout, done.stderr) == (code, out, err)


@pytest.mark.parametrize(("kind", "encoding"), [("--latex", "ascii"), ("--json", "cp936")])
def test_a_document_on_a_pipe_is_utf8_whatever_the_console_has(kind, encoding, cli):
    command = [*PROGRAM, "derive", "gpt2", kind, "--lang", "zh"]
    done = subprocess.run(command, capture_output=True, check=True, env={**os.environ, "PYTHONIOENCODING": encoding})
    assert done.stdout.decode("utf-8") == cli(f"derive gpt2 {kind} --lang zh").out
    assert "有多少参数" in done.stdout.decode("utf-8")


def test_a_terminal_gets_its_own_encoding():
    code, seen = on_a_terminal("derive --expr h --latex --lang zh", "gb18030")
    assert code == 0
    assert "总参数量" in seen.decode("gb18030")
