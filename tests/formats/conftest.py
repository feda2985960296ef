"""Which sheets the format proofs look at, and the programs that look.

A program that is not installed skips its proofs, with the reason; where the variable CI is set it fails them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from symparams import Model, architectures, derive, load, published_models, render
from symparams.derivations import views
from symparams.derivations.derivation import Derivation
from symparams.errors import OptionError, OutputError
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
def markdown_sheets(flavor: str) -> dict[str, str]:
    """Every Markdown sheet of a flavor by its name, "bloom zh per-head"; a few of them in every view and notation."""
    sheets = {}
    for target, language, attention in product(TARGETS, LANGUAGES, ATTENTIONS):
        found = derivation(target, attention)
        sheets[f"{target} {language} {attention}"] = render(found, "markdown", language=language, flavor=flavor)
    for target, language, view, notation in product(FEW_TARGETS, LANGUAGES, views.names(), NOTATIONS):
        found = derivation(target, "per-head", view)
        sheet = render(found, "markdown", language=language, flavor=flavor, notation=notation)
        sheets[f"{target} {language} per-head {view} {notation}"] = sheet
    return sheets


@pytest.fixture(scope="session")
def tool() -> Callable[[str], str]:
    """``tool("pdflatex")`` is where the program is."""
    return lambda name: _required(shutil.which(name), f"{name} is not on the PATH: install it with the system's packages")


@pytest.fixture(scope="session")
def check_math(tool: Callable[[str], str]) -> list[str]:
    """The command that reads formulas with KaTeX and MathJax."""
    node = tool("node")
    packages = HERE / "node_modules"
    found = all((packages / name).is_dir() for name in ("katex", "mathjax-full"))
    _required(found, "KaTeX and MathJax are not installed: run 'npm ci --prefix tests/formats'")
    return [node, str(HERE / "check_math.mjs")]


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
