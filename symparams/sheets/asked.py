"""What an interviewer asks, and the answers: the reasons of a count as questions, each number from a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symparams.answers.active_counts import active_counts, published_count
from symparams.answers.claims import Met
from symparams.derivations.derivation import Derivation
from symparams.derivations.parts import models_within, parts
from symparams.derivations.reason import Count, Reason
from symparams.derivations.reasons import TOLD_BY_STEPS, reasons
from symparams.derivations.steps import StepName
from symparams.expressions.nodes import Expression, Number
from symparams.expressions.written import number, total
from symparams.models.model import Model
from symparams.models.published import as_published
from symparams.sheets.catalogue import Catalogue
from symparams.sheets.document import Item, Section
from symparams.sheets.steps import Composer
from symparams.sheets.values import FINER, PERCENT, Listed, Percentage, Prose, Sentence, Value, rounded, short

MOST, MOST_OF_A_SMALL_ONE, MOST_OF_SEVERAL = 4, 5, 2  # on one page
SMALL = 9  # parts of a model whose page has room for one more
LARGE = 9  # parts of several models in one, whose layers fill the page
CONVENTION_OF_ACTIVE = "active"
LEAST = 10**6  # a smaller number is said whole


def asked(derivation: Derivation, composer: Composer, *, beside_steps: bool = False) -> Iterator[Section]:
    """The questions on a count of tensors, the largest effects first; beside its steps only what these do not tell."""
    if derivation.is_by_terms:
        return
    model, words = derivation.model, composer.catalogue
    portions = parts(model)
    has_room = len(portions) <= SMALL and not model.has_experts and not beside_steps
    most = MOST_OF_A_SMALL_ONE if has_room else MOST
    most = MOST_OF_SEVERAL if len(portions) > LARGE and models_within(model) else most
    used, figures = list(_active(derivation, words)), list(_figures(model, composer))
    published = figures if beside_steps else [*used, *figures][:1]
    most -= len([*used, *figures] if beside_steps else published)  # what one token uses stands beside the steps
    found = reasons(model, most, without=TOLD_BY_STEPS if beside_steps else ())
    others = [item for reason in found for item in _item(reason, words, not model.unbound)]
    items = [*others[:1], *published, *others[1:]]
    if items:
        yield Section("asked", Sentence("headings.asked"), items)


def _item(reason: Reason, words: Catalogue, is_bound: bool) -> Iterator[Item]:
    answers = (f"reasons.{reason.key}.{way}" for way in ("always", "answer" if is_bound else "symbolic"))
    answer = next((key for key in answers if key in words.entries), None)
    if answer is None:
        return
    terms: dict[str, Value] = {}
    for name, term in reason.terms.items():
        terms |= _counted(name, term, words) if isinstance(term, Count) else {name: _term(term)}
    yield Item(Sentence(f"reasons.{reason.key.partition('.')[0]}.question", terms), [Sentence(answer, terms)])


def _term(term: Expression | StepName) -> Value:
    return Sentence(f"brief.called.{term}") if isinstance(term, StepName) else term


def _counted(name: str, count: Count, words: Catalogue) -> Mapping[str, Value]:
    """Return the placeholders of a count: its formula, its number, the sign between them, its share."""
    number = count.step.count
    value: Value = None if number is None else Number(number)
    is_exact = True
    if number is not None and number >= LEAST and (scaled := rounded(number, words.short_rounding)):
        value, is_exact = scaled
    share = Percentage(count.share, PERCENT) if count.share is not None else None
    sign = Sentence("signs.exactly" if is_exact else "signs.about")
    return {name: count.step.closed, f"{name}_is": sign, f"{name}_value": value, f"{name}_share": share}


def _figures(model: Model, composer: Composer) -> Iterator[Item]:
    """Yield the question where each published figure comes from: its sentence, or the sum that it is."""
    published = as_published(model)
    if published is None or not published.claims:
        return
    from symparams.answers.explanations import published_figures
    from symparams.sheets.explanation import addends, as_told, convention

    for figure in published_figures(model):
        if any(term.key == CONVENTION_OF_ACTIVE for term in figure.terms):
            continue  # what one token uses has a question of its own
        words = composer.catalogue
        written = len(str(int(figure.claim.value)).rstrip("0"))  # the digits that its authors wrote
        claimed = short(int(figure.claim.value), words.short_rounding, written)
        sentence = as_told(figure, words)
        if sentence is None:
            conventions: Value = Listed(tuple(convention(composer, term) for term in figure.terms))
            sums: dict[str, Value] = {"sum": total(addends(figure)), "result": number(figure.result), "claimed": claimed}
            way = "truncated" if figure.met is Met.TRUNCATED else "sum"
            sentence = Sentence(f"reasons.published.{way}", {"parts": conventions, **sums})
        yield Item(Sentence("reasons.published.question", {"claimed": claimed}), [sentence])


def _active(derivation: Derivation, words: Catalogue) -> Iterator[Item]:
    """Yield the question where the published active count comes from."""
    if derivation.active is None or derivation.active.value is None:
        return
    counts = active_counts(derivation.model)
    published = published_count(derivation.model, counts)
    if published is None:
        return
    terms: dict[str, Value] = {"claimed": Prose(published.claimed)}
    terms |= {str(quantity.name): short(quantity.value or 0, words.short_rounding, FINER) for quantity in counts}
    ways = Sentence(f"reasons.published.ways.{counts[0].name}", terms)
    says = Sentence(f"reasons.published.{published.names[0] if len(published.names) == 1 else 'several'}", terms)
    yield Item(Sentence("reasons.published.question", terms), [ways, says])
