"""A model is a value: equal to its copies, a key of a dictionary, and sent to another process."""

from __future__ import annotations

import pickle
import subprocess
import sys
from copy import copy, deepcopy
from pathlib import Path

import pytest

from symparams import Architecture, Model, attention, block, compare, derive, embedding, explain, load, render
from symparams.expressions.symbols import L, V, h, n_heads

CONFIG = {"model_type": "llama", "hidden_size": 512, "num_hidden_layers": 4, "intermediate_size": 1376}
MINE = """
from symparams import Architecture, embedding, linear
from symparams.expressions.symbols import V, h, r

MINE = Architecture("mine", e=embedding(V, r), up=linear(r, h), models={"mine-1m": {V: 1000, h: 512, r: 64}})
"""


@pytest.fixture(params=["gpt2", "deepseek-v3", "bloom", CONFIG, "mine.py:mine-1m", "made in a notebook"], ids=str)
def model(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Model:
    """A published model, a family, a config, a file of one's own, an architecture that no file holds."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE, encoding="utf-8")
    if request.param == "made in a notebook":
        tree = Architecture("tiny", e=embedding(V, h), decoder=L * block(attention=attention(h, n_heads)))
        return load(tree, V=100, h=64, L=2, n_heads=4)
    return load(request.param)


def test_a_copy_is_equal_and_says_the_same(model: Model) -> None:
    said = render(derive(model), "text")  # what was worked out on the way does not go with it
    for other in (copy(model), deepcopy(model), pickle.loads(pickle.dumps(model))):  # noqa: S301 - our own
        assert other == model
        assert len({model, other}) == 1
        assert other != load("bert-base-uncased")
        assert render(derive(other), "text") == said


def test_another_process_counts_it() -> None:
    """Its texts have other hashes there."""
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer).count())"
    done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(load("gpt2")), capture_output=True, check=True)
    assert int(done.stdout) == load("gpt2").count()


def test_what_is_worked_out_of_it_goes_to_another_process_too() -> None:
    model = load("gpt2")
    for made in (derive(model), compare(model, "bloom-560m"), explain(model, "124M"), model.memory(512)):
        again = pickle.loads(pickle.dumps(made))  # noqa: S301 - our own
        assert render(again, "text") == render(made, "text")
    cache = {"b": 1, "t": 100, "dtype": "bf16"}
    for function in (model.function(), model.function("active"), model.function("kv_cache", dtype="bf16", b=1, t=100)):
        assert pickle.loads(pickle.dumps(function))(L=24) == function(L=24)  # noqa: S301
    unchecked = model.function(check_relations=False)
    assert pickle.loads(pickle.dumps(unchecked))(h=769) == unchecked(h=769)  # noqa: S301 - 769 / 12 heads
    assert model.function("kv_cache", **cache)() == model.measure("kv_cache", **cache)
