"""Mixtures of experts, from one expert: one, all of them, the router; then what one token uses of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from symparams.components.activations import ACTIVATION
from symparams.components.facts import Projection
from symparams.components.feed_forward import EXPERT_FEED_FORWARD, FUSED_GATED_FEED_FORWARD, UNFUSED_EXPERT_FEED_FORWARD
from symparams.components.kinds import FEED_FORWARD, GATED_FEED_FORWARD, PartRole, Use
from symparams.components.purposes import purposes
from symparams.components.tree import Component, Tensor
from symparams.components.walks import Leaf, leaves
from symparams.derivations.steps import Note, Step, StepKind, StepName, absent, step
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Expression, Labelled, Named, Number, Product, Size, Sum, factors_of
from symparams.expressions.written import ONE, times, total
from symparams.models.blocks import ONE_EXPERT
from symparams.models.model import Model
from symparams.quantities.parameters import PARAMETERS, is_matrix
from symparams.records import frozen

ALL_EXPERTS = "all_experts"
APART: Mapping[tuple[Projection, ...], str] = MappingProxyType({(Projection.GATE,): "gate", (Projection.UP,): "up"})

Matrix = tuple[Expression, tuple[Expression, ...]]  # how many there are of it, and its shape


@frozen
class Experts:
    """The experts of a mixture: how many there are, how many one token uses, and what one of them has, array by array.

    ``matrices`` are those of one of them; ``widths`` are the size that it reads and its inner size.
    """

    number: Expression
    active: Expression
    arrays: tuple[tuple[str, Expression], ...]
    matrices: tuple[Matrix, ...] = ()
    widths: tuple[Expression, Expression] | None = None

    @property
    def written(self) -> Expression:
        """One expert: h × 2·d_expert + d_expert × h, its arrays named."""
        return Sum(tuple(Labelled(count, StepName(f"one_{name}")) for name, count in self.arrays))

    @property
    def one(self) -> Named:
        """One expert, to be referred to by name."""
        return Named(StepName(ONE_EXPERT), self.written)


@frozen
class Mixture:
    """A mixture of a model: its path, the stack in which it stands, how often it is there, and its experts.

    Without a router the experts stand by themselves, as one array.
    """

    path: str
    stack: str
    copies: Expression
    experts: Experts
    has_router: bool

    @property
    def name(self) -> str:
        """Its own name, the last of its path."""
        return self.path.rpartition(".")[2]


def experts_of(sublayer: Component) -> Experts | None:
    """Return the experts of a sublayer, which stand side by side in its arrays.

    None where one token uses all that there is, and where the sublayer has several groups of experts, which are told apart.
    """
    arrays = [leaf for leaf in leaves(sublayer, within=True) if any(tensor.active for tensor in leaf.component.tensors)]
    numbers = {_numbers(leaf.component.tensors[0]) for leaf in arrays}
    if len(numbers) != 1:
        return None
    [(number, active)] = numbers
    one = [(leaf, _of_one(leaf.component)) for leaf in arrays]
    return Experts(
        number,
        active,
        tuple((name, times(leaf.times, count)) for leaf, component in one for name, count in _counts(leaf.name, component)),
        tuple(matrix for leaf, component in one for matrix in matrices_of(component, leaf.times)),
        next((_widths(component.tensors[0]) for _, component in one if Projection.DOWN in component.makes), None),
    )


def _widths(down: Tensor) -> tuple[Expression, Expression] | None:
    """Return the size that an expert reads, and its inner size."""
    return (down.shape[1], down.shape[0]) if len(down.shape) == 2 else None


def _counts(name: str, array: Component) -> Iterator[tuple[str, Expression]]:
    """Yield what an array of one expert has; gate and up apart, which published files store apart, unless they have biases."""
    count = PARAMETERS.of(array)
    half = _half(count) if array.makes == (Projection.GATE, Projection.UP) and len(array.tensors) == 1 else None
    yield from [(APART.get(array.makes, name), count)] if half is None else [("gate", half), ("up", half)]


def _half(count: Expression) -> Expression | None:
    """Half of a product of sides, one of which is twice as wide as another size; None if none is: h × 2d is h × d."""
    sides = factors_of(count)
    inner = [factors_of(side.inner) if isinstance(side, Size) else () for side in sides]
    place = next((i for i, factors in enumerate(inner) if len(factors) > 1 and factors[0] == Number(2)), None)
    if place is None:
        return None
    rest = inner[place][1:]
    return Product((*sides[:place], Size(Product(rest)) if len(rest) > 1 else rest[0], *sides[place + 1 :]))


def matrices_of(leaf: Component, number: Expression) -> list[Matrix]:
    """Return the matrices and tables of a leaf layer, ``number`` of each."""
    return [(number, tensor.shape) for tensor in leaf.tensors if is_matrix(tensor)]


def mixture_step(model: Model, path: str, name: str, sublayer: Component, experts: Experts) -> Step:
    """One expert, all of them, then what stands beside them, and the sum."""
    steps, words = [*expert_steps(model, path, sublayer, experts)], purposes(sublayer)
    for leaf in leaves(sublayer, within=True):
        component = leaf.component
        if component.tensors and not any(tensor.trained for tensor in component.tensors):
            steps.append(absent(model, f"{path}.{leaf.path}", leaf.name, component.kind))
        elif component.tensors and not any(tensor.active for tensor in component.tensors):
            shape = component.tensors[0].count
            note = Note((f"in_mixture.{words.get(leaf.path, leaf.path)}",), {"shape": shape, "n_experts": experts.number})
            written = times(leaf.times, PARAMETERS.of(component))
            steps.append(step(model, f"{path}.{leaf.path}", leaf.name, written, notes=[note]))
    whole = total([part.quantity for part in steps if part.name != ONE_EXPERT and part.kind is not StepKind.ABSENT])
    return step(model, path, name, whole, kind=StepKind.BLOCK, steps=steps)


def expert_steps(model: Model, path: str, sublayer: Component, experts: Experts) -> tuple[Step, Step]:
    """One expert, and all of them."""
    of_experts = [leaf.component for leaf in leaves(sublayer, within=True) if any(t.active for t in leaf.component.tensors)]
    uses = {tensor.use for component in of_experts for tensor in component.tensors}
    manner = "biased" if Use.BIAS in uses else "unbiased"
    manner = manner if any(Projection.GATE in component.makes for component in of_experts) else f"plain_{manner}"
    arrays = [step(model, path, f"one_{array}", count) for array, count in experts.arrays]
    widths = dict(zip(("from", "to"), experts.widths, strict=True)) if experts.widths else {}
    notes = [Note((f"one_expert.{manner}",), widths), *gating(model, path, sublayer)]
    one_expert = step(model, path, ONE_EXPERT, experts.written, notes=notes, parts=arrays)
    number = Note(("in_mixture.experts",), {"n_experts": experts.number})
    routed = [leaf.path for leaf in leaves(sublayer, path, within=True) if any(t.active for t in leaf.component.tensors)]
    written = times(experts.number, one_expert.quantity)
    return one_expert, step(model, path, ALL_EXPERTS, written, notes=[number], paths=routed)


def shared_experts_step(model: Model, path: str, name: str, beside: Component, experts: Experts) -> Step | None:
    """A network beside a mixture that is so many of its experts, which every token uses: n_shared × N_expert."""
    if beside.times != ONE or (beside.is_sublayer and experts_of(beside)):
        return None  # it stands there several times, or is a mixture
    whole = multiply_out(PARAMETERS.over(leaves(beside, within=True)), model.relations)
    for number in experts_in(beside):
        written = times(number, experts.one)
        if multiply_out(written, model.relations) == whole:
            notes = [Note(("in_mixture.shared_experts",), {"number": number})]
            return replace(step(model, path, name, written, notes=notes), role=PartRole.SHARED_EXPERTS)
    return None


def experts_in(beside: Component) -> Iterator[Expression]:
    """The letters of a network's sizes: among them how many experts it is."""
    shapes = (tensor.count for leaf in leaves(beside, within=True) for tensor in leaf.component.tensors)
    yield from dict.fromkeys(letter for shape in shapes for letter in shape.dimensions)


