"""Asking: whether a kind can be asked of a model, in which forms, and in which of them its level asks first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm
from types import MappingProxyType

from symparams.answers.boards import board
from symparams.models.calculation import own_context
from symparams.models.model import Model
from symparams.practice import conditions
from symparams.practice.kind import (
    BANDWIDTH,
    CHOICE,
    ESTIMATE,
    HARD,
    MEMORY,
    NUMBER,
    PEAK,
    STANDARD,
    SYMBOLIC,
    WARM_UP,
    AnswerForm,
    QuestionTemplate,
)
from symparams.practice.parts import part
from symparams.practice.question import Question
from symparams.practice.readings import read

LENGTHS = ("s", "t", "c", "s_src")  # of sequences
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

    ``pick`` chooses among what a record gives in several ways, a rank, a context, a board; where that cannot be of this model,
    the next one that can.
    """
    if not conditions.holds(model, kind.where) or not conditions.agrees(model, kind.under):
        return None
    if _is_about_a_layer(kind) and not conditions.has_plain_layers(model):
        return None
    if kind.is_choice:
        return Question(kind, model, kind.forms[0], {})
    if (kind.step and part(model, kind.step) is None) or any(read(model, wanted) is None for wanted in kind.reads.values()):
        return None
    ways = lcm(*map(len, kind.given.values()), len(kind.boards) or 1)
    with_given = (question for i in range(ways) if (question := _given(kind, model, pick + i)) is not None)
    askable = (question for question in with_given if question.is_known(question.written) and question.mistakes)
    return next((question for each in askable if (question := _in_its_form(each)) is not None), None)


def _is_about_a_layer(kind: QuestionTemplate) -> bool:
    """True if a kind asks for a part of a layer, or reads one."""
    read_too = (wanted if isinstance(wanted, str) else str(wanted.get("of", "")) for wanted in kind.reads.values())
    return any(name.partition(".")[0] in ("layer", "layers") for name in (kind.step, *read_too))


def _given(kind: QuestionTemplate, model: Model, pick: int) -> Question | None:
    """The question with what it gives: a board, numbers, or formulas in the model's letters, in N and in what is read.

    None where a sequence is longer than the model takes, or what is given does not satisfy the record's relations.
    """
    chosen = board(kind.boards[pick % len(kind.boards)]) if kind.boards else None
    given = {}
    if chosen:  # in FLOPs and in bytes, a second where it is a rate
        given = {PEAK: int(chosen.peak[kind.peak]), BANDWIDTH: int(chosen.bandwidth), MEMORY: int(chosen.memory)}
    plain = Question(kind, model, kind.forms[0], given)
    for name, choices in kind.given.items():
        written = conditions.parsed(choices[pick % len(choices)])
        value = plain.worth(written) if plain.is_known(written) else None
        if value is None or int(value) != value:
            return None
        given = {**given, name: int(value)}
    longest = own_context(model)
    if longest is not None and any(given.get(length, 0) > longest for length in LENGTHS):
        return None
    question = replace(plain, given=given, board=chosen.name if chosen else "")
    return question if all(conditions.compares(question.size_of, relation) for relation in kind.holds) else None


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
