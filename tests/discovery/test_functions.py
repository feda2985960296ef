"""A model that nobody wrote down: from a function that gives its shapes to a definition that gives them at any sizes."""

from math import ceil
from typing import Any

import pytest

import symparams
from symparams import discover, load
from symparams.errors import SymparamsError


def stack(V, h, L):
    return {"embed.weight": (V, h), **{f"layers.{i}.up.weight": (4 * h, h) for i in range(L)}}


def heads(h, n_heads):
    d_head = h // n_heads
    return {"query.weight": (n_heads * d_head, h), "key.weight": (d_head, h), "key.bias": (d_head,)}


def tied(V, h, bias):
    return {"embed.weight": (V, h), "head.weight": "embed.weight", **({"head.bias": (V,)} if bias else {})}


def alternating(h, L):
    return {f"layers.{i}.{'mixer' if i % 2 else 'attention'}.weight": (h, h if i % 2 else 3 * h) for i in range(L)}


def tied_for_two_reasons(V, h, bias, tie_here, tie_there):
    shapes = tied(V, h, bias)
    return shapes if tie_here or tie_there else shapes | {"head.weight": (V, h)}


def narrow_in_the_middle(h, L, d_in, d_out):
    sides = [d_in, *(h for _ in range(L + 1)), d_out]
    return {f"layers.{i}.weight": (sides[i + 1], sides[i]) for i in range(L + 2)}


def first_dense(h, E, L, k):
    dense = {f"layers.{i}.mlp.up.weight": (4 * h, h) for i in range(min(k, L))}
    return {"head.weight": (h, 7)} | dense | {
        f"layers.{i}.mlp.experts.{e}.up.weight": (2 * h, h) for i in range(k, L) for e in range(E)
    }  # fmt: skip


def rounded(h):
    return {"up.weight": (64 * ceil(8 * h / 3 / 64), h)}


def convolutions(h, k):
    """Arrays for which there are builders, and two that no builder makes in one layer."""
    channels = {"conv.weight": (h, 1, k), "conv.bias": (h,), "patches.weight": (h, 3, k, k), "patches.bias": (h,)}
    return channels | {"experts.up": (4, h, 2 * h), "experts.down": (4, h, h)}


def only_layers(h, L):
    return {name: shape for i in range(L) for name, shape in ((f"{i}.up.weight", (4 * h, h)), (f"{i}.norm.weight", (h,)))}


FOUND = [
    (only_layers, {"h": 64, "L": 3}, "4*L*h**2 + L*h"),
    (stack, {"V": 100, "h": 64, "L": 2}, "4*L*h**2 + V*h"),
    (heads, {"h": 64, "n_heads": 4}, "h**2 + h**2/n_heads + h/n_heads"),
    (tied, {"V": 100, "h": 64, "bias": True}, "V*h + V"),
    (tied, {"V": 100, "h": 64, "bias": False}, "V*h"),
    (alternating, {"h": 64, "L": 4}, "3*h**2*ceiling(L/2) + h**2*floor(L/2)"),
    (convolutions, {"h": 64, "k": 4}, "12*h**2 + 3*h*k**2 + h*k + 2*h"),
    (rounded, {"h": 256}, "64*h*ceiling(h/24)"),
    (narrow_in_the_middle, {"h": 64, "L": 4, "d_in": 16, "d_out": 48}, "L*h**2 + d_in*h + d_out*h"),
    (tied_for_two_reasons, {"V": 100, "h": 64, "bias": True, "tie_here": False, "tie_there": False}, "2*V*h + V"),
    (tied_for_two_reasons, {"V": 100, "h": 64, "bias": True, "tie_here": False, "tie_there": True}, "V*h + V"),
]


@pytest.mark.parametrize(("build", "sizes", "formula"), FOUND)
def test_the_closed_form_of_a_function(build, sizes, formula):
    assert str(load(discover(build, **sizes)).closed_form()) == formula


def tied_or_not(V, h, bias, tying):
    """A table and a head, which a switch ties; another one is nothing to them."""
    shapes = {"table.weight": (V, h), "layer.weight": (h, h), "head.weight": "table.weight" if tying else (V, h)}
    return shapes | ({"layer.bias": (h,)} if bias else {})


