"""A file is read as far as a config may reach, and what has no end or no beginning is not read at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from symparams import SymparamsError, load

CONFIG = json.dumps({"model_type": "bert", "architectures": ["BertModel"]})
PROGRAM = f"'{sys.executable}' -m symparams count"
HERE = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/urandom", "pipe", "folder/config.json", "pipe.py"])
def test_a_device_or_a_pipe_is_refused_at_once(name, tmp_path):
    (tmp_path / "folder").mkdir()
    for pipe in ("pipe", "pipe.py", "folder/config.json"):
        os.mkfifo(tmp_path / pipe)
    for target in {str(tmp_path / name), str((tmp_path / name).parent) if "folder" in name else str(tmp_path / name)}:
        with pytest.raises(SymparamsError, match="it is a device or a pipe"):
            load(target)


def test_a_file_that_grows_while_it_is_read_is_read_no_further_than_a_config(tmp_path):
    """Its size says nothing: that of a file in /proc is 0."""
    large = tmp_path / "large.json"
    large.write_bytes(b" " * (4 * 2**20 + 1))
    with pytest.raises(SymparamsError, match="has more than 4,194,304 bytes"):
        load(large)


def test_a_folder_in_the_place_of_a_config(tmp_path):
    (tmp_path / "config.json").mkdir()
    with pytest.raises(SymparamsError, match="it is a folder"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (f"{PROGRAM} /dev/stdin <<< '{CONFIG}'", 0),
        (f"{PROGRAM} <(echo '{CONFIG}')", 0),
        (f"{PROGRAM} /dev/stdin < /dev/zero", 2),
        (f"{PROGRAM} /dev/fd/77", 2),
    ],
)
def test_what_the_shell_has_opened_is_read_as_standard_input_is(script, code):
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=60, cwd=HERE)
    assert (done.returncode, done.stdout) == (code, "" if code else "109482240\n")
    assert done.stderr.count("\n") == (1 if code else 0)
