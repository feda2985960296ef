"""``symparams verify`` builds the real model and compares count and tensors."""

from __future__ import annotations

import pytest

from symparams.cli import run
from tests.library import require

require("torch", "transformers")
pytestmark = pytest.mark.filterwarnings("ignore")  # what the library warns of is its own


@pytest.mark.parametrize("target", ["bert-base-uncased", "gpt2", "bloom-560m", "llama-3-8b"])
def test_published_models_are_what_the_library_builds(target, capsys):
    assert run(["verify", target]) == 0
    assert capsys.readouterr().out.endswith("match: True\n")


def test_a_difference_is_shown_and_ends_with_1(capsys):
    assert run(["verify", "gpt2", "--without", "biases"]) == 1
    out = capsys.readouterr().out
    assert "differs" in out
    assert out.endswith("match: False\n")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("transformer-base", "symparams: Transformer has no class in the transformers library to verify against.\n"),
        ("gpt3", "symparams: GPT-3 has no class in the transformers library to verify against.\n"),
    ],
)
def test_what_cannot_be_verified(target, message, capsys):
    assert run(["verify", target]) == 2
    assert capsys.readouterr().err == message
