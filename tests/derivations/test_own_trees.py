"""Sheets of one's own trees say what their numbers say: parts of one name, several mixtures, all experts in use."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import cycle

import pytest
from sympy import symbols

from symparams import (
    Architecture,
    Component,
    Model,
    attention,
    block,
    compare,
    derive,
    draw,
    embedding,
    experts,
    explain,
    feed_forward,
    gated_feed_forward,
    layer_norm,
    linear,
    load,
    mixture_of_experts,
    parallel,
    pre_norm,
    render,
    residual,
    rms_norm,
)
from symparams.components.kinds import Kind, Role
from symparams.derivations import views
from symparams.sheets.catalogue import languages

V, h, L, n, r, E, k = symbols("V h L n r E k")
FORMATS = ("text", "latex", "markdown", "typst", "html", "json")
SIZES = {"V": 100, "h": 64, "L": 2, "n": 4, "r": 16}


def model(**parts: Component) -> Model:
    family = Architecture("own", **parts)
    return load(family, **{letter.name: SIZES[letter.name] for letter in family.dimensions if letter.name in SIZES})


def in_layers(*sublayers: Component, **named: Component) -> Model:
    return model(e=embedding(V, h), layers=L * block(*(residual(norm=rms_norm(h), x=part) for part in sublayers), **named))


def results(sheet: str) -> list[str]:
    """What the equations below the answer of a sheet work out: the names before their first "="."""
    return re.findall(r"^ +(N\([^)]*\)) +=", sheet.partition("Dimensions")[2], re.MULTILINE)


def test_a_rule_of_thumb_that_leaves_nothing_out_is_not_told():
    derivation = derive(model(d=L * block(w=linear(h, h, bias=False))))
    assert derivation.rule_of_thumb is None
    assert r"L h^{2}" in render(derivation, "latex").replace("Lh", "L h")


def test_a_mixture_all_of_whose_experts_are_in_use_is_derived_and_has_no_idle_ones():
    own = in_layers(mixture_of_experts(h, 4, 4, 16))
    count = 100 * 64 + 2 * (64 + 64 * 4 + 4 * 3 * 64 * 16)
    assert (own.count(), own.active_count(), own.has_experts) == (count, count, False)
    for view in views.names():
        derivation = derive(own, view=view)
        assert (derivation.total.value, derivation.active) == (count, None)
        for kind, language in zip(FORMATS, cycle(languages()), strict=False):
            assert render(derivation, kind, language=language)
    sheet, brief = render(derive(own), "text"), render(derive(own), "text", brief=True)
    assert "N(routed) = 4 × N(expert) = 4 × 3,072 = 12,288" in sheet
    assert "idle" not in sheet + brief
    assert draw(own)
    assert compare(own, "gpt2")
    assert explain(own, count)


def test_a_block_with_a_part_of_its_own_name_is_that_names_whole():
    low = block(down=linear(h, r, bias=False), attention=attention(r, n, bias=False), up=linear(r, h, bias=False))
    own = model(e=embedding(V, h), layers=L * block(residual(norm=rms_norm(h), attention=low), ff=gated_feed_forward(h, 4 * h)))
    sheet = render(derive(own), "text")
    assert "N(attn, whole) = N(down) + N(attn) + N(up)" in sheet
    assert len(results(sheet)) == len(set(results(sheet)))
    assert "N(注意力整体) = N(降维) + N(注意力) + N(升维)" in render(derive(own), "text", language="zh")


def test_whether_heads_matter_goes_by_what_attention_reads():
    own = in_layers(block(down=linear(h, r, bias=False), attention=attention(r, n, bias=False), up=linear(r, h, bias=False)))
    brief = " ".join(render(derive(own), "text", brief=True).split())
    assert "Since n·d_head = r, the heads together fill" in brief


@pytest.mark.parametrize("fine", [(64, 8, h), (64, 4, h)], ids=["as many parameters in use", "fewer"])
def test_two_mixtures_of_a_layer_are_counted_apart(fine):
    branches = parallel(coarse=mixture_of_experts(h, 8, 2, 4 * h), fine=mixture_of_experts(h, *fine))
    own = model(e=embedding(V, h), layers=L * block(residual(norm=rms_norm(h), branches=branches)))
    sheet, brief = render(derive(own), "text"), render(derive(own), "text", brief=True)
    assert len(results(sheet)) == len(set(results(sheet)))
    assert f"Of the 8 experts in coarse, a token uses 2. Of the 64 experts in fine, a token\nuses {fine[1]}." in sheet
    assert re.search(r"Routed experts, coarse +8·N\(coarse expert\) +2 +786,432 ", brief)
    assert re.search(r"N\(coarse expert\) += 12·h² = 49,152", brief)
    assert 2 * 8 * 49_152 == 786_432
    assert re.search(r"Routed experts, fine +64·N\(fine expert\) +2 +1,572,864 ", brief)
    assert re.search(r"N\(fine expert\) += 3·h² = 12,288", brief)
    assert 2 * 64 * 12_288 == 1_572_864
    assert "A token uses only some of each group of experts" in " ".join(brief.split())
    assert {"layers.coarse.router", "layers.fine.router"} <= set(re.findall(r'data-part="([^"]*)"', draw(own)))


def test_experts_without_a_router_are_used_in_part_too():
    own = in_layers(experts(8, 2, h, h))
    assert own.active_count() == 100 * 64 + 2 * (64 + 2 * 64 * 64)
    for view in views.names():
        derivation = derive(own, view=view)
        assert derivation.active is not None
        assert derivation.active.value == own.active_count()
        assert "Of the 8 experts in x, a token uses 2. All other parts are counted in full:" in render(derivation, "text")


def test_groups_of_experts_within_one_part_are_counted_apart():
    """Four experts beside E of them in one component of one's own: neither number stands for the other."""
    few, many = mixture_of_experts(h, 4, 2, h), experts(E, k, h, h)
    own = model(e=embedding(V, h), body=block(both=Component(Kind("pair", Role.OTHER), body=(("few", few), ("many", many)))))
    values = load(own.architecture, V=50, h=4, E=8, k=3)
    for view in views.names():
        derivation = derive(values, view=view)
        assert derivation.total.polynomial == values.polynomial()
        assert derivation.total.value == values.count()
        assert derivation.active is not None
        assert derivation.active.value == values.active_count()


def test_norms_of_ones_own_kind_are_not_told_as_norms_of_another():
    """Of two of a kind that no catalogue knows the sheet says where they stand, and nothing of gains or biases."""
    own = replace(layer_norm(h), kind=Kind("power_norm", Role.NORM))
    layer = block("layer", *pre_norm(own, attention=attention(h, n), feed_forward=feed_forward(h, 4 * h)))
    sheet = render(derive(load(Architecture("own_norms", decoder=L * layer), h=64, n=4, L=2)))
    assert "One stands before each of these: attention, feed-forward network." in " ".join(sheet.split())
    assert "RMSNorm" not in sheet
    assert "LayerNorm" not in sheet
