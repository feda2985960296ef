"""Explanations: why somebody else's number differs from a count, the likeliest first, each a sum that comes out exactly.

A claimed number is what a count becomes when some conventions are put to it: a shared head counted twice, a head left in or
out, biases or norms forgotten, positions two more, a padded vocabulary. What nothing explains is named in multiples of the
model's sizes where they are whole, and otherwise said to be unexplained: a coincidence is worse than no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from symparams.answers.claims import Claim, Met, Reading, claim_of, rounded
from symparams.answers.explained import Explanation, Explanations
from symparams.answers.mistyped import corrected
from symparams.answers.remainders import remainder
from symparams.answers.suppositions import by_suppositions
from symparams.answers.terms import KNOWN, USUAL, ConventionTerm, terms
from symparams.architectures._definition import Claimed
from symparams.derivations.conventions import switched, switches, tensor_names
from symparams.derivations.steps import Note, step
from symparams.expressions.nodes import Expression, Number, Product, Quotient
from symparams.expressions.symbols import n_labels
from symparams.models.calculation import Calculation
from symparams.models.inputs import checked_calculation
from symparams.models.load import as_model, complete
from symparams.models.model import Model
from symparams.models.published import as_published
from symparams.models.sources import member
from symparams.quantities.parameters import is_in_layer, plain_layers, width_of_layers
from symparams.quantities.quantity import PARAMETERS, Quantity
from symparams.records import frozen

MOST_LABELS = 1_000
USED_TOGETHER = (("active", "no_embeddings"), ("active", "non_embedding"))
ROUNDED_COUNT = "rounded"  # of what a table says why a figure is published
SEEN = {USUAL: Fraction(1, 2), KNOWN: Fraction(2)}  # in units of a claim's last digit


def explain(model: Model | str, claimed: int | str, quantity: str | Quantity = "", **inputs: Any) -> Explanations:
    """Explain a claimed number: at most three explanations, the likeliest first; [] if nothing explains it.

    ``model`` is a model or its name; ``claimed`` is an integer or a text: "110M", "1.1e8", "124 million", "1.1亿". "320 KB a
    token" and "140 TFLOPs" are claims about a cost, recognised by their unit or by ``quantity``, "kv_cache" or a ``Quantity``,
    with ``inputs`` as for ``measure``. Of one token, b, s and t are 1 unless given.

    In each explanation of a count, ``start`` + the sum of ``term.step.value`` over its ``terms`` = ``result``, which equals
    the claim, rounds to it or begins with its digits. No two terms are about the same tensor. If the count itself is the
    claim, the search ends. If ``is_explained`` is False, a term is a remainder. Raises MissingDimensionError for a model
    without values, and OptionError for a claim that is not a number.
    """
    claim, subject = claim_of(claimed, quantity), as_model(model)
    quantities = claim.quantities(inputs, quantity)
    for possible in quantities:
        for search in (
            by_tensors(subject, claim, inputs) if possible.tensors else by_suppositions(subject, claim, possible, inputs)
        ):
            if explanations := Explanations(subject, claim, quantities, search):
                return explanations
    return Explanations(subject, claim, quantities)


@frozen
class ClaimSearch:
    """A claim about the count of a model, with what every search needs: its number, its terms, what is published of it."""

    calculation: Calculation
    claim: Reading
    count: int
    claims: tuple[Claimed, ...]
    terms: tuple[ConventionTerm, ...]

    @property
    def model(self) -> Model:
        """The model that is asked about."""
        return self.calculation.model

    def sum(
        self, chosen: tuple[ConventionTerm, ...], meets: Callable[[int], Met | None], figure: Claimed | None = None
    ) -> list[Explanation]:
        """The explanation by these terms, where their sum meets the claim."""
        result = self.count + sum(term.value for term in chosen)
        met = meets(result) if result > 0 else None
        return [] if met is None else [self.explanation(chosen, result, met, figure)]

    def explanation(
        self, chosen: tuple[ConventionTerm, ...], result: int, met: Met, figure: Claimed | None = None, start: int | None = None
    ) -> Explanation:
        """The explanation by these terms, from the count unless they start elsewhere."""
        return Explanation(self.calculation, self.count if start is None else start, chosen, result, self.claim, met, figure)


def by_tensors(model: Model, claimed: Claim, given: Mapping[str, Any]) -> Iterator[Iterator[Explanation]]:
    """The searches for a number of parameters, one after another: the first that finds anything ends them."""
    calculation, claim = checked_calculation(model, PARAMETERS, given), claimed.plainest
    count = model.count()
    question = ClaimSearch(calculation, claim, count, *_known(model))
    if (met := claim.plainly_met_by(count)) is not None:
        yield iter(_published(question) or [question.explanation((), count, met)])
    searches = EXACT if claim.is_exact else ROUNDED
    if other := corrected(model):
        yield _of_what_was_meant(calculation, count, *other, claimed, given)
        searches = tuple(search for search in searches if search is not _by_remainder)
    yield from (search(question) for search in searches)


def _of_what_was_meant(
    calculation: Calculation, count: int, model: Model, mistyped: ConventionTerm, claimed: Claim, given: Mapping[str, Any]
) -> Iterator[Explanation]:
    """The explanations of a claim about the model that a mistyped key was meant for, each with that key first."""
    for search in by_tensors(model, claimed, given):
        explanations = [explanation for explanation in search if explanation.is_explained]
        for explanation in explanations:
            if explanation.calculation.model == model and explanation.start:
                yield replace(explanation, calculation=calculation, start=count, terms=(mistyped, *explanation.terms))
        if explanations:
            return


def published_figures(model: Model) -> Iterator[Explanation]:
    """Yield how each published figure of a model comes from its count, as the model's table says."""
    claims, conventions = _known(model)
    for figure in claims:
        claim = claim_of(figure.value).plainest
        question = ClaimSearch(checked_calculation(model, PARAMETERS, {}), claim, model.count(), (figure,), conventions)
        yield from _published(question)


