"""Letters from sides and numbers of arrays: one after another, wherever one alone is unknown; the rest is asked for."""

from __future__ import annotations

import pytest

from symparams.checkpoints.equations import Equation, solve, to_ask
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_experts, n_heads, n_kv_heads, patch

TABLE = [Equation(V, 100), Equation(h, 8)]
ATTENTION = [Equation(n_heads * d_head, 8), Equation(n_kv_heads * d_head, 4)]
SOLVED = {
    "sides by themselves": (TABLE, {V: 100, h: 8}),
    "fused queries, keys and values": ([*TABLE, Equation(3 * h, 24)], {V: 100, h: 8}),
    "a number of layers, two norms in each": ([Equation(2 * L, 6)], {L: 3}),
    "experts of all layers": ([Equation(L, 3), Equation(L * n_experts, 12)], {L: 3, n_experts: 4}),
    "a square": ([Equation(patch**2, 256)], {patch: 16}),
    "a sum": ([Equation(h, 8), Equation(2 * d_ff + h, 48)], {h: 8, d_ff: 20}),
}


@pytest.mark.parametrize("case", SOLVED)
def test_equations_are_solved(case):
    equations, values = SOLVED[case]
    solution = solve(equations, {}, {})
    assert (solution.values, solution.free, solution.broken) == (values, (), None)


def test_one_size_that_is_given_tells_the_others():
    solution = solve(ATTENTION, {}, {})
    assert set(solution.free) == {n_heads, n_kv_heads, d_head}
    assert to_ask(solution.free, ATTENTION) == (n_heads,)
    assert solve(ATTENTION, {}, {n_heads: 2}).values == {n_heads: 2, d_head: 4, n_kv_heads: 1}
    assert solve([Equation(h, 8), Equation(d_head, 4)], {d_head: h / n_heads}, {}).values[n_heads] == 2


@pytest.mark.parametrize("broken", [Equation(h, 9), Equation(3 * h, 25), Equation(2 * d_ff, 7), Equation(d_ff, 0)])
def test_a_contradiction_is_the_equation_that_cannot_hold(broken):
    assert solve([*TABLE, broken], {}, {}).broken == broken
