"""One name, one thing: within a sheet one label stands for one closed form, in every view and language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest

from symparams import architectures, derive, load, published_models, render
from symparams.derivations import views
from symparams.derivations.derivation import Derivation
from symparams.derivations.layers import FUSED, PER_HEAD
from symparams.derivations.steps import Step, StepKind
from symparams.sheets.catalogue import catalogue, is_ideograph, languages
from symparams.sheets.whole import whole
from symparams.sheets.words import DocumentWords

WAYS = tuple(product(views.names(), (FUSED, PER_HEAD)))


def named(step: Step) -> Iterator[Step]:
    """The steps that are referred to by name."""
    for inner in step.steps:
        yield from named(inner)
    if step.kind != StepKind.GROUP:
        yield step


def labels(derivation: Derivation, language: str) -> dict[str, set[object]]:
    """Each label with the closed forms that it stands for."""
    words = DocumentWords(whole(derivation, language))
    found: dict[str, set[object]] = {}
    for section in derivation.sections:
        for step in named(section):
            found.setdefault(words.named(step.quantity), set()).add(step.closed)
    return found


@pytest.mark.parametrize("family", architectures())
def test_one_label_stands_for_one_closed_form(family):
    everything = load(family, include=load(family).features)
    for model in (load(family), everything):
        for view, attention in WAYS:
            derivation = derive(model, view=view, attention=attention)
            for language in languages():
                twice = {name for name, forms in labels(derivation, language).items() if len(forms) > 1}
                assert twice == set(), (view, attention, language)


@pytest.mark.parametrize(
    ("target", "language", "names"),
    [
        ("whisper", "en", ["N(enc norms) = 2 × 2 × h", "N(dec norms) = 3 × 2 × h"]),
        ("bart-base", "en", ["N(emb norm) = 2 × h", "N(enc norms) = 2 × 2 × h"]),  # of both embeddings, and of the layers
        ("t5-small", "en", ["N(norms) = 2 × h"]),  # those of the decoder are told as these and one more
        ("bert-base-chinese", "zh", ["N(嵌入归一化) = 2 × h", "N(编码归一化) = 2 × 2 × h"]),
        ("bert-base-uncased", "en", ["N(emb norm) = 2 × h", "N(enc norms) = 2 × 2 × h"]),  # one norm and two are of a kind
        ("clip", "en", ["N(text attn)", "N(image enc layer)", "N(image enc) = "]),
        ("gpt2", "en", ["N(attn) = ", "N(FFN) = "]),  # nothing to tell apart
    ],
)
def test_what_tells_them_apart(target, language, names):
    sheet = render(derive(load(target)), language=language)
    assert [name for name in names if name not in sheet] == []


def test_a_name_is_the_same_wherever_it_is_referred_to():
    sheet = render(derive(load("whisper")))
    assert "+ N(enc norms)" in sheet
    assert "N(norms)" not in sheet


@pytest.mark.parametrize("kind", ["text", "latex", "markdown", "json"])
def test_every_format_has_the_names(kind):
    assert "enc norms" in render(derive(load("whisper")), kind)


def test_published_models_are_told_apart_as_their_families():
    for target in published_models()[::17]:
        twice = {name for name, forms in labels(derive(load(target)), "en").items() if len(forms) > 1}
        assert twice == set(), target


def test_a_step_is_headed_by_words_and_its_quantity_has_a_short_subscript():
    sheet = render(derive(load("bert-base-uncased")), language="zh")
    assert "\n前馈网络\n" in sheet
    assert "N(前馈) = " in sheet
    kinds = render(derive(load("gpt2"), view="kind"), language="zh")
    assert "\n各层查询、键、值合计\n" in kinds
    assert "N(总 QKV) = " in kinds


@pytest.mark.parametrize("language", languages())
def test_subscripts_are_short(language):
    """At most five Chinese characters, and two words in the Latin alphabet."""
    entries = catalogue(language).entries
    shorts = {key: said for key, said in entries.items() if key.startswith("subscripts.") and ".patterns." not in key}
    assert all(f"names.{key.removeprefix('subscripts.')}" in entries for key in shorts)
    long = {said for said in shorts.values() if sum(map(is_ideograph, said)) > 5 or len(re.findall("[A-Za-z-]+", said)) > 3}
    assert long == set()
