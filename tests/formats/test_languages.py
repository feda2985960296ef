"""The languages say the same: the same keys, the same placeholders, a name for everything, and no words of another."""

from __future__ import annotations

import re
import string
import tomllib
from itertools import product
from typing import Any

import pytest

from symparams import architectures, derive, load, render
from symparams.architectures import architecture
from symparams.derivations.derivation import VIEWS, Derivation
from symparams.derivations.rule_of_thumb import SOURCES
from symparams.expressions.config_keys import KEYS
from symparams.expressions.symbols import DIMENSIONS
from symparams.sheets.catalogue import Catalogue, languages, templates

from .conftest import ATTENTIONS, LANGUAGES, TARGETS, derivation, variants

# Names that Chinese papers leave in English.
ENGLISH_NAMES = frozenset(
    {"ALiBi", "GiB", "LayerNorm", "MLM", "NSP", "RMS", "RMSNorm", "SOP", "Transformer", "nn", "token", "torch"}
)
WORD = re.compile(r"[A-Za-z]{3,}")


def flat(tables: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """{"notes": {"linear": "…"}} by whole keys: {"notes.linear": "…"}."""
    entries = {}
    for key, value in tables.items():
        entries |= flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
    return entries


def entries(language: str) -> dict[str, Any]:
    return flat(tomllib.loads((templates() / "languages" / f"{language}.toml").read_text(encoding="utf-8")))


def sentences(language: str) -> dict[str, str]:
    return {key: text for key, text in entries(language).items() if isinstance(text, str)}


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def entries_of(name: str) -> set[str]:
    """What the catalogue must hold to say a name: its patterns, and the names that they join."""
    if name.startswith("part:"):
        part = name.removeprefix("part:")
        return {f"parts.{part}"} if f"parts.{part}" in entries("en") else {f"names.{part}"}
    *patterns, joined = name.split(":")
    return {f"patterns.{pattern}" for pattern in patterns} | {f"names.{part}" for part in joined.split("/")}


def english_words(text: str) -> set[str]:
    """The English words of a sentence, its placeholders and the names that stay English aside."""
    return set(WORD.findall(re.sub(r"\{\w+\}", "", text))) - ENGLISH_NAMES


def derivations(family: str) -> list[Derivation]:
    """A family in every view, with attention either way, whatever its features."""
    return [
        derive(model, view=view, attention=attention) for model, view, attention in product(variants(family), VIEWS, ATTENTIONS)
    ]


def test_these_are_the_languages() -> None:
    assert tuple(languages()) == LANGUAGES


def test_the_catalogues_have_the_same_keys_in_the_same_order() -> None:
    assert list(entries("zh")) == list(entries("en"))


def test_a_sentence_has_the_same_placeholders() -> None:
    english, chinese = sentences("en"), sentences("zh")
    assert {key: placeholders(chinese[key]) for key in english} == {key: placeholders(english[key]) for key in english}


def test_a_chinese_sentence_has_no_english_word() -> None:
    assert {key: words for key, chinese in sentences("zh").items() if (words := english_words(chinese))} == {}


def test_an_english_sentence_has_no_chinese_character() -> None:
    assert {key: english for key, english in sentences("en").items() if not english.isascii()} == {}


@pytest.mark.parametrize(("name", "needed"), [
    ("layer_norm", {"names.layer_norm"}),
    ("one:layer_norm", {"patterns.one", "names.layer_norm"}),
    ("all_layers:within:attention/output", {"patterns.all_layers", "patterns.within", "names.attention", "names.output"}),
])  # fmt: skip
def test_a_name_needs_these_entries(name: str, needed: set[str]) -> None:
    assert entries_of(name) == needed


@pytest.mark.parametrize("family", architectures())
def test_every_step_has_a_name(family: str) -> None:
    needed = {entry for found in derivations(family) for step in found.walk() for entry in entries_of(step.name)}
    assert needed - set(entries("en")) == set()


@pytest.mark.parametrize("family", architectures())
def test_every_name_that_a_sheet_asks_for_is_in_the_catalogue(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()
    name = Catalogue.name
    monkeypatch.setattr(Catalogue, "name", lambda self, key: (asked.add(key), name(self, key))[1])
    for found in derivations(family):
        render(found, "text")
    assert asked
    assert {entry for key in asked for entry in entries_of(key)} - set(entries("en")) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_dimension_feature_and_source_is_described(language: str) -> None:
    features = {f"features.{name}" for family in architectures() for name in architecture(family).features}
    needed = features | {f"dimensions.{d.name}" for d in DIMENSIONS} | {f"rule.{source}" for source in SOURCES}
    assert needed - set(entries(language)) == set()


@pytest.mark.parametrize("target", TARGETS)
def test_a_chinese_sheet_has_no_english_sentence(target: str) -> None:
    symbols = " ".join([*(d.name for d in DIMENSIONS), *(key for keys in KEYS.values() for key in keys)])
    architecture = load(target).architecture
    keys = " ".join(architecture.key(dimension) for dimension in architecture.dimensions)
    spelt_by_programs = set(WORD.findall(f"{target} {architecture.title} {symbols} {keys}"))
    for view, attention in product(VIEWS, ATTENTIONS):
        text = render(derivation(target, attention, view), "text", language="zh")
        assert english_words(text) - spelt_by_programs == set(), (view, attention)
