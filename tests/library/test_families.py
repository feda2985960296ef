"""Every family equals the real library: each class, random configurations, no count off by any amount."""

from __future__ import annotations

import random

import pytest

from symparams import load
from symparams.architectures import architecture
from symparams.models.library import library
from tests.library import require
from tests.library.odd_keys import with_odd_keys
from tests.library.oracle import CONFIGURATIONS, active, build, classes, configuration, correction, mixtures, ours, spaces

require("torch", "transformers")
pytestmark = pytest.mark.filterwarnings("ignore")  # what the library warns of is its own


@pytest.mark.parametrize(("family", "class_name"), list(classes()))
def test_counts_and_shapes_are_the_librarys(family, class_name):
    draw, rng = spaces()[family], random.Random(f"{family} {class_name}")  # noqa: S311 - no secret
    for _ in range(CONFIGURATIONS):
        settings = with_odd_keys(family, class_name, draw(rng), rng)
        config, written = configuration(family, settings, class_name)
        corrections = correction(class_name, settings, written)
        assert ours(written) == build(class_name, config, corrections), settings


@pytest.mark.parametrize("family", list(mixtures()))
def test_one_token_uses_what_the_library_gives_it_to(family):
    known = library(architecture(family))
    draw, rng = spaces()[family], random.Random(family)  # noqa: S311 - no secret
    for _ in range(CONFIGURATIONS):
        settings = dict(draw(rng))
        settings["num_experts_per_tok"] = settings["num_experts_per_tok"] or 1
        config, written = configuration(family, settings, known.base)
        assert load(written).active_count() == active(known.base, config), settings
