"""The memory of the weights: e bytes for each parameter, each tensor once; of a format of blocks with their constants."""

from __future__ import annotations

from collections.abc import Sequence

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.components.walks import Leaf, leaves
from symparams.expressions.nodes import Product
from symparams.expressions.symbols import e
from symparams.expressions.written import ZERO, times, total
from symparams.quantities.parameters import PARAMETERS
from symparams.quantities.quantity import BYTES, Quantity, Term
from symparams.quantities.setting import Setting


def terms(tree: Component, setting: Setting) -> Sequence[Term]:
    """Yield the bytes of each part: a sublayer, the norms of a layer, a table, a head."""
    gathered: dict[str, list[Leaf]] = {}
    for leaf in leaves(tree):
        if PARAMETERS.of(leaf.component) != ZERO:
            gathered.setdefault(place_of(leaf), []).append(leaf)
    return [_term(path, alike) for path, alike in gathered.items()]


def place_of(leaf: Leaf) -> str:
    """The path of the part to which a leaf layer belongs: its sublayer, or itself; norms of one place stand together."""
    if leaf.sublayer:
        return leaf.sublayer[0]
    block = leaf.path.rpartition(".")[0]  # "" of norms that stand by themselves, as Whisper's after each stack
    return f"{block}.{leaf.component.kind}s" if block and leaf.component.role is Role.NORM else leaf.path


def _term(path: str, alike: Sequence[Leaf]) -> Term:
    first = alike[0]
    number = total([times(leaf.per_layer, PARAMETERS.of(leaf.component)) for leaf in alike])
    path = path if len(alike) > 1 or first.sublayer else first.path
    where = path if first.sublayer else first.path
    return Term(where, path.rpartition(".")[2], Product((number, e)), first.layers)


QUANTITY = Quantity("weight_memory", BYTES, terms=terms, inputs=(e,), choices=("dtype",), is_of_weights=True)
