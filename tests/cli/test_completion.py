"""What a shell offers while a line is being written: as words, and typed into bash, zsh and fish themselves."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from symparams import architectures, published_models
from symparams.atlas import kinds
from symparams.cli.commands import COMMANDS
from symparams.cli.completion import SHELLS, offers, script
from symparams.derivations import views
from symparams.expressions.notation import NOTATIONS
from symparams.formats import names
from symparams.sheets.catalogue import languages

ROOT = Path(__file__).parents[2]


def words(line: str) -> list[str]:
    """What may stand in place of the last word of a line; nothing after a space is a word too."""
    *before, incomplete = line.split(" ")
    return [value for value, _ in offers(before, incomplete)]


OFFERED = [
    ("", [*COMMANDS, "--version", "--show-completion", "--help"]),
    ("--v", ["--version"]),
    ("--show-completion ", ["bash", "zsh", "fish"]),
    ("count bloom-", [
        "bloom-560m", "bloom-1b1", "bloom-1b4-zh", "bloom-1b7", "bloom-3b", "bloom-7b1", "bloom-176b",
    ]),
    ("list blo", ["bloom"]),
    ("list bloom -", ["--text", "--json", "--output", "--help"]),
    ("derive gpt2 --vi", ["--view"]),
    ("derive gpt2 --view ", list(views.names())),
    ("derive gpt2 --view=k", ["--view=kind"]),
    ("derive gpt2 --view kind --vi", []),
    ("derive gpt2 --set h=8 --se", ["--set"]),
    ("derive --view kind gpt2", ["gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl"]),
    ("derive gpt2 --lang ", list(languages())),
    ("derive gpt2 --attention p", ["per-head"]),
    ("count gpt2 --recipe s", ["sgd", "sgd_momentum"]),
    ("memory gpt2 --recipe a", ["amp", "amsgrad"]),
    ("derive gpt2 --causal ", ["full", "exact"]),
    ("count gpt2 --attention ", ["eager", "flash"]),
    ("formula gpt2 --notation ", list(NOTATIONS)),
    ("memory gpt2 --dtype i", ["int8", "int4", "int4_g128"]),
    ("embed notes.md paper", []),
    ("solve gpt2 --for ", ["L", "V", "max_pos", "h"]),
    ("solve gpt2 --for L,", ["L,V", "L,max_pos", "L,h"]),
    ("solve gpt2 --to", ["--total", "--top"]),
    ("count gpt2 --set d", ["d_head=", "d_ff="]),
    ("count gpt2 --set=d_f", ["--set=d_ff="]),
    ("count gpt2 --set h=", []),
    ("count gpt2 --without t", ["tying"]),
    ("count GPT2 --without t", ["tying"]),
    ("count gpt2 --with cl", ["classifier", "classifier_bias"]),
    ("derive mixtral --set n_e", ["n_experts="]),
    ("count - --without t", []),
    ("derive gpt2 --fragment --stand", []),
    ("nonsense ", []),
]  # fmt: skip


def test_what_is_offered_is_every_target_option_and_format():
    for line, expected in OFFERED:
        assert words(line) == expected, line
    assert set(words("count ")) == {*architectures(), *published_models(), *kinds()}
    for name, command in COMMANDS.items():
        flags = {flag for option in command.signature for flag in option.flags if flag.startswith("--")}
        assert set(words(f"{name} -")) == flags | {"--help"}
    assert {f"--{kind}" for kind in names()} <= set(words("derive -"))


def test_features_dimensions_and_paths_are_offered(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.json").write_text('{"model_type": "gpt2"}', encoding="utf-8")
    for target in ("mine", "mine/config.json"):
        assert words(f"count {target} --without ty") == ["tying"]
        assert words(f"count {target} --set max") == ["max_pos="]
    (tmp_path / "blooming").mkdir()
    (tmp_path / "blooming" / "config.json").touch()
    (tmp_path / "blooming" / "notes.txt").touch()
    assert words("count bloomi") == ["blooming/"]
    assert words("count blooming/") == ["blooming/config.json"]
    assert words(f"count {tmp_path}/bl") == [f"{tmp_path}/blooming/"]


def test_one_more_language_is_offered_and_named(cli, monkeypatch):
    monkeypatch.setattr("symparams.sheets.catalogue.languages", lambda: ("de", "en", "zh"))
    monkeypatch.setenv("COLUMNS", "200")
    assert words("derive gpt2 --lang ") == ["de", "en", "zh"]
    assert "Language of the sentences: de, en or zh." in cli("derive --help").out


ASKED = [
    ("bash", "symparams count bloom-5", "bloom-560m\n"),
    ("zsh", "symparams count 'bloom-5", "bloom-560m\n"),
    ("fish", "symparams cou", "count\tPrint only the count, an integer.\n"),
]


def test_a_shell_asks_by_a_variable(cli, monkeypatch):
    for shell, line, offered in ASKED:
        monkeypatch.setenv("_SYMPARAMS_COMPLETE", f"complete_{shell}")
        monkeypatch.setenv("COMP_LINE", line)
        assert cli("") == (0, offered, ""), shell


def test_a_shell_has_its_script_and_a_wrong_instruction_one_line(mistake, monkeypatch, cli):
    for shell in SHELLS:
        assert cli(f"--show-completion {shell}") == (0, script(shell), "")
    for instruction in ["complete_tcsh", "complete", "nonsense_bash", "bash"]:
        monkeypatch.setenv("_SYMPARAMS_COMPLETE", instruction)
        assert mistake("")


TAB = "\t"
# What is typed, and the arguments that the program then gets: each way in which a shell cuts a line into words.
TYPED = [
    (f"symparams count bloom-56{TAB}--shared ea{TAB}", ["count", "bloom-560m", "--shared", "each"]),
    (f"symparams derive gpt2 --lang=z{TAB}", ["derive", "gpt2", "--lang=zh"]),
    (f"symparams count gpt2 --set max_p{TAB}8", ["count", "gpt2", "--set", "max_pos=8"]),
    (f"symparams count model_o{TAB}conf{TAB}", ["count", "model_of_mine/config.json"]),
    (f"symparams derive gpt2 -o sheet.te{TAB}", ["derive", "gpt2", "-o", "sheet.tex"]),
]
START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "--interactive"],
}
PREPARE = {
    "bash": 'eval "$(symparams --show-completion bash)"',
    "zsh": 'autoload -U compinit; compinit -u -D; eval "$(symparams --show-completion zsh)"',
    "fish": "symparams --show-completion fish | source",
}
# A shell that is to be typed into owns its terminal.
OWNING = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"
STUB = f"""#!/bin/sh
case "$_SYMPARAMS_COMPLETE$1" in complete_*|--show-completion) exec '{sys.executable}' -m symparams "$@" ;; esac
for word in "$@"; do printf '%s ' "$word" >> "$TYPED"; done
echo >> "$TYPED"
"""


@pytest.fixture
def home(tmp_path) -> Path:
    """A folder with files to complete, and a program that writes down what it is given."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "symparams").write_text(STUB)
    (tmp_path / "bin" / "symparams").chmod(0o755)
    (tmp_path / "work" / "model_of_mine").mkdir(parents=True)
    (tmp_path / "work" / "model_of_mine" / "config.json").touch()
    (tmp_path / "work" / "sheet.tex").touch()
    return tmp_path


