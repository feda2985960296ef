"""The view ``weights``: as ``module``, with the largest table first, attention's matrices before its biases, one norm
before all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symparams.components.kinds import Role, Use
from symparams.components.tree import Component
from symparams.components.walks import Leaf
from symparams.derivations.layers import (
    PER_HEAD,
    explain,
    explain_sublayer,
    explain_weights,
    head_formula,
    leaf_step,
    matrices,
)
from symparams.derivations.mixtures import experts_of, mixture_step
from symparams.derivations.steps import Note, Step, named, step
from symparams.derivations.views.module import Layers, Walk
from symparams.expressions.nodes import Expression, Number, Product
from symparams.expressions.symbols import RANK, by_rank
from symparams.expressions.written import ONE, ZERO, times, total
from symparams.models.model import Model
from symparams.quantities.parameters import BIASES, PARAMETERS


def work(model: Model, attention: str) -> tuple[list[Step], list[Step]]:
    """The sections of the sheet, and the steps that add up to the total."""
    return Walk(model, attention, sublayer, norms, tables_first).work()


def tables_first(children: Layers) -> Layers:
    """Embedding tables first, in the order in which their terms stand in a closed form: V·h, max_pos·h, n_types·h."""
    return sorted(children, key=lambda item: _rows(item[1]))


def sublayer(model: Model, path: str, name: str, component: Component, attention: str) -> Step:
    """Attention as its matrices and then its biases, 4 × h; a feed-forward matrix by matrix, each with its bias."""
    experts = experts_of(component)
    if experts is not None:
        return mixture_step(model, path, name, component, experts)
    parts = matrices(component)
    if component.role is Role.ATTENTION:
        steps = [_matrix(model, f"{path}.{leaf.path}", leaf, attention) for leaf in parts if _weights(leaf.component).tensors]
        biases = _together(parts)
        if biases != ZERO:
            steps.append(step(model, path, "attention_biases", biases, notes=[Note(("biases",))]))
    else:
        steps = [
            step(
                model,
                f"{path}.{leaf.path}",
                named("within", name, leaf.path.replace(".", "_")),
                times(leaf.times, PARAMETERS.of(leaf.component)),
                notes=[explain("", leaf.component)],
            )
            for leaf in parts
        ]
    notes = explain_sublayer(model, path, component, attention)
    if len(steps) == 1:  # no sum of one term
        return step(model, path, name, steps[0].written, notes=notes)
    return step(model, path, name, total([part.quantity for part in steps]), notes=notes, steps=steps)


def norms(model: Model, path: str, equal: Layers) -> Step:
    """One norm, and then as many as the block has."""
    name, norm = equal[0]
    if len(equal) == 1:
        return leaf_step(model, path, name, norm)
    one_norm = leaf_step(model, path, named("one", norm.kind.name), norm)
    note = Note(("number",), {"number": Number(len(equal))})
    return step(model, path, f"{norm.kind}s", Product((Number(len(equal)), one_norm.quantity)), notes=[note], steps=[one_norm])


def _weights(leaf: Component) -> Component:
    """A layer without its biases; it may be a bias by itself, as XLNet's over all positions are."""
    return replace(leaf, tensors=tuple(tensor for tensor in leaf.tensors if tensor.use is not Use.BIAS))


def _rows(component: Component) -> tuple[int, str]:
    if component.role is not Role.TABLE:
        return len(RANK) + 1, ""
    return min(map(by_rank, component.tensors[0].shape[0].dimensions), default=(len(RANK) + 1, ""))


def _matrix(model: Model, path: str, leaf: Leaf, attention: str) -> Step:
    name, weights = named("matrix", leaf.name), _weights(leaf.component)
    notes = [explain_weights(weights)]
    if weights.heads and attention == PER_HEAD:
        return step(model, path, name, times(weights.heads.number, head_formula(weights, leaf.times)), notes=notes)
    count = PARAMETERS.of(weights)
    return step(model, path, name, Product((leaf.times, count)) if leaf.times != ONE else count, notes=notes)


def _together(parts: Sequence[Leaf]) -> Expression:
    """Biases of one length together: 3 of h and 1 of h are 4 × h."""
    lengths: dict[Expression, list[Expression]] = {}
    for leaf in parts:
        for length in BIASES.terms(leaf.component):
            lengths.setdefault(length, []).append(leaf.times)
    return total([times(_number(numbers), length) for length, numbers in lengths.items()])


def _number(numbers: Sequence[Expression]) -> Expression:
    values = [number.value for number in numbers if isinstance(number, Number)]
    return Number(sum(values)) if len(values) == len(numbers) else total(numbers)
