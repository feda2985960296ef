"""What a config chooses besides its sizes: without a key, activation and window are the defaults of the library's config."""

from __future__ import annotations

import pytest

from symparams.architectures import architecture
from symparams.models.library import families, library
from symparams.models.sources.config import interpret
from tests.library import require
from tests.library.oracle import configuration

require("torch", "transformers")
pytestmark = pytest.mark.filterwarnings("ignore")  # what the library warns of is its own

FIXED = {"bloom", "mpt"}  # their activation stands under no key
# What is worked out of a key and does not stand under it: tests/library/test_flops.py holds it against what is run.
WORKED_OUT = {"attends", "unread_image_layers", "image_window", "whole_image_layers"}
OTHERWISE = {"t5": "dense_act_fn", "mt5": "dense_act_fn"}


@pytest.mark.parametrize("family", [name for name in families() if name not in FIXED])
def test_the_defaults_are_the_librarys(family):
    known = library(architecture(family))
    config, _ = configuration(family, {}, known.base)
    choices = interpret("config", {"model_type": family}).choices
    for name, value in choices.items() - {(name, choices[name]) for name in WORKED_OUT & set(choices)}:
        section, _, key = known.choices[name].names[0].rpartition(".")
        theirs = getattr(getattr(config, section) if section else config, OTHERWISE.get(family, key), None)
        assert (theirs or None) == value, name  # Qwen2-MoE's 0 is no window, as null is


def test_the_families_whose_activation_is_fixed():
    assert {name for name in families() if not library(architecture(name)).choices} == FIXED
