"""Asking: whether a kind can be asked of a model, in which forms, and in which of them its level asks first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from symparams.models.model import Model
from symparams.practice import conditions
from symparams.practice.kind import CHOICE, ESTIMATE, HARD, NUMBER, STANDARD, SYMBOLIC, WARM_UP, AnswerForm, QuestionTemplate
from symparams.practice.parts import part
from symparams.practice.question import Question
from symparams.practice.readings import read

# Which form a level asks for first, where a kind has several.
USUAL: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        WARM_UP: (NUMBER, ESTIMATE, SYMBOLIC, CHOICE),
        STANDARD: (SYMBOLIC, ESTIMATE, NUMBER, CHOICE),
        HARD: (NUMBER, SYMBOLIC, ESTIMATE, CHOICE),
    }
)


def ask(kind: QuestionTemplate, model: Model, *, pick: int = 0) -> Question | None:
    """The question that a kind asks of a model, in the form that its level asks for; None where it cannot be asked.

    ``pick`` chooses among what a record gives in several ways, a rank or a context.
    """
    if not conditions.holds(model, kind.where) or not conditions.agrees(model, kind.under):
        return None
    if _is_about_a_layer(kind) and not conditions.has_plain_layers(model):
        return None
    given = _given(kind, model, pick)
    if given is None:
        return None
    question = Question(kind, model, kind.forms[0], given)
    if kind.is_choice:
        return question
    if (kind.step and part(model, kind.step) is None) or any(read(model, wanted) is None for wanted in kind.reads.values()):
        return None
    if not question.is_known(question.written) or not question.mistakes:
        return None
    return _in_its_form(question)


def _is_about_a_layer(kind: QuestionTemplate) -> bool:
    """True if a kind asks for a part of a layer, or reads one."""
    read_too = (wanted if isinstance(wanted, str) else str(wanted.get("of", "")) for wanted in kind.reads.values())
    return any(name.partition(".")[0] in ("layer", "layers") for name in (kind.step, *read_too))


def _given(kind: QuestionTemplate, model: Model, pick: int) -> dict[str, int] | None:
    """Return what a question gives: numbers, or formulas in the model's letters, in N and in what its record reads."""
    plain, given = Question(kind, model, kind.forms[0], {}), dict[str, int]()
    for name, choices in kind.given.items():
        written = conditions.parsed(choices[pick % len(choices)])
        value = plain.worth(written) if plain.is_known(written) else None
        if value is None or int(value) != value:
            return None
        given[name] = int(value)
    return given


def forms(question: Question) -> Iterator[AnswerForm]:
    """The forms in which a question can be asked."""
    yield from (form for form in question.kind.forms if can_be_asked(question, form))


def can_be_asked(question: Question, form: AnswerForm) -> bool:
    """True if the form tells right from wrong: no usual mistake lies within an estimate's tolerance."""
    if form.name == SYMBOLIC:
        return bool(question.polynomial.letters)
    if form.name != ESTIMATE or form.tolerance is None or question.value is None:
        return True
    room = form.tolerance * abs(Fraction(question.value))
    return all(abs(Fraction(mistake.value) - question.value) > room for mistake in question.mistakes)


def _in_its_form(question: Question) -> Question | None:
    """The question in the form that its level asks for first: a number to warm up, then a formula."""
    by_preference = sorted(forms(question), key=lambda form: USUAL[question.kind.level].index(form.name))
    return replace(question, form=by_preference[0]) if by_preference else None
