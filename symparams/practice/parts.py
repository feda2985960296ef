"""Parts of a model by the names that questions have for them: what they count, and the steps of the sheet that say so.

"embeddings", "lm_head" and any other path stand for what the whole model has there, "total" for all of it, "active" for what
one token uses of a mixture, "idle_experts" for what it does not, "layers" for its repeated layers; "layer.attention" is what
one layer has there, whichever stack it is in, "decoder.attention" one layer of that stack, and "layers.attention" what all
layers have. "norms" and "norm_biases", and of everything else "biases" and "weights", are all of a kind, also behind a path:
"layer.norms".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from symparams.components.flow import layers
from symparams.components.kinds import Role, Use
from symparams.components.tree import Tensor
from symparams.components.walks import Leaf, is_within
from symparams.derivations.derivation import derive
from symparams.derivations.steps import Step, StepKind, StepName, named, step
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Expression, Negative, Product, Sum
from symparams.expressions.written import ZERO, times, total
from symparams.models.model import Model
from symparams.quantities.parameters import ACTIVE, PARAMETERS, is_owned

TOTAL, ACTIVE_COUNT, IDLE, LAYER, LAYERS = "total", "active", "idle_experts", "layer", "layers"
KINDS = NORMS, NORM_BIASES, BIASES, WEIGHTS = "norms", "norm_biases", "biases", "weights"
GROUPED_NORMS = frozenset({NORMS, "layer_norms", "rms_norms"})
CHOSEN: Mapping[str, Use] = MappingProxyType({BIASES: Use.BIAS, WEIGHTS: Use.WEIGHT})


def part(model: Model, name: str) -> Expression | None:
    """Return the count of a part, as people write it; None if the model has no such part, or several that differ."""
    path, _, last = name.rpartition(".")
    what = last if last in KINDS else ""
    path = path if what else name
    counts = [formula for formula in _counted(model, path, what) if not what or formula != ZERO]
    if not counts:
        return None
    if len({multiply_out(formula, model.relations) for formula in counts}) > 1:
        return None
    return counts[0]


def step_of(model: Model, name: str, counted: Expression) -> Step:
    """The step of the model's sheet that comes to this part, the plainest of those called after it; else one of its own.

    A layer, a stack or the whole is known by its count alone; a matrix is not, for another may have as many numbers.
    """
    wanted = multiply_out(counted, model.relations)
    equal = [candidate for candidate in _sheet(ModelIdentity(model)) if candidate.polynomial == wanted]
    path, _, last = name.rpartition(".")
    within = path.rpartition(".")[2]
    names = {NORMS: GROUPED_NORMS, WEIGHTS: {within}}.get(last, {last})
    called = [candidate for candidate in equal if names & {str(candidate.name), candidate.path.rpartition(".")[2]}]
    if not called and last not in KINDS:
        called = [candidate for candidate in equal if candidate.kind is not StepKind.STEP or is_within(name, candidate.path)]
    return called[-1] if called else step(model, name, _called(within, last), counted)


class ModelIdentity:
    """A model as a key of a cache, compared by identity: comparing models compares all that they hold."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModelIdentity) and self.model is other.model

    def __hash__(self) -> int:
        return id(self.model)


@lru_cache(maxsize=256)
def _sheet(key: ModelIdentity) -> tuple[Step, ...]:
    return tuple(derive(key.model).walk())


def _called(within: str, last: str) -> StepName:
    """Return the name of a step: attention biases, the attention matrices, or the part's own name."""
    kind = BIASES if last == NORM_BIASES else last
    if last not in KINDS or within in ("", LAYER, LAYERS):
        return StepName(kind)
    return named("matrix", within) if last == WEIGHTS else named("within", within, kind)


def _counted(model: Model, path: str, what: str) -> Iterator[Expression]:
    """Yield the count of the part in each place that the path can mean."""
    stacks = [stack for stack, _ in layers(model.tree)]
    head, _, rest = path.partition(".")
    if path in ("", TOTAL):
        yield _sum(model.leaves, what)
    elif path == ACTIVE_COUNT:
        yield model.formula(ACTIVE)
    elif path == IDLE:
        yield from _idle(model)
    elif path == LAYERS:
        yield _sum([leaf for leaf in model.leaves if leaf.stack], what)
    elif head == LAYERS:
        inside_layers = [leaf for leaf in model.leaves if leaf.stack and is_within(leaf.path, f"{leaf.stack}.{rest}")]
        yield from [_sum(inside_layers, what)] if inside_layers else []
    elif head == LAYER:
        places = [_one_layer(model, stack, rest, what) for stack in stacks]
        yield from (place for place in places if place is not None)
    elif inside := next((stack for stack in stacks if path.startswith(f"{stack}.")), ""):
        within = path.removeprefix(f"{inside}.")
        formula = _one_layer(model, inside, "" if within == LAYER else within, what)
        yield from () if formula is None else (formula,)
    elif chosen := [leaf for leaf in model.leaves if is_within(leaf.path, path)]:
        yield _sum(chosen, what)


def _idle(model: Model) -> Iterator[Expression]:
    """Return the experts that one token does not use: n_experts − n_active of n_experts."""
    idle = [
        (leaf, tensor)
        for leaf in model.leaves
        for tensor in leaf.component.tensors
        if tensor.active not in (None, tensor.shape)
    ]
    if idle:
        yield total([times(leaf.times, _unused(tensor)) for leaf, tensor in idle])


def _unused(tensor: Tensor) -> Expression:
    sides = zip(tensor.shape, tensor.active or tensor.shape, strict=True)
    factors = [every if every == chosen else Sum((every, Negative(chosen))) for every, chosen in sides]
    return Product(tuple(factors))


def _one_layer(model: Model, stack: str, rest: str, what: str) -> Expression | None:
    place = f"{stack}.{rest}" if rest else stack
    chosen = [leaf for leaf in model.leaves if leaf.stack == stack and is_within(leaf.path, place)]
    if not chosen:
        return None
    return total([times(leaf.per_layer, term) for leaf in chosen for term in _terms(leaf, what)])


def _sum(leaves: list[Leaf] | tuple[Leaf, ...], what: str) -> Expression:
    return total([times(leaf.times, term) for leaf in leaves for term in _terms(leaf, what)])


def _terms(leaf: Leaf, what: str) -> list[Expression]:
    tensors = [tensor for tensor in leaf.component.tensors if is_owned(tensor) and _is_chosen(leaf, tensor, what)]
    if len(tensors) == len(leaf.component.tensors):
        return [own] if (own := PARAMETERS.of(leaf.component)) != ZERO else []
    return [tensor.count for tensor in tensors]


def _is_chosen(leaf: Leaf, tensor: Tensor, what: str) -> bool:
    if leaf.component.role is Role.NORM:
        return what in ("", NORMS) or (what == NORM_BIASES and tensor.use is Use.BIAS)
    if what == WEIGHTS and leaf.component.role is not Role.MATRIX:
        return False
    return not what or tensor.use is CHOSEN.get(what)
