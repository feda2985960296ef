"""Every family equals the real library: each class, random configurations, no count off by any amount."""

from __future__ import annotations

import random

import pytest

from tests.library import require
from tests.library.oracle import CONFIGURATIONS, build, classes, configuration, correction, ours, spaces

require("torch", "transformers")
pytestmark = pytest.mark.filterwarnings("ignore")  # what the library warns of is its own


@pytest.mark.parametrize(("family", "class_name"), list(classes()))
def test_counts_and_shapes_are_the_librarys(family, class_name):
    draw, rng = spaces()[family], random.Random(f"{family} {class_name}")  # noqa: S311 - no secret
    for _ in range(CONFIGURATIONS):
        settings = draw(rng)
        config, written = configuration(family, settings, class_name)
        corrections = correction(class_name, settings, written)
        assert ours(written) == build(class_name, config, corrections), settings