def typed_into(shell: str, lines: list[str], home: Path) -> list[list[str]]:
    """What the program gets of lines that are typed into a shell on a terminal."""
    answers = home / "typed"
    environment = {
        **os.environ, "PATH": f"{home / 'bin'}:{os.environ['PATH']}", "HOME": str(home), "TYPED": str(answers),
        "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "200", "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home),
    }  # fmt: skip
    ours, theirs = os.openpty()
    streams, command = dict.fromkeys(("stdin", "stdout", "stderr"), theirs), [sys.executable, "-c", OWNING, *START[shell]]
    with subprocess.Popen(command, **streams, env=environment, cwd=home / "work", start_new_session=True) as process:
        os.close(theirs)
        os.write(ours, f"{PREPARE[shell]}\n".encode())
        for count, line in enumerate(lines, start=1):
            os.write(ours, f"{line}\n".encode())
            deadline = time.monotonic() + 30
            while time.monotonic() < deadline and (not answers.exists() or len(answers.read_text().splitlines()) < count):
                if select.select([ours], [], [], 0.05)[0]:
                    os.read(ours, 65536)  # a terminal that nobody reads would fill
        process.kill()
        with contextlib.suppress(OSError):
            os.close(ours)
    return [line.split() for line in answers.read_text().splitlines()]


@pytest.mark.parametrize("shell", SHELLS)
def test_lines_typed_into_a_shell(shell, home):
    if not shutil.which(shell):
        assert not os.environ.get("CI"), f"CI installs {shell}"
        pytest.skip(f"{shell} is not installed")
    assert typed_into(shell, [line for line, _ in TYPED], home) == [arguments for _, arguments in TYPED]
