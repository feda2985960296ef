"""The view ``weights``: as ``module``, with the largest table first, attention's matrices before its biases, one norm
before all of them."""

from __future__ import annotations

from collections.abc import Sequence

from symparams.components import EMBEDDING, Component, Tensor
from symparams.derivations.layers import explain_sublayer, formula, head_formula, leaf_step
from symparams.derivations.steps import PER_HEAD, Note, Step, Workings
from symparams.derivations.views.module import Walk
from symparams.expressions import written
from symparams.expressions.nodes import Expression, Number, Product
from symparams.expressions.symbols import RANK, by_rank
from symparams.expressions.written import times


def work(workings: Workings) -> tuple[list[Step], list[Step]]:
    """The sections of the sheet, and the steps that add up to the total."""
    return Walk(workings, sublayer, norms, tables_first).work()


def tables_first(children: Sequence[tuple[str, Component]]) -> Sequence[tuple[str, Component]]:
    """Embedding tables first, in the order in which their terms stand in a closed form: V·h, max_pos·h, n_types·h."""
    return sorted(children, key=lambda item: _rows(item[1]))


def sublayer(workings: Workings, path: str, name: str, component: Component) -> Step:
    """Attention as its matrices and then its biases, 4 × h; a feed-forward matrix by matrix, each with its bias."""
    if component.is_attention:
        steps = [_matrix(workings, f"{path}.{child}", child, leaf) for child, leaf in component.children if _weights(leaf)]
        biases = [(leaf, tensor) for _, leaf in component.children for tensor in leaf.tensors if tensor.role == "bias"]
        if biases:
            steps.append(workings.step(path, "attention_biases", _together(biases), notes=[Note(("biases",))]))
    else:
        steps = [
            workings.step(f"{path}.{child}", f"within:{name}/{child}", times(leaf.times, formula(leaf.tensors)))
            for child, leaf in component.children
        ]
    whole = written.total([step.quantity for step in steps])
    return workings.step(path, name, whole, notes=explain_sublayer(workings, component), steps=steps)


def norms(workings: Workings, path: str, equal: Sequence[tuple[str, Component]]) -> Step:
    """One norm, and then as many as the block has."""
    name, norm = equal[0]
    if len(equal) == 1:
        return leaf_step(workings, path, name, norm)
    one = leaf_step(workings, path, f"one:{norm.kind}", norm)
    note = Note(("number",), {"number": Number(len(equal))})
    return workings.step(path, f"{norm.kind}s", Product((Number(len(equal)), one.quantity)), notes=[note], steps=[one])


def _weights(leaf: Component) -> tuple[Tensor, ...]:
    """What of a layer is no bias; a layer may be a bias by itself, as XLNet's over all positions are."""
    return tuple(tensor for tensor in leaf.tensors if tensor.role != "bias")


def _rows(component: Component) -> tuple[int, str]:
    if component.kind != EMBEDDING:
        return len(RANK) + 1, ""
    return min(map(by_rank, component.tensors[0].shape[0].dimensions), default=(len(RANK), ""))


def _matrix(workings: Workings, path: str, child: str, leaf: Component) -> Step:
    weights = Component(leaf.kind, tensors=_weights(leaf), times=leaf.times, heads=leaf.heads)
    if leaf.heads and workings.attention == PER_HEAD:
        return workings.step(path, f"matrix:{child}", times(leaf.heads.number, head_formula(weights)))
    count = formula(weights.tensors)
    return workings.step(path, f"matrix:{child}", Product((leaf.times, count)) if leaf.times != written.ONE else count)


def _together(biases: Sequence[tuple[Component, Tensor]]) -> Expression:
    """Biases of one length together: 3 of h and 1 of h are 4 × h."""
    lengths: dict[Expression, list[Expression]] = {}
    for leaf, tensor in biases:
        lengths.setdefault(tensor.count, []).append(leaf.times)
    return written.total([times(_number(numbers), length) for length, numbers in lengths.items()])


def _number(numbers: Sequence[Expression]) -> Expression:
    values = [number.value for number in numbers if isinstance(number, Number)]
    return Number(sum(values)) if len(values) == len(numbers) else written.total(list(numbers))
