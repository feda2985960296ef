"""A model's derivation as notes with gaps: one a step, whose formula, closed form and number are asked for in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from symparams.cards.markup import Field, field, formula, prose
from symparams.cards.note_types import DERIVATION
from symparams.cards.notes import PROGRAM, AnkiNote, instance_of, note, worded
from symparams.derivations.derivation import Derivation, as_printed, derive
from symparams.derivations.steps import Step, StepKind, written_out
from symparams.expressions.nodes import Equality, Expression, Named, Number
from symparams.expressions.written import number
from symparams.models.model import Model
from symparams.models.values import to_integer
from symparams.sheets.steps import Composer, equation
from symparams.sheets.values import Capital, Name, Prose, Value
from symparams.sheets.whole import whole

PREFIX = "derivation"
WORKED_OUT = (StepKind.STEP, StepKind.BLOCK, StepKind.STACK, StepKind.TOTAL)


def derivation_notes(model: Model, language: str) -> Iterator[AnkiNote]:
    """The notes of a model's steps in their order, one that would repeat another left out."""
    derivation = derive(model)
    sheet = Field(whole(derivation, language))
    met: set[tuple[str, Expression]] = set()
    named: Counter[str] = Counter()
    for section, step in _steps(as_printed(derivation)):
        key = (str(step.name), step.written)
        if key not in met and step.written.dimensions:
            met.add(key)
            named[_kind(step)] += 1
            yield _note(model, section, step, sheet, named[_kind(step)])


def _kind(step: Step) -> str:
    """Return the name of a note: derivation.decoder.attention, derivation.decoder.layer_norms."""
    name = str(step.name)
    return ".".join(part for part in (PREFIX, step.path, "" if step.path.endswith(name) else name) if part)


def _steps(derivation: Derivation) -> Iterator[tuple[Step, Step]]:
    """Each step that is worked out, with the section in which it stands."""
    for section in (*derivation.sections, derivation.total):
        for step in _worked_out(section):
            yield section, step


def _worked_out(step: Step) -> Iterator[Step]:
    if step.kind == StepKind.TIED:  # worked out where its owner is
        return
    for inner in (*step.steps, *step.parts):
        yield from _worked_out(inner)
    if step.kind in WORKED_OUT:
        yield step


def _note(model: Model, section: Step, step: Step, sheet: Field, number: int) -> AnkiNote:
    """The note of a step; ``number`` tells it from others of the same name in the same place."""
    language, words = sheet.document.language, sheet.words.catalogue
    place = (worded(model.name), str(words.entry("cards.derivation")))
    tags = [f"{PROGRAM}::{PREFIX}", f"model::{place[0]}"]
    chain = equation(step)
    left = sheet.printer(chain.left or step.quantity)
    notes = Composer(words, is_users=sheet.document.is_users).notes(step)
    given = [sheet.text(value) for value in _given(step)]
    fields = {
        "Place": " · ".join(sheet.text(value) for value in _place(model, section, step)),
        "Text": field("gaps", formula(f"{left} ="), list(_gaps(step, sheet))),
        "Step": sheet.equations([chain]),
        "Reasons": sheet.sentences(notes),
        "Source": prose(model.source),
        "Numbers": field("folded", prose(str(words.entry("cards.given"))), given) if given else "",
    }
    kind = _kind(step) if number == 1 else f"{_kind(step)}.{number}"
    return note(DERIVATION, kind, instance_of(model), language, place, tags, fields)


def _place(model: Model, section: Step, step: Step) -> Iterator[Value]:
    """Of which model, in which section of the sheet, and what the step is called."""
    yield Prose(model.name)
    if section is not step:
        yield Capital(Name(f"one:{section.steps[0].name}" if section.kind == StepKind.STACK else str(section.name)))
    yield Capital(Name(str(step.name)))


def _gaps(step: Step, sheet: Field) -> Iterator[tuple[int, str]]:
    """1, the formula as written; 2, the closed form where it says more; 3, the number."""
    chain = [link.content for link in equation(step).chain]
    yield 1, sheet.alone(step.written)
    if step.closed in chain and step.closed != step.written:
        yield 2, sheet.alone(step.closed)
    if step.value is not None:
        yield 3, sheet.alone(number(step.value))


def _given(step: Step) -> Iterator[Expression]:
    """Return the sizes in a step's formula and the results that it adds up."""
    for size in written_out(step.written):
        if size in step.subject.values:
            yield Equality(size, Number(step.subject.values[size]))
    for result in _results(step.written):
        if all(size in step.subject.values for size in result.dimensions):
            yield Equality(result, Number(to_integer(result.definition, step.subject.values)))


def _results(written: Expression) -> tuple[Named, ...]:
    """The results that a formula calls by name, each once."""
    if isinstance(written, Named):
        return (written,)
    return tuple(dict.fromkeys(result for part in written.operands for result in _results(part)))
