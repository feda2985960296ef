"""What a command does not use, it does not import: sympy alone takes 0.2 seconds, and every family would take its own.

A fresh Python runs the statements of a session one after another, and says what has been imported after each.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {"sympy", "jinja2", "hypothesis", "numpy", "dask", "jax", "typst", "nbformat"}
RUN = """
import json, sys
for statement in json.loads(sys.argv[1]):
    exec(statement, {})
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def imported(statements: list[str]) -> list[set[str]]:
    """The modules that a fresh Python has after each statement."""
    done = subprocess.run([sys.executable, "-c", RUN, json.dumps(statements)], capture_output=True, check=True)
    return [set(json.loads(line)) for line in done.stderr.splitlines() if line.startswith(b"[")]


def command(line: str, code: int = 0) -> str:
    return f"from symparams.cli import run; assert run({line.split()}) == {code}"


# The modules of symparams that a command may import, itself included: the fewer, the sooner it answers.
MOST_MODULES = {"count gpt2": 62, "derive bloom --latex": 112}


def own_modules(line: str) -> set[str]:
    """The modules of symparams that a command imports."""
    [modules] = imported([command(line)])
    return {name for name in modules if name.partition(".")[0] == "symparams"}


@pytest.mark.parametrize("line", MOST_MODULES)
def test_a_command_imports_few_modules(line):
    assert len(own_modules(line)) <= MOST_MODULES[line]


LIGHT = [
    "import symparams; symparams.published_models()",
    command("--help"),
    command("derive --help"),
    command("--version"),
    command("list"),
    command("count gpt2"),
    command("count blom", code=2),
    command("formula gpt2 --latex"),
    command("macros gpt2"),
    "import symparams; symparams.load('bloom-1b4-zh', h='16*64').count()",
    "import symparams; symparams.load({'model_type': 'llama'}).count()",
    "import symparams; symparams.load('gpt2').function()(h=1536)",
    command("solve gpt2 --total 7B --for h --json"),
]
SHEETS = [command(line) for line in ("derive bloom --latex", "derive bloom --typst", "derive gpt2 --brief", "show bloom",
                                     "compare gpt2 bloom", "solve gpt2 --total 7B --for h")]  # fmt: skip


def test_heavy_modules_are_imported_by_what_uses_them():
    for statement, modules in zip(LIGHT + SHEETS, imported(LIGHT + SHEETS), strict=True):
        assert modules & HEAVY == ({"jinja2"} if statement in SHEETS else set()), statement


def new_modules(statements: list[str], folder: str) -> list[set[str]]:
    """What each statement imports of a folder besides what those before it have."""
    inside = [{name.removeprefix(folder) for name in modules if name.startswith(folder)} for modules in imported(statements)]
    public = [{name for name in names if not name.startswith("_")} for names in inside]
    return [after - before for before, after in zip([set(), *public], public, strict=False)]


def test_a_command_is_imported_when_it_is_used():
    lines = {"--help": (0, set()), "derive --help": (0, set()), "lisst": (2, set()), "count gpt2 --latex": (2, set()),
             "list": (0, {"targets"}), "count gpt2": (0, {"counting"}), "memory 7B": (0, {"memory"})}  # fmt: skip
    statements = [command(line, code) for line, (code, _) in lines.items()]
    assert new_modules(statements, "symparams.cli.commands.") == [modules for _, modules in lines.values()]


def test_a_family_is_imported_when_it_is_named():
    statements = {
        "import symparams; symparams.architectures()": set(),
        command("--help"): set(),
        "import symparams; symparams.load('gpt2')": {"gpt2"},
        "import symparams; symparams.load({'model_type': 'bert'}).count()": {"bert"},
        command("derive bloom-1b4-zh --latex"): {"bloom"},
    }
    assert new_modules([*statements], "symparams.architectures.") == [*statements.values()]


def test_a_completion_needs_no_parser(monkeypatch):
    monkeypatch.setenv("_SYMPARAMS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_LINE", "symparams derive gpt2 --vi")
    [modules] = imported(["from symparams.cli import run; run([])"])
    assert not modules & {"typer", *HEAVY}
