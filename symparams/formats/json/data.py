"""The data of each kind of document: its expressions in the grammar of ``--expr``, its sentences as text."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symparams.derivations.conventions import Convention
from symparams.derivations.derivation import Derivation
from symparams.derivations.steps import Step
from symparams.expressions.closed_form import as_written
from symparams.expressions.nodes import Expression
from symparams.expressions.printing.latex import LatexPrinter
from symparams.expressions.printing.printer import plain, rounded_half_up
from symparams.expressions.symbols import in_rank
from symparams.formats.format import Options
from symparams.formats.json.blocks import exactly, percent
from symparams.formats.json.reading import reading
from symparams.formats.sheet import Sheet
from symparams.formats.text.writer import MARKUP
from symparams.models.calculation import Calculation
from symparams.models.formula import Formula, Subject
from symparams.models.model import Model
from symparams.quantities.quantity import NUMBERS, PARAMETERS
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
        self.sheet = Sheet(document, MARKUP, Options())
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


def derivation(data: Data) -> dict[str, Any]:
    """A quantity worked out: what it is of, its steps, where it is, and the other ways to count it."""
    from symparams.formats.json.uses import memory_rows

    derived: Derivation = data.document.subject
    subject, calculation, data = derived.subject, derived.calculation, Data(as_given(data.document))
    has_memory = any(section.key == "memory" for section in data.document.sections)
    return {
        "target": subject.name,
        "architecture": subject.family,
        "source": subject.source,
        **quantity_data(calculation),
        "view": derived.view,
        "attention": derived.attention,
        "closed_form": plain(as_written(calculation.polynomial if calculation is not None else derived.total.polynomial)),
        "by_blocks": by_blocks(calculation or subject),
        "value": exactly(derived.total.value),
        "features": subject.features,
        **reading(subject),
        **({"fits": [asdict(fit) | {"letter": fit.letter.name} for fit in derived.fits]} if derived.fits else {}),
        "dimensions": dimensions(calculation if calculation is not None else subject),
        "sections": [data.step(section) for section in derived.sections],
        "total": data.step(derived.total),
        "active": data.step(derived.active) if derived.active else None,
        "shares": [{"step": data.step(share.step), "percent": percent(share.part)} for share in derived.shares],
        "conventions": [data.convention(convention) for convention in derived.conventions],
        "rule_of_thumb": rule_of_thumb(data, derived),
        **({"memory": memory_rows(derived.total.written, derived.total.count, (), None)} if has_memory else {}),
    }


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


def quantity_data(calculation: Calculation | None) -> dict[str, str]:
    """Return the quantity and its unit; a bare formula counts parameters."""
    return {
        "quantity": calculation.quantity.name if calculation is not None else PARAMETERS,
        "unit": calculation.quantity.unit if calculation is not None else NUMBERS,
    }


def dimensions(subject: Subject | Calculation) -> dict[str, int | str | None]:
    """Return the letters of a subject by name, with their values or null."""
    if isinstance(subject, Calculation):
        values, letters = subject.model.values, in_rank(subject.letters)
    else:
        values, letters = subject.values, subject.dimensions
    return {letter.name: exactly(values.get(letter)) for letter in letters}


def counted_data(subject: Subject | Calculation) -> tuple[Subject, dict[str, str]]:
    """Return the model that is counted; its name, the quantity and the closed form."""
    if isinstance(subject, Calculation):
        model: Subject = subject.model
        quantity, polynomial = quantity_data(subject), subject.polynomial
    else:
        model, quantity, polynomial = subject, quantity_data(None), subject.polynomial()
    return model, {"target": model.name, **quantity, "closed_form": plain(as_written(polynomial))}


def count_data(subject: Subject | Calculation, value: int | Fraction) -> dict[str, Any]:
    """The number alone; a fraction of a byte is text, exact."""
    model, counted = counted_data(subject)
    return {
        **counted,
        "value": exactly(value),
        "features": model.features,
        **reading(model),
        "dimensions": dimensions(subject),
    }


def explanation(data: Data) -> dict[str, Any]:
    """Return each explanation: what is supposed with its sentence, formula and value, our number, and what it comes to."""
    from symparams.sheets.explanation import convention

    subject: Explanations = data.document.subject
    explanations = []
    for explained in subject:
        terms = [
            {
                "text": data.text(Capital(convention(data.composer, term))),
                "formula": plain(term.step.closed) if term.step else None,
                "value": exactly(term.step.value) if term.step else None,
                "tensors": sorted(term.tensors),
            }
            for term in explained.terms
        ]
        explanations.append({
            "quantity": explained.calculation.quantity.name,
            "unit": explained.calculation.quantity.unit,
            "of": "token" if explained.is_of_token else "whole",
            "model": explained.model,
            "start": exactly(explained.start),
            "terms": terms,
            "supposed": [term["text"] for term in terms],
            "result": exactly(explained.result),
            "claimed": exactly(explained.claim.value),
            "exact": explained.is_exact,
            "explained": explained.is_explained,
            "source": explained.published.source if explained.published else None,
        })  # fmt: skip
    count, claim = subject.our_count, subject.claim
    claimed = {"claimed": claim.text} if count is None else {"value": count, "claimed": exactly(claim.plainest.value)}
    return {"target": subject.model.name, **claimed, "explanations": explanations, **reading(subject.model)}


def formula(data: Data) -> dict[str, Any]:
    """The closed form alone, in the grammar of ``--expr`` and in LaTeX."""
    subject, title = data.document.subject, data.document.title
    assert isinstance(title, Expression)
    model, counted = counted_data(subject)
    return {
        **counted,
        "by_blocks": by_blocks(subject),
        "latex": data.latex(title),
        "features": model.features,
        **reading(model),
    }


def verification(data: Data) -> dict[str, Any]:
    """A model beside the library's: the two counts, and each tensor that differs."""
    compared: Verification = data.document.subject
    return {
        "target": compared.model.name,
        "class": compared.class_name,
        "match": compared.match,
        "parameters": {"here": compared.here, "library": compared.library},
        "differences": [asdict(difference) for difference in compared.differences],
        **reading(compared.model),
    }


def outline(data: Data) -> dict[str, Any]:
    """A model's tree: its components and tensors, what its parts read, its features."""
    from symparams.formats.json.tree import component, readings

    model: Model = data.document.subject
    return {
        "target": model.name,
        "architecture": model.family,
        "title": model.architecture.title,
        "source": model.source,
        "features": model.features,
        **reading(model),
        "switches": model.switches,
        "dimensions": dimensions(model),
        "tree": component(model, model.tree, model.name),
        "flow": {path: readings(lines) for path, lines in model.flow().items()},
    }
