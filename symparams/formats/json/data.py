"""The data of each kind of document: its expressions in the grammar of ``--expr``, its sentences as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symparams.derivations.conventions import Convention
from symparams.derivations.derivation import Derivation
from symparams.derivations.steps import Step
from symparams.expressions.closed_form import as_written
from symparams.expressions.nodes import Expression
from symparams.expressions.printing.latex import LatexPrinter
from symparams.expressions.printing.printer import plain, rounded_half_up, shortest
from symparams.formats.format import Options
from symparams.formats.json.blocks import blocks, exactly
from symparams.formats.json.budget import budget
from symparams.formats.json.costs import costs
from symparams.formats.json.questions import questions
from symparams.formats.json.solution import solution
from symparams.formats.sheet import Sheet
from symparams.formats.text.writer import FORMAT as TEXT
from symparams.models.calculation import Calculation
from symparams.models.formula import Formula, Subject
from symparams.models.model import Model
from symparams.quantities.memory import Room, footprints
from symparams.sheets.document import Document
from symparams.sheets.steps import Composer
from symparams.sheets.values import Capital, Name, Value
from symparams.sheets.whole import as_given

if TYPE_CHECKING:
    from symparams.answers.explained import Explanations
    from symparams.answers.verification import Verification


class Data:
    """The content of a document as data."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.sheet = Sheet(document, TEXT, Options())
        self.latex = LatexPrinter(document.letters, self.sheet.words.label, self.sheet.words.named)
        self.composer = Composer(self.sheet.words.catalogue, is_users=document.is_users)

    def text(self, value: Value) -> str:
        """A value as text on one line."""
        return self.sheet.text(value).strip()

    def step(self, step: Step) -> dict[str, Any]:
        """A step with all that leads to it."""
        return {
            "path": step.path,
            "name": str(step.name),
            "title": self.text(Capital(Name(str(step.name)))),
            "kind": step.kind,
            "written": self.formula(step.written),
            "substituted": self.formula(step.substituted) if step.substituted is not None else None,
            "closed_form": self.formula(step.closed),
            "value": exactly(step.value),
            "notes": [self.text(note) for note in self.composer.notes(step)],
            "steps": [self.step(inner) for inner in step.steps],
            "parts": [self.step(part) for part in step.parts],
        }

    def convention(self, convention: Convention) -> dict[str, Any]:
        """Another way to count: its sentence, its difference and what it comes to."""
        text = self.text(Capital(self.composer.note(convention.note)))
        return {"text": text, "difference": self.step(convention.difference), "result": self.step(convention.result)}

    def formula(self, expression: Expression) -> dict[str, str]:
        """A formula in the grammar of ``--expr``, as text, and in LaTeX."""
        return {"plain": plain(expression), "text": self.sheet.printer(expression), "latex": self.latex(expression)}


def whole(data: Data) -> dict[str, Any]:
    """A derivation, as the schema describes it."""
    derivation: Derivation = data.document.subject
    model, data = derivation.subject, Data(as_given(data.document))
    sheet = {
        "target": model.name,
        "architecture": model.family,
        "source": model.source,
        "language": data.document.language,
        "view": derivation.view,
        "attention": derivation.attention,
        "title": data.text(data.document.title),
        "closed_form": plain(as_written(derivation.total.polynomial)),
        "by_blocks": by_blocks(model),
        "value": derivation.total.value,
        "features": model.features,
        "dimensions": dimensions(model),
        "sections": [data.step(section) for section in derivation.sections],
        "total": data.step(derivation.total),
        "active": data.step(derivation.active) if derivation.active else None,
        "shares": [{"step": data.step(share.step), "percent": percent(share.part)} for share in derivation.shares],
        "conventions": [data.convention(convention) for convention in derivation.conventions],
        "rule_of_thumb": rule_of_thumb(data, derivation),
    }
    has_memory = any(section.key == "memory" for section in data.document.sections)
    return {**sheet, "memory": memory_rows(derivation, (), None)} if has_memory else sheet


def by_blocks(model: Subject | Calculation) -> str | None:
    """The closed form by blocks, in dimensions alone; a bare formula has none."""
    if isinstance(model, Calculation):
        return plain(model.blocks)
    return None if isinstance(model, Formula) else plain(model.blocks().formula)


def rule_of_thumb(data: Data, derivation: Derivation) -> dict[str, Any] | None:
    """The rule of thumb: its estimate, how far it is off, and why."""
    rule = derivation.rule_of_thumb
    if rule is None:
        return None
    error = None
    if rule.error is not None:
        error = ("-" if rule.error < 0 else "") + rounded_half_up(abs(rule.error) * 100, 2).replace(",", "")
    estimates = {"estimate": data.step(rule.estimate), "active": data.step(rule.active) if rule.active else None}
    return {**estimates, "error_percent": error, "sources": [data.step(s) for s in rule.sources]}


def percent(part: Fraction | None) -> str | None:
    """A part of the whole in percent, with two decimals."""
    return rounded_half_up(part * 100, 2) if part is not None else None


