"""SVG 1.1: a drawing that a browser, a printer and a screen reader show alike, light and dark, its text as text."""

from __future__ import annotations

from html import escape
from xml.etree.ElementTree import tostring

from symparams.drawings.marks import Drawing
from symparams.drawings.theme import DARK, LIGHT, theme
from symparams.errors import printable
from symparams.formats.format import OF_A_DRAWING, Format, Look
from symparams.formats.svg.elements import elements
from symparams.formats.svg.lines import SvgLines, identifier
from symparams.formats.svg.paths import number
from symparams.sheets.catalogue import catalogue

AUTO = "auto"


def draw(drawing: Drawing, look: Look) -> str:
    """A drawing as a file of SVG, which may also stand within HTML."""
    from symparams.formats.rendering import from_template

    lines = SvgLines(drawing)
    return from_template(
        "svg/drawing.j2",
        name=identifier(drawing.name),
        title=escape(printable(drawing.title)),
        description=escape(printable(drawing.description)),
        tag=catalogue(drawing.language).head["tag"],
        width=number(drawing.width),
        height=number(drawing.height),
        shown=_size(drawing),
        look=look,
        style=style(drawing, look.theme),
        marks=[tostring(element, "unicode") for mark in drawing.marks for element in elements(mark, lines)],
    )


def _size(drawing: Drawing) -> tuple[str, str]:
    """The width and the height on paper, or of a screen where nobody chose them."""
    if drawing.printed:
        return str(drawing.printed), str(drawing.printed.times(drawing.height / drawing.width))
    return number(drawing.width * theme().scale), number(drawing.height * theme().scale)


def style(drawing: Drawing, chosen: str) -> str:
    """The rules for a drawing: all under ``.symparams``, the colours of one theme under its name, too."""
    from symparams.formats.rendering import from_template

    return from_template(
        "svg/style.j2",
        theme=theme(),
        fonts=fonts(),
        tints=drawing.tints,
        is_compared=drawing.is_compared,
        scope=".symparams" if chosen == AUTO else f".symparams.{chosen}",
        palette=theme().palettes[LIGHT if chosen == AUTO else chosen],
        other=theme().palettes[DARK] if chosen == AUTO else None,
        number=number,
    )


def fonts() -> tuple[str, str]:
    """The fonts of words and of formulas."""
    return _fonts(*theme().sans, "sans-serif"), _fonts(*theme().serif, "serif")


def _fonts(*names: str) -> str:
    """Fonts as a style names them, of which a reader takes for each letter the first that has it."""
    return ", ".join(f"'{name}'" if " " in name else name for name in names)


FORMAT = Format("svg", options=OF_A_DRAWING, draw=draw, signature='class="symparams', media_type="image/svg+xml")
