"""What README and notebook show is what the commands and the cells give."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

import symparams
from symparams import architectures as names
from symparams.architectures import Architecture
from symparams.cli import run

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def sessions() -> list[tuple[str, str]]:
    """Each command of the README's console blocks with what stands below it."""
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    return [(command, output) for block in blocks for command, output in re.findall(r"\$ (.*)\n((?:[^$].*\n)*)", block)]


@pytest.mark.parametrize(("command", "output"), sessions(), ids=lambda text: text.strip()[:60])
def test_commands_of_the_readme(command, output, capsys):
    run(shlex.split(command)[1:])
    shown = capsys.readouterr()
    assert shown.out + shown.err == output


def test_the_architecture_of_the_readme_counts_what_the_readme_says():
    source = next(block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "Architecture(" in block)
    assert source.count("\n") <= 26
    scope: dict = {}
    exec(source, scope)  # noqa: S102 - the README's own code
    family = next(value for value in scope.values() if isinstance(value, Architecture))
    [(name, published)] = family.models.items()
    count = symparams.load(family, **{dimension.name: value for dimension, value in published.values.items()}).count()
    assert f"`symparams count {name}` prints {count}" in README
    assert family.name not in names()


def test_the_python_of_the_readme():
    source = next(block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "import symparams\n" in block)
    scope: dict = {}
    exec(source, scope)  # noqa: S102 - the README's own code
    assert scope["model"].count() == 108_891_648
    assert f"# a sympy expression: {scope['model'].closed_form()}" in source


@pytest.mark.parametrize("notebook", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.name)
def test_notebooks_run(notebook):
    scope: dict = {}
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), scope)  # noqa: S102 - the project's own notebooks


def test_every_module_is_on_the_readmes_map():
    modules = {path.name for path in (ROOT / "symparams").glob("*.py") if not path.name.startswith("_")}
    unnamed = {module for module in modules if module not in README} - {
        "cli.py",
        "options.py",
        "output.py",
        "outline.py",
        "errors.py",
    }
    assert not unnamed