def _known(model: Model) -> tuple[tuple[Claimed, ...], tuple[ConventionTerm, ...]]:
    """Return the published figures of a model, and the conventions that apply to it."""
    known = as_published(model)
    claims = known.claims if known else ()
    return claims, terms(model)


def _by_one(question: ClaimSearch) -> Iterator[Explanation]:
    """A published figure, one convention, or several that people use together."""
    claim, by_key = question.claim, {term.key: term for term in question.terms}
    figures = _published(question)
    yield from figures
    active = question.sum((by_key["active"],), claim.plainly_met_by) if "active" in by_key else []
    yield from active
    if any(explanation.met <= Met.ROUNDED for explanation in active):
        return
    for term in question.terms:
        if term.key != "active" and (claim.is_exact or _is_seen(term, claim)):
            yield from question.sum((term,), claim.met_by)
    yield from _by_labels(question, [()])
    for keys in USED_TOGETHER:
        chosen = tuple(by_key[key] for key in keys if key in by_key)
        if len(chosen) == len(keys) and claim.is_precise and chosen not in [explanation.terms for explanation in figures]:
            yield from question.sum(chosen, claim.met_by)


def _is_seen(term: ConventionTerm, claim: Reading) -> bool:
    """True if a rounded claim can tell that a convention was put to it: one in use, whose difference the rounding leaves."""
    least = SEEN.get(term.weight)
    return least is not None and claim.is_precise and abs(term.value) >= least * claim.last


def _published(question: ClaimSearch) -> list[Explanation]:
    """Return the published figures that the claim is."""
    by_key = {term.key: term for term in question.terms}
    figures = (figure for figure in question.claims if figure.value == question.claim.value)
    return [explanation for figure in figures for explanation in _by_figure(question, figure, by_key)]


def _by_figure(question: ClaimSearch, figure: Claimed, by_key: dict[str, ConventionTerm]) -> list[Explanation]:
    """A published figure: as the rounded count, by the conventions that it was counted by, or as what no counting comes to."""
    keys = [key for key in figure.why.split("+") if key != ROUNDED_COUNT]
    if by_key.keys() >= set(keys):
        return question.sum(tuple(by_key[key] for key in keys), rounded(figure.value).plainly_met_by, figure)
    written = Number(figure.value - question.count)
    apart = ConventionTerm(Note(("explain.not_counted",)), step(question.model, "", "difference", written), frozenset())
    return [question.explanation((apart,), figure.value, Met.EXACT, figure)]


