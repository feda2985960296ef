"""Plots in TeX: each picture for pgfplots compiles, in both languages, and PGF is what matplotlib measures with TeX."""

from __future__ import annotations

import subprocess

import pytest

from symparams.plots import picture, plot_of
from symparams.plots.lettering import Lettering
from symparams.plots.pgfplots import written
from tests.plots.test_figures import CASES

pytestmark = pytest.mark.tex
ENGINES = {"en": "pdflatex", "zh": "xelatex"}


@pytest.mark.parametrize("language", ENGINES)
@pytest.mark.parametrize("name", ["memory", "eight_alike", "shares", "training", "rule", "treemap", "experts"])
def test_pgfplots_compiles(name, language, tmp_path):
    named, options = CASES[name]
    (tmp_path / "plot.tex").write_text(written(Lettering(plot_of(*named, **options), language)), encoding="utf-8")
    command = [ENGINES[language], "-interaction=nonstopmode", "-halt-on-error", "plot.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
    assert "Missing character" not in done.stdout


def test_pgf_is_written_where_tex_is_installed():
    assert b"\\begin{pgfpicture}" in picture(plot_of("shares", "llama-3-8b"), "pgf")
