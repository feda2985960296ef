"""The file of a page: the sheet as it opens, the data, the runtime, and a policy that lets nothing else run.

The policy names the two scripts, of which one unpacks the other, and the two styles by the hashes of their text; nothing
is loaded, sent or evaluated.
"""

from __future__ import annotations

import re
from base64 import b64encode, b85encode
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple
from zlib import compress

from symparams.answers.comparison import Comparison
from symparams.derivations import views
from symparams.derivations.derivation import Derivation, derive
from symparams.errors import OptionError
from symparams.expressions.nodes import Named
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.printing.em import EmMetric
from symparams.expressions.printing.mathml import MathmlPrinter, escape
from symparams.expressions.printing.text import TextPrinter
from symparams.formats.format import Markup, Options, PageWidths
from symparams.formats.plot import plotted_on
from symparams.formats.rendering import environment
from symparams.formats.sheet import Sheet
from symparams.models.model import Model
from symparams.pages.colours import colours
from symparams.pages.comparisons import comparison_data
from symparams.pages.data import as_json, data, words_of_page
from symparams.pages.quantities import USUAL, Opening, opening_of
from symparams.sheets import COMPOSITIONS, composition_of, document_of
from symparams.sheets.catalogue import catalogue, languages, templates
from symparams.sheets.chosen import assumed, called
from symparams.sheets.comparison import comparison
from symparams.sheets.document import Document, Plotted, Section
from symparams.sheets.values import Sentence
from symparams.sheets.whole import sheet_of

RUNTIME = (
    "rational", "amounts", "exact", "print", "packing", "sheet", "besides", "faults", "costs", "say", "state", "lines",
    "derivation", "picture", "shares", "chart", "wanted", "more", "answer", "settings", "address", "copies", "marking",
    "practice", "play", "compare", "page",
)  # fmt: skip
# Of the runtime and the styles: comments and indentation, an eighth of it. What begins like a comment within a text ends in a
# quotation mark, or a backtick.
UNREAD = re.compile(r"""^[ \t]*(?://.*\n)?|[ \t]+(?:// [^"`\n]*|/\*[^*]*\*/)$""", re.MULTILINE)
TIGHT = re.compile(r"(?<=[,;:{}])\s+|\s+(?=[{}])")  # spaces of the styles
LINE, TABLE = 40.0, 44.0  # em
BESIDES = ("conventions", "rule")
DERIVED = ("forms", "component_forms")  # of a comparison
MARKUP = Markup(
    printer=MathmlPrinter,
    metric=EmMetric,
    room=lambda _options, _head: PageWidths(LINE, LINE, TABLE),
    escape=escape,
    code=lambda text: f"<code>{escape(text)}</code>",
    inline=("<math>", "</math>"),
    tools={"quad": '<mspace width="1em"></mspace>', "focus": "", "level": 3},
)


def page(
    models: Sequence[Model],
    language: str = "en",
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
    opening: Opening = USUAL,
    compared: Comparison | None = None,
    *,
    figure: bool = True,
    with_plot: bool = False,
) -> str:
    """The page of a model, or of several beside each other, as it opens in a language and a notation, with a quantity.

    Of models that were ``compared``, what differs stands first.

    Without a ``figure`` the page has no drawing; ``with_plot`` adds the plot of what it opens with.

    OptionError where there is none, as of a bare formula, and where two have one name; UnknownNameError for a notation.
    """
    names = [model.name for model in models]
    if not models:
        raise OptionError("A bare formula has no HTML page: name a model, or choose another format.")
    if len(set(names)) < len(names):
        raise OptionError("Two models of the page have the same name: leave one of them out.")
    if with_plot and len(models) > 1:
        raise OptionError("A plot on a page shows one model: leave out with_plot, or name one.")
    made = Page(models, language, notation, symbols or {}, opening, compared, with_plot=with_plot)
    text = environment().get_template("html/page.j2").render(page=made, figure=figure)
    return text.lstrip("\n")


