"""Costs step by step: each term of a quantity beside its part, what one layer adds up to, and so many layers.

In the view ``module`` layer by layer, in the order of the tree; in the views by kind all terms of one name at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.components.walks import leaves
from symparams.derivations.steps import Note, Step, StepKind, multiple_of_count, multiple_of_counts, named, short, step, summed
from symparams.derivations.views import FIRST
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Dimension, Expression, Number, Product, Size, Sum, factors_of, unmarked
from symparams.expressions.polynomial import Polynomial, multiplied
from symparams.expressions.symbols import b, t
from symparams.expressions.written import ONE, ZERO, times, total
from symparams.models.calculation import Calculation
from symparams.quantities.quantity import Term
from symparams.records import frozen

LEAST_TOGETHER = 3  # terms of a sublayer that are worth a sum of their own
APART = {"window_layer": "window_layers", "full_layer": "full_layers"}  # layers of one block that are counted apart


@frozen
class TermLocation:
    """The place of a term: the path of its layer, the copies of that layer, and the number of times the term is in one copy."""

    path: str
    layer: str
    copies: Expression
    often: Expression


def work(calculation: Calculation, view: str) -> tuple[list[Step], list[Step]]:
    """The sections of the sheet of a cost, and the steps among them that add up to its total."""
    sections = list(_layers(calculation) if view == FIRST else _kinds(calculation))
    return sections, [addend for section in sections for addend in _addends(section)]


def _addends(section: Step) -> Sequence[Step]:
    return section.steps if section.kind == StepKind.GROUP else (section,)


def _layers(calculation: Calculation) -> Iterator[Step]:
    """A section for each layer that is repeated, and one for what stands once between them."""
    gathered: dict[tuple[str, Expression], list[tuple[Term, TermLocation]]] = {}
    for term in named_terms(calculation):
        place = place_of(calculation.tree, term)
        key = (place.path if place.copies != ONE else term.path.partition(".")[0], place.copies)
        gathered.setdefault(key, []).append((term, place))
    alike = _alike(calculation, list(gathered.values()))
    for (path, copies), located in gathered.items():
        steps = list(_steps(calculation, located, alike))
        if copies == ONE:
            yield step(calculation.model, path, path or _heading(calculation), ZERO, kind=StepKind.GROUP, steps=steps)
        else:
            yield _stack(calculation, located[0][1], steps)


def _alike(calculation: Calculation, layers: Sequence[Sequence[tuple[Term, TermLocation]]]) -> set[Hashable]:
    """Return the sublayers of several terms that stand alike in more than one kind of layer."""
    terms = Counter(key for located in layers for _, key in _sublayers(calculation, located) if len(key) >= LEAST_TOGETHER)
    return {key for key, number in terms.items() if number > 1}


def _sublayers(
    calculation: Calculation, located: Sequence[tuple[Term, TermLocation]]
) -> Iterator[tuple[list[tuple[Term, TermLocation]], tuple[Hashable, ...]]]:
    """Yield the terms of a layer sublayer by sublayer, each with the formulas of its terms."""
    for path, group in groupby(located, lambda pair: _sublayer(calculation.tree, pair[0])):
        terms = list(group)
        yield terms, tuple((term.kind, place.often, term.written) for term, place in terms) if path else ()


def _sublayer(tree: Component, term: Term) -> str:
    """Return the path of the sublayer in which a term stands; "" if it stands in none."""
    path, here = "", tree
    for name in filter(None, term.path.split(".")):
        here, path = here.child(name), f"{path}.{name}" if path else name
        if here.is_sublayer:
            return path
    return ""


def named_terms(calculation: Calculation) -> list[Term]:
    """Return the terms of a calculation, with the name of their sublayer if one of another kind before it has terms so called.

    The query of cross-attention is not that of attention, and down of the shared experts not that of a dense layer.
    """
    kinds, placed = _keys(calculation.tree), [(term, _within_layer(calculation, term)) for term in calculation.terms]
    names: dict[str, set[str]] = {}
    for term, sublayer in placed:
        names.setdefault(sublayer, set()).add(term.name)
    names.pop("", None)
    again = {
        sublayer
        for i, sublayer in enumerate(names)
        for before in [*names][:i]
        if kinds.get(before) != kinds.get(sublayer) and names[before] & names[sublayer]
    }
    return [_with_name(term, sublayer) if sublayer in again else term for term, sublayer in placed]


def _within_layer(calculation: Calculation, term: Term) -> str:
    """Return the path of the sublayer in which a term stands in each layer; "" if it stands in none, or once."""
    return _sublayer(calculation.tree, term) if place_of(calculation.tree, term).copies != ONE else ""


def _with_name(term: Term, sublayer: str) -> Term:
    """A term with the name of its sublayer, unless it has that already."""
    outer = sublayer.rpartition(".")[2]
    return term if outer in term.name.split(":") else replace(term, name=named("inside", outer, term.name))


def _steps(
    calculation: Calculation, located: Sequence[tuple[Term, TermLocation]], alike: Collection[Hashable]
) -> Iterator[Step]:
    """Yield the steps of a layer, those of a sublayer together that stands alike in another kind of layer."""
    for terms, key in _sublayers(calculation, located):
        steps = _once([_step(calculation, term, times(place.often, term.written)) for term, place in terms])
        if key in alike:
            path = _sublayer(calculation.tree, terms[0][0])
            name = path.rpartition(".")[2]
            yield short(summed(calculation.model, path, name, steps, StepKind.BLOCK, steps))
        else:
            yield from steps


def _heading(calculation: Calculation) -> str:
    """Return the heading of terms that belong to no part of the tree."""
    return calculation.quantity.heading or calculation.quantity.name


def _stack(calculation: Calculation, place: TermLocation, steps: Sequence[Step]) -> Step:
    """So many copies of a layer: of the sum of its terms, or of its only one."""
    name, model = place.path.rpartition(".")[2], calculation.model
    name = APART.get(place.layer, name)
    layer = steps[0] if len(steps) == 1 else short(summed(model, place.path, place.layer, steps, StepKind.BLOCK, steps))
    copies = Size(place.copies) if isinstance(place.copies, Sum) else place.copies
    written = times(copies, layer.quantity)
    stack = step(model, place.path, name, written, kind=StepKind.STACK, steps=[layer])
    closed = copied(place.copies, layer.closed) if isinstance(place.copies, Sum) else short(stack).form
    return replace(stack, form=closed, layer=place.layer)


def copied(copies: Expression, layer: Expression) -> Expression:
    """So many copies, a sum of layers, of what has its common factors drawn out: (L_dense + L_moe)·b·t·(r_kv + d_rope)·e."""
    inner = factors_of(unmarked(layer))
    numbers = tuple(factor for factor in inner if isinstance(factor, Number))
    return Size(Product((*numbers, copies, *(factor for factor in inner if not isinstance(factor, Number)))))


def _step(calculation: Calculation, term: Term, written: Expression) -> Step:
    notes = [Note((term.note,), dict(term.about), is_said_once=not term.about)] if term.note else []
    return short(step(calculation.model, term.path, term.name, written, notes=notes))


def _once(steps: Sequence[Step]) -> list[Step]:
    """Return the steps of a section, of several in a row with one sentence the first with it."""
    befores = [(), *(before.notes for before in steps)]
    return [
        replace(after, notes=tuple(note for note in after.notes if note not in before))
        for before, after in zip(befores, steps, strict=False)
    ]


def in_counts(calculation: Calculation) -> Expression | None:
    """The total with the number of parameters as a letter, 16·N, and all else; None where nothing is a multiple of it."""
    multiples = [term for term in calculation.terms if multiple_of_count(term.every) is not None]
    multiple = multiple_of_counts(multiples)
    if multiple is None:
        return None
    rest = calculation.polynomial - multiply_out(multiple, calculation.model.relations)
    return total([factored(rest), multiple]) if rest else multiple


def each_token(calculation: Calculation, closed: Expression) -> Step | None:
    """Return what each further token of a sequence adds; None unless all add the same. ``closed`` is the form of the whole."""
    if t not in calculation.quantity.inputs or any(
        not isinstance(monomial, Dimension) for monomial in calculation.polynomial.letters
    ):
        return None
    per_token = ((t, -1), (b, -1))
    terms = {
        multiplied(monomial, per_token): number
        for monomial, number in calculation.polynomial.terms.items()
        if dict(monomial).get(t) == 1
    }
    if not terms:
        return None
    factors = factors_of(unmarked(closed))
    per_sequence = factored(Polynomial(terms))
    factors = (
        tuple(monomial for monomial in factors if monomial not in (b, t))
        if {b, t} <= set(factors)
        else factors_of(unmarked(per_sequence))
    )
    return step(calculation.model, "", "each_token", Product(factors), form=Size(Product(factors)))


def place_of(tree: Component, term: Term) -> TermLocation:
    """The innermost repeated block around a term, if the term is there as often as that is, or a number of times as often."""
    path, here = "", tree
    above: Expression = ONE
    layer = (term.path.rpartition(".")[0] or term.path, "", above)
    for name in filter(None, term.path.split(".")):
        here = here.child(name)
        path, above = f"{path}.{name}" if path else name, times(above, here.times)
        if here.role is Role.BLOCK and here.times != ONE:
            layer = (path, here.name, above)
    path, name, copies = layer
    factors, around = factors_of(term.times), factors_of(copies)
    if copies != ONE and factors[: len(around)] == around:
        return TermLocation(path, term.layer or name, copies, times(*factors[len(around) :]))
    if copies == ONE and not term.layer:  # of a matrix that stands several times in what is not a layer
        return TermLocation(term.path, "", ONE, term.times)
    return TermLocation(path if copies != ONE else term.path, term.layer or name, term.times, ONE)


def _kinds(calculation: Calculation) -> Iterator[Step]:
    """A section for each kind of part; terms of one name and formula together, times all of their copies."""
    keys = _keys(calculation.tree)
    headings: dict[Hashable, str] = {}
    gathered: dict[Hashable, dict[tuple[Hashable, Expression], list[Term]]] = {}
    for term in calculation.terms:
        name = term.path.rpartition(".")[2]
        key = keys.get(term.path, (name,))
        headings.setdefault(key, name)
        gathered.setdefault(key, {}).setdefault((_what(term), term.written), []).append(term)
    for key, alike in gathered.items():
        steps = [
            _step(calculation, terms[0], times(total([term.times for term in terms]), written))
            for (_, written), terms in alike.items()
        ]
        heading = headings[key] or _heading(calculation)
        yield step(calculation.model, "", heading, ZERO, kind=StepKind.GROUP, steps=_once(steps))


def _what(term: Term) -> Hashable:
    """Return the name of a term without the names that its path says already."""
    what, _, part = term.name.partition(":")
    path = term.path.split(".")
    return (what, "of") if part and part in path else "" if term.name in path else term.name


def _keys(tree: Component) -> dict[str, Hashable]:
    """Return the role of each leaf and sublayer of a tree, by its path."""
    every = list(leaves(tree))
    sublayers = {leaf.sublayer[0]: leaf.part.key for leaf in every if leaf.sublayer}
    return {**{leaf.path: leaf.key for leaf in every}, **sublayers}