def dimensions(model: Subject) -> dict[str, int | None]:
    """Return the dimensions of the model by name, with their values or null."""
    return {dimension.name: model.values.get(dimension) for dimension in model.dimensions}


def count_data(model: Subject, value: int) -> dict[str, Any]:
    """The count alone."""
    closed = plain(as_written(model.polynomial()))
    return {
        "target": model.name,
        "closed_form": closed,
        "value": value,
        "features": model.features,
        "dimensions": dimensions(model),
    }


def memory(data: Data) -> dict[str, Any]:
    """Return the memory of the weights."""
    subject = data.document.subject
    derivation, room = subject.derivation, subject.room
    return {
        "target": derivation.subject.name,
        "value": derivation.total.value,
        "room_bytes": shortest(room.size).replace(",", "") if room else None,
        "memory": memory_rows(derivation, subject.dtypes, room),
    }


def memory_rows(derivation: Derivation, dtypes: tuple[str, ...], room: Room | None) -> list[dict[str, Any]]:
    """A row for each number type: its bits, the bytes as an exact decimal in a string (half a byte is no integer)."""
    rows = []
    for footprint in footprints(derivation.total.written, derivation.total.count, dtypes):
        row: dict[str, Any] = {"dtype": footprint.dtype, "bits": footprint.bits, "bytes": None}
        if footprint.size is not None:
            row["bytes"] = shortest(footprint.size).replace(",", "")
            row |= {"fits": footprint.size <= room.size} if room else {}
        rows.append(row)
    return rows


def explanation(data: Data) -> dict[str, Any]:
    """Return each explanation: what is supposed with its sentence, formula and value, our number, and what it comes to."""
    from symparams.sheets.explanation import convention

    subject: Explanations = data.document.subject
    explanations = []
    for reading in subject:
        terms = [
            {
                "text": data.text(Capital(convention(data.composer, term))),
                "formula": plain(term.step.closed) if term.step else None,
                "value": exactly(term.step.value) if term.step else None,
                "tensors": sorted(term.tensors),
            }
            for term in reading.terms
        ]
        explanations.append({
            "quantity": reading.calculation.quantity.name,
            "unit": reading.calculation.quantity.unit,
            "of": "token" if reading.is_of_token else "whole",
            "model": reading.model,
            "start": exactly(reading.start),
            "terms": terms,
            "supposed": [term["text"] for term in terms],
            "result": exactly(reading.result),
            "claimed": exactly(reading.claim.value),
            "exact": reading.is_exact,
            "explained": reading.is_explained,
            "source": reading.published.source if reading.published else None,
        })  # fmt: skip
    count, claim = subject.our_count, subject.claim
    claimed = {"claimed": claim.text} if count is None else {"value": count, "claimed": exactly(claim.plainest.value)}
    return {"target": subject.model.name, **claimed, "explanations": explanations}


def formula(data: Data) -> dict[str, Any]:
    """The closed form alone, in the grammar of ``--expr`` and in LaTeX."""
    model: Subject | Calculation = data.document.subject
    if isinstance(model, Calculation):
        latex = data.latex(data.document.title if isinstance(data.document.title, Expression) else model.written)
        forms = {"closed_form": plain(as_written(model.polynomial)), "by_blocks": by_blocks(model)}
        head: dict[str, Any] = {"target": model.model.name, "quantity": model.quantity.name, "unit": model.quantity.unit}
        return {**head, **forms, "latex": latex, "features": model.model.features}
    closed = as_written(model.polynomial())
    latex = data.latex(data.document.title if isinstance(data.document.title, Expression) else closed)
    forms = {"closed_form": plain(closed), "by_blocks": by_blocks(model)}
    return {"target": model.name, **forms, "latex": latex, "features": model.features}


def verification(data: Data) -> dict[str, Any]:
    """A model beside the library's: the two counts, each tensor that differs, and the sections as any document has them."""
    compared: Verification = data.document.subject
    return {
        "target": compared.model.name,
        "class": compared.class_name,
        "match": compared.match,
        "parameters": {"here": compared.here, "library": compared.library},
        "differences": [asdict(difference) for difference in compared.differences],
        **blocks(data),
    }


def outline(data: Data) -> dict[str, Any]:
    """A model's tree, as the schema of outlines describes it, and beside it the sections as any document has them."""
    from symparams.formats.json.tree import component, readings

    model: Model = data.document.subject
    return {
        "target": model.name,
        "architecture": model.family,
        "title": model.architecture.title,
        "source": model.source,
        "language": data.document.language,
        "features": model.features,
        "switches": model.switches,
        "dimensions": dimensions(model),
        "tree": component(model, model.tree, model.name),
        "flow": {path: readings(lines) for path, lines in model.flow().items()},
        "sections": blocks(data)["sections"],
    }


DATA: Mapping[str, Callable[[Data], dict[str, Any]]] = {
    "whole": whole, "costs": costs, "budget": budget,
    "memory": memory, "explanation": explanation,
    "formula": formula, "brief": blocks, "outline": outline,
    "verification": verification, "solution": lambda data: solution(data.document.subject, data.latex),
    "booklet": questions, "exam": questions,
}  # fmt: skip
