"""What a command does not use, it does not import: sympy alone takes 0.2 seconds, and every family would take its own."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {"sympy", "jinja2", "hypothesis", "numpy"}
LIST_IMPORTS = "; import json, sys; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"


def imported(statement: str) -> set[str]:
    """The modules that a fresh Python has after a statement."""
    done = subprocess.run([sys.executable, "-c", statement + LIST_IMPORTS], capture_output=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


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
        ("from symparams.cli import run; assert run(['show', 'bloom']) == 0", set()),
        ("from symparams.cli import run; assert run(['count', 'gpt2']) == 0", set()),
        ("from symparams.cli import run; assert run(['count', 'blom']) == 2", set()),
        ("from symparams.cli import run; assert run(['formula', 'gpt2', '--latex']) == 0", set()),
        ("from symparams.cli import run; assert run(['derive', 'bloom', '--latex']) == 0", {"jinja2"}),
    ],
)
def test_heavy_modules_are_imported_by_what_uses_them(statement, used):
    assert imported(statement) & HEAVY == used


@pytest.mark.parametrize(
    ("statement", "families"),
    [
        ("import symparams", set()),
        ("import symparams; symparams.architectures()", set()),
        ("import symparams; symparams.load('gpt2')", {"gpt2"}),
        ("import symparams; symparams.load('bloom-1b4-zh')", {"bloom", "gpt2"}),  # its layer is GPT-2's
        ("import symparams; symparams.load({'model_type': 'bert'}).count()", {"bert"}),
        ("import symparams; symparams.load({'model_type': 'bloom'}).count()", {"bloom", "gpt2"}),
        ("from symparams.cli import run; run(['--help'])", set()),
        ("from symparams.cli import run; run(['derive', 'bloom', '--latex'])", {"bloom", "gpt2"}),
    ],
)
def test_a_family_is_imported_when_it_is_named(statement, families):
    folder = "symparams.architectures."
    assert {name.removeprefix(folder) for name in imported(statement) if name.startswith(folder)} == families
