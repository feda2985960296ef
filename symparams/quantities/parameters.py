"""Parameters: the sum of the products of the shapes of all trained tensors, shared ones once; and other ways to count them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from symparams.components.kinds import Use
from symparams.components.tree import Component, Tensor
from symparams.expressions.nodes import Expression
from symparams.quantities.quantity import Quantity


def _those(chosen: Callable[[Tensor], bool]) -> Callable[[Component], Sequence[Expression]]:
    return lambda leaf: [tensor.count for tensor in leaf.tensors if chosen(tensor)]


def is_owned(tensor: Tensor) -> bool:
    """Whether a tensor counts: it is trained, and no other's."""
    return tensor.trained and not tensor.tied_to


# What is trained, each array once.
PARAMETERS = Quantity("parameters", _those(is_owned))
# The same with a shared array counted wherever it is used; what is shared alone; what is stored and never trained.
EACH_USE = Quantity("each_use", _those(lambda tensor: tensor.trained))
SHARED = Quantity("shared", _those(lambda tensor: bool(tensor.tied_to)))
FROZEN = Quantity("frozen", _those(lambda tensor: not tensor.trained and not tensor.tied_to))
STORED = Quantity("stored", _those(lambda tensor: not tensor.tied_to))
EVERY = Quantity("every", _those(lambda tensor: True))
# What one token uses: of a mixture's experts those that are chosen, and everything else.
ACTIVE = Quantity("active", lambda leaf: [tensor.active_count for tensor in leaf.tensors if is_owned(tensor)])
# Matrices and tables alone, and biases alone, of a layer.
WEIGHTS = Quantity("weights", _those(lambda tensor: is_owned(tensor) and tensor.use is Use.WEIGHT))
BIASES = Quantity("biases", _those(lambda tensor: is_owned(tensor) and tensor.use is Use.BIAS))
# What a model counts, by name.
BY_NAME: Mapping[str, Quantity] = MappingProxyType(
    {quantity.name: quantity for quantity in (PARAMETERS, ACTIVE, EACH_USE, FROZEN, STORED, EVERY)}
)
# What a count is of: a shared array once or wherever it is used, without or with what is stored and never trained.
OWN, EACH = "own", "each"
COUNTS: Mapping[tuple[str, bool], Quantity] = MappingProxyType(
    {(OWN, False): PARAMETERS, (EACH, False): EACH_USE, (OWN, True): STORED, (EACH, True): EVERY}
)
