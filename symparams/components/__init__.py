"""Components: the tree of tensors that an architecture is, and the builders of its layers.

A definition multiplies and names: ``encoder=L * block("encoder_layer", attention=attention(h, n_heads), …)`` is L
copies of a layer, ``pooler=pooler * linear(h, h)`` a layer that is there where the model has the feature.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import Union

from symparams.expressions import features, written
from symparams.expressions.features import Feature
from symparams.expressions.nodes import Expression, Multiplicand, Operand, Product, as_expression
from symparams.expressions.written import ONE, size

Gate = Union[Feature, bool]

EMBEDDING, LINEAR, BIAS, LAYER_NORM, RMS_NORM = "embedding", "linear", "bias", "layer_norm", "rms_norm"
ATTENTION, FUSED_ATTENTION, GROUPED_QUERY_ATTENTION = "attention", "fused_attention", "grouped_query_attention"
FEED_FORWARD, GATED_FEED_FORWARD, BLOCK = "feed_forward", "gated_feed_forward", "block"
NORMS = frozenset({LAYER_NORM, RMS_NORM})


@dataclass(frozen=True)
class Tensor:
    """A trainable array; its count is the product of its shape.

    ``tied_to`` is the path of the component whose tensor this one reuses: it then counts 0. ``active`` is the shape of
    what one token uses of it, where that is not all: of n_experts experts, n_active. An array that is stored as a
    parameter but never trained, as Marian's sinusoidal table, is not ``trained``.
    """

    name: str
    shape: tuple[Expression, ...]
    role: str
    when: tuple[Feature, ...] = ()
    tied_to: str = ""
    active: tuple[Expression, ...] | None = None
    trained: bool = True

    @property
    def count(self) -> Expression:
        """The written product of the shape: V × h."""
        return _product(self.shape)

    @property
    def active_count(self) -> Expression:
        """The written product of what one token uses."""
        return _product(self.active or self.shape)


@dataclass(frozen=True)
class Heads:
    """How a projection falls apart by attention head: ``number`` heads, each with ``matrices`` of width d_head."""

    number: Expression
    matrices: int = 1


@dataclass(frozen=True)
class Component(Multiplicand):
    """A named node: a leaf layer with tensors, or a block of components, ``times`` over.

    ``kind`` is the layer (linear, embedding, layer_norm, …), ``name`` what one copy of a repeated block is called.
    A component with neither tensors nor children counts 0, and its kind says why: alibi, rotary, sinusoidal.
    """

    kind: str
    name: str = ""
    tensors: tuple[Tensor, ...] = ()
    children: tuple[tuple[str, Component], ...] = ()
    times: Expression = ONE
    when: tuple[Feature, ...] = ()
    heads: Heads | None = None

    @property
    def is_sublayer(self) -> bool:
        """Whether its children are the matrices of one formula, as those of attention are."""
        return bool(self.children) and self.kind != BLOCK

    @property
    def is_attention(self) -> bool:
        """Whether this is a kind of attention."""
        return self.kind.endswith(ATTENTION)

    def __rmul__(self, factor: Operand | Feature) -> Component:
        if isinstance(factor, Feature):
            return replace(self, when=(factor, *self.when))
        return replace(self, times=written.times(as_expression(factor), self.times))

    def child(self, name: str) -> Component:
        """The child of this name; KeyError where there is none."""
        return dict(self.children)[name]


@dataclass(frozen=True)
class Leaf:
    """A leaf layer where it stands: its path, how many copies of its place the model has, and the component."""

    path: str
    copies: Expression
    component: Component

    @property
    def times(self) -> Expression:
        """How often it occurs in the whole model: the copies of its place, times its own."""
        return written.times(self.copies, self.component.times)


def block(name: str = BLOCK, /, **children: Component) -> Component:
    """A block of components, in the order given; ``name`` is what one copy of a repeated block is called."""
    return Component(BLOCK, name, children=tuple(children.items()))


def linear(
    inputs: Operand, outputs: Operand, *, bias: Gate = features.biases, tied_to: str = "", heads: Heads | None = None
) -> Component:
    """y = xW + b: a matrix of shape inputs × outputs and a bias of length outputs (torch.nn.Linear)."""
    weight = Tensor("weight", (size(inputs), size(outputs)), "weight", tied_to=tied_to)
    return Component(LINEAR, tensors=(weight, *_gated(Tensor("bias", (size(outputs),), "bias"), bias)), heads=heads)


def embedding(rows: Operand, width: Operand, *, tied_to: str = "") -> Component:
    """A table of shape rows × width, one row for each token or position (torch.nn.Embedding)."""
    return Component(EMBEDDING, tensors=(Tensor("weight", (size(rows), size(width)), "weight", tied_to=tied_to),))


def bias(length: Operand) -> Component:
    """A bias by itself, of this length."""
    return Component(BIAS, tensors=(Tensor("bias", (size(length),), "bias"),))


def layer_norm(width: Operand, *, bias: Gate = True) -> Component:
    """A gain and a bias of length width: 2 × h (Ba et al., 2016, arXiv:1607.06450; torch.nn.LayerNorm)."""
    gain, shift = Tensor("weight", (size(width),), "gain"), Tensor("bias", (size(width),), "bias")
    return Component(LAYER_NORM, tensors=(gain, *_gated(shift, bias)))


def rms_norm(width: Operand) -> Component:
    """A gain of length width and no bias: h (Zhang & Sennrich, 2019, arXiv:1910.07467; torch.nn.RMSNorm)."""
    return Component(RMS_NORM, tensors=(Tensor("weight", (size(width),), "gain"),))


def attention(width: Operand, n_heads: Operand, *, fused: bool = False, bias: Gate = features.biases) -> Component:
    """Multi-head attention: 3 × (h × h + h) for query, key and value, h × h + h for the output (arXiv:1706.03762).

    ``fused`` stores query, key and value as one matrix of shape h × 3h, as GPT-2 and BLOOM do; the count is the same.
    """
    number = as_expression(n_heads)
    query_key_value = (
        linear(width, 3 * as_expression(width), bias=bias, heads=Heads(number, 3))
        if fused
        else 3 * linear(width, width, bias=bias, heads=Heads(number))
    )
    output = linear(width, width, bias=bias)
    kind = FUSED_ATTENTION if fused else ATTENTION
    return Component(kind, children=(("query_key_value", query_key_value), ("output", output)))


def grouped_query_attention(
    width: Operand, n_heads: Operand, n_kv_heads: Operand, d_head: Operand, *, bias: Gate = False
) -> Component:
    """Attention whose n_heads query heads share n_kv_heads heads of key and value (arXiv:2305.13245).

    h × n_heads·d_head for the query, 2 × (h × n_kv_heads·d_head) for key and value, n_heads·d_head × h for the output.
    """
    query, key_value = as_expression(n_heads) * d_head, as_expression(n_kv_heads) * d_head
    return Component(
        GROUPED_QUERY_ATTENTION,
        children=(
            ("query", linear(width, query, bias=bias, heads=Heads(as_expression(n_heads)))),
            ("key_value", 2 * linear(width, key_value, bias=bias, heads=Heads(as_expression(n_kv_heads)))),
            ("output", linear(query, width, bias=bias)),
        ),
    )


def feed_forward(width: Operand, d_ff: Operand, *, bias: Gate = features.biases) -> Component:
    """Two layers, up to d_ff and back: (h × d_ff + d_ff) + (d_ff × h + h) (arXiv:1706.03762, section 3.3)."""
    return Component(FEED_FORWARD, children=(("up", linear(width, d_ff, bias=bias)), ("down", linear(d_ff, width, bias=bias))))


def gated_feed_forward(width: Operand, d_ff: Operand, *, bias: Gate = False) -> Component:
    """A feed-forward with a gate beside the way up, as in SwiGLU: 3 × h × d_ff (Shazeer, 2020, arXiv:2002.05202)."""
    gate, up, down = linear(width, d_ff, bias=bias), linear(width, d_ff, bias=bias), linear(d_ff, width, bias=bias)
    return Component(GATED_FEED_FORWARD, children=(("gate", gate), ("up", up), ("down", down)))


def sinusoidal() -> Component:
    """Fixed sine and cosine positions: computed, not trained, so 0 (arXiv:1706.03762, section 3.5)."""
    return Component("sinusoidal")


def rotary() -> Component:
    """Rotary positions: query and key are turned by fixed angles, so 0 (Su et al., 2021, arXiv:2104.09864)."""
    return Component("rotary")


def alibi() -> Component:
    """Attention with linear biases: fixed slopes on the scores, so 0 (Press et al., 2022, arXiv:2108.12409)."""
    return Component("alibi")


def resolve(tree: Component, present: frozenset[str]) -> Component:
    """The tree of a model that has the features ``present``: the parts that it has not are gone, and the gates too.

    A tensor stays tied where the model ties and the component that owns the array is still there.
    """
    pruned = _prune(tree, present)
    paths = {leaf.path for leaf in leaves(pruned)} if features.tying.holds(present) else set()
    return _keep_ties(pruned, paths)


def leaves(component: Component, path: str = "", copies: Expression = ONE) -> Iterator[Leaf]:
    """Every leaf layer of a tree, in its order."""
    if not component.children:
        yield Leaf(path, copies, component)
    for name, child in component.children:
        yield from leaves(child, f"{path}.{name}" if path else name, written.times(copies, component.times))


def gates(component: Component) -> Iterator[Feature]:
    """Every feature on which a part of the tree depends."""
    yield from component.when
    for tensor in component.tensors:
        yield from tensor.when
        if tensor.tied_to:
            yield features.tying
    for _, child in component.children:
        yield from gates(child)


def enumerate_tensors(
    component: Component, values: written.Values, path: str = ""
) -> Iterator[tuple[str, Tensor, tuple[int, ...]]]:
    """Every single array of the model, copies and all: its name, its tensor, its shape in integers."""
    copies = written.evaluate(component.times, values)
    for copy in range(copies):
        here = f"{path}.{copy}" if copies > 1 else path
        for tensor in component.tensors:
            yield f"{here}.{tensor.name}", tensor, tuple(written.evaluate(side, values) for side in tensor.shape)
        for name, child in component.children:
            yield from enumerate_tensors(child, values, f"{here}.{name}" if here else name)


def _prune(component: Component, present: frozenset[str]) -> Component:
    tensors = tuple(replace(tensor, when=()) for tensor in component.tensors if _holds(tensor.when, present))
    children = tuple((name, _prune(child, present)) for name, child in component.children if _holds(child.when, present))
    return replace(component, tensors=tensors, children=children, when=())


def _keep_ties(component: Component, owners: set[str]) -> Component:
    tensors = tuple(tensor if tensor.tied_to in owners else replace(tensor, tied_to="") for tensor in component.tensors)
    children = tuple((name, _keep_ties(child, owners)) for name, child in component.children)
    return replace(component, tensors=tensors, children=children)


def elements(shape: tuple[int, ...]) -> int:
    """The number of elements of an array of this shape."""
    return prod(shape)


def _gated(tensor: Tensor, gate: Gate) -> tuple[Tensor, ...]:
    if isinstance(gate, Feature):
        return (replace(tensor, when=(gate,)),)
    return (tensor,) if gate else ()


def _holds(when: tuple[Feature, ...], present: frozenset[str]) -> bool:
    return all(feature.holds(present) for feature in when)


def _product(shape: tuple[Expression, ...]) -> Expression:
    """The sides as people write them: one of length 1, which an array may have, is not written."""
    sides = tuple(side for side in shape if side != ONE)
    return Product(sides) if len(sides) > 1 else sides[0] if sides else ONE
