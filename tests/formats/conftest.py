"""The models that the format tests look at, and the programs that read what is written.

A test skips if its program is not installed. Where the variable CI is set it fails instead.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from symparams import Model, architectures, derive, load, published_models
from symparams.architectures import architecture
from symparams.derivations.derivation import Derivation
from symparams.errors import OptionError, OutputError
from symparams.sheets.catalogue import catalogue, languages
from tests import sweeps

HERE = Path(__file__).parent
FEW = tuple(sorted(sweeps.FEW))
PUBLISHED = tuple(sorted(sweeps.FEW & set(published_models())))
IN_CHINESE = ("bert-base-uncased", "deepseek-v3", "whisper")
# Layouts and words: all of the few in English, three in Chinese.
SHEETS = [*((target, "en") for target in FEW), *((target, "zh") for target in IN_CHINESE)]
# One model of each family, the first that is published; a family without any in symbols.
EVERY_FAMILY = tuple(next(iter(architecture(name).models), name) for name in architectures())
LANGUAGES = languages()
ATTENTIONS = ("fused", "per-head")
# Each view and each attention once.
WAYS = (("module", "fused"), ("kind", "per-head"), ("weights", "fused"))

Formula = tuple[str, bool]  # in TeX, and whether it stands on lines of its own
CheckMath = Callable[[Iterable[Formula]], list[list[object]]]
Compile = Callable[[str, str], tuple[int, str]]
Tool = Callable[[str], str]


def variants(target: str) -> Iterator[Model]:
    """Yield a target as it is, then with each feature switched, with every feature, and with none."""
    features = load(target).features
    yield load(target)
    for name, is_present in features.items():
        yield load(target, exclude=[name]) if is_present else load(target, include=[name])
    yield load(target, include=features)
    with suppress(OptionError):  # a Transformer without its stacks is nothing
        yield load(target, exclude=features)


@cache
def derivation(target: str, attention: str = "fused", view: str = "module") -> Derivation:
    """Return the derivation of a target, worked out once."""
    return derive(load(target), view=view, attention=attention)


@pytest.fixture(scope="session")
def tool() -> Tool:
    """``tool("pdflatex")`` is the path of the program."""
    return lambda name: required(shutil.which(name), f"{name} is not on the PATH: install it with the system's packages")


@pytest.fixture(scope="session")
def check_math(tool: Tool) -> Iterator[CheckMath]:
    """``check_math(formulas)`` lists the formulas that KaTeX or MathJax refuses; one node process reads each formula once."""
    node = tool("node")
    are_installed = all((HERE / "node_modules" / name).is_dir() for name in ("katex", "mathjax-full"))
    required(are_installed, "KaTeX and MathJax are not installed: run 'npm ci --prefix tests/formats'")
    command = [node, str(HERE / "check_math.mjs")]
    known: set[Formula] = set()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdin
        assert process.stdout

        def refused(formulas: Iterable[Formula]) -> list[list[object]]:
            new = [formula for formula in dict.fromkeys(formulas) if formula not in known]
            known.update(new)
            print(json.dumps([{"tex": tex, "display": display} for tex, display in new]), file=process.stdin, flush=True)
            return json.loads(process.stdout.readline())

        yield refused
        process.stdin.close()


@pytest.fixture
def compile_document(tool: Tool, tmp_path: Path) -> Compile:
    """``compile_document(language, source)`` runs the language's TeX, and returns the exit code and the log."""

    def run(language: str, source: str) -> tuple[int, str]:
        (tmp_path / "paper.tex").write_text(source, encoding="utf-8")
        engine = tool(catalogue(language).head["latex.engine"])
        command = [engine, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
        environment = os.environ | {"max_print_line": "1000"}  # no line of the log is broken
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, timeout=600, check=False)
        return done.returncode, (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace")

    return run


COMPLAINT = re.compile(r"!|.*Undefined control sequence|Overfull \\[hv]box|Missing character")


def complaints(log: str, fragment: str = "the document") -> Iterator[str]:
    """Yield TeX's errors, lines too wide and missing characters, each with the fragment that TeX was reading."""
    for line in log.splitlines():
        if line.startswith("FRAGMENT "):
            fragment = line.removeprefix("FRAGMENT ")
        elif COMPLAINT.match(line):
            yield f"{fragment}: {line}"


@pytest.fixture(scope="session")
def chinese_font() -> str:
    """The name of this machine's font for Chinese, which Typst sets sheets in."""
    from symparams.formats.typst.compiler import chosen_font, machine_fonts

    try:
        return chosen_font(catalogue("zh").head["typst.fonts"], {font.family for font in machine_fonts().fonts()})["font"]
    except OutputError as error:
        return required(None, otherwise=str(error))


def required(value: str | bool | None, otherwise: str) -> str:
    """Return the value as text. Skip the test if it is empty, or fail it in CI."""
    if not value:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(otherwise)
    return str(value)
