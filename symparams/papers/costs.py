"""The values of a cost that running text quotes: the number, rounded, its closed form, and the same of each component."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from symparams.answers.aligned_components import shares_of
from symparams.expressions.closed_form import as_written
from symparams.expressions.nodes import Expression
from symparams.expressions.notation import Letters
from symparams.expressions.written import number
from symparams.formats import find
from symparams.formats.format import Options
from symparams.formats.sheet import Sheet
from symparams.models.calculation import Calculation
from symparams.papers.values import BLOCKS, CLOSED_FORM, COMPONENTS, COUNT, DIGITS, ROUNDED, SHARE, QuotedValue, Values
from symparams.sheets.document import Document
from symparams.sheets.quantities import column_of, noun_of, rounded_links
from symparams.sheets.values import Capital, Name, Prose, Sentence, Value, percent
from symparams.sheets.whole import is_users, letters_of


def values_of_cost(
    costed: Calculation, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Values:
    """Return the values of a model's cost that a text may quote; only the formulas if an input has no value."""
    model = costed.model
    is_own = is_users(model) or costed.quantity.is_own
    letters = Letters(letters_of(model, notation, symbols or {})).counting(costed.quantity.letter)
    document = Document("values", language, None, None, (), letters=letters, subject=costed, is_users=is_own)
    return Values(model.name, tuple(_CostReader(costed, Sheet(document, find("latex"), Options())).entries()))


class _CostReader:
    """Reads a cost's values in a language and a notation."""

    def __init__(self, costed: Calculation, sheet: Sheet) -> None:
        self.costed, self.sheet = costed, sheet
        self.text = Sheet(sheet.document, find("text"), Options())

    def entries(self) -> Iterator[QuotedValue]:
        costed, name = self.costed, self.costed.quantity.name
        what = noun_of(costed.quantity)
        yield from self._number((name,), costed.value() if costed.is_bound else None, what)
        yield self._entry((name, CLOSED_FORM), self.sheet.printer(as_written(costed.polynomial)), what)
        yield self._entry((name, BLOCKS), self.sheet.printer(costed.blocks), what)
        for component, share in shares_of(costed).items():
            path = (name, COMPONENTS, component)
            yield from self._number(path, share.step.value, Name(component))
            if share.part is not None:
                yield self._entry((*path, SHARE), percent(share.part, self.sheet.head["percent"]), Name(component))
            yield self._entry((*path, CLOSED_FORM), self.sheet.printer(share.step.closed), Name(component))

    def _number(self, path: tuple[str, ...], value: int | Fraction | None, what: Value) -> Iterator[QuotedValue]:
        """A number in groups of three digits, without them, and in the largest unit."""
        if value is None:
            return
        links = rounded_links(value, self.costed.quantity, self.sheet.words.catalogue)
        plain: Expression = number(value)
        yield self._entry((*path, COUNT), self.text.printer(plain), what)
        yield self._entry((*path, DIGITS), str(value), what)
        yield self._entry((*path, ROUNDED), self.text.printer(links[0].content if links else plain), what)

    def _entry(self, path: tuple[str, ...], text: str, what: Value) -> QuotedValue:
        """A value and what it is: of FLOPs or bytes, in the words for a number."""
        unit = column_of(self.costed.quantity)
        filled: dict[str, Value] = {"what": Capital(what), "model": Prose(self.costed.name), "unit": unit}
        return QuotedValue(path, text, self.text.text(Sentence(f"macros.costs.{path[-1]}", filled)))