def mixtures(model: Model) -> Iterator[Mixture]:
    """Each mixture of the model."""
    seen: set[str] = set()
    for leaf in model.leaves:
        if not any(tensor.active for tensor in leaf.component.tensors):
            continue
        path, component = leaf.sublayer or (leaf.path, leaf.component)
        has_router, experts = leaf.sublayer is not None, experts_of(component)
        if experts is None:  # one of several groups of a sublayer
            path, has_router, experts = leaf.path, False, experts_of(leaf.component)
        if path not in seen and experts is not None:
            seen.add(path)
            yield Mixture(path, leaf.stack, copies_of(leaf, path), experts, has_router)


def are_one(all_mixtures: Sequence[Mixture]) -> bool:
    """True if each layer has at most one of these mixtures, and as many experts as any other."""
    counts = {(mixture.experts.number, mixture.experts.active, mixture.has_router) for mixture in all_mixtures}
    return (
        len(counts) == 1
        and all_mixtures[0].has_router
        and len({mixture.stack for mixture in all_mixtures}) == len(all_mixtures)
    )


def copies_of(leaf: Leaf, sublayer: str) -> Expression:
    """Return the number of copies of a leaf's sublayer in the model, or of the leaf if it stands in none."""
    copies: Expression = ONE
    for path, ancestor in leaf.ancestors:
        if path == sublayer:
            return times(copies, ancestor.times)
        copies = times(copies, ancestor.times)
    return times(copies, leaf.component.times)


