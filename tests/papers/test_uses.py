"""Three uses, whole: a paper in LaTeX, a post in Chinese, a table of four models. They are current, and programs build them."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from symparams import load

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
DOCUMENTS = ("paper/paper.tex", "post/index.qmd", "models.md")
COMMAND = re.compile(r"^(?:%| )   +(symparams macros .*)$", re.MULTILINE)
COMPLAINT = re.compile(
    r"^(?:!|.*Undefined control sequence|Overfull|Missing character|LaTeX Warning: .*undefined).*", re.MULTILINE
)
MODELS = "gpt2", "bloom-560m", "llama-7b", "mixtral-8x7b"


@pytest.fixture
def copy(tmp_path, monkeypatch) -> Callable[[str], Path]:
    """``copy("paper")`` stands in a copy of that folder."""

    def made(folder: str) -> Path:
        shutil.copytree(NOTEBOOKS / folder, tmp_path / folder)
        monkeypatch.chdir(tmp_path / folder)
        return tmp_path / folder

    return made


def test_the_blocks_of_a_use_are_current(cli):
    for document in DOCUMENTS:
        assert cli(["embed", "--check", str(NOTEBOOKS / document)]) == (0, "", "")


@pytest.mark.parametrize(("document", "macros"), [("paper/paper.tex", "counts.tex"), ("post/index.qmd", "_variables.yml")])
def test_the_values_of_a_use_are_those_that_its_first_command_writes(document, macros, cli, copy):
    folder = copy(Path(document).parent.name)
    stored = (folder / macros).read_text(encoding="utf-8")
    (folder / macros).unlink()
    [command] = COMMAND.findall((NOTEBOOKS / document).read_text(encoding="utf-8"))
    assert cli(shlex.split(command)[1:]).code == 0
    assert (folder / macros).read_text(encoding="utf-8") == stored


def test_every_value_that_a_paper_and_a_table_ask_for_is_there():
    paper, counts = (read(f"paper/{file}.tex") for file in ("paper", "counts"))
    assert set(re.findall(r"\\symparams[A-Z][A-Za-z]+", paper)) <= set(re.findall(r"\\newcommand\{(\\\w+)\}", counts))
    table = read("models.md").replace("{,}", ",")
    assert [model for model in MODELS if f"{load(model).count():,}" not in table] == []


def read(file: str) -> str:
    return (NOTEBOOKS / file).read_text(encoding="utf-8")


def test_the_paper_is_a_page_without_a_line_too_wide(tool, copy):
    folder = copy("paper")
    for _ in range(2):  # the second run knows the labels
        log = built([tool("pdflatex"), "-interaction=nonstopmode", "-halt-on-error", "paper.tex"], folder)
    assert (COMPLAINT.findall(log), "(1 page" in log) == ([], True)
    page = text_of(folder / "paper.pdf", tool)
    counts = [f"{load(model).count():,}" for model in ("bert-base-uncased", "gpt2", "llama-7b")]
    assert [count for count in counts if count not in page] == []


def test_the_post_is_a_page_of_html_and_a_page_of_paper(tool, copy):
    """Pandoc makes both; a filter stands in for the shortcodes of Quarto."""
    folder = copy("post")
    command = [tool("pandoc"), "index.qmd", "--metadata-file", "_variables.yml", "--lua-filter", "variables.lua"]
    built([*command, "--from", "markdown", "--standalone", "--mathml", "--output", "index.html"], folder)
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert [text for text in ("102,267,648", "109,482,240", "1.02 亿", "55.41%", "7,214,592") if text not in page] == []
    assert "{{<" not in page
    paper = ["--from", "markdown-auto_identifiers", "--columns", "100", "--template", "page.tex", "--output", "index.tex"]
    built([*command, *paper], folder)
    log = built([tool("xelatex"), "-interaction=nonstopmode", "-halt-on-error", "index.tex"], folder)
    assert (COMPLAINT.findall(log), "(1 page" in log) == ([], True)
    assert "102,267,648" in text_of(folder / "index.pdf", tool)


def built(command: list[str], folder: Path) -> str:
    """What a program says, once it has come to its end."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, encoding="utf-8", errors="replace", timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def text_of(pages: Path, tool: Callable[[str], str]) -> str:
    return built([tool("pdftotext"), "-layout", str(pages), "-"], pages.parent)
