"""A tree that stands within another has its shapes, its heads and its laws in the letters of its place."""

from __future__ import annotations

from symparams import load
from symparams.architectures import Architecture
from symparams.components import attention, block, embedding, feed_forward, gated_feed_forward, linear, rms_norm
from symparams.components.letters import in_letters, written_in
from symparams.expressions.nodes import Floor
from symparams.expressions.symbols import L, V, d_ff, h, h_text, h_vision, image, patch
from symparams.expressions.symbols import L_text as layers
from tests.refusals import refusal

LETTERS = {h: h_text, L: layers}


def test_a_formula():
    here, there = 3 * (h * h + h) + h / 4 - d_ff**2, 3 * (h_text * h_text + h_text) + h_text / 4 - d_ff**2
    assert written_in(here, LETTERS) == there
    no_letter_of_it = Floor(image / patch) ** 2
    assert written_in(no_letter_of_it, LETTERS) == no_letter_of_it


def test_a_component():
    for component, other in (
        (linear(h, d_ff), linear(h_text, d_ff)),
        (embedding(V, h, tied_to="lm_head"), embedding(V, h_text, tied_to="lm_head")),
        (attention(h, 4, 2, 8, window=h), attention(h_text, 4, 2, 8, window=h_text)),
        (
            L * block("layer", feed_forward=feed_forward(h, 4 * h)),
            layers * block("layer", feed_forward=feed_forward(h_text, 4 * h_text)),
        ),
    ):
        assert in_letters(component, LETTERS) == other


def test_two_of_a_kind_have_sizes_of_their_own():
    layer = block(norm=rms_norm(h), feed_forward=gated_feed_forward(h, 2 * h))
    both = Architecture("both", text=in_letters(layer, {h: h_text}), images=in_letters(layer, {h: h_vision}))
    assert str(load(both).closed_form()) == "6*h_text**2 + h_text + 6*h_vision**2 + h_vision"
    assert load(both, h_text=10, h_vision=20).count() == 610 + 2420


def test_a_law_holds_in_the_other_letters():
    own = Architecture("own", attention=in_letters(attention(h, 4), {h: h_text}))
    assert "h_text/4 is not an integer for h_text = 10" in refusal(load, own, h_text=10)
