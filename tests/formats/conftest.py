"""The models that the format tests look at, and the programs that read what is written.

A test skips if its program is not installed. Where the variable CI is set it fails instead.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from symparams import Model, architectures, derive, load, published_models, render
from symparams.architectures import architecture
from symparams.derivations import views
from symparams.derivations.derivation import Derivation
from symparams.errors import OptionError, OutputError
from symparams.expressions.closed_form import FORMS
from symparams.expressions.notation import NOTATIONS
from symparams.practice.bank import chosen, models, of_each
from symparams.practice.exam import exam
from symparams.practice.kind import LEVELS, kinds
from symparams.practice.worksheet import worksheet
from symparams.sheets.catalogue import catalogue, languages
from symparams.sheets.practice.booklet import booklet
from symparams.sheets.practice.exam import exam as on_paper
from tests import sweeps
from tests.test_sheets import documents

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
# Pages of a sheet with its drawing, as the lines stand at first; the third one of ALBERT is saved by closer ones (test_pages).
DRAWN = {"albert-base-v2": 3, "bert-base-uncased": 2, "deepseek-v3": 4, "t5-small": 2}
PLOTTED = (("parameters", {}), ("forward-flops", {}), ("kv-cache", {"dtype": "bf16"}), ("training-memory", {"b": 1, "s": 64}))
WAYS = (("module", "fused"), ("kind", "per-head"), ("weights", "fused"))

# The pages that well-known sheets may have at most.
MOST_PAGES = {"llama-3-8b": 2, "gpt2": 2, "bloom-1b4-zh": 2, "deepseek-v3": 3, "mixtral-8x7b": 3, "t5-small": 3}
SEVERAL_KINDS = (  # of layers, or several models: what a page has no room for in English
    "deepseek-v3.2", "detr-resnet-50", "gemma-4-26b-a4b-it", "gemma-4-e2b", "llama-4-scout", "qwen3-next-80b-a3b",
    "qwen3-vl-2b", "qwen3-vl-30b-a3b", "qwen3.5-0.8b", "qwen3.5-35b-a3b", "sam-vit-base", "swin-tiny-patch4-window7-224",
)  # fmt: skip
MOST_OF = {
    **{f"{target} whole": pages for target, pages in MOST_PAGES.items()},
    **{f"{target} brief": 2 for target in SEVERAL_KINDS},
    "deepseek-v3 forward-flops": 2,
    "booklet True": -(-len(kinds()) // 7),  # seven questions a page, with their options
}

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


def of_targets(kind: str, language: str, targets: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the sheet and the brief of each target by their names."""
    for target in targets:
        yield f"{target} whole", render(derivation(target), kind, language=language)
        yield f"{target} brief", render(derivation(target), kind, language=language, brief=True)


def sheets(
    kind: str, language: str, targets: Iterable[str], few: Sequence[str], drawn: Iterable[str] = tuple(DRAWN)
) -> Iterator[tuple[str, str]]:
    """Yield documents by name: those of targets, other kinds of a few, some with a drawing."""
    page = {"format": kind, "language": language}
    yield from of_targets(kind, language, targets)
    for target in few:
        derived = derivation(target)
        other = next(form for form in FORMS if form != derived.calculation.usual_form)
        yield f"{target} {other}", render(derive(derived.model, form=other), **page)
        yield f"{target} in two columns", render(derived, columns=2, label=f"eq:{target}", **page)
    for target, label in (*((target, "") for target in drawn), ("gpt2", "eq:drawn")):
        yield f"{target} drawn", render(derivation(target), figure=True, label=label, **page)
    for quantity, given in PLOTTED:
        plotted = derive("llama-3-8b", quantity=quantity, **given)
        yield f"llama-3-8b {quantity} plotted", render(plotted, with_plot=True, **page)
    yield "deepseek-v3 forward-flops", render(derive("deepseek-v3", quantity="forward-flops", b=1, s=4_096), **page)
    for model, level in [*zip(PUBLISHED, LEVELS * 2, strict=False)][: len(few)]:
        yield f"{model} {level} worksheet", render(worksheet(model, level=level, key="end", seed=4), **page)
    questions = list(of_each(chosen(), models(["llama-3-8b"])))
    for has_choices in (False, True):
        yield f"booklet {has_choices}", render(booklet(questions, language, has_choices=has_choices), kind)
    yield "exam", render(on_paper(exam(10, "7"), language), kind)


def fragments(
    kind: str,
    language: str,
    columns: int,
    few: Iterable[str] = FEW,
    varied: Iterable[str] = ("bert-base-uncased", "transformer"),
    ways: Sequence[str] = views.names(),
) -> Iterator[tuple[str, str]]:
    """Yield parts of a paper: a few models in each view and notation, some with other features, labelled; other documents."""
    sheet = {"format": kind, "language": language, "columns": columns, "standalone": False}
    for target, (view, attention), notation in zip(few, WAYS * 4, [*NOTATIONS] * 5, strict=False):
        yield f"{target} labelled", render(derivation(target), label=f"eq:{target}", heading_level=3, brief=True, **sheet)
        yield f"{target} {view} {notation}", render(derivation(target, attention, view), notation=notation, **sheet)
    for view, notation in product(ways, NOTATIONS):
        yield f"bert {view} {notation}", render(derivation("bert-base-uncased", "per-head", view), notation=notation, **sheet)
    for target in varied:
        for model in variants(target):
            yield f"{target} with {' '.join(sorted(model.present)) or 'nothing'}", render(derive(model), **sheet)
    for name, document in documents(language).items():
        yield name, render(document, kind, columns=columns, standalone=False)


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
