"""The page of a published model, its sheets in every format, and its live page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from importlib.util import find_spec
from typing import Any, ClassVar

from symparams.answers.claims import claim_of
from symparams.answers.explanations import explain
from symparams.answers.plans import Plan, flops_plan, memory_plan
from symparams.architectures import Published
from symparams.derivations.derivation import Derivation, derive
from symparams.errors import SymparamsError
from symparams.expressions.closed_form import BLOCKS
from symparams.expressions.nodes import Number
from symparams.expressions.printing.mathml import escape
from symparams.expressions.symbols import s_src
from symparams.formats.drawing import draw
from symparams.formats.rendering import render
from symparams.formats.sheet import Sheet
from symparams.formats.typesetting import typeset
from symparams.models.calculation import own_context
from symparams.models.load import load_with
from symparams.models.model import Model
from symparams.records import frozen
from symparams.sheets.catalogue import catalogue
from symparams.sheets.document import Block, Document, Paragraph, Section
from symparams.sheets.explanation import explanation
from symparams.sheets.memory import of_weights
from symparams.sheets.plan import assumptions, table
from symparams.sheets.values import Sentence
from symparams.sheets.whole import letters_of, sheet_of
from symparams.site.comparisons import Pair, page_name
from symparams.site.frame import Edition, Files, Frame
from symparams.site.records import as_said, record_of

IN_FULL, SHORT = "bf16", "int4"
COLUMN = 500  # pixels of a drawing that can be read beside the shares
DIGITS = 3  # of a figure that is rounded
READ = 512  # tokens of what an encoder reads, where the model does not say
SHEETS = {"html": "HTML", "tex": "LaTeX", "md": "Markdown", "pdf": "PDF"}


def pages(name: str, live: str, edition: Edition, compared: Sequence[Pair] = ()) -> Files:
    """Return the page of a model, and its sheet as HTML, LaTeX, Markdown and, where Typst is installed, PDF."""
    derivation = derive(load_with(name, {}))
    language = edition.language
    document = sheet_of(derivation, language)
    page = ModelPage(f"models/{name}", edition, derivation, document, live, compared)
    sheet = SheetPage(f"sheets/{name}", edition, derivation, document, live)
    start = sheet.path.removesuffix("html")
    files = {
        f"{start}tex": render(derivation, "latex", language=language).encode(),
        f"{start}md": render(derivation, "markdown", language=language).encode(),
    }
    if "pdf" in page.formats:
        files[f"{start}pdf"] = typeset(derivation, "pdf", language=language)[0]
    return {**page.render(), **sheet.render(), **files}


def live(name: str) -> Files:
    """Return the page that recomputes a model in the browser, in every language."""
    return {f"live/{name}.html": render(name, "html").encode()}


@frozen
class SheetPage(Frame):
    """The sheet of a model as a page."""

    template: ClassVar[str] = "sheet"

    derivation: Derivation
    document: Document
    live: str

    @property
    def model(self) -> Model:
        """The model."""
        return self.derivation.plain_model

    @cached_property
    def printed(self) -> Sheet:
        """The sheet, printed."""
        return self.sheet(self.document)

    @property
    def title(self) -> str:
        return self.printed.text(self.document.title)

    @property
    def name_of_model(self) -> str:
        """The name of the model."""
        return escape(self.model.name)

    @property
    def formats(self) -> dict[str, str]:
        """The formats of the sheet, by the endings of their files."""
        return {ending: name for ending, name in SHEETS.items() if ending != "pdf" or find_spec("typst")}


@frozen
class ModelPage(SheetPage):
    """The page of a model at a glance."""

    template: ClassVar[str] = "model"

    compared: Sequence[Pair] = ()

    @property
    def title(self) -> str:
        return self.name_of_model

    @property
    def about(self) -> str:
        return self.word("about.models", title=self.title, number=self.number(self.record["parameters"]))

    @property
    def beside(self) -> list[tuple[str, str]]:
        """The models that it is compared with, each with the name of the page."""
        return [(escape(other), page_name(pair)) for pair in self.compared for other in pair if other != self.model.name]

    @property
    def family(self) -> str:
        """The title of its family."""
        return escape(self.model.architecture.title)

    @property
    def source(self) -> str:
        """Where the family is described."""
        return self.cited(self.model.architecture.source)

    @cached_property
    def record(self) -> dict[str, Any]:
        """What is counted of the model."""
        return record_of(self.model)

    @property
    def published(self) -> Published:
        """What is published of the model."""
        return self.model.architecture.models[self.model.name]

    @property
    def closed(self) -> str:
        """The closed form."""
        total = self.derivation.total
        return self.printed.printer(self.model.blocks().formula if self.derivation.form == BLOCKS else total.closed)

    @property
    def defined(self) -> list[tuple[str, str]]:
        """What stands under a name in the closed form, each name with its formula."""
        if self.derivation.form != BLOCKS:
            return []
        named, printer = self.model.blocks().named, self.printed.printer
        return [(printer(name), printer(name.definition)) for name in named]

    @cached_property
    def drawing(self) -> str:
        """The drawing of the model."""
        return str(draw(self.derivation, "svg", language=self.language, background=True))

    @property
    def is_large(self) -> bool:
        """True if the drawing is too wide to be read in a column."""
        width = re.search(r'<svg[^>]* width="(\d+)', self.drawing)
        return width is not None and int(width[1]) > COLUMN

    @cached_property
    def bar(self) -> str:
        """The shares of its parts as a bar."""
        return str(draw(self.derivation, "svg", language=self.language, bars=True, with_title=False))

    @property
    def drawings(self) -> Sequence[str]:
        return self.drawing, self.bar

    @cached_property
    def costs(self) -> Sheet:
        """The sheet of what it takes: memory, training, FLOPs."""
        return self.sheet(glance(self.model, self.language))

    @cached_property
    def figures(self) -> list[tuple[str, str, Sheet]]:
        """The published figures that differ: each as it is written, its source, and why it differs."""
        claimed: list[tuple[int | str, str]] = [(claim.value, claim.source) for claim in self.published.claims]
        known = {value for value, _ in claimed}
        if (active := self.published.active) is not None and claim_of(active.claimed).plainest.value not in known:
            claimed.append((active.claimed, active.source))
        return [(self._written(figure), source, self._explained(figure)) for figure, source in dict.fromkeys(claimed)]

    def _written(self, figure: int | str) -> str:
        """A figure as people write it, where that is all of it: 685B."""
        if not isinstance(figure, int):
            return escape(figure)
        return as_said(figure) if len(str(figure).rstrip("0")) <= DIGITS else self.number(figure)

    def _explained(self, figure: int | str) -> Sheet:
        """Why a figure differs; where it is published stands below it, as a link."""
        document = explanation(explain(self.model, figure), self.language)
        sections = [replace(section, blocks=[*filter(_is_reason, section.blocks)]) for section in document.sections]
        return self.sheet(replace(document, sections=sections))


def _is_reason(block: Block) -> bool:
    told = block.sentences if isinstance(block, Paragraph) else ()
    return [sentence.key for sentence in told if isinstance(sentence, Sentence)] != ["explain.source"]


def glance(model: Model, language: str) -> Document:
    """Return what a model takes: its weights in two number types with its cache, its training, its forward pass."""
    words, sections = catalogue(language), list[Section]()
    for key, plan, lines in _plans(model):
        more: list[Block] = [Paragraph(of_weights([SHORT]))] if key == "memory" else []
        blocks = [table(lines, words, has_sum=key == "training"), *assumptions(plan), *more]
        sections.append(Section(key, Sentence(f"site.costs.{key}", {"context": Number(own_context(model) or 0)}), blocks))
    letters = letters_of(model, "hidden", {})
    return Document("plan", language, None, None, sections, letters=letters, subject=model)


def _plans(model: Model) -> Iterator[tuple[str, Plan, Sequence[Any]]]:
    """Yield what is planned; what a model does not have is left out."""
    context = own_context(model)
    ways = [{"context": context}, {"context": context, s_src.name: READ}] if context else []
    whole = _first(memory_plan, model, [*({**way, "dtype": IN_FULL} for way in ways), {"dtype": IN_FULL}])
    short = memory_plan(model, dtype=SHORT, asked=[model.name])
    if whole:
        lines = (whole.lines[0], short.lines[0], *whole.lines[1:])
        yield "memory", replace(whole, lines=lines), lines
    if trained := _first(memory_plan, model, [{"training": True}]):
        yield "training", trained, trained.lines
    length = context or READ
    tries: list[dict[str, Any]] = [{}, {s_src.name: READ}, {"tokens": length}, {"tokens": length, s_src.name: READ}]
    if run := _first(flops_plan, model, tries):
        yield "flops", run, run.lines


def _first(plan: Any, model: Model, ways: Sequence[dict[str, Any]]) -> Plan | None:
    """The first of several plans that the model has."""
    for given in ways:
        try:
            made: Plan = plan(model, asked=[model.name], **given)
        except SymparamsError:
            continue
        return made
    return None
