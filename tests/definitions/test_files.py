"""An architecture in a file of one's own: run, named, counted, derived, explained; and every file that is none, in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import symparams
from symparams import derive, explain, load, render
from tests.refusals import refusal

LOW_RANK = """
from sympy import symbols
from symparams import Architecture, attention, block, embedding, feed_forward, layer_norm, linear, residual

V, h, L, n_heads, d_ff, r = symbols("V h L n_heads d_ff r")      # r: a letter of one's own

LOW = Architecture("low_rank_decoder",
    embeddings=block(low=embedding(V, r), up=linear(r, h, bias=False)),
    decoder=L * block(residual(norm=layer_norm(h), attention=attention(h, n_heads)),
                      residual(norm=layer_norm(h), feed_forward=feed_forward(h, d_ff))),
    final_norm=layer_norm(h),
    lm_head=linear(h, V, bias=False),
    relations={d_ff: 4 * h},
    models={"low-rank-400m": {V: 256_008, h: 1_024, L: 24, n_heads: 16, r: 128}})
"""
# V·r + r·h, L × (two norms, attention and feed-forward with 4·h and 5·h biases), a norm, V·h
COUNT = 256_008 * 128 + 128 * 1_024 + 24 * (2 * 2 * 1_024 + 12 * 1_024**2 + 9 * 1_024) + 2 * 1_024 + 1_024 * 256_008
FORM = "12*L*h**2 + 13*L*h + V*h + h*r + V*r + 2*h"


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with mine.py."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(LOW_RANK, encoding="utf-8")
    return tmp_path


def test_a_family_of_ones_own_is_loaded_derived_and_explained(mine):
    for target in ("mine.py", "./mine.py", "mine.py:LOW", "mine.py:low_rank_decoder"):
        model = load(target)
        assert model.polynomial() == derive(model).total.polynomial
        assert repr(derive(model).total.closed) == FORM
        assert load(target, V=256_008, h=1_024, L=24, r=128).count() == COUNT
    assert "V \\times r" in render(derive(model), "latex")
    published = load("mine.py:low-rank-400m")
    assert published.count() == derive(published).total.value == COUNT
    assert any(explanation.is_explained for explanation in explain(published, COUNT - 128 * 256_008))


def test_the_command_line_takes_it_as_any_other(mine, cli):
    assert cli("formula mine.py").out == "12·L·h² + 13·L·h + V·h + h·r + V·r + 2·h\n"
    for line, text in (
        ("count ./mine.py:low-rank-400m", str(COUNT)),
        ("derive mine.py --latex", r"\documentclass"),
        ("derive mine.py:low-rank-400m --lang zh", f"{COUNT:,}"),
        ("show mine.py", "low_rank_decoder"),
        (f"explain mine.py:low-rank-400m {COUNT}", f"{COUNT:,}"),
    ):
        result = cli(line)
        assert result.code == 0, line
        assert text in result.out, line


def test_a_claim_is_looked_for_among_the_models_of_the_file(mine):
    more = LOW_RANK.replace("r: 128}", 'r: 128}, "low-rank-small": {V: 256, h: 8, L: 1, n_heads: 2, r: 2}')
    (mine / "two.py").write_text(more, encoding="utf-8")
    small = load("two.py:low-rank-small").count()
    assert [explanation.model for explanation in explain(load("two.py:low-rank-400m"), small)] == ["low-rank-small"]


def test_what_a_file_prints_is_no_result(mine, cli):
    (mine / "loud.py").write_text("print('hello')\n" + LOW_RANK, encoding="utf-8")
    assert cli("count loud.py:low-rank-400m") == (0, f"{COUNT}\n", "hello\n")


def test_a_file_may_import_one_that_python_finds_and_the_package_itself(mine):
    text = "from sizes import RANK\nfrom symparams.architectures.gpt2 import GPT2\n" + LOW_RANK.replace("r: 128", "r: RANK")
    folder = mine / "inner"
    folder.mkdir()
    (folder / "imports.py").write_text(text, encoding="utf-8")
    (mine / "sizes.py").write_text("RANK = 128\n", encoding="utf-8")
    count = [sys.executable, "-m", "symparams", "count", "inner/imports.py:low-rank-400m"]
    environment = {**os.environ, "PYTHONPATH": str(Path(symparams.__file__).parents[1])}
    done = subprocess.run(count, capture_output=True, text=True, check=False, cwd=mine, env=environment)
    assert (done.stdout, done.stderr) == (f"{COUNT}\n", "")


def test_a_file_imports_the_files_beside_it_and_no_others_of_their_names(mine):
    text = "from sizes import RANK\nimport parts.more\n" + LOW_RANK.replace("r: 128", "r: RANK * parts.more.FACTOR")
    for folder, rank in (("first", 64), ("second", 32)):
        (mine / folder / "parts").mkdir(parents=True)
        (mine / folder / "my.py").write_text(text, encoding="utf-8")
        (mine / folder / "sizes.py").write_text(f"RANK = {rank}\n", encoding="utf-8")
        (mine / folder / "parts" / "more.py").write_text(f"FACTOR = {128 // rank}\n", encoding="utf-8")
    paths, modules = [*sys.path], {*sys.modules}
    for folder in ("first", "second", "first"):
        assert load(f"{folder}/my.py:low-rank-400m").count() == COUNT
    assert sys.path == paths
    assert not {"sizes", "parts", "parts.more"} & ({*sys.modules} - modules)


def test_a_file_beside_that_fails_leaves_nothing_behind(mine):
    (mine / "sizes.py").write_text("RANK = 128\nraise ValueError('no rank')\n", encoding="utf-8")
    (mine / "odd.py").write_text("import sizes\n", encoding="utf-8")
    paths = [*sys.path]
    assert refusal(load, "odd.py") == "Cannot read 'odd.py', line 1: ValueError: no rank."
    assert (sys.path, "sizes" in sys.modules) == (paths, False)


def test_one_family_by_two_names_is_one_and_may_have_the_name_of_another_in_the_package(mine):
    (mine / "bert.py").write_text(LOW_RANK.replace("low_rank_decoder", "bert") + "\nSAME = LOW\n", encoding="utf-8")
    assert load("bert.py").name == "bert"
    model = load("bert.py:low-rank-400m")
    assert (model.count(), model.library) == (COUNT, None)


ODD = [
    (b"x = (\n", "Cannot read 'odd.py', line 1: SyntaxError: '(' was never closed"),
    (b"x = 1\x00\n", "Error: source code string cannot contain null bytes."),
    (b"x = '\xff'\n", "Cannot read 'odd.py', line 1: SyntaxError"),
    (b"\nraise ValueError('one\\ntwo')\n", "Cannot read 'odd.py', line 2: ValueError: one two."),
    (b"raise MemoryError\n", "Cannot read 'odd.py', line 1: MemoryError."),
    (b"raise BaseException('no')\n", "Cannot read 'odd.py', line 1: BaseException: no."),
    (b"import sys\nsys.exit()\n", "Cannot read 'odd.py', line 2: SystemExit"),
    (b"from .sizes import RANK\n", "Cannot read 'odd.py', line 1: ImportError: attempted relative import"),
    (b"def f(): f()\nf()\n", "RecursionError"),
    (b"", "'odd.py' defines no Architecture: write NAME = Architecture(…) in it."),
    (b"from symparams.architectures.gpt2 import GPT2\n", "'odd.py' defines no Architecture"),
    (b"from symparams import *\n\nBAD = Architecture('bad', low=linear(2, 0))\n",
     "odd.py, line 3: bad: low has a side of 0: write a whole number from 1, or an expression in letters."),
    (LOW_RANK.replace("LOW =", "if __name__ == '__main__':\n  LOW =").encode(), "'odd.py' defines no Architecture"),
    ((LOW_RANK + LOW_RANK.replace("LOW =", "HIGH =")).encode(),
     "'odd.py' has several architectures: write odd.py:NAME, NAME LOW or HIGH."),
]  # fmt: skip


def test_a_file_that_holds_no_one_family_is_refused_in_one_line(mine):
    for number, (content, said) in enumerate(ODD):
        (mine / str(number)).mkdir()
        (mine / str(number) / "odd.py").write_bytes(content)
        assert said in refusal(load, f"{number}/odd.py").replace(f"{number}/", ""), said


def test_a_name_that_the_file_has_not_and_a_folder_are_refused(mine):
    (mine / "folder.py").mkdir()
    assert refusal(load, "mine.py:LAW") == "'mine.py' has no architecture or model 'LAW'. Did you mean 'LOW'?"
    assert refusal(load, "folder.py") == "Cannot read 'folder.py': it is a folder. Give a Python file."
    assert refusal(load, "nothing.py") == "Cannot read 'nothing.py': No such file or directory."
