"""The module that predicts the token after the next one, which published files hold beside the model that is counted."""

from __future__ import annotations

from collections.abc import Iterator

from symparams.components.facts import Projection
from symparams.components.flow import layers
from symparams.components.kinds import Use
from symparams.components.walks import Leaf, has_experts, leaves
from symparams.derivations.estimates import width_of
from symparams.derivations.sizes import vocabulary
from symparams.expressions.nodes import Ceiling, Expression, Number, Product, Quotient, Size
from symparams.expressions.written import times, total
from symparams.models.model import Model
from symparams.models.published import as_published
from symparams.quantities.parameters import PARAMETERS

MTP = "mtp"  # of what a table says why a figure is published
BLOCK = 128


def module(model: Model) -> tuple[Expression, Expression] | None:
    """Return the parameters of the module, and what is stored with it; None where no published figure counts the module.

    The module is one layer more with experts, a projection of 2h × h, three norms, and copies of embedding and head
    (DeepSeek-AI, 2024, arXiv:2412.19437, section 2.2). Stored with it are the scales of weights in 8 bits, one for each block
    of 128 × 128 of the layers' matrices but the routers, and the routers' biases, which are not trained.
    """
    published = as_published(model)
    stacks = [(path, layer) for path, layer in layers(model.tree) if has_experts(layer)]
    if published is None or not stacks or not any(MTP in claim.why.split("+") for claim in published.claims):
        return None
    path, stack = stacks[-1]
    layer = list(leaves(stack, within=True))
    wide, tokens = width_of(layer), vocabulary(model.leaves)
    if wide is None or tokens is None:
        return None
    beside = [Product((Size(Product((Number(2), wide))), wide)), Product((Number(3), wide)), Product((Number(2), tokens, wide))]
    around = path.rpartition(".")[0] or path
    every = (*(leaf for leaf in model.leaves if leaf.path.startswith(f"{around}.")), *layer)
    scales = [times(leaf.times, blocks) for leaf in every for blocks in _blocks(leaf)]
    biases = [times(leaf.times, leaf.component.tensors[0].shape[-1]) for leaf in every if _is_router(leaf)]
    return total([PARAMETERS.over(layer), *beside]), total([*scales, *biases])


def _is_router(leaf: Leaf) -> bool:
    return Projection.ROUTER in leaf.component.makes


def _blocks(leaf: Leaf) -> Iterator[Expression]:
    """In how many blocks of 128 × 128 each matrix of a leaf falls, that of a router aside."""
    for tensor in leaf.component.tensors if not _is_router(leaf) else ():
        if tensor.use is Use.WEIGHT and len(tensor.shape) > 1:
            sides = (Ceiling(Quotient(side, Number(BLOCK))) for side in tensor.shape[-2:])
            yield Product((*tensor.shape[:-2], *sides))
