"""What --help says, word for word; ``--golden-update`` writes it anew."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from symparams.cli.commands import COMMANDS
from symparams.cli.help import examples
from symparams.cli.parser import parse
from symparams.cli.request import read
from symparams.formats import endings, names

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def test_the_help_of_the_program_lists_every_command_and_format(cli, golden):
    golden(GOLDEN / "symparams.txt", cli("--help").out)
    assert cli("--help") == cli("-h") == cli("") == (0, cli("--help").out, "")
    assert {file.stem for file in GOLDEN.iterdir()} == {*COMMANDS, "symparams"}
    listed = " ".join(cli("--help").out.split())
    assert all(f"{name} {command.summary}" in listed for name, command in COMMANDS.items())
    said = " ".join(cli("formula --help").out.split())
    for kind in names():
        assert f"--{kind} Answer in {kind} ({', '.join(endings(kind))})" in said


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command(command, cli, golden):
    help_of_it = cli(f"{command} --help")
    golden(GOLDEN / f"{command}.txt", help_of_it.out)
    assert (help_of_it.code, help_of_it.err) == (0, "")
    assert cli(f"{command} -h") == help_of_it


def test_each_example_is_a_line_of_its_command():
    for command, lines in examples().items():
        for line in lines:
            program, *words = shlex.split(line)
            parsed = parse(words)
            assert (program, parsed.command) == ("symparams", parsed.command if command == "symparams" else command), line
            assert read(parsed.command, parsed.given).command == parsed.command


def test_options_stand_in_groups(cli):
    text = cli("derive --help").out
    groups = re.findall("^(\\w.*):$", text, re.MULTILINE)
    assert groups == ["Arguments", "Options", "How a quantity is counted", "Format", "Language and layout", "Examples"]
