"""Odd settings that a family may be given: activations that learn, cross-attention, summaries of every kind."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from symparams import features
from symparams.architectures import architecture
from symparams.expressions import symbols
from symparams.models.library import library

WORDS = ("gelu", "relu2", "silu", "prelu", "xielu")
LISTED = {"layer_types", "attention_types"}  # a list of as many entries as there are layers
COMPOUND = {"feed_forward_proj": ("{}", "gated-{}")}  # T5's word is an activation, or a gate with one


def with_activations(family: str, settings: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Settings with an activation, in one model of two, under each of the family's keys for one."""
    known = library(architecture(family))
    assert known is not None
    drawn = dict(settings)
    for name, choice in known.choices.items():
        if not name.endswith("activation") or rng.random() < 0.5:
            continue
        section, _, key = choice.names[0].rpartition(".")
        word = rng.choice(COMPOUND.get(key, ("{}",))).format(rng.choice(WORDS))
        drawn |= {section: {**(drawn.get(section) or {}), key: word}} if section else {key: word}
    return drawn


def with_none(family: str, settings: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Settings with, in one model of eight each, none of something, or heads of key and value that do not divide the others."""
    known = library(architecture(family))
    assert known is not None
    drawn = dict(settings)
    for dimension in (symbols.L, symbols.n_types, symbols.n_experts, symbols.n_shared, symbols.L_dec):
        key = known.keys.get(dimension)
        is_nothing = key is not None and not key.least and not key.section
        if key and is_nothing and rng.random() < 0.125 and not LISTED & set(drawn):
            drawn = {name: value for name, value in drawn.items() if name not in key.names} | {key.names[0]: 0}
    if symbols.n_kv_heads in known.keys and rng.random() < 0.125:
        drawn[known.keys[symbols.n_kv_heads].names[0]] = 5
    if family in ("bloom", "falcon") and rng.random() < 0.5:
        drawn["n_embed"] = rng.choice([None, drawn["hidden_size"]])
    return drawn


def with_odd_keys(family: str, class_name: str, settings: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Settings with whatever else can change a parameter of the class, in one model of two each."""
    known = library(architecture(family))
    assert known is not None
    drawn = with_none(family, with_activations(family, settings, rng), rng)
    if features.cross_attention in known.flags and rng.random() < 0.5:
        drawn |= {"add_cross_attention": True, "is_decoder": True, "multi_query": False}
    if features.summary_projection in known.flags and rng.random() < 0.5:
        to_labels = rng.random() < 0.5 and not class_name.endswith("ForMultipleChoice")
        drawn |= {"summary_use_proj": rng.random() < 0.7, "summary_proj_to_labels": to_labels}
    return drawn
