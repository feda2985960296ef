"""Targets as people write them: in any case, through a pipe, by their name on the hub."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from symparams import architectures, load, published_models
from symparams.errors import SymparamsError
from symparams.models.sources.target import is_hub_identifier, spell, understand
from tests.refusals import refusal

GPT2 = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}
SIZES = {"n_embd": 8, "n_head": 2, "n_layer": 1, "vocab_size": 10, "n_positions": 4}


def test_a_name_in_any_case():
    names = [*architectures(), *published_models()]
    assert [spell(name.upper()) for name in names] == names
    assert [spell(name) for name in ("GPT-NeoX", "Blom", "", "İ")] == ["gpt-neox", "Blom", "", "İ"]


def test_the_model_has_the_name_that_its_table_gives_it():
    model = load("GPT2-Medium")
    assert (model.name, model.count()) == ("gpt2-medium", 354_823_168)


def test_a_folder_of_a_models_name_is_meant_where_it_is_written_as_it_is_called(tmp_path, monkeypatch):
    """On a file system that tells no case apart too, where a folder GPT2 is also there as gpt2."""
    monkeypatch.chdir(tmp_path)
    for name in ("GPT2", "gpt2"):
        Path(name).mkdir(exist_ok=True)
        Path(name, "config.json").write_text(json.dumps(GPT2 | SIZES))
    assert [load(name).count() for name in ("GPT2", "gpt2", "Gpt2")] == [1000, 124_439_808, 124_439_808]


def test_owner_and_name_is_a_model_of_the_hub_where_no_such_path_exists(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder" / "model").mkdir(parents=True)
    (tmp_path / "folder" / "link").symlink_to("nowhere")
    for target in ("meta-llama/Meta-Llama-3-8B", "Qwen/Qwen3-8B"):
        assert (is_hub_identifier(target), understand(target)) == (True, target)
    paths = ["folder/model", "folder/none", "folder/link",
             "folder/other.json", "folder/mine.py", "./Qwen/Qwen3-8B", "/Qwen/Qwen3-8B",
             "../Qwen3-8B", "~/models", "a/b/c", "Qwen/", "gpt2", "hf:Qwen/Qwen3-8B", "a/" + "b" * 5_000]  # fmt: skip
    for target in paths:
        assert (is_hub_identifier(target), understand(target)) == (False, target)
    for target in ("models/llama.safetensors", "a/b.gguf"):
        assert not is_hub_identifier(target)


def test_nothing_is_no_model_and_not_the_folder_where_one_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("config.json").write_text(json.dumps(GPT2 | SIZES))
    assert load(".").count() == 1000
    assert refusal(load, "").startswith("The target is empty: name a model")


def pipe(content: bytes) -> io.TextIOWrapper:
    """Standard input that holds these bytes."""
    return io.TextIOWrapper(io.BytesIO(content), encoding="ascii")


@pytest.mark.parametrize("mark", [b"", "\N{BYTE ORDER MARK}".encode()])
def test_a_config_on_standard_input(mark, cli, monkeypatch):
    monkeypatch.setattr(sys, "stdin", pipe(mark + json.dumps(GPT2 | SIZES | {"name": "模型"}, ensure_ascii=False).encode()))
    assert cli("count -") == (0, "1000\n", "")


def test_a_file_whose_name_is_a_hyphen_is_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("-").write_text(json.dumps(GPT2 | SIZES))
    assert load("./-").count() == 1000


def test_what_is_no_config_on_standard_input(monkeypatch):
    for content, message in (
        (b"", "'standard input' is empty: give a config.json, which holds the sizes of a model."),
        (b"[1]", "'standard input' holds a list, not an object with the keys of a config."),
        (b"\xff\xfe", "Cannot read standard input: it is not UTF-8 text. Give a config.json."),
        (b" " * (4 * 2**20 + 1), "Standard input has more than 4,194,304 bytes: that is not a config.json."),
    ):
        monkeypatch.setattr(sys, "stdin", pipe(content))
        assert refusal(load, "-") == message
    monkeypatch.setattr(sys, "stdin", None)
    assert "Standard input is closed" in refusal(load, "-")


def test_no_more_is_read_than_a_config_may_have(monkeypatch):
    source = Path("/dev/zero").open(encoding="utf-8")  # noqa: SIM115 - it stands for standard input, and is closed below
    monkeypatch.setattr(sys, "stdin", source)
    with source, pytest.raises(SymparamsError, match="more than 4,194,304 bytes"):
        load("-")


def test_standard_input_that_cannot_be_read(tmp_path):
    command = [sys.executable, "-m", "symparams", "count", "-"]
    with (tmp_path / "written").open("wb") as only_written:
        done = subprocess.run(command, stdin=only_written, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"symparams: Cannot read standard input: Bad file descriptor. Give a config.json.\n"


# A file is read as far as a config may reach, and what has no end or no beginning is not read at all.
CONFIG = json.dumps({"model_type": "bert", "architectures": ["BertModel"]})
PROGRAM = f"'{sys.executable}' -m symparams count"
HERE = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/urandom", "pipe", "folder/config.json", "pipe.py"])
def test_a_device_or_a_pipe_is_refused_at_once(name, tmp_path):
    (tmp_path / "folder").mkdir()
    for pipe in ("pipe", "pipe.py", "folder/config.json"):
        os.mkfifo(tmp_path / pipe)
    for target in {str(tmp_path / name), str((tmp_path / name).parent) if "folder" in name else str(tmp_path / name)}:
        assert "it is a device or a pipe" in refusal(load, target)


def test_a_file_that_grows_while_it_is_read_is_read_no_further_than_a_config(tmp_path):
    """Its size says nothing: that of a file in /proc is 0."""
    large = tmp_path / "large.json"
    large.write_bytes(b" " * (4 * 2**20 + 1))
    assert "has more than 4,194,304 bytes" in refusal(load, large)


def test_a_folder_in_the_place_of_a_config(tmp_path):
    (tmp_path / "config.json").mkdir()
    assert "it is a folder" in refusal(load, tmp_path)


def test_what_the_shell_has_opened_is_read_as_standard_input_is():
    for script, code in (
        (f"{PROGRAM} /dev/stdin <<< '{CONFIG}'", 0),
        (f"{PROGRAM} <(echo '{CONFIG}')", 0),
        (f"{PROGRAM} /dev/stdin < /dev/zero", 2),
        (f"{PROGRAM} /dev/fd/77", 2),
    ):
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=60, cwd=HERE)
        assert (done.returncode, done.stdout) == (code, "" if code else "109482240\n"), script
        assert done.stderr.count("\n") == 1, script  # the sizes that are not in the config, or the mistake