def page_of(
    answer: Any,
    language: str = "en",
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
    *,
    figure: bool = True,
    with_plot: bool = False,
) -> str:
    """The page of a model, of its derivation, of models that were compared, or of what was verified or explained.

    OptionError for what has none.
    """
    composition = COMPOSITIONS.get(answer.kind) if isinstance(answer, Document) else composition_of(answer)
    if composition is not None and composition.has_page:
        from symparams.pages.sheet import sheet_page

        if with_plot:
            raise OptionError(f"A {composition.noun} has no plot: leave out with_plot.")
        return sheet_page(answer if isinstance(answer, Document) else document_of(answer, language=language))
    if isinstance(answer, (Model, str)):
        answer = derive(answer)
    models, opening = list(getattr(answer, "models", ())), Opening()
    if isinstance(answer, Derivation) and not answer.is_expression:
        models, opening = [answer.plain_model], opening_of(answer.calculation, answer.assumed)
    if not models or not all(isinstance(model, Model) for model in models):
        raise OptionError("The HTML page is for a derivation of a model: derive one, or choose another format.")
    compared = answer if isinstance(answer, Comparison) else None
    return page(models, language, notation, symbols, opening, compared, figure=figure, with_plot=with_plot)


class PlotOnPage(NamedTuple):
    """A plot in the language of a tag, the words below it, and the dark one of each of its colours."""

    tag: str
    drawn: str
    words: str
    dark: Mapping[str, str]


