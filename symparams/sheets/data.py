"""JSON: a derivation as data, every formula in the grammar of ``--expr`` and in LaTeX, every sentence in a language."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from symparams.derivations.derivation import Derivation
from symparams.derivations.steps import Step
from symparams.expressions.closed_form import as_written
from symparams.expressions.nodes import Expression
from symparams.expressions.printing import plain
from symparams.formats import FORMATS
from symparams.models.model import Model
from symparams.quantities.memory import Room, footprints
from symparams.sheets.numbers import decimal, shortest
from symparams.sheets.sheet import Sheet


def to_json(
    derivation: Derivation,
    language: str,
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
    *,
    with_memory: bool = False,
) -> str:
    """The derivation as JSON that the schema ``templates/json/sheet.schema.json`` describes."""
    words = Sheet(derivation, FORMATS["text"], language, notation, symbols=symbols)
    latex = Sheet(derivation, FORMATS["latex"], language, notation, symbols=symbols)
    data = _Data(derivation, words, latex).sheet()
    if with_memory:
        data["memory"] = memory_rows(derivation, (), None)
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def count_json(model: Model, value: int) -> str:
    """The count alone as JSON: target, closed form, value, features, dimensions."""
    data = {
        "target": model.name,
        "closed_form": plain(as_written(model.polynomial)),
        "value": value,
        "features": model.features,
        "dimensions": dimensions_data(model),
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def formula_json(model: Model, closed: Expression, latex: str) -> str:
    """The closed form alone as JSON, in the grammar of ``--expr`` and in LaTeX."""
    data = {"target": model.name, "closed_form": plain(closed), "latex": latex, "features": model.features}
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def memory_json(derivation: Derivation, dtypes: Sequence[str], room: Room | None) -> str:
    """The memory of the weights as JSON."""
    data = {
        "target": derivation.model.name,
        "value": derivation.total.value,
        "room_bytes": shortest(room.size).replace(",", "") if room else None,
        "memory": memory_rows(derivation, dtypes, room),
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def memory_rows(derivation: Derivation, dtypes: Sequence[str], room: Room | None) -> list[dict[str, Any]]:
    """A row for each number type: its bits, the bytes as an exact decimal in a string (half a byte is no integer)."""
    rows = []
    for footprint in footprints(derivation.total, dtypes):
        row: dict[str, Any] = {"dtype": footprint.dtype, "bits": footprint.bits, "bytes": None}
        if footprint.size is not None:
            row["bytes"] = shortest(footprint.size).replace(",", "")
            row |= {"fits": footprint.size <= room.size} if room else {}
        rows.append(row)
    return rows


def dimensions_data(model: Model) -> dict[str, int | None]:
    """Each dimension of the model by name, with its value or null."""
    return {dimension.name: model.values.get(dimension) for dimension in model.dimensions}


class _Data:
    def __init__(self, derivation: Derivation, words: Sheet, latex: Sheet) -> None:
        self.derivation, self.words, self.latex = derivation, words, latex

    def sheet(self) -> dict[str, Any]:
        derivation, model = self.derivation, self.derivation.model
        return {
            "target": model.name,
            "architecture": model.architecture.name,
            "source": model.source,
            "language": self.words.language,
            "view": derivation.view,
            "attention": derivation.attention,
            "title": self.words.title,
            "closed_form": plain(derivation.total.closed),
            "value": derivation.total.value,
            "features": model.features,
            "dimensions": dimensions_data(model),
            "sections": [self.step(section) for section in derivation.sections],
            "total": self.step(derivation.total),
            "active": self.step(derivation.active) if derivation.active else None,
            "shares": [
                {"step": self.step(share.step), "percent": decimal(share.part * 100, 2) if share.part is not None else None}
                for share in derivation.shares
            ],
            "conventions": [
                {"text": self.words.note(c.note).strip(), "difference": self.step(c.difference), "result": self.step(c.result)}
                for c in derivation.conventions
            ],
            "rule_of_thumb": self.rule_of_thumb(),
        }

    def step(self, step: Step) -> dict[str, Any]:
        return {
            "path": step.path,
            "name": step.name,
            "title": self.words.name(step),
            "kind": step.kind,
            "written": self.formula(step.written),
            "substituted": self.formula(step.substituted) if step.substituted is not None else None,
            "closed_form": self.formula(step.closed),
            "value": step.value,
            "notes": [text.strip() for text in map(self.words.note, step.notes) if text],
            "steps": [self.step(inner) for inner in step.steps],
            "parts": [self.step(part) for part in step.parts],
        }

    def formula(self, expression: Expression) -> dict[str, str]:
        return {"plain": plain(expression), "text": self.words.printer(expression), "latex": self.latex.printer(expression)}

    def rule_of_thumb(self) -> dict[str, Any] | None:
        rule = self.derivation.rule_of_thumb
        if rule is None:
            return None
        error = (
            None if rule.error is None else ("-" if rule.error < 0 else "") + decimal(abs(rule.error) * 100, 2).replace(",", "")
        )
        return {"estimate": self.step(rule.estimate), "error_percent": error, "sources": [self.step(s) for s in rule.sources]}
