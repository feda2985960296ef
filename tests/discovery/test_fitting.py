"""Expressions found from numbers alone."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from symparams.discovery.fitting import fit
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


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 6), st.sampled_from(SIZES), st.sampled_from((*SIZES, ""))), min_size=1, max_size=3),
    st.integers(0, 9),
)
def test_sums_of_products(terms, more):
    found(lambda **sizes: sum(factor * sizes[one] * (sizes[two] if two else 1) for factor, one, two in terms) + more)


def test_numbers_without_a_form():
    assert fit([sizes["h"] ** 2 % 7 for sizes in SEEN], SEEN, SIZES) is None
