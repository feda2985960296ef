"""What a page copies: its LaTeX fits an article's column, pandoc and KaTeX read its Markdown, the numbers are the page's."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from symparams import load, render
from symparams.models.model import Origin
from tests.pages.conftest import open_page, program
from tests.pages.test_browser import written
from tests.pages.test_page import HOSTILE

pytestmark = [pytest.mark.browser, pytest.mark.tex, pytest.mark.xdist_group("browser")]
FORMATS = Path(__file__).parents[1] / "formats"
TARGETS = ("bert-base-uncased", "deepseek-v3", "t5-small", "mamba")
CLASSES = {"en": ("pdflatex", "article"), "zh": ("xelatex", "ctexart")}
COPY = """
const [kind, done] = arguments, copied = () => window.symparamsCopied;
const look = () => copied() === undefined ? setTimeout(look, 5) : done(copied());
delete window.symparamsCopied;
document.querySelector(`[data-copy=${kind}]`).click();
look();
"""
NUMBER = re.compile(r"(?<![\d.])\d{1,3}(?:,\d{3})+(?![\d.])")
WIDEST = 4.0  # points that a line may stand out


@cache
def hostile():
    """The page of a model whose name is markup; both languages look at one."""
    return render(replace(load("gpt2"), origin=Origin(HOSTILE, HOSTILE)), "html")


@pytest.fixture(scope="module", params=CLASSES)
def copied(request, browser, tmp_path_factory):
    """The language, and what its pages copy and show: {kind: {(target, notation): text}}."""
    language, file = request.param, tmp_path_factory.mktemp("pages") / "page.html"
    found = {"latex": {}, "markdown": {}, "shown": {}}
    for name in (*TARGETS, "hostile"):
        file.write_text(hostile() if name == "hostile" else written(name), encoding="utf-8")
        for notation in ("hidden", "bert"):
            open_page(browser, f"{file.as_uri()}#m=&lang={language}&notation={notation}")
            assert browser.execute_script("return document.querySelector('#notation').value") == notation
            for kind in ("latex", "markdown"):
                found[kind][name, notation] = browser.execute_async_script(COPY, kind)
            found["shown"][name, notation] = browser.execute_script("return document.querySelector('#derivation').textContent")
    return language, found


def test_latex_that_is_copied_compiles_within_the_column(copied, tmp_path):
    language, found = copied
    engine, kind = CLASSES[language]
    bodies = "\n".join(rf"\typeout{{AT {i}}}" + "\n" + text for i, text in enumerate(found["latex"].values()))
    paper = "\n".join([rf"\documentclass{{{kind}}}\usepackage{{amsmath}}\begin{{document}}", bodies, r"\end{document}"])
    (tmp_path / "paper.tex").write_text(paper, encoding="utf-8")
    command = [program(engine), "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-1_500:]
    at, wide = "", []
    for line in done.stdout.splitlines():
        at = line if line.startswith("AT ") else at
        if (over := re.match(r"Overfull \\hbox \(([\d.]+)pt", line)) and float(over[1]) > WIDEST:
            wide.append((list(found["latex"])[int(at.split()[1])], float(over[1]), line))
    assert wide == []


def test_the_numbers_of_a_copy_are_those_of_the_page(copied):
    _, found = copied
    for name, shown in found["shown"].items():
        for kind in ("latex", "markdown"):
            assert set(NUMBER.findall(found[kind][name].replace("{,}", ","))) == set(NUMBER.findall(shown)), name


def test_markdown_that_is_copied_is_read_by_pandoc_and_katex(copied):
    _, found = copied
    sheets = "\n\n".join(found["markdown"].values())
    assert all(text.startswith("# ") for text in found["markdown"].values())
    command = [program("pandoc"), "--from=markdown", "--to=json", "--fail-if-warnings"]
    read = json.loads(
        subprocess.run(command, input=sheets, capture_output=True, text=True, encoding="utf-8", timeout=120, check=True).stdout
    )
    formulas, raw = [], []

    def walk(node):
        for each in node if isinstance(node, list) else node.values() if isinstance(node, dict) else ():
            walk(each)
        if isinstance(node, dict) and node.get("t") == "Math":
            formulas.append({"tex": node["c"][1], "display": node["c"][0]["t"] == "DisplayMath"})
        if isinstance(node, dict) and node.get("t") in ("RawInline", "RawBlock", "Link", "Image"):
            raw.append(node)

    walk(read["blocks"])
    assert raw == []
    assert sum(each["display"] for each in formulas) == sheets.count("$$") // 2 > 100
    judge = [program("node"), str(FORMATS / "check_math.mjs")]
    said = subprocess.run(
        judge, input=json.dumps(formulas) + "\n", capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert json.loads(said.stdout) == []
