"""LoRA: what low-rank adapters of chosen matrices add, r·(d_in + d_out) trainable parameters each (arXiv:2106.09685)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symparams.components.facts import Projection
from symparams.components.flow import is_layer
from symparams.components.kinds import LINEAR
from symparams.components.tree import Component
from symparams.components.walks import Leaf, leaves
from symparams.errors import OptionError, UnknownNameError, quoted, suggestion
from symparams.expressions.nodes import Number, Product, Sum
from symparams.expressions.symbols import r
from symparams.expressions.written import times
from symparams.quantities.quantity import NUMBERS, Quantity, Term
from symparams.quantities.setting import Setting

ALL = "all-linear"  # every matrix of the layers
QUERY_VALUE = "query-value"  # the matrices that give queries and values, those of the paper (section 4.2)
ADAPTED = (Projection.QUERY, Projection.VALUE)
USUAL_RANK = 8  # of the PEFT library's LoraConfig


def terms(tree: Component, setting: Setting) -> Sequence[Term]:
    """r × (d_in + d_out) for each matrix that the targets name, by the names of the tree or of the library.

    Raises OptionError without targets, and UnknownNameError for a name that no matrix has.
    """
    if not setting.targets:
        raise OptionError("LoRA needs the matrices to adapt: add --lora q_proj,v_proj, in Python targets=['q_proj', 'v_proj'].")
    matrices = [leaf for leaf in leaves(tree) if leaf.component.kind == LINEAR and len(leaf.component.tensors[0].shape) == 2]
    for target in setting.targets:
        if any(_adapted(leaf, (target,), setting)[0] for leaf in matrices):
            continue
        names = {name.rpartition(".")[2] for leaf in matrices for name in (leaf.path, *setting.modules.get(leaf.path, ()))}
        if target == QUERY_VALUE:
            raise OptionError(f"{setting.model} has no matrices of queries and values: add --lora, with the names of others.")
        if target == ALL:
            raise OptionError(
                f"{setting.model} has no matrices in layers, to which {ALL} applies. {suggestion('', sorted(names))}"
            )
        raise UnknownNameError(f"{setting.model} has no matrix {quoted(target)}. {suggestion(target, sorted(names))}")
    return list(_terms(matrices, setting))


def _terms(matrices: Sequence[Leaf], setting: Setting) -> Iterator[Term]:
    for leaf in matrices:
        number, name = _adapted(leaf, setting.targets, setting)
        if number:
            inputs, outputs = leaf.component.tensors[0].shape
            written = times(Number(number), Product((r, Sum((inputs, outputs)))))
            about = {"inputs": inputs, "outputs": outputs, "r": r, "down": inputs * r, "up": r * outputs}
            yield Term(leaf.path, name, written, leaf.copies, note="lora.matrix", about=about)


def _adapted(leaf: Leaf, targets: Sequence[str], setting: Setting) -> tuple[int, str]:
    """Return the number of named matrices in one place, as key and value are two, and what they are called together."""
    modules, made = setting.modules.get(leaf.path, ()), leaf.component.makes
    copies = leaf.component.times.value if isinstance(leaf.component.times, Number) else 1
    is_whole = any(_is_named(leaf.path, target) for target in targets) or (
        ALL in targets and any(is_layer(part) for _, part in leaf.ancestors)
    )
    named = [any(_is_named(module, target) for target in targets) for module in modules]
    of_paper = [QUERY_VALUE in targets and what in ADAPTED for what in made]
    ways = [way if len(way) == copies else [any(way)] * copies for way in ([is_whole], named, of_paper)]  # a fused one is whole
    chosen = [any(ways_of_one) for ways_of_one in zip(*ways, strict=True)]
    parts = made if len(made) == copies and not all(chosen) else ()
    name = "_".join(what.name.lower() for what, is_chosen in zip(parts, chosen, strict=False) if is_chosen)
    return sum(chosen), name or leaf.name


def _is_named(path: str, target: str) -> bool:
    return path == target or path.endswith(f".{target}")


QUANTITY = Quantity(
    "lora",
    NUMBERS,
    terms=terms,
    inputs=(r,),
    choices=("targets",),
    usual={"targets": (QUERY_VALUE,), "r": USUAL_RANK},
    consequences=("trained_share",),
)
