"""Random definitions: formulas written twice, trees with ties, blocks in sublayers and gates, and flows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from hypothesis import strategies as st

from symparams import (
    Architecture,
    Component,
    Dimension,
    Feature,
    Tensor,
    attention,
    block,
    embedding,
    experts,
    feed_forward,
    gated_feed_forward,
    layer_norm,
    linear,
    mixture_of_experts,
    parallel,
    residual,
    rms_norm,
    sinusoidal_table,
    then,
)
from symparams.components.kinds import Kind, Role, Use
from symparams.components.walks import components
from symparams.expressions.marks import Ceiling, Minimum
from symparams.expressions.nodes import Expression, Floor, Number
from symparams.features import biases, tying

# Letters of the field, of somebody's own, and names that sympy or Python claim for themselves.
NAMES = (
    "h", "L", "V", "d_ff", "r", "N", "E", "S", "I", "O", "Q", "C", "lambda", "pi", "beta", "gamma", "zeta", "include", "target",
    "name", "tree", "exclude", "self", "α", "λ_1", "层", "w2", "d_model", "gpt2", "x", "out",
)  # fmt: skip


@dataclass(frozen=True)
class Twice:
    """One formula in both languages: the project's nodes, and plain sympy."""

    node: Expression
    plain: sympy.Expr


def twice(names: tuple[str, ...] = NAMES) -> st.SearchStrategy[Twice]:
    """A formula written once with nodes and once in sympy, positive for positive letters."""
    letters = st.sampled_from(names).map(lambda name: Twice(Dimension(name), sympy.Symbol(name)))
    numbers = st.one_of(st.integers(1, 9), st.just(10**40)).map(lambda value: Twice(Number(value), sympy.Integer(value)))

    def grow(inner: st.SearchStrategy[Twice]) -> st.SearchStrategy[Twice]:
        def both(two: Callable[[Any, Any], Any]) -> st.SearchStrategy[Twice]:
            return st.tuples(inner, inner).map(lambda ab: Twice(two(ab[0].node, ab[1].node), two(ab[0].plain, ab[1].plain)))

        powers = st.tuples(inner, st.integers(0, 3)).map(lambda be: Twice(be[0].node ** be[1], be[0].plain ** be[1]))
        ratios = st.tuples(inner, st.fractions(Fraction(1, 5), 5, max_denominator=5)).map(
            lambda xf: Twice(xf[1] * xf[0].node, sympy.Rational(xf[1].numerator, xf[1].denominator) * xf[0].plain)
        )
        rounded = st.tuples(inner, st.integers(2, 5)).flatmap(
            lambda xd: st.sampled_from(
                [
                    Twice(Floor(xd[0].node / xd[1]) + 1, sympy.floor(xd[0].plain / xd[1]) + 1),
                    Twice(Ceiling(xd[0].node / xd[1]), sympy.ceiling(xd[0].plain / xd[1])),
                    Twice(Minimum((xd[0].node, Number(xd[1]))), sympy.Min(xd[0].plain, xd[1])),
                ]
            )
        )
        divided = st.tuples(inner, letters).map(lambda ab: Twice(ab[0].node / ab[1].node, ab[0].plain / ab[1].plain))
        return st.one_of(both(lambda a, b: a + b), both(lambda a, b: a * b), powers, ratios, rounded, divided)

    return st.recursive(st.one_of(letters, numbers), grow, max_leaves=6)


GATES = (Feature("adapter"), ~Feature("adapter"), Feature("extra"), ~Feature("extra"))
SIZES = {"h": 4, "r": 3, "V": 5, "L": 2, "E": 4, "k": 2, "n_heads": 2, "n_kv_heads": 1, "d_head": 2, "d_ff": 6}
h, r, V, L, E, k, n_heads, n_kv_heads, d_head, d_ff = (Dimension(name) for name in SIZES)
PARTS = ("low", "up", "mix", "attention", "feed_forward", "norm", "table", "lm_head", "embeddings", "output")


