"""TikZ: a drawing for TeX, with tikz and its library arrows.meta alone; all that it defines is gone where the picture ends."""

from __future__ import annotations

from symparams.drawings.marks import Drawing
from symparams.drawings.theme import DARK, LIGHT, theme
from symparams.expressions.printing.latex import reached
from symparams.formats.format import OF_PICTURES, Format, Look
from symparams.formats.svg.paths import number
from symparams.formats.tikz.commands import Commands
from symparams.formats.tikz.lines import PLAIN, TikzLines, comment
from symparams.sheets.catalogue import catalogue


def draw(drawing: Drawing, look: Look) -> str:
    """A drawing as a document of its own size, or as the picture alone."""
    from symparams.formats.rendering import from_template

    commands = Commands(TikzLines(drawing))
    head = catalogue(drawing.language).head
    written = from_template(
        "tikz/drawing.j2",
        drawing=drawing,
        look=look,
        head=head,
        theme=theme(),
        palette=theme().palettes[DARK if look.theme == DARK else LIGHT],
        is_dark=look.theme == DARK,
        tints=drawing.tints,
        faces={face: font for face, font in theme().faces.items() if font.bold or font.tex != PLAIN},
        commands=[line for mark in drawing.marks for line in commands.of(mark)],
        comment=comment,
        number=number,
    )
    return reached(written, head)


OPTIONS = OF_PICTURES | {"standalone", "theme"}
FORMAT = Format("tikz", options=OPTIONS, draw=draw, signature="%%Creator: symparams")
