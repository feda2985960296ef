"""The frame of a page of the site: its language, its place and the ways from it, its words, and what it may load."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from posixpath import dirname, relpath
from typing import Any, ClassVar, NamedTuple

import symparams
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.printing.mathml import escape
from symparams.expressions.printing.text import TextPrinter
from symparams.formats.format import Options
from symparams.formats.rendering import environment
from symparams.formats.sheet import Sheet
from symparams.pages.page import MARKUP, hash_of, script, styles, styles_within
from symparams.records import frozen
from symparams.sheets.catalogue import catalogue, parsed
from symparams.sheets.document import Document, Section
from symparams.sheets.values import short

# A section has the second level of headings, and what may be wider than a page can be scrolled by keys.
MARKED = replace(MARKUP, tools={**MARKUP.tools, "focus": ' tabindex="0"', "level": 2})
Files = dict[str, bytes]  # by their paths in the site
RECORDS, VERSION = "data/", symparams.__version__
PLACES = {"arXiv": "https://arxiv.org/abs/", "doi": "https://doi.org/"}
MENU = ("index", "comparisons", "plots", "families", "questions", "cheat-sheet")


class Place(NamedTuple):
    """Where a site stands: its address on the web, and the folder in it that has its documentation; "" for none."""

    docs: str = ""
    url: str = ""


NOWHERE = Place()  # a folder that nobody has published, without documentation


@frozen
class Edition:
    """The site in one of its languages."""

    language: str
    languages: Sequence[str]
    place: Place = NOWHERE

    def folder(self, language: str = "") -> str:
        """The folder of a language: the first of the site has its pages at the top."""
        chosen = language or self.language
        return "" if chosen == self.languages[0] else f"{chosen}/"


@frozen
class Frame:
    """A page of the site, ``name`` in its language's folder; a kind of page is a class with a template."""

    template: ClassVar[str] = ""
    scripts: ClassVar[Sequence[str]] = ()

    name: str
    edition: Edition

    @property
    def language(self) -> str:
        """The language of the page."""
        return self.edition.language

    @property
    def path(self) -> str:
        """The path of the page in the site."""
        return f"{self.edition.folder()}{self.name}.html"

    @cached_property
    def tag(self) -> str:
        """The language as a browser knows it."""
        return str(catalogue(self.language).head["tag"])

    @property
    def title(self) -> str:
        """The title of the page, marked up."""
        return self.word(f"titles.{self.name.partition('/')[0]}")

    @property
    def about(self) -> str:
        """What is on the page, in a sentence: a search engine shows it below the title."""
        return self.word(f"about.{self.name.partition('/')[0]}", title=self.title)

    def link(self, name: str, language: str = "") -> str:
        """The way from here to a page, by its name without an ending."""
        return self.file(f"{self.edition.folder(language)}{name}.html")

    def address(self, language: str = "") -> str:
        """The address of this page in a language, as a search engine wants it: a whole one where that is known."""
        url = self.edition.place.url
        return escape(f"{url}{self.edition.folder(language)}{self.name}.html") if url else self.link(self.name, language)

    def own(self, name: str) -> str:
        """The way from here to a file of this language, by its name with its ending."""
        return self.file(self.edition.folder() + name)

    def file(self, path: str) -> str:
        """The way from here to a file of the site."""
        return escape(relpath(path, dirname(self.path) or "."))

    def to_file(self, path: str) -> str:
        """A link to a file of the site, under its own name."""
        return f'<a href="{self.file(path)}">{escape(path)}</a>'

    @property
    def docs(self) -> str:
        """The way from here to the documentation in this language; "" where the site has none."""
        docs = self.edition.place.docs
        return self.file(f"{docs}/{self.edition.folder()}index.html") if docs else ""

    @property
    def menu(self) -> Iterator[tuple[str, str]]:
        """The pages that every page leads to: the name of each and what it is called."""
        return ((name, self.word(f"menu.{name}")) for name in MENU)

    @property
    def translations(self) -> Iterator[tuple[str, str]]:
        """This page in every language: of each its tag, and the address."""
        return ((str(catalogue(each).head["tag"]), self.address(each)) for each in self.edition.languages)

    @property
    def others(self) -> Iterator[tuple[str, str, str]]:
        """This page in the other languages: of each its tag, its own name, and the way there."""
        for language in self.edition.languages:
            if language != self.language:
                head = catalogue(language).head
                yield str(head["tag"]), str(head["name"]), self.link(self.name, language)

    def word(self, key: str, **terms: Any) -> str:
        """A sentence of the site, with what is marked up already put in."""
        return "".join(
            escape(literal) + (str(terms[name]) if name else "")
            for literal, name in parsed(str(catalogue(self.language).entry(f"site.{key}")))
        )

    def known(self, key: str) -> str:
        """An entry of the catalogue that others say, too."""
        return escape(str(catalogue(self.language).entry(key)))

    def number(self, value: int) -> str:
        """An integer as the language groups it."""
        return f"{value:,}".replace(",", str(catalogue(self.language).head["grouping"]))

    def rounded(self, value: int) -> str:
        """An integer as people say it."""
        return escape(TextPrinter(NOTATIONS["hidden"])(short(value, catalogue(self.language).rounding)))

    def anchor(self, address: str) -> str:
        """A link to an address elsewhere, with what is said behind it."""
        place, comma, more = address.partition(", ")
        return f'<a href="{escape(place)}" rel="noreferrer">{escape(place)}</a>{escape(comma + more)}'

    def cited(self, source: str) -> str:
        """A source with a link where it names an address, a paper of arXiv or a DOI."""
        name, comma, place = source.rpartition(", ")
        kind, _, number = place.partition(":")
        address = place if place.startswith("https://") else PLACES[kind] + number if kind in PLACES else ""
        if not address:
            return escape(source)
        return f'{escape(name + comma)}<a href="{escape(address)}" rel="noreferrer">{escape(place)}</a>'

    @property
    def version(self) -> str:
        """The version of the tool."""
        return VERSION

    def sheet(self, document: Document) -> Sheet:
        """A document as a page prints it."""
        return Sheet(document, MARKED, Options())

    @property
    def drawings(self) -> Sequence[str]:
        """The drawings on the page, as SVG."""
        return ()

    @property
    def data(self) -> str:
        """The data of the script, as JSON."""
        return ""

    @cached_property
    def style(self) -> str:
        """The styles."""
        return styles("site/site")

    @cached_property
    def code(self) -> str:
        """The script; most pages have none."""
        return script(*self.scripts) if self.scripts else ""

    @property
    def policy(self) -> str:
        """The content security policy: these styles and this script, and nothing else."""
        drawn = dict.fromkeys(style for drawing in self.drawings for style in styles_within(drawing))
        allowed = " ".join(f"'{hash_of(style)}'" for style in (self.style, *drawn))
        script = f"script-src '{hash_of(self.code)}'; " if self.code else ""
        return f"default-src 'none'; {script}style-src {allowed}; base-uri 'none'; form-action 'none'"

    def render(self) -> Files:
        """The page as a file of the site."""
        text = environment().get_template(f"site/{self.template}.j2").render(page=self)
        return {self.path: text.lstrip("\n").encode()}


@frozen
class DocumentPage(Frame):
    """A page that is a document, section by section."""

    template: ClassVar[str] = "document"

    document: Document

    @property
    def title(self) -> str:
        return self.sheet(self.document).text(self.document.title)


def section_of(document: Document, key: str) -> Section | None:
    """Return the section of a document by its key; None if there is none."""
    return next((section for section in document.sections if section.key == key), None)
