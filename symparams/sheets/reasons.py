"""Explanations as lines of text or as JSON: what was done to the count, and the sum that comes out exactly."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from symparams.answers.explanations import Explanation, Term
from symparams.answers.verification import Comparison
from symparams.derivations.derivation import derive
from symparams.expressions.nodes import Negative, Number
from symparams.expressions.printing import plain
from symparams.formats import FORMATS
from symparams.models.model import Model
from symparams.sheets.sheet import Sheet
from symparams.sheets.tables import Cell, Table


def to_text(model: Model, claim: int, explanations: Sequence[Explanation], language: str) -> str:
    """Each explanation with its sum; one honest line where there is none."""
    sheet = Sheet(derive(model), FORMATS["text"], language, "hidden")
    if not explanations:
        difference = Number(abs(claim - model.count()))
        none = sheet.say(
            "explain.none", claimed=Number(claim), difference=difference, count=Number(model.count()), model=model.name
        )
        return none + "\n"
    return "\n".join(_paragraph(sheet, model, claim, explanation) for explanation in explanations)


def comparison_text(comparison: Comparison) -> str:
    """The tensors by shape, here and in the library, the two counts, and whether they match."""
    rows = []
    for shape in sorted(comparison.shapes_here | comparison.shapes_library, reverse=True):
        here, library = comparison.shapes_here[shape], comparison.shapes_library[shape]
        sides = " × ".join(f"{side:,}" for side in shape) or "scalar"
        rows.append([sides, f"{here:,}", f"{library:,}", "" if here == library else "differs"])
    rows.append(["parameters", f"{comparison.here:,}", f"{comparison.library:,}", ""])
    cells = tuple(tuple(Cell(text) for text in row) for row in rows)
    table = Table(("Shape of a tensor", "here", comparison.class_name, ""), "lrrl", cells)
    return "\n".join([*table.padded, "", f"match: {comparison.match}"]) + "\n"


def to_json(model: Model, claim: int, explanations: Sequence[Explanation], language: str) -> str:
    """The same as data: each term with its sentence, its formula in the grammar of ``--expr``, and its value."""
    sheet = Sheet(derive(model), FORMATS["text"], language, "hidden")
    data: dict[str, Any] = {"target": model.name, "value": model.count(), "claimed": claim, "explanations": []}
    for explanation in explanations:
        terms = [
            {"text": sheet.note(term.note).strip(), "formula": plain(term.step.closed), "value": term.step.value}
            for term in explanation.terms
        ]
        entry = {"model": explanation.model, "start": explanation.start, "terms": terms}
        data["explanations"].append({**entry, "result": explanation.result, "exact": explanation.is_exact})
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _paragraph(sheet: Sheet, model: Model, claim: int, explanation: Explanation) -> str:
    if explanation.model != model.name:
        title = sheet.say("explain.from_other", model=explanation.model)
    elif explanation.terms:
        joint = str(sheet.catalogue.entries["explain.joint"])
        parts = joint.join(f"{_lower(sheet.note(term.note).strip())} ({_formula(sheet, term)})" for term in explanation.terms)
        title = sheet.say("explain.sum", parts=parts[:1].upper() + parts[1:])
    else:
        title = sheet.say("explain.as_it_is")
    start = [sheet.printer.number(explanation.start)] if explanation.start else []
    signed = [_signed(sheet, term.step.value or 0, first=not start and i == 0) for i, term in enumerate(explanation.terms)]
    total = "".join([*start, *signed])
    result = sheet.printer.number(explanation.result)
    line = total if total == result else f"{total} = {result}"
    if explanation.result != claim:
        line += f" ≈ {sheet.printer.number(claim)} ({sheet.say('explain.rounded')})"
    return f"{title}\n    {line}\n"


def _signed(sheet: Sheet, value: int, *, first: bool) -> str:
    number = sheet.printer.number(abs(value))
    if first:
        return number if value >= 0 else sheet.printer(Negative(Number(-value)))
    return (sheet.printer.plus if value >= 0 else sheet.printer.minus) + number


def _formula(sheet: Sheet, term: Term) -> str:
    written = sheet.printer(term.step.closed)
    return written if written.startswith(sheet.printer.minus.strip()) else f"+{written}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text
