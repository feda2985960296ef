"""Counting conventions: the other counts that people give for a model, each as a difference from its own.

Which there are follows from the tree and the features: a shared matrix can be counted at each use, embeddings
can be left out, and a part that a feature switches can be switched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from symparams.components.kinds import PartRole, Role
from symparams.components.tree import Tensor
from symparams.components.walks import Leaf, components
from symparams.derivations.steps import Note, Step, multiple_of_counts, named, step
from symparams.expressions.closed_form import Relations, as_written, multiply_out
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Expression, Named, Negative, Sum
from symparams.expressions.polynomial import Polynomial, added
from symparams.expressions.written import ZERO, times, total
from symparams.features import tying
from symparams.models.blocks import LEAST_NAMED, MOST_EXPANDED
from symparams.models.calculation import Calculation
from symparams.models.model import Model
from symparams.models.stacks import DECODER, ENCODER, encoder_and_decoder
from symparams.quantities.parameters import ACTIVE, FROZEN, PARAMETERS, SHARED, is_owned
from symparams.quantities.quantity import Term
from symparams.records import frozen


@frozen
class Convention:
    """A way to count: the sentence that says it, its difference from the model's count, and what it comes to."""

    note: Note
    difference: Step
    result: Step


@frozen
class ConventionDifference:
    """The difference that a convention makes to the count, and the names of the tensors that it concerns."""

    note: Note
    written: Expression
    tensors: frozenset[str]


def conventions(calculation: Calculation, whole: Expression) -> Iterator[Convention]:
    """The other ways to count the same that come to another number, each with its difference.

    One that leaves out what addends of the ``whole`` stand for refers to these by their names: −N_dec.
    """
    if calculation.quantity.tensors is None:
        yield from _alternatives(calculation)
    else:
        yield from _of_tensors(calculation.model, [addend for addend in (*whole.operands, whole) if isinstance(addend, Named)])


def _alternatives(calculation: Calculation) -> Iterator[Convention]:
    for other in calculation.alternatives:
        whole = total([term.every for term in other.terms])
        if multiply_out(whole, calculation.model.relations) != calculation.polynomial:
            written = total([whole, Negative(calculation.written)])
            difference = replace(step(calculation.model, "", "difference", written), form=_difference(calculation, other.terms))
            yield Convention(Note((other.key,), dict(other.about)), difference, step(calculation.model, "", "total", whole))


def _difference(calculation: Calculation, others: Sequence[Term]) -> Expression:
    """The difference, of terms that stand for one another copy by copy: L·(what one layer has more)."""
    if (multiple := multiple_of_counts(others, calculation.terms)) is not None:
        return multiple
    from symparams.derivations.costs import copied

    relations, pairs = calculation.model.relations, list(zip(calculation.terms, others, strict=False))
    if len(calculation.terms) != len(others) or any(term.times != other.times for term, other in pairs):
        return factored(multiply_out(total([other.every for other in others]), relations) - calculation.polynomial)
    differences_by_copies = [
        (term.times, multiply_out(other.written, relations) - multiply_out(term.written, relations)) for term, other in pairs
    ]
    apart = [copied(copies, factored(more)) for copies, more in differences_by_copies if more and isinstance(copies, Sum)]
    rest = added(
        [multiply_out(copies, relations) * more for copies, more in differences_by_copies if not isinstance(copies, Sum)]
    )
    return total([*([factored(rest)] if rest else []), *apart])


def _of_tensors(model: Model, addends: Sequence[Named]) -> Iterator[Convention]:
    """The conventions that give another count than the model's own, each difference once."""
    seen: list[Polynomial] = [Polynomial({})]
    for difference in (*differences(model), *_published(model)):
        change = step(model, "", "difference", difference.written)
        change = replace(change, form=form_of(change.polynomial, model.relations, addends))
        if change.value is None and not model.unbound:
            continue  # a part with a size that this model has no value for, such as the labels of a classifier
        if change.polynomial not in seen:
            seen.append(change.polynomial)
            result = step(model, "", "total", total([Named("total", model.formula()), difference.written]))
            yield Convention(difference.note, change, result)


