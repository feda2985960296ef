"""The module that predicts the token after the next one, which published files hold beside the model that is counted."""

from __future__ import annotations

from collections.abc import Iterator

from symparams.components.facts import Projection
from symparams.components.flow import layers
from symparams.components.kinds import Role, Use
from symparams.components.tree import Component
from symparams.components.walks import Leaf, components, leaves
from symparams.derivations.estimates import width_of
from symparams.derivations.sizes import vocabulary
from symparams.expressions.nodes import Ceiling, Expression, Number, Product, Quotient, Size
from symparams.expressions.written import times, total
from symparams.models.model import Model
from symparams.models.published import as_published
from symparams.quantities.parameters import PARAMETERS
from symparams.records import frozen

MTP, ALONE = "mtp", "mtp_alone"  # of what a table says why a figure is published
BLOCK = 128
IN_16_BITS = frozenset({Projection.ROUTER, Projection.INDEX_WEIGHTS})  # what the matrices make that are not stored in 8 bits


@frozen
class PredictionModule:
    """The parameters of the module, and what is stored with it; ``key`` is that of its sentence, the word of the table."""

    key: str
    parameters: Expression
    stored: Expression


def module(model: Model) -> PredictionModule | None:
    """Return the module; None where no published figure counts it.

    The module is one layer more, that attends, with a projection of 2h × h and three norms. DeepSeek's has copies of embedding
    and head (DeepSeek-AI, 2024, arXiv:2412.19437, section 2.2), Qwen's uses those of the model. Stored with DeepSeek's are the
    scales of weights in 8 bits, one for each block of 128 × 128 of the layers' matrices but the routers and the weights of an
    indexer's heads, and the routers' biases, which are not trained.
    """
    published = as_published(model)
    words = {word for claim in published.claims for word in claim.why.split("+")} if published else set()
    key = next((key for key in (MTP, ALONE) if key in words), None)
    stacks = _last_stacks(model)
    if key is None or not stacks:
        return None
    layer = [leaf for _, stack in stacks for leaf in leaves(stack, within=True)]
    wide, tokens = width_of(layer), vocabulary(model.leaves)
    if wide is None or tokens is None:
        return None
    beside = [Product((Size(Product((Number(2), wide))), wide)), Product((Number(3), wide))]
    copies = [Product((Number(2), tokens, wide))] if key == MTP else []
    path = stacks[-1][0]
    around = path.rpartition(".")[0] or path
    every = (*(leaf for leaf in model.leaves if leaf.path.startswith(f"{around}.")), *layer)
    scales = [times(leaf.times, blocks) for leaf in every for blocks in _blocks(leaf)]
    biases = [times(leaf.times, leaf.component.tensors[0].shape[-1]) for leaf in every if _is_router(leaf)]
    return PredictionModule(key, total([PARAMETERS.over(layer), *beside, *copies]), total([*scales, *biases]))


def _last_stacks(model: Model) -> list[tuple[str, Component]]:
    """The last stack whose layers attend, and the last that has networks where the layers of the first have none."""
    stacks = list(layers(model.tree))
    attending = [stack for stack in stacks if _has(stack[1], Role.ATTENTION)]
    fed = [stack for stack in stacks if _has(stack[1], Role.FEED_FORWARD)]
    return list(dict.fromkeys((*attending[-1:], *fed[-1:])))


def _has(layer: Component, role: Role) -> bool:
    return any(part.role is role for _, part in components(layer))


def _is_router(leaf: Leaf) -> bool:
    return Projection.ROUTER in leaf.component.makes


def _blocks(leaf: Leaf) -> Iterator[Expression]:
    """In how many blocks of 128 × 128 each matrix of a leaf falls, those aside that stay in 16 bits."""
    for tensor in leaf.component.tensors if IN_16_BITS.isdisjoint(leaf.component.makes) else ():
        if tensor.use is Use.WEIGHT and len(tensor.shape) > 1:
            sides = (Ceiling(Quotient(side, Number(BLOCK))) for side in tensor.shape[-2:])
            yield Product((*tensor.shape[:-2], *sides))
