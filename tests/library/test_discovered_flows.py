"""The data flow that is measured of a class: it counts what the family by hand counts, and is the one that is shipped."""

import pytest

from symparams import atlas, load
from symparams.atlas.configs import of_entry
from symparams.errors import DiscoveryError
from symparams.models.load import complete
from tests.library import require

require("torch", "transformers")

from symparams.discovery.library import chosen  # noqa: E402 - asked for above
from symparams.discovery.library.flows import flow  # noqa: E402


@pytest.mark.parametrize("name", ["PhiForCausalLM", "MixtralForCausalLM"])  # side by side; a mixture
def test_a_discovered_family_has_the_flops_and_the_cache_of_the_one_by_hand(name):
    of = chosen.chosen(name)
    entry = chosen.discovered(of, rows=30, seed=0)
    ours = complete(of_entry(name, entry, {}), {})
    by_hand = load({"model_type": of.kind, "architectures": [name]})
    for quantity, inputs in (("forward_flops", {"b": 1, "s": 128}), ("kv_cache", {"b": 1, "t": 128, "e": 2})):
        assert ours.measure(quantity, **inputs) == by_hand.measure(quantity, **inputs)


def test_the_flow_that_is_shipped_is_the_one_that_is_measured():
    entry = atlas.entries("dots1")["Dots1ForCausalLM"]
    assert flow(entry, chosen.of_entry(entry)).blocks == entry.flow.blocks


def test_a_window_that_limits_what_a_token_sees_is_no_flow():
    entry = atlas.entries("cwm")["CwmForCausalLM"]
    with pytest.raises(DiscoveryError, match="sliding_window changes what is seen once it is small"):
        flow(entry, chosen.of_entry(entry))
