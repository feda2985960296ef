"""Parameters: the sum of the products of the shapes of all trained tensors, shared ones once; and other ways to count them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from symparams.components.flow import is_layer
from symparams.components.kinds import Role, Use
from symparams.components.tree import Component, Tensor
from symparams.components.walks import Leaf, components, leaves
from symparams.expressions.nodes import Dimension, Expression, Number, Power, Product, Size
from symparams.expressions.written import ZERO
from symparams.quantities.quantity import NUMBERS, Quantity, RuleOfThumb, TensorChoice, TensorCount, Term
from symparams.quantities.setting import Setting


def _those(chosen: Callable[[Tensor], bool]) -> Callable[[Component], Sequence[Expression]]:
    return lambda leaf: [tensor.count for tensor in leaf.tensors if chosen(tensor)]


def is_owned(tensor: Tensor) -> bool:
    """True if a tensor counts: it is trained, and no other's."""
    return tensor.trained and not tensor.tied_to


# What is trained, each array once.
PARAMETERS = TensorCount("parameters", _those(is_owned))
# The same with a shared array counted wherever it is used; what is shared alone; what is stored and never trained.
EACH_USE = TensorCount("each_use", _those(lambda tensor: tensor.trained))
SHARED = TensorCount("shared", _those(lambda tensor: bool(tensor.tied_to)))
FROZEN = TensorCount("frozen", _those(lambda tensor: not tensor.trained and not tensor.tied_to))
STORED = TensorCount("stored", _those(lambda tensor: not tensor.tied_to))
EVERY = TensorCount("every", _those(lambda tensor: True))
# What one token uses: of a mixture's experts those that are chosen, and everything else.
ACTIVE = TensorCount("active", lambda leaf: [tensor.active_count for tensor in leaf.tensors if is_owned(tensor)])
# Matrices and tables alone, and biases alone, of a layer.
WEIGHTS = TensorCount("weights", _those(lambda tensor: is_owned(tensor) and tensor.use is Use.WEIGHT))
BIASES = TensorCount("biases", _those(lambda tensor: is_owned(tensor) and tensor.use is Use.BIAS))
# What a model counts, by name.
BY_NAME: Mapping[str, TensorCount] = MappingProxyType(
    {quantity.name: quantity for quantity in (PARAMETERS, ACTIVE, EACH_USE, FROZEN, STORED, EVERY)}
)
# What a count is of: a shared array once or wherever it is used, without or with what is stored and never trained.
OWN, EACH = "own", "each"
COUNTS: Mapping[tuple[str, bool], TensorCount] = MappingProxyType(
    {(OWN, False): PARAMETERS, (EACH, False): EACH_USE, (OWN, True): STORED, (EACH, True): EVERY}
)


def counted(count: TensorCount, rules: Sequence[RuleOfThumb] = ()) -> Quantity:
    """A way to count tensors as a quantity: a term for each leaf layer, h × h + h, as often as the layer occurs."""

    def terms(tree: Component, setting: Setting) -> Iterator[Term]:
        for leaf in leaves(tree):
            written, part = count.of(leaf.component), leaf.component
            if written != ZERO:
                is_partly = any(tensor.active not in (None, tensor.shape) for tensor in part.tensors)
                yield Term(leaf.path, leaf.name, written, leaf.times, active=ACTIVE.of(part) if is_partly else None)

    return Quantity(count.name, NUMBERS, terms=terms, tensors=count, rules_of_thumb=rules)


def is_matrix(tensor: Tensor) -> bool:
    """True if an array is a matrix or a table, not a vector."""
    return is_owned(tensor) and tensor.use is Use.WEIGHT and len(tensor.shape) > 1


def is_in_layer(leaf: Leaf) -> bool:
    """True if a leaf stands in a layer, be it one that differs from all others, as ModernBERT's first does."""
    return any(is_layer(ancestor) for _, ancestor in leaf.ancestors)


def source_of(leaf: Leaf, tensor: Tensor) -> str:
    """Return the name under which a rule of thumb lists a tensor that it leaves out."""
    if not is_matrix(tensor):
        return "biases_and_norms"
    if is_in_layer(leaf):
        return "attention_matrices"
    return "embedding_tables" if leaf.component.role is Role.TABLE else "other_matrices"


SOURCES = ("attention_matrices", "embedding_tables", "other_matrices", "biases_and_norms")
# A plain layer has 4·h² in attention and 8·h² in a feed-forward network of width 4·h (Kaplan et al., 2020, arXiv:2001.08361,
# section 2.1); a cross-attention adds 4·h², grouped heads and a gated feed-forward network make it
# (2 + 2·n_kv_heads / n_heads)·h² + 3·h·d_ff, and of a mixture every expert counts, or those that one token uses.
ATTENTION, NETWORK, WIDENING = 4, 8, 4
PLAIN = ATTENTION + NETWORK


def width_of_layers(leaves_of: Sequence[Leaf]) -> Dimension | None:
    """The width that all layers have: that of their norms, or of what their first matrix reads where these have no gains."""
    arrays = [leaf for leaf in leaves_of if is_in_layer(leaf) and leaf.component.tensors]
    norms = {leaf.component.tensors[0].shape[0] for leaf in arrays if leaf.component.role is Role.NORM and not leaf.sublayer}
    matrices = {leaf.stack: leaf.component.tensors[0].shape[0] for leaf in reversed(arrays)}
    widths = norms or {*matrices.values()}
    width = widths.pop() if len(widths) == 1 else None
    return width if isinstance(width, Dimension) else None


def plain_parts(width: Dimension) -> dict[str, Expression]:
    """Return the parts of a plain layer: 4·h² for attention, 8·h² for a feed-forward network of width 4·h."""
    parts = {"attention": (ATTENTION, Power(width, 2)), "feed_forward": (NETWORK, Power(width, 2)), "width": (WIDENING, width)}
    return {name: Size(Product((Number(number), unit))) for name, (number, unit) in parts.items()}


def plain_layers(copies: Expression, width: Dimension) -> Expression:
    """Return the parameters of so many plain layers: 12·L·h²."""
    return Size(Product((Number(PLAIN), copies, Power(width, 2))))


def is_mixture(tree: Component, setting: Setting) -> bool:
    """True if one token uses only a part of some tensors."""
    return any(tensor.active not in (None, tensor.shape) for leaf in leaves(tree) for tensor in leaf.component.tensors)


def has_own_layers(tree: Component, setting: Setting | None = None) -> bool:
    """True if each layer has matrices of its own, where ALBERT's share theirs."""
    return all(part.applied is None for _, part in components(tree))


IN_LAYERS = TensorChoice(is_in_layer, is_matrix, source_of, SOURCES, width_of_layers, plain_parts)
IN_NETWORKS = replace(IN_LAYERS, leaf=lambda leaf: is_in_layer(leaf) and Role.FEED_FORWARD in leaf.roles, in_squares=False)
QUANTITY = counted(
    PARAMETERS,
    (
        RuleOfThumb("rule.plain", where=has_own_layers, counts=replace(IN_LAYERS, squares=PLAIN)),
        RuleOfThumb("rule.layers", counts=IN_LAYERS),
        RuleOfThumb("rule.feed_forward", where=is_mixture, counts=IN_NETWORKS),
    ),
)
