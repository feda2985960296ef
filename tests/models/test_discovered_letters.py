"""Discovered numbers have the letters that a person writes: of lists, of kinds of layers, of stages, of an encoder."""

from __future__ import annotations

import pytest

from symparams import atlas
from symparams.atlas.facts import Source
from symparams.atlas.letters import letters
from tests.sweeps import DISCOVERED, swept


@pytest.mark.parametrize(
    ("name", "source", "letter"),
    [
        ("layer_types_full_attention", Source("layer_types", "full_attention"), "L_full"),
        ("layer_types_text_linear_attention", Source("text_config.layer_types", "linear_attention"), "L_linear_text"),
        ("mlp_layer_types_sparse", Source("mlp_layer_types", "sparse"), "L_moe"),
        ("attn_layer_indices_number", Source("attn_layer_indices", "number"), "L_attn"),
        ("depths_0", Source("depths", 0), "L_1"),
        ("d_conv_3", Source("conv_kernel", 3), "d_conv_4"),
        ("mamba_n_heads", Source("mamba_n_heads"), "n_ssm_heads"),
        ("L_encoder", Source("encoder.num_hidden_layers"), "L_enc"),
        ("h", Source("hidden_size"), "h"),
        ("l_layers", Source("l_layers"), "l_layers"),
    ],
)
def test_a_number_has_the_letter_of_its_table(name, source, letter):
    assert letters({name: source}) == {name: letter}


def test_no_two_numbers_have_one_letter():
    own, dense = Source("first_k_dense_replace"), Source("mlp_layer_types", "dense")
    assert letters({"mlp_layer_types_dense": dense, "L_dense": own}) == {
        "mlp_layer_types_dense": "L_mlp_dense",
        "L_dense": "L_dense",
    }


@pytest.mark.parametrize("kind", swept(atlas.kinds(), DISCOVERED))
def test_no_letter_of_a_shipped_type_is_lost(kind):
    data = atlas.data(kind)
    for name, row in data["classes"].items():
        assert len(atlas.entries(kind)[name].letters) == len(row.get("letters", data.get("letters"))), name
