"""Explanations: what is supposed of our number, and the sum that comes out exactly, with its unit."""

from __future__ import annotations

from fractions import Fraction

from symparams.answers.claims import Met
from symparams.answers.explained import Explanation, Explanations
from symparams.answers.terms import ConventionTerm
from symparams.expressions.nodes import Expression, Number, Sum
from symparams.expressions.printing.nodes import Remark, Signed
from symparams.expressions.written import number, total, with_sign
from symparams.models.model import Model
from symparams.sheets.catalogue import Catalogue, catalogue
from symparams.sheets.document import Block, Document, Equation, Lead, Link, Paragraph, Section
from symparams.sheets.quantities import in_unit, rounded_links, sentence_of, unit_of
from symparams.sheets.steps import Composer
from symparams.sheets.values import Capital, Listed, Prose, Sentence, Value
from symparams.sheets.whole import is_users, letters_of

MOST_TERMS = 8  # that stand in brackets after what they are
REMARKS = {Met.ROUNDED: "explain.rounded", Met.TRUNCATED: "explain.truncated"}


def explanation(explanations: Explanations, language: str = "en") -> Document:
    """Each explanation with its sum; one honest sentence where there is none."""
    model = explanations.model
    is_own = is_users(model) or any(quantity.is_own for quantity in explanations.quantities)
    composer = Composer(catalogue(language), is_users=is_own)
    sections = [Section("explanation", None, _blocks(composer, model, possible)) for possible in explanations]
    if not explanations:
        sections = [Section("none", None, [Paragraph([*_mistyped(model), _none(explanations)])])]
    return Document(
        "explanation",
        language,
        None,
        None,
        sections,
        letters=letters_of(model, "hidden", {}),
        subject=explanations,
        is_users=is_own,
    )


def _none(explanations: Explanations) -> Sentence:
    """Return how far a claimed count is from ours, or that no convention explains a claimed cost."""
    claimed, model = explanations.claim.plainest.value, explanations.model
    name, count = Prose(model.name), explanations.our_count
    if count is None:
        return Sentence("explain.none_of_costs", {"claimed": Prose(explanations.claim.text), "model": name})
    terms: dict[str, Value] = {"claimed": int(claimed), "difference": abs(int(claimed) - count), "count": count, "model": name}
    return Sentence("explain.none", terms)


def _mistyped(model: Model) -> list[Value]:
    """Return the keys of the config that were not read and are near one that is."""
    keys = [key for key in model.reading.unread if key.near] if model.reading else []
    return [Sentence("explain.unread", {"written": Prose(key.name), "meant": Prose(key.near)}) for key in keys[:MOST_TERMS]]


def _blocks(composer: Composer, asked: Model, explanation: Explanation) -> list[Block]:
    """Return the suppositions, and start ± difference = result, rounded to the claim if it is not exact."""
    words, calculation, source = composer.catalogue, explanation.calculation, list[Value]()
    if explanation.published:
        if (sentence := as_told(explanation, words)) is not None:
            return [Paragraph([sentence])]
        source = [Sentence("explain.source", {"source": Prose(explanation.published.source)})]
    written, result = total(addends(explanation)), number(explanation.result)
    chain = [Link(written)] if written != result else []
    chain.append(Link(in_unit(result, calculation.quantity, words)))
    if unit_of(calculation.quantity, words):
        chain += rounded_links(explanation.result, calculation.quantity, words)
    if explanation.met is not Met.EXACT:
        chain.append(Link(Remark(number(explanation.claim.value), words.entry(REMARKS[explanation.met])), "≈"))
    lead = Lead([*_subject(composer, explanation), _title(composer, asked, explanation)])
    return [lead, Equation(None, chain, in_a_row=True), *([Paragraph(source)] if source else [])]


def as_told(explanation: Explanation, words: Catalogue) -> Sentence | None:
    """The sentence on a published figure that no sum of conventions makes; None where one does."""
    if explanation.published is None or (key := f"explain.published.{explanation.published.why}") not in words.entries:
        return None
    figures = {
        "claimed": explanation.claim.value,
        "count": explanation.start,
        "difference": abs(Fraction(explanation.claim.value - explanation.start)),
    }
    terms: dict[str, Value] = {name: number(figure) for name, figure in figures.items()}
    terms["digits"] = Number(len(str(int(explanation.claim.value)).rstrip("0")))
    return Sentence(key, {**terms, "source": Prose(explanation.published.source)})


def _subject(composer: Composer, explanation: Explanation) -> list[Value]:
    """Return the subject of the number if it is not the usual one."""
    key = f"costs.{explanation.calculation.quantity.name}.explain"
    of = Sentence("explain.a_token" if explanation.is_of_token else "explain.whole")
    return [Sentence(key, {"of": of})] if key in composer.catalogue.entries else []


def _title(composer: Composer, asked: Model, explanation: Explanation) -> Sentence:
    if explanation.calculation.model.origin.name != asked.origin.name:
        return Sentence("explain.from_other", {"model": Prose(explanation.model)})
    if not explanation.terms:
        return sentence_of(explanation.calculation.quantity, "as_it_is", composer.catalogue)
    return Sentence("explain.sum", {"parts": Capital(Listed(tuple(_part(composer, term) for term in explanation.terms)))})


def convention(composer: Composer, term: ConventionTerm) -> Value:
    """The sentence of a term; number types and recipes stand in it as they are."""
    if term.words:
        return Sentence(f"notes.{term.note.keys[0]}", {name: Prose(word) for name, word in term.words.items()})
    return composer.note(term.note) or Prose(term.note.keys[0])


def _part(composer: Composer, term: ConventionTerm) -> Value:
    """Return the sentence of a term, with its difference in symbols if a reader can take them in."""
    sentence = convention(composer, term)
    closed = term.step.closed if term.step else None
    if closed is None or not closed.dimensions or (isinstance(closed, Sum) and len(closed.terms) > MOST_TERMS):
        return sentence
    return Sentence("explain.part", {"convention": sentence, "difference": Signed(closed)})


def addends(explanation: Explanation) -> list[Expression]:
    """Our number and what each term adds; the difference at once where a term is none, or nothing where there is none.

    A term that is not a difference stands as it is worked out: 2 × 8,030,261,248.
    """
    if explanation.start + sum(term.value for term in explanation.terms) != explanation.result:
        return (
            [number(explanation.start), with_sign(explanation.result - explanation.start)]
            if explanation.result != explanation.start
            else [number(explanation.result)]
        )
    start = [number(explanation.start)] if explanation.start else []
    return [*start, *(_in_numbers(explanation, term) for term in explanation.terms if term.value)]


def _in_numbers(explanation: Explanation, term: ConventionTerm) -> Expression:
    written = term.step.written if term.step else None
    return written if written is not None and not explanation.start and not written.dimensions else with_sign(term.value)
