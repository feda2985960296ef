"""A family by hand and its discovery are each other's test: their closed forms are equal. ``.ci/atlas.py equal`` takes all."""

from dataclasses import replace

import pytest

from symparams.atlas.facts import Source
from tests.library import require

require("torch", "transformers")

from tests.library.by_hand import DIFFERS, FEWEST, POLYNOMIALS, compared, discovered  # noqa: E402 - asked for above


@pytest.mark.parametrize("family", ["llama", "mixtral", "deepseek_v3", "gpt2", "bart", "vit", "mamba"])
def test_the_closed_form_by_hand_is_the_discovered_one(family):
    found = compared(family)
    assert found.word == POLYNOMIALS, str(found)
    assert found.configs.total() >= FEWEST, str(found)


def test_a_wrong_closed_form_differs_by_an_expression():
    entry = discovered("bert")
    assert compared("bert", entry).word == POLYNOMIALS
    wide = replace(entry.letters["d_ff"], source=Source("hidden_size"))
    found = compared("bert", replace(entry, letters={**entry.letters, "d_ff": wide}))
    assert found.word == DIFFERS
    assert "-2*hidden_size**2*num_hidden_layers + 2*hidden_size*intermediate_size*num_hidden_layers" in str(found)
