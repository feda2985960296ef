"""FLOPs are those of the library's products, counted by torch: each class, random configurations, none off by any amount."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from symparams import load
from symparams.expressions.written import exact
from symparams.models.costing import costing
from tests.library import require

require("torch", "transformers")

from tests.library.flops import Counted, NotRunError, Run, draw, measure, writes  # noqa: E402
from tests.library.oracle import CONFIGURATIONS, classes  # noqa: E402

pytestmark = [pytest.mark.filterwarnings("ignore")]  # what the library warns of is its own
ON_META = 3  # the first ones of each class; the others on the CPU, which is quicker
TRIES = 12 * CONFIGURATIONS  # some of what is drawn the library builds and cannot run
# The first token of an answer is beamed: as many products as there are beams, which no size of the tree says.
UNSAID = {"XLNetForQuestionAnswering"}
KNOWN = [(family, name) for family, name in classes() if name not in UNSAID]


def runs(family: str, class_name: str, **asked: bool) -> Iterator[tuple[Run, Counted, Counted]]:
    """As many random runs as are asked for that the library does not refuse."""
    rng, found = random.Random(f"{family} {class_name} {asked}"), 0  # noqa: S311 - no secret
    for _ in range(TRIES):
        try:
            run = replace(draw(family, class_name, rng, **asked), is_on_meta=found < ON_META)
            counted = measure(run, backward=not asked)
        except (NotRunError, RuntimeError, ValueError, LookupError, ArithmeticError, AttributeError, TypeError, NameError):
            continue
        yield run, *counted
        found += 1
        if found == CONFIGURATIONS:
            return
    raise AssertionError(f"{class_name}: only {found} of {TRIES} configurations run")


def ours(counted: Counted, quantity: str) -> int | Fraction:
    """Our number; without the convolution of a state space, of which torch counts the padding too."""
    found = costing(load(counted.run.written), quantity, counted.run.inputs)
    left_out = {"convolution"} if counted.leaves_convolution_out else set()
    return sum(exact(term.every, found.model.values) for term in found.terms if term.name not in left_out)


@pytest.mark.parametrize(("family", "class_name"), KNOWN)
def test_forward_and_backward(family, class_name):
    for run, forward, training in runs(family, class_name):
        assert ours(forward, "forward_flops") == forward.total, (run.settings, run.inputs)
        assert ours(training, "training_flops") == training.total, (run.settings, run.inputs)


@pytest.mark.parametrize(("family", "class_name"), [(family, name) for family, name in KNOWN if writes(family, name)])
def test_decoding_with_a_cache(family, class_name):
    for run, forward, _ in runs(family, class_name, cached=True):
        assert ours(forward, "forward_flops") == forward.total, (run.settings, run.inputs)
