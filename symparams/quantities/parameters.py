"""Parameters: the sum of the products of the shapes of all trained tensors, shared ones once; and other ways to count them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from symparams.components.kinds import Use
from symparams.components.tree import Component, Tensor
from symparams.components.walks import leaves
from symparams.expressions.nodes import Expression
from symparams.expressions.written import ZERO
from symparams.quantities.quantity import NUMBERS, Quantity
from symparams.quantities.setting import Setting
from symparams.quantities.tensor_count import TensorCount
from symparams.quantities.term import Term


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


def terms(tree: Component, setting: Setting) -> Iterator[Term]:
    """Yield the tensors that count of each leaf layer, h × h + h, as often as the layer occurs."""
    for leaf in leaves(tree):
        written = PARAMETERS.of(leaf.component)
        if written != ZERO:
            yield Term(leaf.path, leaf.name, written, leaf.times)


QUANTITY = Quantity("parameters", NUMBERS, terms=terms, tensors=PARAMETERS)
