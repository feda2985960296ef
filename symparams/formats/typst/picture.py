"""A drawing as Typst sets it: its shapes are a picture, its lines stand at their places as text, in fonts that Typst finds.

What reads SVG within Typst would set a whole line in any font that has all of its letters, Chinese ones too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from symparams.drawings.lengths import Length
from symparams.drawings.marks import Anchor, Box, Drawing, Frame, Pill, Segment, Text, texts
from symparams.drawings.theme import DARK, LIGHT, theme
from symparams.expressions.printing.typst import string
from symparams.formats.format import Look
from symparams.formats.svg import writer as svg
from symparams.formats.svg.lines import StyledSpan, SvgLines
from symparams.formats.svg.paths import number
from symparams.sheets.catalogue import catalogue

LATIN = "New Computer Modern"  # which the compiler has in it
BEFORE: Mapping[Anchor, float] = {
    Anchor.START: 0,
    Anchor.MIDDLE: 0.5,
    Anchor.END: 1,
}  # of a line before its place
LETTERED = (Box, Frame, Pill, Segment)
PAGE = "#set document(title: {title})\n#set page(width: {width}, height: {height}, margin: 0pt, fill: none)\n"


class TextLine(NamedTuple):
    """A line of text, as the template reads it."""

    x: float
    y: float
    before: float
    scale: float
    colour: str
    spans: list[StyledSpan]


def draw(drawing: Drawing, look: Look) -> str:
    """A drawing as a document of Typst, a page of its size; or as what stands behind a # in one, in that one's fonts."""
    from symparams.formats.rendering import from_template

    colours = DARK if look.theme == DARK else LIGHT  # paper has no reader who chooses
    head = catalogue(drawing.language).head
    fonts = [(*families, LATIN, *head["typst.fonts"]) for families in (theme().sans, theme().serif)]
    picture = from_template(
        "typst/drawing.j2",
        width=drawing.width,
        height=drawing.height,
        printed=drawing.printed,
        shapes=_shapes(drawing, replace(look, theme=colours)),
        told=string(drawing.description),
        palette=theme().palettes[colours],
        theme=theme(),
        is_compared=drawing.is_compared,
        fonts=[f"({', '.join(map(string, names))},)" for names in fonts if look.standalone],
        lines=list(_lines(drawing)),
        number=number,
    )
    if not look.standalone:
        return picture
    width = drawing.printed or Length(drawing.width, "pt")
    height = width.times(drawing.height / drawing.width)
    page = PAGE.format(title=string(drawing.title), width=width, height=height)
    return f"{page}#set text({head['typst.text']})\n#{picture}"


def _shapes(drawing: Drawing, look: Look) -> str:
    """The marks without their text, as SVG, in which what is only read is left as its number."""
    marks = [
        replace(mark, lines=()) if isinstance(mark, LETTERED) else mark for mark in drawing.marks if not isinstance(mark, Text)
    ]
    written = svg.draw(replace(drawing, marks=tuple(marks)), look)
    return string(written.encode("ascii", "xmlcharrefreplace").decode("ascii"))


def _lines(drawing: Drawing) -> Iterator[TextLine]:
    """The lines of text of all marks, in their order."""
    lines = SvgLines(drawing)
    for mark in drawing.marks:
        for text in texts(mark):
            is_soft = all(theme().faces[piece.face].soft for piece in text.pieces)
            spans, drop = [], 0.0
            for span in lines.spans(text.pieces):
                drop += span.drop  # in SVG from the one before, here from the line
                spans.append(span._replace(text=_escaped(span.text), drop=max(0.0, drop)))
            colour = "soft" if is_soft else "marked" if text.is_marked else ""
            yield TextLine(text.x, text.y, BEFORE[text.anchor], text.scale, colour, spans)


def _escaped(text: str) -> str:
    """A text between quotes, a sign or a Greek letter as its number: the fonts have more of these than those of the words."""
    return "".join(character if _is_word(character) else f"\\u{{{ord(character):x}}}" for character in string(text))


def _is_word(character: str) -> bool:
    return character.isascii() or (character.isalpha() and not unicodedata.name(character, "").startswith("GREEK"))
