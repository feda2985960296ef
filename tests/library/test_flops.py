"""FLOPs are the products that torch counts, the cache what the library keeps: each class, random configurations, exactly."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from symparams import load
from symparams.expressions.written import ONE, ZERO, exact
from symparams.models.calculation import calculate
from symparams.models.model import Model
from symparams.quantities.quantity import Term
from tests.library import require

require("torch", "transformers")

from tests.library import flops  # noqa: E402
from tests.library.flops import (  # noqa: E402
    ALONE,
    SEQ2SEQ,
    SOLVED,
    Counted,
    NotRunError,
    Run,
    draw,
    measure,
    module_groups,
    shared_out,
    writes,
)
from tests.library.oracle import COMPOSITES, LEAST, classes, share  # noqa: E402

ON_META = 1  # the first of each class; the others on the CPU, which is quicker
ON_CPU = {"dbrx", "wav2vec2"}  # which look at their numbers, to send a token to its experts, to choose a code
TRIES = 12  # for each that is found: some of what is drawn the library builds and cannot run
DECODED = 10  # runs of each class with a cache
# The first token of an answer is beamed: as many products as there are beams, which no size of the tree says.
UNSAID = {"XLNetForQuestionAnswering"}
# A module of these multiplies the matrix of another: a mixer that of its time step, XLNet's layer that of positions; or two
# parts of the tree one matrix, as AltUp's prediction and its correction the router.
JOINED = {"mamba", "falcon_mamba", "jamba", "xlnet", "gemma3", "paligemma", "siglip", "siglip_vision_model", "CLIPModel",
          "Wav2Vec2ForXVector", "DetrForSegmentation"}  # fmt: skip
JOINED |= {"gemma3n_text", "gemma4"}  # the mean of patches, whose module has no array
KNOWN = [(family, name) for family, name in classes() if name not in UNSAID]


def runs(family: str, class_name: str, number: int, *, cached: bool = False) -> Iterator[tuple[Run, Counted, Counted]]:
    """As many random runs as are asked for that the library does not refuse."""
    rng, found = random.Random(f"{family} {class_name} {cached}"), 0  # noqa: S311 - no secret
    for _ in range(TRIES * max(number, 2 * LEAST)):
        try:
            run = replace(draw(family, class_name, rng, cached=cached), is_on_meta=found < ON_META and family not in ON_CPU)
            counted = measure(run, backward=not cached)
        except (NotRunError, RuntimeError, ValueError, LookupError, ArithmeticError, AttributeError, TypeError, NameError):
            continue
        yield run, *counted
        found += 1
        if found == number:
            return
    raise AssertionError(f"{class_name}: only {found} configurations run")


def terms_of(counted: Counted, quantity: str) -> tuple[Model, list[Term]]:
    """Our terms, and the model with values; without those that torch counts otherwise."""
    calculation = calculate(load(counted.run.written), quantity, counted.run.inputs)
    solved = ZERO if quantity == "forward_flops" else ONE / 3  # of three passes
    terms = [replace(term, times=term.times * solved) if term.name in SOLVED else term for term in calculation.terms]
    return calculation.model, [term for term in terms if term.name not in counted.uncounted]


def value(model: Model, terms: Iterable[Term]) -> int | Fraction:
    """The sum of terms."""
    return sum(exact(term.every, model.values) for term in terms)


def ours(counted: Counted, quantity: str) -> int | Fraction:
    """Our number."""
    return value(*terms_of(counted, quantity))


@pytest.mark.parametrize(("family", "class_name"), KNOWN)
def test_forward_and_backward(family, class_name):
    for number, (run, forward, training) in enumerate(runs(family, class_name, share(family))):
        assert ours(forward, "forward_flops") == forward.total, (run.settings, run.inputs)
        assert ours(training, "training_flops") == training.total, (run.settings, run.inputs)
        has_cache = family in COMPOSITES and not class_name.endswith("ForTokenClassification")
        assert not has_cache or cache_of(run) == forward.cache, (run.settings, run.inputs)
        if number == 0 and not {family, class_name} & JOINED:
            each_module_is_the_librarys(forward)


def each_module_is_the_librarys(forward: Counted) -> None:
    model, terms = terms_of(forward, "forward_flops")
    groups = module_groups(model, terms)
    theirs, elsewhere = shared_out(groups, forward.of_modules)
    ours_of_groups = [value(model, group.terms) for group in groups]
    names = [sorted(group.modules) for group in groups]
    assert list(zip(names, ours_of_groups, strict=True)) == list(zip(names, theirs, strict=True)), forward.run
    assert elsewhere == 0


def test_stages_that_are_trained_have_gradients(monkeypatch):
    """The library trains the last three stages of a ResNet of timm: those of its own, once they are trained, have as many."""
    built = flops.build

    def with_trained_stages(run):
        model = built(run)
        for name, parameter in model.named_parameters():
            parameter.requires_grad_(parameter.requires_grad or bool(re.search(r"backbone\..*\.stages\.[123]\.", name)))
        return model

    monkeypatch.setattr(flops, "build", with_trained_stages)
    for class_name in ("DetrModel", "DetrForObjectDetection", "DetrForSegmentation"):
        for run, _, training in runs("detr", class_name, LEAST):
            trained = calculate(load(run.written, include=["trained_stages"]), "training_flops", run.inputs)
            assert value(trained.model, trained.terms) == training.total, (run.settings, run.inputs)


@pytest.mark.parametrize(("family", "class_name"), [(family, name) for family, name in KNOWN if writes(family, name)])
def test_decoding_with_a_cache(family, class_name):
    """What is multiplied, and how many bytes stand in the cache afterwards."""
    for run, forward, _ in runs(family, class_name, DECODED, cached=True):
        assert ours(forward, "forward_flops") == forward.total, (run.settings, run.inputs)
        assert cache_of(run) == forward.cache > 0, (run.settings, run.inputs)


def cache_of(run: Run) -> int | Fraction:
    """Our bytes of the cache once all tokens of a run are in it."""
    is_alone = run.family in (*SEQ2SEQ, "whisper") and run.class_name.endswith(ALONE)  # and is given no source
    source = {"s_src": run.inputs.get("s_src", 0)} if is_alone or "s_src" in run.inputs else {}
    return load(run.written).measure("kv_cache", b=run.b, t=run.t + run.s, e=run.dtype.itemsize, **source)
