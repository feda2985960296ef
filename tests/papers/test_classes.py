"""The class of a paper says how wide its columns are, and its blocks fit into them."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from symparams.cli import run
from symparams.papers.classes import class_of

COLUMNS = {
    r"\documentclass{article}": 1,
    r"\documentclass[twocolumn,10pt]{article}": 2,
    "\\documentclass[\n  11pt, twocolumn\n]{article}": 2,
    r"\documentclass [10pt] {IEEEtran}": 2,
    r"\documentclass[journal,onecolumn]{IEEEtran}": 1,
    r"\documentclass[sigconf]{acmart}": 2,
    r"\documentclass[sigconf,review,anonymous]{acmart}": 1,
    r"\documentclass{acmart}": 1,
    r"\documentclass[aps,reprint]{revtex4-2}": 2,
    r"\documentclass{beamer}": 2,
    "\\documentclass{article}\n\\twocolumn": 2,
    "\\documentclass{article}\n% \\twocolumn\n\\begin{document}\\twocolumn": 1,
    "%\\documentclass[twocolumn]{article}\n\\documentclass{article}": 1,
    r"A chapter, which is \input.": 1,
}


def test_the_columns_of_a_class():
    for text, columns in COLUMNS.items():
        found = class_of(text)
        assert (found.columns if found else 1) == columns, text


BLOCKS = ("derive llama-3-8b", "compare gpt2 llama-3-8b", "flops llama-3-8b --tokens 2048", "explain deepseek-v3 685B",
          "memory llama-3-8b --context 8192")  # fmt: skip
CLASSES = {
    r"\documentclass[twocolumn]{article}": ("", ""),
    r"\documentclass{beamer}": (r"\begin{frame}[allowframebreaks]", r"\end{frame}"),
}


def paper(head: str) -> str:
    begin, end = CLASSES[head]
    blocks = "\n".join(f"{begin}\n% symparams: {command}\n% /symparams\n{end}" for command in BLOCKS)
    preamble = "% symparams: derive bloom --preamble\n% /symparams"
    return f"{head}\n{preamble}\n\\begin{{document}}\n{blocks}\n\\end{{document}}\n"


def test_a_block_is_as_wide_as_a_column_and_its_layout_stands_in_the_preamble(tmp_path, cli):
    file = tmp_path / "paper.tex"
    for head in CLASSES:
        file.write_text(paper(head))
        assert cli(f"embed {file}").code == 0
        text = file.read_text()
        assert text.count("\\newcommand{\\symparamslayout}") + text.count("\\providecommand{\\symparamslayout}") == 1
        assert text.count("\\symparamslayout\\else") == len(BLOCKS)
        [derived] = re.findall(r"derive llama-3-8b\n(.*?)% /symparams", text, re.DOTALL)
        assert derived == cli("derive llama-3-8b --latex --fragment --columns 2").out
    file.write_text(paper(r"\documentclass{beamer}").replace("derive llama-3-8b", "derive llama-3-8b --columns 1"))
    assert cli(f"embed {file}").code == 0
    assert cli("derive llama-3-8b --latex --fragment").out in file.read_text()


@pytest.mark.parametrize("head", CLASSES)
def test_no_line_is_too_wide(head, tmp_path, cli, tool):
    (tmp_path / "paper.tex").write_text(paper(head))
    assert cli(f"embed {tmp_path / 'paper.tex'}").code == 0
    command = [tool("pdflatex"), "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout[-2_000:]
    assert re.findall(rb"Overfull \\hbox.*", done.stdout) == []


def test_what_the_head_of_a_paper_lacks_is_told(tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    preamble = "a block with % symparams: derive bloom --preamble"
    for head, command, needed in [
        (r"\documentclass{article}", "formula llama-3-8b", r"\usepackage{amsmath}"),
        (r"\documentclass{article}\usepackage{mathtools}", "formula llama-3-8b", ""),
        (r"\documentclass{beamer}", "formula llama-3-8b", ""),
        (r"\documentclass{article}\input{head}", "formula llama-3-8b", ""),
        ("", "formula llama-3-8b", ""),
        (r"\documentclass{article}", "formula gpt2 --form blocks --notation gpt3", r"\usepackage{amsmath}"),
        (r"\documentclass{article}", "derive gpt2", preamble),
        (r"\documentclass{article}\usepackage{amsmath,booktabs,array}", "derive gpt2", preamble),
        ("\\documentclass{article}\n% symparams: derive bloom --preamble\n% /symparams", "derive gpt2", ""),
        (r"\documentclass{article}", "draw gpt2", f"{preamble} --figure"),
        (r"\documentclass{article}\usepackage{tikz}", "draw gpt2", f"{preamble} --figure"),
        (r"\documentclass{article}\usepackage{tikz}\usetikzlibrary{arrows.meta}", "draw gpt2", ""),
    ]:
        (tmp_path / "a.tex").write_text(f"{head}\n\\begin{{document}}\n% symparams: {command}\n% /symparams\n")
        told = f"symparams: a.tex: its blocks need {needed} in its preamble.\n" if needed else ""
        assert cli("embed a.tex").err == told, (head, command)


def test_who_reads_a_formula_on_a_terminal_is_told_what_it_needs(monkeypatch, capsys):
    told = "symparams: \\text needs \\usepackage{amsmath} in the document\n"
    for is_terminal, line, note in [
        (True, "formula llama-3-8b --latex", told),
        (True, "formula bloom --latex", ""),
        (True, "formula llama-3-8b", ""),
        (False, "formula llama-3-8b --latex", ""),
    ]:
        monkeypatch.setattr(sys.stdout, "isatty", lambda is_terminal=is_terminal: is_terminal)
        assert run(line.split()) == 0
        assert capsys.readouterr().err == note