def one_expert(sublayer: Component) -> Component:
    """One expert of a sublayer as a network by itself; gate and up, which are stored in one array, apart where they can be."""
    arrays = [leaf for leaf in leaves(sublayer, within=True) if any(tensor.active for tensor in leaf.component.tensors)]
    body = tuple(part for leaf in arrays for part in _apart(leaf.name, replace(_of_one(leaf.component), times=leaf.times)))
    kind = GATED_FEED_FORWARD if any(Projection.GATE in part.makes for _, part in body) else FEED_FORWARD
    return Component(kind, body=body, activation=sublayer.activation)


def _apart(name: str, array: Component) -> Iterator[tuple[str, Component]]:
    """An array of one expert; half of it as its gate, and half as its up-projection."""
    sides = array.tensors[0].shape
    half = _half(Product(sides)) if array.makes == (Projection.GATE, Projection.UP) and len(array.tensors) == 1 else None
    if half is None:
        yield name, array
        return
    matrix = replace(array.tensors[0], shape=factors_of(half))
    yield from ((APART[made,], replace(array, tensors=(matrix,), makes=(made,))) for made in array.makes)


def _of_one(component: Component) -> Component:
    """A layer of one expert: its arrays without the side on which the experts stand."""
    return replace(component, tensors=tuple(map(_without_side, component.tensors)))


def _without_side(tensor: Tensor) -> Tensor:
    side = _side(tensor)
    return replace(tensor, shape=tensor.shape[:side] + tensor.shape[side + 1 :], active=None)


def _numbers(tensor: Tensor) -> tuple[Expression, Expression]:
    """Return how many experts an array holds, and how many of them one token uses."""
    assert tensor.active is not None
    side = _side(tensor)
    return tensor.shape[side], tensor.active[side]


def _side(tensor: Tensor) -> int:
    """Return the side of an array on which the experts stand: where one token uses less than there is, else the first."""
    assert tensor.active is not None
    sides = zip(tensor.shape, tensor.active, strict=True)
    return next((i for i, (every, used) in enumerate(sides) if every != used), 0)


# The words for the activations of a gate that give a gated feed-forward network its name: SwiGLU, GeGLU (arXiv:2002.05202).
GATINGS = {
    **dict.fromkeys(("silu", "swish"), "silu"),
    **dict.fromkeys(("gelu", "gelu_new", "gelu_fast", "gelu_python", "gelu_pytorch_tanh"), "gelu"),
}
GATED = (GATED_FEED_FORWARD, FUSED_GATED_FEED_FORWARD, EXPERT_FEED_FORWARD, UNFUSED_EXPERT_FEED_FORWARD)


def gating(model: Model, path: str, sublayer: Component) -> list[Note]:
    """The sentence that names a gated feed-forward network, or an expert of a mixture, after its activation."""
    if sublayer.kind not in GATED:
        return []
    chosen = activation_of(model, path, sublayer)
    return [Note((f"gating.{GATINGS[chosen]}",))] if chosen in GATINGS else []


def activation_of(model: Model, path: str, sublayer: Component) -> str:
    """The activation of a sublayer, as its config spells it, or its definition where none chooses, or says ""; "" for none."""
    choices = model.library.choices.items() if model.library else ()
    chosen = (model.choices[name] for name, choice in choices if ACTIVATION.name in name and choice.is_of(path, sublayer))
    activation = next(chosen, "")
    return sublayer.activation if activation == "" else str(activation or "")
