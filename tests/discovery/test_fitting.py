"""Expressions found from numbers alone."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symparams.discovery.fitting import Table, fit
from symparams.expressions.nodes import Dimension
from symparams.expressions.written import evaluate

SIZES = ("h", "n", "kv", "d", "L")
RNG = random.Random(3)  # noqa: S311 - no secret


def sample():
    kv = RNG.choice((1, 2, 3))
    n = kv * RNG.choice((1, 2, 3, 4))
    return {"h": 24 * RNG.randint(1, 30), "n": n, "kv": kv, "d": RNG.randint(2, 40), "L": RNG.randint(1, 9)}


BASE = sample()
ONE_BY_ONE = [{**BASE, name: BASE[name] * factor} for name in SIZES for factor in (2, 3)]
SEEN, UNSEEN = [BASE, *ONE_BY_ONE, *(sample() for _ in range(40))], [sample() for _ in range(40)]


def found(function):
    """What is found, if it gives the numbers that were not shown, too."""
    expression = fit([function(**sizes) for sizes in SEEN], SEEN, SIZES)
    for sizes in UNSEEN:
        assert evaluate(expression, {Dimension(name): size for name, size in sizes.items()}) == function(**sizes), expression
    return repr(expression)


def test_the_forms_of_the_field():
    assert found(lambda h, n, kv, d, L: 7) == "7"
    assert found(lambda h, n, kv, d, L: 4 * h) == "4*h"
    assert found(lambda h, n, kv, d, L: (n + 2 * kv) * d) == "n*d + 2*kv*d"  # queries, keys and values in one matrix
    assert found(lambda h, n, kv, d, L: 2 * h + 2 * kv * d + n) == "2*kv*d + 2*h + n"  # Mamba 2
    assert found(lambda h, n, kv, d, L: -(-d // 16)) == "ceil(d/16)"  # the rank of Mamba's step
    assert found(lambda h, n, kv, d, L: 256 * -(-8 * h // 768)) == "256*ceil(h/96)"  # LLaMA's feed-forward network
    assert found(lambda h, n, kv, d, L: min(L, 4)) == "min(L, 4)"
    assert found(lambda h, n, kv, d, L: max(0, L - kv)) == "L - min(L, kv)"  # layers behind the first, dense ones
    assert found(lambda h, n, kv, d, L: (L + 1) // 4) == "floor((L + 1)/4)"


def drawn(base, draw, number=40):
    """The base, each of its sizes alone twice, thrice and one more, then all of them drawn, the same in each test."""
    RNG.seed(0)
    alone = [{**base, name: other} for name, size in base.items() for other in (size * 2, size * 3, size + 1)]
    return [base, *alone, *(draw() for _ in range(number))]


def layers():
    return {"L": RNG.randint(2, 40), "k": RNG.randint(2, 6), "o": RNG.randint(0, 1), "h": 8 * RNG.randint(2, 60)}


def image():
    return {
        "image": RNG.randint(60, 400), "patch": RNG.choice((7, 8, 14, 16)), "stride": RNG.choice((2, 3, 5, 8)),
        "c": RNG.choice((1, 3, 4)), "h": 8 * RNG.randint(2, 60),
    }  # fmt: skip


def heads():
    return {
        "h": 8 * RNG.randint(8, 60), "n": RNG.choice((1, 2, 3, 4, 6)), "kv": RNG.choice((1, 2, 3)), "d": 4 * RNG.randint(2, 30),
        "r": RNG.randint(1, 4),
    }  # fmt: skip


LAYERS = ({"L": 12, "k": 3, "o": 1, "h": 64}, layers)
FEW_LAYERS = ({"L": 4, "k": 6}, lambda: {"L": RNG.randint(1, 9), "k": RNG.randint(1, 9)})
IMAGE = ({"image": 224, "patch": 16, "stride": 10, "c": 3, "h": 64}, image)
HEADS = ({"h": 96, "n": 4, "kv": 2, "d": 24, "r": 4}, heads)

ROUNDED = [
    (LAYERS, lambda L, k, o, h: -(-(L - o) // k), "ceil((L - o)/k)"),  # Jamba's layers of attention
    (LAYERS, lambda L, k, o, h: L - L // k, "L - floor(L/k)"),  # Qwen3-Next's layers of linear attention
    (FEW_LAYERS, lambda L, k: L + k - min(L, k), "L + k - min(L, k)"),
    (FEW_LAYERS, lambda L, k: max(0, k - L), "k - min(L, k)"),
    (IMAGE, lambda image, patch, stride, c, h: (image // patch) ** 2 + 1, "floor(image/patch)**2 + 1"),  # ViT's positions
    (
        IMAGE,
        lambda image, patch, stride, c, h: 4 * h * ((image // patch) ** 2 + 1),  # those of Mllama's tiles, of each four
        "4*h*(floor(image/patch)**2 + 1)",
    ),
    (
        IMAGE,
        lambda image, patch, stride, c, h: h // c * (image // patch) ** 2 + 1,  # of a video, ViViT's
        "floor(h/c)*floor(image/patch)*floor(image/patch) + 1",
    ),
    (IMAGE, lambda image, patch, stride, c, h: (image - patch) // stride + 1, "floor((image - patch)/stride) + 1"),  # AST's
    (HEADS, lambda h, n, kv, d, r: kv * (h // n), "kv*floor(h/n)"),  # Granite's keys
    (HEADS, lambda h, n, kv, d, r: (n + 2 * kv) * (h // n), "n*floor(h/n) + 2*kv*floor(h/n)"),  # Phi-3's, in one matrix
    (HEADS, lambda h, n, kv, d, r: (2 * h * r // 3 + 7) // 8 * 8, "8*ceil((h*r)/12)"),  # DINOv2's gated network
    (HEADS, lambda h, n, kv, d, r: r * ((8 * h // 3 + r - 1) // r), "r*floor(((8*h)/3 + r - 1)/r)"),  # to a multiple
    (HEADS, lambda h, n, kv, d, r: d * max(1, n // r), "d*(floor(n/r) + 1 - min(floor(n/r), 1))"),  # ConvBERT's kernels
]


@pytest.mark.parametrize(("sizes", "function", "form"), ROUNDED)
def test_forms_with_rounding(sizes, function, form):
    seen = drawn(*sizes)
    expression = fit([function(**at) for at in seen], seen, list(sizes[0]))
    assert repr(expression) == form
    for _ in range(40):
        at = sizes[1]()
        assert evaluate(expression, {Dimension(name): size for name, size in at.items()}) == function(**at)


def test_a_letter_that_matters_beside_another_only():
    """n_heads changes nothing where the width of a head is h / n_heads; where that is given, it does."""
    given = [{"h": 64, "n": 4, "d": 16}, *({"h": h, "n": n, "d": d} for h in (32, 64) for n in (2, 4, 8) for d in (8, 24, 32))]
    assert repr(fit([at["n"] * at["d"] for at in given], given, ["h", "d"], ["n"])) == "d*n"


def test_a_bias_has_the_form_of_its_weight():
    few = [{"h": 64, "n": 4}, {"h": 96, "n": 2}]  # so few that h + 0·n and others would give them, too
    near = (Dimension("n"), Dimension("h"))
    assert Table(few, ["h", "n"]).fit([64, 96], near) == Dimension("h")


def test_numbers_from_zero():
    samples = [{"L": L, "k": k, "none": L % 2} for L in range(2, 12) for k in (0, 1, 3)]
    assert repr(fit([max(0, at["L"] - at["k"]) for at in samples], samples, ["L", "k", "none"])) == "L - min(L, k)"
    assert fit([at["L"] ** 3 % 7 - 1 for at in samples], samples, ["L", "k", "none"]) is None
    assert repr(fit([0 for _ in samples], samples, ["L"])) == "0"


def test_two_values_at_the_same_sizes_have_no_form():
    assert Table([{"h": 8}, {"h": 8}, {"h": 9}], ["h"]).contradicts([1, 2, 3])
    assert fit([1, 2, 3], [{"h": 8}, {"h": 8}, {"h": 9}], ["h"]) is None


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 6), st.sampled_from(SIZES), st.sampled_from((*SIZES, ""))), min_size=1, max_size=3),
    st.integers(0, 9),
)
def test_sums_of_products(terms, more):
    found(lambda **sizes: sum(factor * sizes[one] * (sizes[two] if two else 1) for factor, one, two in terms) + more)


def test_numbers_without_a_form():
    assert fit([sizes["h"] ** 2 % 7 for sizes in SEEN], SEEN, SIZES) is None
