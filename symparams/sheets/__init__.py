"""Sheets: what is said, before any format. A derivation or an answer is composed into a document, one file for each kind.

Which function composes an answer of which kind, and what may be chosen of it, stands here. A kind is named, not imported: what
a command does not answer with stays unloaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from symparams.errors import OptionError, quoted

if TYPE_CHECKING:
    from symparams.sheets.document import Document

LETTERS = ("notation", "symbols")


@dataclass(frozen=True)
class Composition:
    """A kind of answer: what it is called, "module:function", and the options of that beside the language.

    One without a function has no sheet, or is one; then it ``has_language`` of its own. ``formats`` are those that write it
    alone, and nothing else.
    """

    noun: str
    function: str
    options: tuple[str, ...] = LETTERS
    formats: tuple[str, ...] = ()

    @property
    def has_language(self) -> bool:
        """True if it is in a language already."""
        return not self.function

    def compose(self, answer: object, language: str, options: Mapping[str, Any]) -> Document:
        """The document of an answer."""
        module, _, name = self.function.partition(":")
        document: Document = getattr(import_module(f"symparams.{module}"), name)(answer, language, **options)
        return document


COMPOSITIONS: Mapping[str, Composition] = {
    "derivations.derivation.Derivation": Composition(
        "derivation", "sheets.whole:sheet_of", (*LETTERS, "brief", "with_memory", "figure")
    ),
    "derivations.budget.Budget": Composition("budget", "sheets.budget.sheet:budget_sheet", (*LETTERS, "brief")),
    "answers.comparison.Comparison": Composition("comparison", "sheets.comparison:comparison"),
    "answers.explained.Explanations": Composition("list of explanations", "sheets.explanation:explanation", ()),
    "answers.plans.Plan": Composition("plan", "sheets.plan:plan_sheet"),
    "answers.solutions.Solutions": Composition("list of solutions", "sheets.solution:solution"),
    "answers.verification.Verification": Composition("verification", "sheets.verification:verification", ()),
    "cards.collected.Deck": Composition("deck of cards", "", (), ("apkg", "csv")),
    "practice.worksheet.Worksheet": Composition("worksheet", "sheets.worksheet.filled:worksheet"),
}
OF_A_DOCUMENT = Composition("document", "", ())


def composition_of(answer: object) -> Composition | None:
    """Return the composer of an answer; None for a model or its name, which is derived first."""
    from symparams.sheets.document import Document

    if isinstance(answer, Document):
        return OF_A_DOCUMENT
    kinds = (f"{kind.__module__}.{kind.__qualname__}".removeprefix("symparams.") for kind in type(answer).__mro__)
    return next((COMPOSITIONS[kind] for kind in kinds if kind in COMPOSITIONS), None)


def document_of(answer: Any, **options: Any) -> Document:
    """The document of an answer, with the options that were chosen; a document stays.

    OptionError for an option that an answer of its kind has not.
    """
    from symparams.sheets.document import Document

    composition = composition_of(answer)
    if composition is None:
        from symparams.derivations.derivation import derive

        return document_of(derive(answer), **options)
    refuse_unused(answer, options)
    if isinstance(answer, Document):
        return answer
    return composition.compose(answer, options.pop("language", "en"), options)


def refuse_format(answer: Any, name: str) -> None:
    """OptionError for a format that does not write an answer of this kind."""
    composition = composition_of(answer)
    if composition is not None and composition.formats and name not in composition.formats:
        raise OptionError(f"A {composition.noun} is not written as {name}: choose {' or '.join(composition.formats)}.")
    for other in COMPOSITIONS.values():
        if name in other.formats and other is not composition:
            raise OptionError(f"{quoted(name)} is for a {other.noun}, not for this: choose another format.")


def refuse_unused(answer: Any, options: Mapping[str, Any]) -> None:
    """OptionError for an option that an answer of its kind has not, and for another language than it was made in."""
    composition = composition_of(answer)
    if composition is None:
        return
    for name in options:
        if name not in (*composition.options, "language"):
            raise OptionError(f"A {composition.noun} cannot use {name}: leave out {name}.")
    if composition.has_language and options.get("language", answer.language) != answer.language:
        raise OptionError(f"The {composition.noun} is in the language {answer.language}: leave out language.")
