"""Which sheets the format proofs look at, and the programs that look.

A program that is not installed skips its proofs, with the reason; where the variable CI is set it fails them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from symparams import Model, architectures, derive, load, published_models, render
from symparams.derivations import views
from symparams.derivations.derivation import Derivation
from symparams.errors import OptionError, OutputError
from symparams.expressions.closed_form import FORMS
from symparams.expressions.notation import NOTATIONS
from symparams.formats import find, names
from symparams.sheets.catalogue import catalogue, languages

HERE = Path(__file__).parent
TARGETS = tuple(dict.fromkeys([*architectures(), *published_models()]))
FEW_TARGETS = ("transformer", "bert-base-uncased", "bloom-1b4-zh", "llama-3-8b")
LANGUAGES = languages()
ATTENTIONS = ("fused", "per-head")
TEXTS = tuple(name for name in names() if not find(name).typeset)
FLAVORS = tuple(find("markdown").flavors)

Formula = tuple[str, bool]  # in TeX, and whether it stands on lines of its own


def variants(target: str) -> Iterator[Model]:
    """A target as it is, with each of its features switched the other way, with all of them, and with none that is left."""
    features = load(target).features
    yield load(target)
    for name, is_present in features.items():
        yield load(target, exclude=[name]) if is_present else load(target, include=[name])
    yield load(target, include=features)
    with suppress(OptionError):  # a Transformer without its stacks is nothing
        yield load(target, exclude=features)


@cache
def derivation(target: str, attention: str = "fused", view: str = "module") -> Derivation:
    """A target's derivation, worked out once."""
    return derive(load(target), view=view, attention=attention)


@cache
def markdown_sheets(target: str, flavor: str) -> dict[str, str]:
    """The Markdown sheets of a target by their names, "zh per-head": whole and brief; of a family in each form and view.

    A few are there in every view and notation.
    """
    sheets = {}
    for language in LANGUAGES:
        page = {"format": "markdown", "language": language, "flavor": flavor}
        for attention in ATTENTIONS:
            sheets[f"{language} {attention}"] = render(derivation(target, attention), **page)
        sheets[f"{language} brief"] = render(derivation(target), brief=True, **page)
        for form, view in product(FORMS, views.names()) if target in architectures() else ():
            sheets[f"{language} {form} {view}"] = render(_in_form(target, form, view), **page)
        for view, notation in product(views.names(), NOTATIONS) if target in FEW_TARGETS else ():
            sheets[f"{language} {view} {notation}"] = render(derivation(target, "per-head", view), notation=notation, **page)
    return sheets


@cache
def _in_form(target: str, form: str, view: str) -> Derivation:
    return derive(load(target), view=view, form=form)


@pytest.fixture(scope="session")
def tool() -> Callable[[str], str]:
    """``tool("pdflatex")`` is where the program is."""
    return lambda name: _required(shutil.which(name), f"{name} is not on the PATH: install it with the system's packages")


@pytest.fixture(scope="session")
def check_math(tool: Callable[[str], str]) -> Iterator[Callable[[Iterable[Formula]], list[list[object]]]]:
    """``check_math(formulas)`` lists what KaTeX and MathJax refuse; one process reads all formulas of a worker, each once."""
    node = tool("node")
    packages = HERE / "node_modules"
    found = all((packages / name).is_dir() for name in ("katex", "mathjax-full"))
    _required(found, "KaTeX and MathJax are not installed: run 'npm ci --prefix tests/formats'")
    command = [node, str(HERE / "check_math.mjs")]
    met: set[Formula] = set()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdin
        assert process.stdout

        def refused(formulas: Iterable[Formula]) -> list[list[object]]:
            asked = [{"tex": tex, "display": display} for tex, display in dict.fromkeys(formulas) if (tex, display) not in met]
            met.update(formulas)
            print(json.dumps(asked), file=process.stdin, flush=True)
            return json.loads(process.stdout.readline())

        yield refused
        process.stdin.close()


@pytest.fixture
def fonts_of(language: str) -> None:
    """What a test in a language needs: a font with its characters."""
    from symparams.formats.typst.compiler import chosen_font, machine_fonts

    try:
        chosen_font(catalogue(language).head["typst.fonts"], {font.family for font in machine_fonts().fonts()})
    except OutputError as error:
        _required(found=False, otherwise=str(error))


def _required(found: str | bool | None, otherwise: str) -> str:
    if not found:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(otherwise)
    return str(found)
