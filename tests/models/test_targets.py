"""Targets as people write them: in any case, through a pipe, by their name on the hub."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from symparams import architectures, load, published_models
from symparams.errors import ConfigError, SymparamsError
from symparams.models.sources.target import is_hub_identifier, spell, understand

GPT2 = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}
SIZES = {"n_embd": 8, "n_head": 2, "n_layer": 1, "vocab_size": 10, "n_positions": 4}


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("BERT", "bert"),
        ("GPT2", "gpt2"),
        ("GPT-NeoX", "gpt-neox"),
        ("Bloom-1B4-zh", "bloom-1b4-zh"),
        ("BERT-Base-Uncased", "bert-base-uncased"),
        ("bert-base-uncased", "bert-base-uncased"),
        ("Blom", "Blom"),
        ("", ""),
        ("İ", "İ"),
    ],
)
def test_a_name_in_any_case(written, name):
    assert spell(written) == name


def test_every_name_is_in_small_letters_and_understood_in_capitals():
    assert all(spell(name.upper()) == name for name in (*architectures(), *published_models()))


def test_the_model_has_the_name_that_its_table_gives_it():
    model = load("GPT2-Medium")
    assert (model.name, model.count()) == ("gpt2-medium", 354_823_168)


def test_a_folder_is_meant_before_a_name_in_another_case(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("GPT2").mkdir()
    Path("GPT2/config.json").write_text(json.dumps(GPT2 | SIZES))
    assert load("GPT2").count() == 1000
    assert load("gpt2").count() == load("Gpt2").count() == 124_439_808


@pytest.mark.parametrize(
    ("target", "is_identifier"),
    [
        ("meta-llama/Meta-Llama-3-8B", True),
        ("Qwen/Qwen3-8B", True),
        ("folder/model", False),  # it is there
        ("folder/link", False),
        ("folder/other.json", False),
        ("folder/mine.py", False),
        ("./Qwen/Qwen3-8B", False),
        ("/Qwen/Qwen3-8B", False),
        ("../Qwen3-8B", False),
        ("~/models", False),
        ("a/b/c", False),
        ("Qwen/", False),
        ("gpt2", False),
        ("hf:Qwen/Qwen3-8B", False),  # it says so itself
        ("a/" + "b" * 5_000, False),
    ],
)
def test_owner_and_name_is_a_model_of_the_hub_where_no_such_path_exists(target, is_identifier, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder" / "model").mkdir(parents=True)
    (tmp_path / "folder" / "link").symlink_to("nowhere")
    assert is_hub_identifier(target) is is_identifier
    assert understand(target) == (f"hf:{target}" if is_identifier else target)


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


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "'standard input' is not JSON: Expecting value at line 1, column 1."),
        (b"[1]", "'standard input' holds a list, not an object with the keys of a config."),
        (b"\xff\xfe", "Cannot read standard input: it is not UTF-8 text. Give a config.json."),
        (b" " * (4 * 2**20 + 1), "Standard input has more than 4,194,304 bytes: that is no config.json."),
    ],
    ids=["empty", "list", "bytes", "large"],
)
def test_what_is_no_config_on_standard_input(content, message, monkeypatch):
    monkeypatch.setattr(sys, "stdin", pipe(content))
    with pytest.raises(ConfigError) as raised:
        load("-")
    assert str(raised.value) == message


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


def test_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ConfigError, match="Standard input is closed"):
        load("-")
