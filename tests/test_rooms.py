"""The package is a house with rooms: what each may stand on, and that each says what it is for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import symparams

pytestmark = pytest.mark.xdist_group("rooms")  # which parses each file once
PACKAGE = Path(symparams.__file__).parent
FILES = {
    ".".join(("symparams", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}

# What stands further down may be imported by what stands further up; a room by itself and by those after it.
STOREYS = (
    {"_program", "errors", "records"},
    {"display"},
    {"expressions"},
    {"features"},
    {"components"},
    {"quantities"},
    {"architectures"},
    {"discovery", "atlas", "models"},  # a config of a discovered type is a model, and what is discovered is checked as one
    {"checkpoints"},
    {"derivations"},
    {"answers"},
    {"practice"},
    {"sheets"},
    {"drawings"},
    {"plots"},  # in the letters and colours of drawings
    {"formats"},
    {"cards", "pages", "papers"},
    {"site"},  # which shows what all others make
    {"cli"},
)
STOREY = {room: number for number, rooms in enumerate(STOREYS) for room in rooms}
# An import that runs up, and why it may: a page works its sheets out anew, and stands above the formats of a sheet; the version
# is the package's; a notebook shows a model by calling the model, which its sheet stands above; a model is asked what it takes;
# a model may be read from a checkpoint, which stands above the models that it is compared with; who writes an attribute that
# there is not may mean any function, or a command.
UPWARD = {
    ("symparams.formats.html.writer", "symparams.pages.page"),
    ("symparams.cli.parser", "symparams"),
    ("symparams.site.frame", "symparams"),
    ("symparams.display", "symparams.formats.notebook"),
    ("symparams.display", "symparams.formats.attributes"),
    ("symparams.formats.attributes", "symparams"),
    ("symparams.formats.attributes", "symparams.cli.commands"),
    ("symparams.models.load", "symparams.checkpoints.recognition"),
    ("symparams.models.model", "symparams.answers.plans"),
}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement within a module, which imports are; to look at expressions too would take five times as long."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield child
            yield from statements(child)


def room(module: str) -> str:
    """The folder within the package: "models" of "symparams.models.load"."""
    return module.removeprefix("symparams").removeprefix(".").partition(".")[0]


def imports(module: str) -> Iterator[str]:
    """Each module of the package that a module imports, in a function or for its types too."""
    package = module.split(".") if FILES[module].name == "__init__.py" else module.split(".")[:-1]
    for node in statements(parsed(FILES[module])):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.split(".")[0] == "symparams")
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*start, *(node.module.split(".") if node.module else [])])
            if source.split(".")[0] == "symparams":
                named = {f"{source}.{name.name}" for name in node.names}
                yield from sorted(named & FILES.keys()) or [source]


def test_every_room_has_its_storey():
    assert {room(module) for module in FILES} - {"", "__main__"} == set(STOREY)


def test_imports_run_downward():
    upward = {
        (module, imported)
        for module in FILES
        if room(module) in STOREY
        for imported in imports(module)
        if STOREY.get(room(imported), len(STOREYS)) > STOREY[room(module)]
    }
    assert upward == UPWARD


def test_every_room_and_every_module_says_what_it_is_for():
    assert [module for module, path in FILES.items() if not ast.get_docstring(parsed(path))] == []
