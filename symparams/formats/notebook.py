"""Notebooks: a value by media type, of which each front end takes what it shows best."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from html import escape

from symparams.display import RenderedText, TypesetPages
from symparams.errors import printable
from symparams.expressions.nodes import Dimension
from symparams.expressions.printing.latex import LatexPrinter
from symparams.formats.drawing import draw
from symparams.formats.format import Options
from symparams.formats.markdown.writer import MARKUP
from symparams.formats.rendering import render
from symparams.formats.sheet import Sheet
from symparams.models.model import Model
from symparams.sheets import composition_of, document_of
from symparams.sheets.card import card
from symparams.sheets.document import Document, Table

PLAIN, HTML, MARKDOWN, LATEX = "text/plain", "text/html", "text/markdown", "text/latex"
SVG, PNG, PDF = "image/svg+xml", "image/png", "application/pdf"


def bundle(value: object) -> dict[str, str]:
    """A value by media type: a model drawn above a small table, an answer as its sheet; a list of answers is told by it."""
    if isinstance(value, RenderedText):
        return _written(value)
    if isinstance(value, TypesetPages):
        return _typeset(value)
    if isinstance(value, Model):
        document = card(value)
        drawn = draw(value)
        shown = f"{_picture(drawn, value.name)}\n{_table(document)}"
        return {PLAIN: repr(value), HTML: shown, SVG: drawn, **_marked(document)}
    composition = composition_of(value)
    if composition is None:
        return {PLAIN: repr(value)}
    document = document_of(value)
    told = render(document).rstrip("\n") if composition.is_read_whole else repr(value)
    return {PLAIN: told, **_marked(document)}


def _written(text: RenderedText) -> dict[str, str]:
    """A text by its media type; a picture and a page, which nobody reads as text, are told by their length there."""
    told = f"{text.media_type}, {len(text):,} characters"
    if text.media_type == SVG:
        return {PLAIN: told, HTML: _picture(text, told), SVG: str(text)}
    if text.media_type == HTML:
        return {PLAIN: told, HTML: _page(text)}
    return {PLAIN: str(text), text.media_type: str(text)}


def _typeset(pages: TypesetPages) -> dict[str, str]:
    """Pictures one below the other, a PDF as it is; of any other file only what it is."""
    told = "; ".join(f"{pages.media_type}, {len(page):,} bytes" for page in pages)
    if pages.media_type == PNG:
        return {PLAIN: told, HTML: "\n".join(_image(page, PNG, told) for page in pages)}
    return {PLAIN: told, **({PDF: b64encode(pages[0]).decode()} if pages.media_type == PDF else {})}


def _page(text: str) -> str:
    """A page within a page: a frame in which its script runs and reaches nothing outside."""
    return f'<iframe sandbox="allow-scripts" srcdoc="{escape(text)}" width="100%" height="720" frameborder="0"></iframe>'


def _marked(document: Document) -> dict[str, str]:
    """A document in Markdown, and in LaTeX as a page takes it in."""
    return {MARKDOWN: render(document, "markdown"), LATEX: render(document, "latex", standalone=False)}


class _Printer(LatexPrinter):
    """Formulas as TeX reads them out of HTML: a letter of a user's own may be anything."""

    def dimension(self, dimension: Dimension) -> str:
        return escape(super().dimension(dimension), quote=False)


def _table(document: Document) -> str:
    """A card as a table: what it is called, the answer, a row for each dimension; nothing in it is taken for HTML."""
    in_html = replace(MARKUP, printer=_Printer, escape=escape, code=lambda text: f"<code>{escape(text)}</code>")
    sheet = Sheet(document, in_html, Options())
    lines = sheet.answer(document.answer) if document.answer else []
    formula = "".join(line.left + " " + line.right for line in lines)
    tables = [block for section in document.sections for block in section.blocks if isinstance(block, Table)]
    rows = [_row("th", sheet.headings(table)) + "".join(_row("td", row) for row in sheet.cells(table)) for table in tables]
    return f"<p><b>{sheet.paragraph(document.preface)}</b></p>\n<p>${formula}$</p>\n<table>{''.join(rows)}</table>\n"


def _picture(drawn: str, name: str) -> str:
    """A drawing within HTML, by itself: its styles and ids are nobody else's, nor are a page's its own."""
    return _image(drawn.encode(), SVG, name)


def _image(file: bytes, media_type: str, name: str) -> str:
    return f'<img alt="{escape(printable(name))}" src="data:{media_type};base64,{b64encode(file).decode()}">'


def _row(kind: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{kind}>{cell}</{kind}>' for cell in cells)}</tr>"