def sides() -> st.SearchStrategy[Expression]:
    """A side of a matrix."""
    return st.sampled_from([h, r, d_ff, 2 * h, h + r, Number(3)])


def leaf_layers() -> st.SearchStrategy[Component]:
    """A layer with tensors of its own, frozen ones and experts among them."""
    bias = st.sampled_from([True, False, biases, Feature("adapter")])
    return st.one_of(
        st.builds(lambda a, b, c: linear(a, b, bias=c), sides(), sides(), bias),
        st.builds(embedding, sides(), sides()),
        sides().map(rms_norm),
        st.builds(lambda a, b: layer_norm(a, bias=b), sides(), bias),
        st.builds(sinusoidal_table, sides(), sides()),
        st.builds(lambda a, b, c: experts(E, k, a, b, bias=c), sides(), sides(), bias),
        sides().map(lambda side: Component(Kind("gate", Role.OTHER), tensors=(Tensor("gain", (side, 1), Use.GAIN),))),
    )


def sublayers() -> st.SearchStrategy[Component]:
    """Attention, feed-forward, a mixture."""
    return st.sampled_from(
        [
            attention(h, n_heads),
            attention(h, n_heads, fused=True, bias=False),
            attention(h, n_heads, n_kv_heads, r, bias=True),
            attention(h, 4, 2, 3),
            feed_forward(h, d_ff),
            gated_feed_forward(h, 2 * r),
            mixture_of_experts(h, E, k, r),
            mixture_of_experts(h, 4, 2, r, bias=True),
        ]
    )


@st.composite
def trees(draw: st.DrawFn, depth: int = 3) -> Component:
    """A block of layers, sublayers, blocks and what only says how data flows; repeated and gated at every level."""
    parts = []
    for name in draw(st.lists(st.sampled_from(PARTS), min_size=1, max_size=3)):
        inner = st.one_of(leaf_layers(), sublayers(), *([_composed(depth)] if depth else []))
        part = draw(st.sampled_from([1, 1, 1, 2, L, L + 1])) * draw(inner)
        for gate in draw(st.lists(st.sampled_from(GATES), max_size=1)):
            part = gate * part
        flow = draw(st.sampled_from([block, residual, parallel]))
        parts.append(flow(**{name: part}))
    return draw(st.sampled_from([block, residual, parallel, then]))(**{f"f{i}": part for i, part in enumerate(parts)})


def _composed(depth: int) -> st.SearchStrategy[Component]:
    mixes = st.builds(
        lambda role, tree: Component(Kind("mine", role), body=tree.children),
        st.sampled_from([Role.OTHER, Role.ATTENTION, Role.FEED_FORWARD, Role.MIXER]),
        trees(depth - 1),
    )
    blocks = trees(depth - 1).map(lambda tree: block(inner=tree) if tree.role.is_flow else tree)
    return st.one_of(mixes, blocks)


@st.composite
def families(draw: st.DrawFn) -> Architecture:
    """A family of a random tree, with a head tied to one of its matrices where it has one."""
    tree = draw(trees())
    parts = {"first": linear(h, h), "body": block(inner=tree)}
    alone = block(**parts)
    owners = [(path, part) for path, part in components(alone) if part.kind.name in ("linear", "embedding") and part.tensors]
    within = draw(st.sampled_from([None, *owners]))
    if within and [path for path, _ in components(alone)].count(within[0]) == 1:
        path, owner = within
        rows, columns = owner.tensors[0].shape
        head = linear(columns, rows, tied_to=path)
        mix = Component(Kind("tied_mix", Role.OTHER), body=(("own", linear(h, r)), ("head", 2 * head)))
        parts["head"] = draw(st.sampled_from([head, L * block(head=head), mix]))
    return Architecture("random", has=draw(st.sampled_from([(), (tying,), (tying, biases)])), **parts)
