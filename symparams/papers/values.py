"""The values of a model that running text quotes: counts, rounded counts, closed forms, and the same of each component."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from symparams.derivations.shares import shares
from symparams.derivations.steps import step
from symparams.expressions.closed_form import as_written
from symparams.expressions.nodes import Expression, Number
from symparams.formats import find
from symparams.formats.format import Options
from symparams.formats.sheet import Sheet
from symparams.models.calculation import calculate
from symparams.models.model import Model
from symparams.quantities.parameters import ACTIVE
from symparams.quantities.quantity import PARAMETERS
from symparams.sheets.document import Document
from symparams.sheets.values import Capital, Name, Prose, Sentence, percent, rounded
from symparams.sheets.whole import is_users, letters_of

COUNT, DIGITS, ROUNDED, SHARE = "count", "digits", "rounded", "share"
CLOSED_FORM, BLOCKS = "closed_form", "closed_form_blocks"
FORMULAS = (CLOSED_FORM, BLOCKS)
COMPONENTS, ACTIVE_PART, WHOLE = "components", "active", "whole"


@dataclass(frozen=True)
class QuotedValue:
    """A value: where it stands below its model, its text (TeX of a formula), and the sentence that says what it is."""

    path: tuple[str, ...]
    text: str
    says: str

    @property
    def kind(self) -> str:
        """The kind of the value: a count, its digits, a closed form."""
        return self.path[-1]


@dataclass(frozen=True)
class Values:
    """A model and what may be quoted of it."""

    name: str
    entries: tuple[QuotedValue, ...]


def values(model: Model, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None) -> Values:
    """Return the values of a model that a text may quote; only the formulas of a model without values."""
    letters = letters_of(model, notation, symbols or {})
    document = Document("values", language, None, None, (), letters=letters, subject=model, is_users=is_users(model))
    return Values(model.name, tuple(_ValueReader(model, Sheet(document, find("latex"), Options())).entries()))


class _ValueReader:
    """Reads a model's values in a language and a notation."""

    def __init__(self, model: Model, sheet: Sheet) -> None:
        self.model, self.sheet = model, sheet
        self.text = Sheet(sheet.document, find("text"), Options())

    def entries(self) -> Iterator[QuotedValue]:
        model = self.model
        count = None if model.unbound else model.count()
        yield from self._counted((), count, WHOLE)
        yield from self._formula((CLOSED_FORM,), as_written(model.polynomial()), WHOLE)
        yield from self._formula((BLOCKS,), model.blocks(names={}).formula, WHOLE)
        if model.has_experts:
            active = model.polynomial(ACTIVE)
            yield from self._counted((ACTIVE_PART,), None if count is None else model.active_count(), ACTIVE_PART)
            yield from self._formula((ACTIVE_PART, CLOSED_FORM), as_written(active), ACTIVE_PART)
        for portion in shares(calculate(model, PARAMETERS, {}), {}):
            name = str(portion.step.name)
            path = (COMPONENTS, name)
            yield from self._counted(path, portion.step.count, name)
            if portion.part is not None:
                yield self._entry((*path, SHARE), percent(portion.part, self.sheet.head["percent"]), name)
            closed = step(model, "", name, portion.step.written).polynomial
            yield from self._formula((*path, CLOSED_FORM), as_written(closed), name)

    def _counted(self, path: tuple[str, ...], count: int | None, of: str) -> Iterator[QuotedValue]:
        """A count in groups of three digits, without them, and as people say it."""
        if count is None:
            return
        words = rounded(count, self.sheet.words.catalogue.rounding)
        yield self._entry((*path, COUNT), self.text.printer(Number(count)), of)
        yield self._entry((*path, DIGITS), str(count), of)
        yield self._entry((*path, ROUNDED), self.text.printer(words[0] if words else Number(count)), of)

    def _formula(self, path: tuple[str, ...], formula: Expression, of: str) -> Iterator[QuotedValue]:
        yield self._entry(path, self.sheet.printer(formula), of)

    def _entry(self, path: tuple[str, ...], text: str, of: str) -> QuotedValue:
        model = Prose(self.model.name)
        what = Capital(Sentence(f"macros.of.{of}") if of in (WHOLE, ACTIVE_PART) else Name(of))
        says = Sentence(f"macros.{path[-1]}", {"what": what, "model": model})
        return QuotedValue(path, text, self.text.text(says))