def form_of(difference: Polynomial, relations: Relations, addends: Sequence[Named]) -> Expression | None:
    """The form of a long difference: by the addends that it takes away, by a result within them, factored; else None."""
    if (left_out := _by_name(relations, difference, addends)) is not None:
        return left_out
    if len(difference.terms) <= MOST_EXPANDED:
        return None
    return _with_name(relations, difference, addends) or factored(difference)


def _by_name(relations: Relations, difference: Polynomial, addends: Sequence[Named]) -> Expression | None:
    """A long difference as the one addend, or the two, that it takes away; None where it is short, or no such thing."""
    if len(difference.terms) < LEAST_NAMED:
        return None
    for number in (1, 2):
        for chosen in combinations(addends, number):
            if not multiply_out(total(chosen), relations) + difference:
                return total([Negative(addend) for addend in chosen])
    return None


def _published(model: Model) -> Iterator[ConventionDifference]:
    """What the published files of a model hold beside it, where a published figure counts that."""
    if any(published.claims for published in model.architecture.models.values()):
        from symparams.derivations.multi_token_prediction import module

        if predicting := module(model):
            parameters = predicting.parameters
            yield ConventionDifference(Note(("convention.mtp",)), parameters, frozenset({"multi_token_prediction"}))


def _with_name(relations: Relations, difference: Polynomial, addends: Sequence[Named]) -> Expression | None:
    """A long difference as a result within the addends and what it has besides: N_MoE layer + 2·h² + 3·h; None without one."""
    for result in dict.fromkeys(result for addend in addends for result in _results(addend)):
        rest = difference - multiply_out(result, relations)
        if len(rest.terms) < LEAST_NAMED:
            written = as_written(rest)
            return total([result, *(written.operands if isinstance(written, Sum) else (written,))])
    return None


def _results(expression: Expression) -> Iterator[Named]:
    """Each result by name that an expression refers to, the outer ones first."""
    if isinstance(expression, Named):
        yield expression
        yield from _results(expression.definition)
    for operand in expression.operands:
        yield from _results(operand)


def differences(model: Model) -> Iterator[ConventionDifference]:
    """Each convention that can be put to a model, with what it adds to the count or takes away."""
    tied = [leaf for leaf in model.leaves if SHARED.terms(leaf.component)]
    if tied:
        is_head = [leaf.part.role for leaf in tied] == [PartRole.OUTPUT_HEAD]
        shared = total([times(leaf.times, SHARED.of(leaf.component)) for leaf in tied])
        names = tensor_names(tied, lambda tensor: bool(tensor.tied_to))
        yield ConventionDifference(Note(("convention.each_head" if is_head else "convention.each",)), shared, names)
    owned = [(leaf, PARAMETERS.of(leaf.component)) for leaf in model.leaves if leaf.component.role is Role.TABLE]
    tables = [(leaf, count) for leaf, count in owned if count != ZERO]
    if tables:
        without = Negative(total([times(leaf.times, count) for leaf, count in tables]))
        yield ConventionDifference(Note(("convention.no_embeddings",)), without, tensor_names(leaf for leaf, _ in tables))
    if model.has_experts:
        active = as_written(model.polynomial(ACTIVE) - model.polynomial())
        names = tensor_names(model.leaves, lambda tensor: bool(tensor.active))
        yield ConventionDifference(Note(("convention.active",)), active, names)
    frozen = [(leaf, count) for leaf in model.leaves if (count := FROZEN.of(leaf.component)) != ZERO]
    for kind in dict.fromkeys(leaf.component.kind for leaf, _ in frozen):
        alike = [(leaf, count) for leaf, count in frozen if leaf.component.kind == kind]
        stored = total([times(leaf.times, count) for leaf, count in alike])
        names = tensor_names((leaf for leaf, _ in alike), lambda tensor: not tensor.trained and not tensor.tied_to)
        yield ConventionDifference(Note((f"convention.frozen.{kind}",)), stored, names)
    for feature in sorted(switches(model)):
        yield switched(model, feature)