def test_a_tie_is_told_by_the_one_switch_that_makes_it():
    found = discover(tied_or_not, V=100, h=64, bias=True, tying=False)
    assert str(load(found).closed_form()) == "2*V*h + h**2 + h"
    assert "when=(bias" not in symparams.definition(found)


def test_layers_of_two_kinds_are_counted_each():
    model = load(discover(first_dense, h=64, E=4, L=6, k=2), h=32, E=8, L=10, k=3)
    assert model.count() == 32 * 7 + 3 * 4 * 32**2 + 7 * 8 * 2 * 32**2


def test_what_was_tried_stands_with_the_definition():
    certificate = discover(heads, h=64, n_heads=4).certificate
    assert certificate.number == certificate.by_role + certificate.at_random > 100
    assert certificate.ranges.keys() == {"h", "n_heads"}
    assert discover(heads, h=64, n_heads=4).certificate == certificate  # the same for a seed


def test_a_size_at_which_it_was_wrong_is_refused():
    """n_heads·⌊h / n_heads⌋ is h where n_heads divides h, and that is what was found."""
    with pytest.raises(SymparamsError, match="h/n_heads is not an integer for h = 64, n_heads = 3"):
        load(discover(heads, h=64, n_heads=4), h=64, n_heads=3)


def test_nothing_is_said_of_the_flow_that_nobody_saw():
    model = load(discover(tied, V=100, h=64, bias=True), V=10, h=4)
    assert model.flow() == {}
    for answer in (model.flops, lambda: model.memory(context=8), lambda: symparams.draw(model)):
        with pytest.raises(SymparamsError, match="nobody saw"):
            answer()
    assert "This definition was discovered from its function" in symparams.render(symparams.derive(model), "text")
    assert model.memory(training=True).value == 16 * model.count()  # which no flow decides


REFUSED = [
    (lambda h: {"up.weight": (h * h % 7 + 1, h)}, {"h": 64}, "No form was found for 1 of its parts: up.weight of shape"),
    (lambda h: {"up.weight": h}, {"h": 64}, "'up.weight' has the shape '64': write whole numbers from 1"),
    (lambda h: 3, {"h": 64}, "build returned 'int': return a torch.nn.Module, or a mapping of names to shapes"),
    (lambda h: {"up.weight": (h, 1 // 0)}, {"h": 64}, "The model does not build at h=64: ZeroDivisionError"),
    (lambda h: {}, {"h": "64"}, "h = '64' is not a size: give a whole number from 1, or True or False for a switch"),
    (lambda: {}, {}, "Give the sizes at which the model builds: discover(build, V=100, h=64, L=2)"),
]


def test_what_cannot_be_discovered():
    for build, sizes, line in REFUSED:
        with pytest.raises(SymparamsError) as caught:
            discover(build, **sizes)
        assert line in str(caught.value)
        assert "\n" not in str(caught.value)


def two_patterns(h, L):
    """A mixer in every third layer, a second network in every other one, and a scale of each layer's own."""
    shapes = {}
    for i in range(L):
        shapes |= {f"layers.{i}.scale": (h,), f"layers.{i}.{'mixer' if i % 3 else 'attention'}.weight": (h, h)}
        shapes |= {f"layers.{i}.{'wide' if i % 2 else 'narrow'}.weight": (h, 2 * h if i % 2 else h)}
    return shapes


def test_parts_that_occur_in_layers_of_patterns_of_their_own():
    assert load(discover(two_patterns, h=64, L=6), h=10, L=7).count() == sum(
        side[0] * (side[1] if len(side) > 1 else 1) for side in two_patterns(10, 7).values()
    )


def test_the_file_that_is_written_defines_the_same():
    for build, sizes, _ in (*FOUND, (two_patterns, {"h": 64, "L": 6}, "")):
        found = discover(build, **sizes)
        defined: dict[str, Any] = {}
        exec(symparams.definition(found), defined)  # noqa: S102 - our own text
        again, values = defined[found.name.upper()], {letter.name: 12 for letter in found.dimensions}
        assert list(load(again, **values).tensors()) == list(load(found, **values).tensors())
        assert (again.laws, again.has, again.certificate) == (found.laws, found.has, found.certificate)