class Page:
    """The values that the template of a page reads."""

    def __init__(
        self,
        models: Sequence[Model],
        language: str,
        notation: str,
        symbols: Mapping[str, str],
        opening: Opening,
        compared: Comparison | None = None,
        *,
        with_plot: bool = False,
    ) -> None:
        self.opening, self.comparison = opening, compared
        self.models, self.language, self.notation, self.symbols = models, language, notation, symbols
        self.derivation: Derivation = derive(models[0], quantity=opening.quantity, **opening.given)
        self.document = sheet_of(self.derivation, language, notation, symbols)
        self.sheet = Sheet(self.document, MARKUP, Options())
        self.words = catalogue(language)
        self.plots = list(self._plots()) if with_plot else []

    def _plots(self) -> Iterator[PlotOnPage]:
        """The plot in each language, as the page may be read in any."""
        from symparams.plots import inline

        for language in languages():
            composed = sheet_of(self.derivation, language, self.notation, self.symbols)
            document = plotted_on(composed, {"notation": self.notation, "symbols": self.symbols})
            [block] = (block for section in document.sections for block in section.blocks if isinstance(block, Plotted))
            told = [*block.sentences, Sentence("figure.as_given")]
            drawn, dark = inline(block.plot, f"plot-{language}-")
            words = Sheet(document, MARKUP, Options()).paragraph(told)
            yield PlotOnPage(str(catalogue(language).head["tag"]), drawn, words, dark)

    def word(self, key: str) -> str:
        """A word of the page."""
        return escape(str(self.words.entry(f"page.{key}")))

    @property
    def tag(self) -> str:
        """The language as a browser knows it."""
        return str(self.words.head["tag"])

    @property
    def several(self) -> bool:
        """True if there are several models."""
        return len(self.models) > 1

    @property
    def title(self) -> str:
        """The question, of a model with the sizes that are others than its own."""
        asked = self.document.title
        if isinstance(asked, Sentence) and "model" in asked.terms:
            asked = Sentence(asked.key, {**asked.terms, "model": called(self.models[0], TextPrinter(self.document.letters))})
        return self.sheet.text(asked)

    @property
    def about(self) -> str:
        """The family, and where it is described."""
        model = self.models[0]
        return escape(", ".join(filter(None, (model.architecture.title, model.source))))

    @property
    def assumed(self) -> str:
        """The sentence on the class that is assumed because the config names none."""
        return escape(assumed(self.models[0], self.words))

    @property
    def count(self) -> str:
        """The count in plain digits; nothing where something is missing."""
        return "" if self.derivation.total.value is None else str(self.derivation.total.value)

    @property
    def shown(self) -> str:
        """The count as it is read."""
        return f"{int(self.count):,}" if self.count else "—"

    @property
    def closed(self) -> str:
        """The label of the closed form, and the form."""
        total = self.derivation.total
        called = total.quantity if self.derivation.is_by_terms else Named("", total.written)
        return self.sheet.printer(called) + "<mo>=</mo>" + self.sheet.printer(total.closed)

    @property
    def languages(self) -> list[tuple[str, str]]:
        """The languages that there are, each by its own name."""
        return [(code, str(catalogue(code).head["name"])) for code in languages()]

    @property
    def notations(self) -> list[str]:
        """The notations that there are."""
        return list(NOTATIONS)

    @property
    def worked(self) -> list[Section]:
        """The sections that the browser works out anew."""
        return [section for section in self.document.sections if section.key not in BESIDES]

    @property
    def besides(self) -> list[Section]:
        """The sections beside the derivation, which the browser works out anew, too."""
        return [section for section in self.document.sections if section.key in BESIDES]

    @property
    def compared(self) -> Iterator[tuple[str, Sheet, list[Section]]]:
        """The comparison in each language, with its tag: what differs, without the formulas that the page derives."""
        if self.comparison is None:
            return
        for language in languages():
            document = comparison(self.comparison, language, self.notation, self.symbols)
            sections = [section for section in document.sections if section.key not in DERIVED]
            yield str(catalogue(language).head["tag"]), Sheet(document, MARKUP, Options()), sections

    @property
    def as_given(self) -> Sentence:
        """The sentence that the settings leave the comparison as it is."""
        return Sentence("compare.as_given")

    @cached_property
    def script(self) -> str:
        """The runtime, the same for every model."""
        return script(*(f"html/{name}" for name in RUNTIME))

    @property
    def loader(self) -> str:
        """The script that unpacks the data and the runtime."""
        return UNREAD.sub("", (templates() / "html" / "loader.js").read_text(encoding="utf-8")).strip()

    @property
    def packed(self) -> str:
        """The data in a line, the styles of what the runtime draws in another, the runtime: deflated to a third.

        In digits of base 85, of which five are four bytes; a comma in place of "<", with which an element could end.
        """
        deflated = compress(f"{self.data}\n{self.live_style}\n{self.script}".encode(), 9)
        return b85encode(deflated).decode("ascii").replace("<", ",")

    @cached_property
    def live_style(self) -> str:
        """The styles of what the runtime alone draws."""
        return " ".join((styles("html/live") + TIGHT.sub("", UNREAD.sub("", colours()))).split("\n"))

    @cached_property
    def style(self) -> str:
        """The styles; those of a plot give its colours the dark ones, where the reader or the setting wants these."""
        rules = dark_rules(*(plot.dark for plot in self.plots))
        unless = [rule.replace(".plot", ":root:not([data-theme=light]) .plot") for rule in rules]
        chosen = [rule.replace(".plot", ":root[data-theme=dark] .plot") for rule in rules]
        dark = f"@media (prefers-color-scheme: dark) {{ {' '.join(unless)} }}\n{' '.join(chosen)}" if rules else ""
        return styles("html/page") + TIGHT.sub("", dark)

    @property
    def policy(self) -> str:
        """The content security policy of the page: it runs these two scripts with these two styles, and nothing else."""
        loader, script, style, live = map(hash_of, (self.loader, self.script, self.style, self.live_style))
        runs = f"script-src '{loader}' '{script}'; style-src '{style}' '{live}'"
        return f"default-src 'none'; {runs}; base-uri 'none'; form-action 'none'"

    @property
    def data(self) -> str:
        """The data, as JSON."""
        opened: dict[str, Any] = {
            "language": languages().index(self.language), "name": self.language, "notation": self.notation,
            "view": views.FIRST, "quantity": self.opening.quantity, "symbols": dict(self.symbols),
        }  # fmt: skip
        return as_json(
            {
                "opened": opened,
                "words": words_of_page(),
                "models": [data(model, self.notation, self.symbols, self.opening) for model in self.models],
                **({"compared": comparison_data(self.models)} if self.several else {}),
            }
        )


def script(*names: str) -> str:
    """Return these files as one script, without what no browser reads, whose names no other script sees."""
    texts = ((templates() / f"{name}.js").read_text(encoding="utf-8") for name in names)
    return '"use strict";\n(() => {\n' + UNREAD.sub("", "".join(texts)) + "})();\n"


def styles(*names: str) -> str:
    """Return the styles of these files, without what no browser reads."""
    texts = ((templates() / f"{name}.css").read_text(encoding="utf-8") for name in names)
    return TIGHT.sub("", UNREAD.sub("", "".join(texts)))


def dark_rules(*colours: Mapping[str, str]) -> list[str]:
    """Return the rules that give plots the dark one of each of their colours."""
    pairs = dict(pair for each in colours for pair in each.items()).items()
    return [f'.plot [{name}="{old.lower()}"] {{ {name}: {new}; }}' for old, new in pairs for name in ("fill", "stroke")]


def hash_of(text: str) -> str:
    """Return a text's hash as a content security policy names it."""
    return f"sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}"


def styles_within(drawing: str) -> list[str]:
    """Return the texts of the style elements of a drawing, which a policy names by their hashes."""
    return re.findall(r"<style>(.*?)</style>", drawing, re.DOTALL)
