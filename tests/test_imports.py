"""What a command does not use, it does not import: sympy alone takes 0.2 seconds, and every family would take its own."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {"sympy", "jinja2", "hypothesis", "numpy", "dask", "jax", "typst", "nbformat"}
LIST_IMPORTS = "; import json, sys; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"


def imported(statement: str) -> set[str]:
    """The modules that a fresh Python has after a statement."""
    done = subprocess.run([sys.executable, "-c", statement + LIST_IMPORTS], capture_output=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


# The modules of symparams that a command may import, itself included: the fewer, the sooner it answers.
MOST_MODULES = {"count gpt2": 66, "derive bloom --latex": 139}


def own_modules(line: str) -> set[str]:
    """The modules of symparams that a command imports."""
    names = imported(f"from symparams.cli import run; assert run({line.split()}) == 0")
    return {name for name in names if name.partition(".")[0] == "symparams"}


@pytest.mark.parametrize("line", MOST_MODULES)
def test_a_command_imports_few_modules(line):
    assert len(own_modules(line)) <= MOST_MODULES[line]


@pytest.mark.parametrize(
    ("statement", "used"),
    [
        ("import symparams", set()),
        ("import symparams; symparams.published_models()", set()),
        ("import symparams; symparams.load('bloom-1b4-zh', h='16*64').count()", set()),
        ("import symparams; symparams.load({'model_type': 'llama'}).count()", set()),
        ("from symparams.cli import run; assert run(['--help']) == 0", set()),
        ("from symparams.cli import run; assert run(['derive', '--help']) == 0", set()),
        ("from symparams.cli import run; assert run(['--version']) == 0", set()),
        ("from symparams.cli import run; assert run(['list']) == 0", set()),
        ("from symparams.cli import run; assert run(['show', 'bloom']) == 0", {"jinja2"}),
        ("from symparams.cli import run; assert run(['count', 'gpt2']) == 0", set()),
        ("from symparams.cli import run; assert run(['count', 'blom']) == 2", set()),
        ("from symparams.cli import run; assert run(['formula', 'gpt2', '--latex']) == 0", set()),
        ("from symparams.cli import run; assert run(['derive', 'bloom', '--latex']) == 0", {"jinja2"}),
        ("from symparams.cli import run; assert run(['derive', 'bloom', '--typst']) == 0", {"jinja2"}),
        ("from symparams.cli import run; assert run(['derive', 'gpt2', '--brief']) == 0", {"jinja2"}),
        ("from symparams.cli import run; assert run(['compare', 'gpt2', 'bloom']) == 0", {"jinja2"}),
        ("from symparams.cli import run; assert run(['macros', 'gpt2']) == 0", set()),
        ("from symparams.cli import run; assert run(['solve', 'gpt2', '--total', '7B', '--for', 'h']) == 0", {"jinja2"}),
        ("from symparams.cli import run; assert run(['solve', 'gpt2', '--total', '7B', '--for', 'h', '--json']) == 0", set()),
        ("import symparams; symparams.load('gpt2').function()(h=1024)", set()),
    ],
)
def test_heavy_modules_are_imported_by_what_uses_them(statement, used):
    assert imported(statement) & HEAVY == used


@pytest.mark.parametrize(
    ("line", "modules"),
    [
        ("['--help']", set()),
        ("['derive', '--help']", set()),
        ("['lisst']", set()),
        ("['count', 'gpt2', '--latex']", set()),
        ("['list']", {"targets"}),
        ("['count', 'gpt2']", {"counting"}),
        ("['memory', '7B']", {"memory"}),
    ],
)
def test_a_command_is_imported_when_it_is_used(line, modules):
    folder = "symparams.cli.commands."
    found = imported(f"from symparams.cli import run; run({line})")
    assert {name.removeprefix(folder) for name in found if name.startswith(folder)} == modules


@pytest.mark.parametrize("line", ["['--help']", "['count', 'gpt2']", "['derive', 'gpt2']", "['formula', 'gpt2', '--latex']"])
def test_answers_to_other_questions_are_not_imported(line):
    found = imported(f"from symparams.cli import run; assert run({line}) == 0")
    assert not found & {"symparams.answers.solutions", "symparams.answers.comparison", "symparams.models.vectorised"}


def test_a_completion_needs_no_parser(monkeypatch):
    monkeypatch.setenv("_SYMPARAMS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_LINE", "symparams derive gpt2 --vi")
    assert not imported("from symparams.cli import run; run([])") & {"typer", *HEAVY}


@pytest.mark.parametrize(
    ("statement", "families"),
    [
        ("import symparams", set()),
        ("import symparams; symparams.architectures()", set()),
        ("import symparams; symparams.load('gpt2')", {"gpt2"}),
        ("import symparams; symparams.load('bloom-1b4-zh')", {"bloom"}),
        ("import symparams; symparams.load({'model_type': 'bert'}).count()", {"bert"}),
        ("import symparams; symparams.load({'model_type': 'bloom'}).count()", {"bloom"}),
        ("from symparams.cli import run; run(['--help'])", set()),
        ("from symparams.cli import run; run(['derive', 'bloom', '--latex'])", {"bloom"}),
    ],
)
def test_a_family_is_imported_when_it_is_named(statement, families):
    folder = "symparams.architectures."
    modules = {name.removeprefix(folder) for name in imported(statement) if name.startswith(folder)}
    assert {name for name in modules if not name.startswith("_")} == families
