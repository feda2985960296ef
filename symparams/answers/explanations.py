"""Explanations: why somebody else's number differs from a count, simplest first, each a sum that comes out exactly.

A claimed number is what a count becomes when some conventions are put to it: a shared head counted twice, a head left in or
out, biases or norms forgotten, positions two more, a padded vocabulary. A rounded claim (110M) is met by every count that
rounds to it. What no conventions explain is shown as small multiples of the model's sizes, or said to be unexplained.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from symparams.components.kinds import Role, Use
from symparams.derivations.conventions import differences
from symparams.derivations.rule_of_thumb import layers_estimate
from symparams.derivations.steps import Name, Note, Step, step
from symparams.errors import OptionError, quoted
from symparams.expressions.marks import Size
from symparams.expressions.nodes import Expression, Negative, Number, Power, Product
from symparams.expressions.symbols import L, V, h, max_pos
from symparams.expressions.written import times, total
from symparams.models.load import complete
from symparams.models.model import Model
from symparams.models.sources.member import member
from symparams.quantities.memory import read_claim

MOST_CONVENTIONS = 3
MOST_EXPLANATIONS = 8
PADDINGS = (8, 16, 32, 64, 128, 256, 512)
MOST_MULTIPLE = 64
WEIGHTS = {"convention": 1, "explain": 3}
PADDED = ("explain.padded",)
RESIDUAL = ("explain.residual",)


@dataclass(frozen=True)
class Term:
    """One convention in an explanation: the sentence that says it, and its difference from the count."""

    note: Note
    step: Step


@dataclass(frozen=True)
class Explanation:
    """A way to come from the count to the claim: the terms that are added, and the number that they come to.

    ``model`` is the one whose count the terms start from; ``is_exact`` tells whether the result is the claim itself or
    rounds to it.
    """

    model: str
    start: int
    terms: tuple[Term, ...]
    result: int
    is_exact: bool

    @property
    def weight(self) -> int:
        """How much has to be supposed: a convention of the model weighs least, a vocabulary padded by somebody most."""
        return sum(WEIGHTS.get(term.note.keys[0].partition(".")[0], 1) + 4 * (term.note.keys == PADDED) for term in self.terms)

    @property
    def is_explained(self) -> bool:
        """Whether every term is a convention; what is only left over explains nothing."""
        return all(term.note.keys != RESIDUAL for term in self.terms)


def explain(model: Model, claimed: int | str) -> list[Explanation]:
    """The explanations of a claimed number, simplest first; [] where nothing explains it.

    ``claimed`` is an integer, or a number as people round it ("110M"). In each explanation
    ``start`` + the sum of ``term.step.value`` over its ``terms`` = ``result``, which is the claim or rounds to it; where
    ``is_explained`` is false, a term is only left over. Raises MissingDimensionError for a model without values, and
    OptionError for a claim that is no number.
    """
    claim, tolerance = read_claim(claimed)
    if claim is None or claim <= 0:
        raise OptionError(f"{quoted(claimed)} is no parameter count: write an integer (108891648) or a rounded one (110M).")
    found = [each for by in (_by_conventions, _by_estimate, _by_family) for each in by(model, claim, tolerance)]
    found = found or list(_by_residual(model, claim))
    return sorted(found, key=lambda each: (not each.is_exact, each.weight, abs(each.result - claim)))[:MOST_EXPLANATIONS]


def _by_conventions(model: Model, claim: int, tolerance: Fraction) -> Iterator[Explanation]:
    count = model.count()
    terms = [term for term in _terms(model) if term.step.value]
    for size in range(MOST_CONVENTIONS + 1):
        met = False
        for chosen in combinations(terms, size):
            result = count + sum(term.step.value or 0 for term in chosen)
            if abs(result - claim) <= tolerance and result > 0:
                met = True
                yield Explanation(model.name, count, chosen, result, result == claim)
        if met and tolerance == 0:
            return


def _terms(model: Model) -> Iterator[Term]:
    """Every convention that can be put to this model, with what it adds or takes away; each difference once."""
    seen: set[Expression] = set()
    for note, difference in (*differences(model), *_forgotten(model), *_enlarged(model)):
        each = step(model, "", "difference", difference)
        if each.closed not in seen and each.value is not None:
            seen.add(each.closed)
            yield Term(note, each)


def _forgotten(model: Model) -> Iterator[tuple[Note, Expression]]:
    """What is often left out: the biases of matrices, the norms, one norm, the position table, the whole embedding block."""
    biases, every_bias, norms, positions, block = [], [], [], [], []
    for leaf in model.leaves:
        for tensor in leaf.component.tensors:
            if not tensor.trained:
                continue
            count = times(leaf.times, tensor.count)
            if leaf.component.role is Role.NORM:
                norms.append(count)
            elif tensor.use is Use.BIAS:
                biases.append(count)
            if tensor.use is Use.BIAS:
                every_bias.append(count)
            if leaf.component.role is Role.TABLE and max_pos in tensor.count.dimensions:
                positions.append(count)
            if leaf.is_embedding and not tensor.tied_to:
                block.append(count)
        if leaf.component.role is Role.NORM and leaf.component.tensors:
            one = total([tensor.count for tensor in leaf.component.tensors])
            yield Note(("explain.one_norm",), {"part": Name(leaf.name)}), Negative(times(leaf.times, one))
    forgotten = {"biases": biases, "every_bias": every_bias, "norms": norms, "positions": positions, "embedding_block": block}
    for key, left_out in forgotten.items():
        if left_out:
            yield Note((f"explain.{key}",)), Negative(total(left_out))


def _enlarged(model: Model) -> Iterator[tuple[Note, Expression]]:
    """What libraries enlarge: two more positions, causal masks kept as buffers, a vocabulary padded to a multiple."""
    if max_pos in model.dimensions and h in model.dimensions:
        yield Note(("explain.two_positions",)), Size(Product((Number(2), h)))
        yield Note(("explain.masks",)), Product((L, Power(max_pos, 2)))
    if V in model.values and h in model.values:
        for multiple in PADDINGS:
            padding = -model.values[V] % multiple
            if padding:
                note = Note(PADDED, {"multiple": Number(multiple), "rows": Number(padding)})
                yield note, Product((Number(padding), h))


def _by_estimate(model: Model, claim: int, tolerance: Fraction) -> Iterator[Explanation]:
    if L in model.values and h in model.values:
        each = step(model, "", "estimate", layers_estimate())
        if each.value is not None and abs(each.value - claim) <= tolerance:
            yield Explanation(model.name, 0, (Term(Note(("explain.estimate",)), each),), each.value, each.value == claim)


def _by_family(model: Model, claim: int, tolerance: Fraction) -> Iterator[Explanation]:
    """Another published member of the family that has the claimed count."""
    for name, published in model.architecture.models.items():
        if name != model.name:
            count = complete(member(name, model.architecture, published), {}).count()
            if abs(count - claim) <= tolerance:
                yield Explanation(name, count, (), count, count == claim)


def _by_residual(model: Model, claim: int) -> Iterator[Explanation]:
    """What is left over as a small multiple of one of the model's sizes: 4,096 = 2·h."""
    count = model.count()
    residual = claim - count
    for unit in (Power(h, 2), Product((L, h)), h, V):
        if any(dimension not in model.values for dimension in unit.dimensions):
            continue
        multiple, rest = divmod(abs(residual), step(model, "", "unit", unit).value or 1)
        if rest == 0 and 0 < multiple <= MOST_MULTIPLE:
            term = Size(times(Number(multiple), unit))
            each = step(model, "", "difference", term if residual > 0 else Negative(term))
            yield Explanation(model.name, count, (Term(Note(RESIDUAL), each),), claim, True)
            return