def switched(model: Model, feature: str, *, untied: bool = False) -> ConventionDifference:
    """A feature added or left out; ``untied`` counts the matrix that an added part shares as its own."""
    changed = model.with_features(model.present ^ {feature})
    key = "convention.without" if feature in model.present else "convention.with"
    left = _stack_left(model, feature)
    here, there = _apart(model, changed)
    names = tensor_names((*here, *there))
    if untied or feature == tying.name:
        names |= tensor_names((*here, *there), lambda tensor: bool(tensor.tied_to))
    if untied:
        key, changed = "convention.with_own_matrix", changed.with_features(changed.present - {tying.name})
    if left or feature in _nested(model) & model.present:
        alone = {ENCODER: "convention.encoder_alone", DECODER: "convention.decoder_alone"}
        key = alone[left] if left else "convention.unwritten"
    return ConventionDifference(Note((key,), {"part": named("part", feature)}), as_written(_gained(model, changed)), names)


def _stack_left(model: Model, feature: str) -> str:
    """The stack that alone is left where a feature takes away the other; "" where it takes none away."""
    both = encoder_and_decoder(model.tree) if feature in model.present else None
    if both is None:
        return ""
    switched_by = {name for name, part in model.architecture.tree.body if feature in {gate.name for gate in part.when}}
    reading, _ = both
    if switched_by.isdisjoint(both) or switched_by.issuperset(both):
        return ""
    return DECODER if reading in switched_by else ENCODER


def tensor_names(leaves: Iterable[Leaf], chosen: Callable[[Tensor], bool] = is_owned) -> frozenset[str]:
    """The tensors of these leaves by name; one that is another's speaks of that one, too: counting it again adds the other."""
    tensors = [(leaf, tensor) for leaf in leaves for tensor in leaf.component.tensors if chosen(tensor)]
    ties = (f"{tensor.tied_to}.{tensor.name}" for _, tensor in tensors if tensor.tied_to)
    return frozenset((*(f"{leaf.path}.{tensor.name}" for leaf, tensor in tensors), *ties))


def switches(model: Model) -> set[str]:
    """The features that switch a whole part of the model, a child of its root, or a part of what another switches.

    Of all biases those in attention, where a paper writes none. What changes the data flow alone changes no count.
    """
    whole = {feature.name for _, child in model.architecture.tree.body for feature in child.when}
    return (whole | _nested(model)) & model.features.keys()


def _nested(model: Model) -> set[str]:
    parts = components(model.architecture.tree)
    return {tensor.when[-1].name for _, part in parts for tensor in part.tensors if len(tensor.when) > 1}


def _apart(model: Model, changed: Model) -> tuple[list[Leaf], list[Leaf]]:
    """The leaves that only one of two models has, or that hold other tensors in the other, here and there."""
    ours, theirs = ({leaf.path: leaf for leaf in subject.leaves} for subject in (model, changed))
    kept = {path for path, leaf in ours.items() if path in theirs and _is_same(leaf, theirs[path])}
    here, there = ([leaf for path, leaf in subject.items() if path not in kept] for subject in (ours, theirs))
    return here, there


def _is_same(leaf: Leaf, other: Leaf) -> bool:
    is_same = leaf.component is other.component or leaf.component.tensors == other.component.tensors
    return is_same and leaf.times == other.times


def _gained(model: Model, changed: Model) -> Polynomial:
    """Return the difference of the counts of a model with other features and of this one."""
    less, more = _apart(model, changed)
    return multiply_out(PARAMETERS.over(more), changed.relations) - multiply_out(PARAMETERS.over(less), model.relations)