def _by_family(question: ClaimSearch) -> Iterator[Explanation]:
    """Another published member of the family that has the claimed count."""
    architecture = question.model.architecture
    for name, published in architecture.models.items():
        if name != question.model.origin.name:
            other = checked_calculation(complete(member(name, architecture, published), {}), PARAMETERS, {})
            count = other.model.count()
            if (met := question.claim.met_by(count)) is not None:
                yield Explanation(other, count, (), count, question.claim, met)
                yield from _by_remainder(question) if question.claim.is_exact else ()  # what that member has more


def _by_bytes(question: ClaimSearch) -> Iterator[Explanation]:
    """The size of the weights in bytes, taken for their number."""
    number = Number(question.count)
    sizes: tuple[tuple[str, Expression], ...] = (
        ("bytes_4", Product((Number(4), number))),
        ("bytes_2", Product((Number(2), number))),
        ("half_bytes", Quotient(number, Number(2))),
    )
    for key, written in sizes:
        if question.count % 2 and key == "half_bytes":
            continue
        size = step(question.model, "", "estimate", written)
        if size.count is not None and question.claim.met_by(size.count) is Met.EXACT:
            term = ConventionTerm(Note((f"explain.{key}",)), size, tensor_names(question.model.leaves))
            yield question.explanation((term,), size.count, Met.EXACT, start=0)


def _by_labels(question: ClaimSearch, beside: Sequence[tuple[ConventionTerm, ...]]) -> Iterator[Explanation]:
    """A classifier over so many labels, beside these terms: the number that makes the sum the claim."""
    model = question.model
    for feature in sorted(switches(model) - model.present) if question.claim.is_exact else ():
        if {d for d in switched(model, feature).written.dimensions if d not in model.values} != {n_labels}:
            continue
        single, two = (_labelled(model, feature, number) for number in (1, 2))
        for chosen in beside:
            rest = question.claim.value - question.count - sum(term.value for term in chosen) - single.value
            more, left = divmod(rest, two.value - single.value)
            if not left and 0 <= more < MOST_LABELS and all(term.tensors.isdisjoint(single.tensors) for term in chosen):
                yield from question.sum((*chosen, _labelled(model, feature, more + 1)), question.claim.met_by)


def _labelled(model: Model, feature: str, number: int) -> ConventionTerm:
    bound = replace(model, values={**model.values, n_labels: number})
    difference = switched(bound, feature)
    note = Note(("explain.labels",), {"number": Number(number)})
    return ConventionTerm(note, step(bound, "", "difference", difference.written), difference.tensors)


def _by_estimate(question: ClaimSearch) -> Iterator[Explanation]:
    """12·L·h², which is not a count."""
    repeated = [leaf for leaf in question.model.leaves if is_in_layer(leaf)]
    width, copies = width_of_layers(repeated), {leaf.copies for leaf in repeated}
    if width is not None and len(copies) == 1:
        estimate = step(question.model, "", "estimate", plain_layers(copies.pop(), width))
        met = question.claim.met_by(estimate.count or 0)
        if met is not None:
            term = ConventionTerm(Note(("explain.estimate",)), estimate, frozenset())
            yield question.explanation((term,), estimate.count or 0, met, start=0)


def _by_two(question: ClaimSearch) -> Iterator[Explanation]:
    """Two conventions at once, which say nothing of the same tensor."""
    for first, second in combinations(question.terms, 2):
        if first.tensors.isdisjoint(second.tensors) and first.value + second.value:
            yield from question.sum((first, second), question.claim.met_by)
    yield from _by_labels(question, [(term,) for term in question.terms if term.weight == USUAL])


def _by_remainder(question: ClaimSearch) -> Iterator[Explanation]:
    """Return the difference that nothing explains, named in the model's sizes."""
    claimed = int(question.claim.value)
    left_over = remainder(question.model, claimed, claimed - question.count)
    if left_over:
        yield from question.sum((left_over,), question.claim.met_by)


Search = Callable[[ClaimSearch], Iterator[Explanation]]
# The searches one after another; the first that finds anything ends them. A rounded claim is met too easily by the rest.
ROUNDED: tuple[Search, ...] = (_by_one, _by_family)
EXACT: tuple[Search, ...] = (*ROUNDED, _by_estimate, _by_bytes, _by_two, _by_remainder)
