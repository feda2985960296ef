"""Sheets: what is said, before any format. A derivation or an answer is composed into a document, one file for each kind.

Which functions compose the document and the data of an answer of which kind, and what may be chosen of it, stands here. A kind
is named, not imported: what a command does not answer with stays unloaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from symparams.errors import OptionError, quoted
from symparams.records import frozen

if TYPE_CHECKING:
    from symparams.sheets.document import Document

LETTERS = ("notation", "symbols")
IN_JSON = "formats.json.data"


@frozen
class Composition:
    """A kind of answer: what it is called, the class ``of`` it, and its ``document`` and its ``data``, "module:function" each.

    A document by itself has no class of answers; one without data is told by its blocks. An answer without a document has no
    sheet, or is one; then it ``has_language`` of its own. ``options`` are those of the document beside the language,
    ``formats`` those that write it alone, and nothing else, ``also`` of such formats those that write this, too. One that
    ``is_read_whole`` is its sheet where Python would print its ``repr``. One that ``has_page`` is a page of HTML without live
    numbers.
    """

    noun: str
    of: str = ""
    document: str = ""
    data: str = ""
    options: tuple[str, ...] = LETTERS
    formats: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    is_read_whole: bool = False
    has_page: bool = False

    @property
    def has_language(self) -> bool:
        """True if it is in a language already."""
        return not self.document


# By the kind of the document, which is that of JSON.
COMPOSITIONS: Mapping[str, Composition] = {
    "derivation": Composition(
        "derivation", "derivations.derivation.Derivation", "sheets.whole:sheet_of", f"{IN_JSON}:derivation",
        (*LETTERS, "brief", "with_memory", "figure", "with_plot"),
    ),
    "budget": Composition(
        "budget", "derivations.budget.Budget", "sheets.budget.sheet:budget_sheet", "formats.json.budget:budget",
        (*LETTERS, "brief"),
    ),
    "comparison": Composition(
        "comparison", "answers.comparison.Comparison", "sheets.comparison:comparison", "formats.json.comparison:comparison"
    ),
    "explanation": Composition(
        "list of explanations", "answers.explained.Explanations", "sheets.explanation:explanation", f"{IN_JSON}:explanation",
        options=(), is_read_whole=True, has_page=True,
    ),
    "memory": Composition(
        "plan", "answers.plans.Plan", "sheets.plan:plan_sheet", "formats.json.uses:memory", is_read_whole=True
    ),
    "flops": Composition(
        "plan", "answers.plans.Plan", "sheets.plan:plan_sheet", "formats.json.uses:flops", is_read_whole=True
    ),
    "solution": Composition(
        "list of solutions", "answers.solutions.Solutions", "sheets.solution:solution", "formats.json.solution:solution",
        is_read_whole=True,
    ),
    "verification": Composition(
        "verification", "answers.verification.Verification", "sheets.verification:verification", f"{IN_JSON}:verification", (),
        has_page=True,
    ),
    "checkpoint": Composition(
        "comparison with a checkpoint", "answers.checkpoints.StoredModel", "sheets.checkpoint:checkpoint",
        "formats.json.checkpoint:checkpoint", (), has_page=True,
    ),
    "weights": Composition(
        "checkpoint", "answers.checkpoints.StoredWeights", "sheets.weights:memory", "formats.json.checkpoint:weights", (),
    ),
    "worksheet": Composition("worksheet", "practice.worksheet.Worksheet", "sheets.worksheet.filled:worksheet"),
    "plot": Composition(
        "plot", "plots.pictures.Plot", "plots.sheet:plot_sheet", "formats.json.plot:plot", also=("csv",), is_read_whole=True
    ),
    "deck": Composition("deck of cards", "cards.collected.Deck", options=(), formats=("apkg", "csv")),
    "document": Composition("document", "sheets.document.Document", options=()),
    "brief": Composition("brief"),
    "card": Composition("card"),
    "formula": Composition("formula", data=f"{IN_JSON}:formula"),
    "questions": Composition("list of questions", data="formats.json.questions:questions", has_page=True),
    "cheat-sheet": Composition("sheet of formulas", data="formats.json.questions:formulas"),
    "tree": Composition("tree", data=f"{IN_JSON}:outline"),
}  # fmt: skip


def composition_of(answer: object) -> Composition | None:
    """Return the composition of an answer; None for a model or its name, which is derived first."""
    classes = {f"{kind.__module__}.{kind.__qualname__}".removeprefix("symparams.") for kind in type(answer).__mro__}
    return next((composition for composition in COMPOSITIONS.values() if composition.of in classes), None)


def function(name: str) -> Callable[..., Any]:
    """The function that a composition names, "module:function"."""
    module, _, attribute = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(f"symparams.{module}"), attribute)
    return found


def document_of(answer: Any, **options: Any) -> Document:
    """The document of an answer, with the options that were chosen; a document stays.

    OptionError for an option that an answer of its kind has not.
    """
    composition = composition_of(answer)
    if composition is None:
        from symparams.derivations.derivation import derive

        return document_of(derive(answer), **options)
    refuse_unused(answer, options)
    document: Document = (
        function(composition.document)(answer, options.pop("language", "en"), **options) if composition.document else answer
    )
    return document


def refuse_format(answer: Any, name: str) -> None:
    """OptionError for a format that does not write an answer of this kind."""
    composition = composition_of(answer)
    if composition is not None and composition.formats and name not in composition.formats:
        raise OptionError(f"A {composition.noun} is not written as {name}: choose {' or '.join(composition.formats)}.")
    for other in COMPOSITIONS.values():
        if name in other.formats and other is not composition and (composition is None or name not in composition.also):
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
