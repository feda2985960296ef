"""LoRA: what low-rank adapters of chosen matrices add, r·(d_in + d_out) trainable parameters each (arXiv:2106.09685)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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


def terms(tree: Component, setting: Setting) -> Sequence[Term]:
    """r × (d_in + d_out) for each matrix that the targets name, by the names of the tree or of the library.

    Raises OptionError without targets, and UnknownNameError for one that names no matrix.
    """
    if not setting.targets:
        raise OptionError("LoRA needs the matrices to adapt: add --lora q_proj,v_proj, in Python targets=['q_proj', 'v_proj'].")
    matrices = [leaf for leaf in leaves(tree) if leaf.component.kind == LINEAR and len(leaf.component.tensors[0].shape) == 2]
    for target in setting.targets:
        if any(_number(leaf, (target,), setting) for leaf in matrices):
            continue
        names = {name.rpartition(".")[2] for leaf in matrices for name in (leaf.path, *setting.modules.get(leaf.path, ()))}
        if target == ALL:
            raise OptionError(
                f"{setting.model} has no matrices in layers, to which {ALL} applies. {suggestion('', sorted(names))}"
            )
        raise UnknownNameError(f"{setting.model} has no matrix {quoted(target)}. {suggestion(target, sorted(names))}")
    return list(_terms(matrices, setting))


def _terms(matrices: Sequence[Leaf], setting: Setting) -> Iterator[Term]:
    for leaf in matrices:
        number = _number(leaf, setting.targets, setting)
        if number:
            inputs, outputs = leaf.component.tensors[0].shape
            written = times(Number(number), Product((r, Sum((inputs, outputs)))))
            about = {"inputs": inputs, "outputs": outputs, "r": r, "down": inputs * r, "up": r * outputs}
            yield Term(leaf.path, leaf.name, written, leaf.copies, note="lora.matrix", about=about)


def _number(leaf: Leaf, targets: Sequence[str], setting: Setting) -> int:
    """Return the number of named matrices in one place, as key and value are two."""
    modules = setting.modules.get(leaf.path, ())
    copies = leaf.component.times.value if isinstance(leaf.component.times, Number) else 1
    if any(_is_named(leaf.path, target) for target in targets) or (
        ALL in targets and any(is_layer(part) for _, part in leaf.ancestors)
    ):
        return copies
    named = sum(any(_is_named(module, target) for target in targets) for module in modules)
    return copies if named and len(modules) == 1 else named


def _is_named(path: str, target: str) -> bool:
    return path == target or path.endswith(f".{target}")


QUANTITY = Quantity("lora", NUMBERS, terms=terms, inputs=(r,), choices=("targets",), consequences=("trained_share",))
