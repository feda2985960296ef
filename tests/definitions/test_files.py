"""An architecture in a file of one's own: run, named, counted, derived, explained; and every file that is none, in one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from symparams import SymparamsError, derive, explain, load, render
from symparams.cli import run

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


def error_of(target: str) -> str:
    with pytest.raises(SymparamsError) as error:
        load(target)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("target", ["mine.py", "./mine.py", "mine.py:LOW", "mine.py:low_rank_decoder"])
def test_a_family_of_ones_own_is_loaded_and_derived(mine, target):
    model = load(target)
    assert model.polynomial() == derive(model).total.polynomial
    assert repr(derive(model).total.closed) == FORM
    assert load(target, V=256_008, h=1_024, L=24, r=128).count() == COUNT
    assert "V \\times r" in render(derive(model), "latex")


def test_its_published_model_is_named_in_the_file(mine):
    model = load("mine.py:low-rank-400m")
    assert model.count() == derive(model).total.value == COUNT
    assert any(explanation.is_explained for explanation in explain(model, COUNT - 128 * 256_008))


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        (["count", "./mine.py:low-rank-400m"], 0, str(COUNT)),
        (["formula", "mine.py"], 0, "12"),
        (["derive", "mine.py", "--latex"], 0, r"\documentclass"),
        (["derive", "mine.py:low-rank-400m", "--lang", "zh"], 0, f"{COUNT:,}"),
        (["show", "mine.py"], 0, "low_rank_decoder"),
        (["explain", "mine.py:low-rank-400m", str(COUNT)], 0, f"{COUNT:,}"),
    ],
)
def test_the_command_line_takes_it_as_any_other(mine, capsys, line, code, said):
    assert run(line) == code
    assert said in capsys.readouterr().out


def test_a_claim_is_looked_for_among_the_models_of_the_file(mine):
    more = LOW_RANK.replace("r: 128}", 'r: 128}, "low-rank-small": {V: 256, h: 8, L: 1, n_heads: 2, r: 2}')
    (mine / "two.py").write_text(more, encoding="utf-8")
    small = load("two.py:low-rank-small").count()
    assert [explanation.model for explanation in explain(load("two.py:low-rank-400m"), small)] == ["low-rank-small"]


def test_there_is_no_class_to_verify_it_against(mine, capsys):
    assert run(["verify", "mine.py:low-rank-400m"]) == 2
    assert "low_rank_decoder has no class in the transformers library to verify against." in capsys.readouterr().err


def test_what_a_file_prints_is_no_result(mine, capsys):
    (mine / "loud.py").write_text("print('hello')\n" + LOW_RANK, encoding="utf-8")
    assert run(["count", "loud.py:low-rank-400m"]) == 0
    captured = capsys.readouterr()
    assert captured.out == f"{COUNT}\n"
    assert captured.err == "hello\n"


def test_a_file_may_import_the_one_beside_it_and_the_package_itself(mine):
    (mine / "sizes.py").write_text("RANK = 128\n", encoding="utf-8")
    text = "from sizes import RANK\nfrom symparams.architectures.gpt2 import GPT2\n" + LOW_RANK.replace("r: 128", "r: RANK")
    folder = mine / "inner"
    folder.mkdir()
    for place in (mine, folder):
        (place / "imports.py").write_text(text, encoding="utf-8")
        (place / "sizes.py").write_text("RANK = 128\n", encoding="utf-8")
    for target in ("imports.py:low-rank-400m", "inner/imports.py:low-rank-400m"):
        count = [sys.executable, "-m", "symparams", "count", target]
        done = subprocess.run(count, capture_output=True, text=True, check=False, cwd=mine, env=_environment())
        assert (done.stdout, done.stderr) == (f"{COUNT}\n", "")


def _environment() -> dict[str, str]:
    import os

    import symparams

    return {**os.environ, "PYTHONPATH": str(Path(symparams.__file__).parents[1])}


def test_one_family_by_two_names_is_one(mine):
    (mine / "alias.py").write_text(LOW_RANK + "\nSAME = LOW\n", encoding="utf-8")
    assert load("alias.py").name == "low_rank_decoder"


def test_a_family_may_have_the_name_of_one_in_the_package(mine):
    (mine / "bert.py").write_text(LOW_RANK.replace("low_rank_decoder", "bert"), encoding="utf-8")
    model = load("bert.py:low-rank-400m")
    assert (model.count(), model.library) == (COUNT, None)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"x = (\n", "Cannot read 'odd.py', line 1: SyntaxError: '(' was never closed"),
        (b"x = 1\x00\n", "Cannot read 'odd.py': SyntaxError: source code string cannot contain null bytes."),
        (b"x = '\xff'\n", "Cannot read 'odd.py', line 1: SyntaxError"),
        (b"\nraise ValueError('one\\ntwo')\n", "Cannot read 'odd.py', line 2: ValueError: one two."),
        (b"raise MemoryError\n", "Cannot read 'odd.py', line 1: MemoryError."),
        (b"raise BaseException('no')\n", "Cannot read 'odd.py', line 1: BaseException: no."),
        (b"import sys\nsys.exit()\n", "Cannot read 'odd.py', line 2: SystemExit"),
        (b"from .sizes import RANK\n", "Cannot read 'odd.py', line 1: ImportError: attempted relative import"),
        (b"def f(): f()\nf()\n", "RecursionError"),
        (b"", "'odd.py' binds no Architecture: write NAME = Architecture(…) in it."),
        (b"from symparams.architectures.gpt2 import GPT2\n", "'odd.py' binds no Architecture"),
        (b"from symparams import *\n\nBAD = Architecture('bad', low=linear(2, 0))\n",
         "odd.py, line 3: bad: low has a side of 0: write a whole number from 1, or an expression in letters."),
        (LOW_RANK.replace("LOW =", "if __name__ == '__main__':\n  LOW =").encode(), "'odd.py' binds no Architecture"),
        ((LOW_RANK + LOW_RANK.replace("LOW =", "HIGH =")).encode(),
         "'odd.py' has several architectures: write odd.py:NAME, NAME LOW or HIGH."),
    ],
)  # fmt: skip
def test_a_file_that_holds_no_one_family_is_refused_in_one_line(mine, content, said):
    (mine / "odd.py").write_bytes(content)
    assert said in error_of("odd.py")


def test_a_name_that_the_file_has_not_and_a_folder_are_refused(mine):
    (mine / "folder.py").mkdir()
    assert error_of("mine.py:LAW") == "'mine.py' has no architecture or model 'LAW'. Did you mean 'LOW'?"
    assert error_of("folder.py") == "Cannot read 'folder.py': it is a folder. Give a Python file."
    assert error_of("nothing.py") == "Cannot read 'nothing.py': No such file or directory."
