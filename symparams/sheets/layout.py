"""Layout: a chain of equal expressions broken into lines that fit, and text into columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symparams.expressions.nodes import Expression
from symparams.expressions.printing import Printer
from symparams.expressions.printing.text import columns

# A name that would take more than this part of a line stands on a line of its own.
WIDEST_NAME = 0.4


@dataclass(frozen=True)
class Link:
    """One link of a chain: what it is related by, and the expression or the finished text."""

    content: Expression | str
    joins: bool = True
    relation: str = "="


@dataclass(frozen=True)
class Line:
    """A line of an equation, cut where lines align: N = | V × h."""

    left: str
    right: str


def chain(printer: Printer, name: str, links: Sequence[Link], width: float, quad: str) -> list[Line]:
    """name = link = link …, as many links to a line as fit and may join, a link too wide broken at its + signs."""
    apart = printer.width(name) > WIDEST_NAME * width or _fits_only_apart(printer, name, links, width, quad)
    indent = quad if apart else ""
    room = width - (printer.width(quad) if apart else printer.width(name))
    rights: list[str] = []
    is_broken = False
    for link in links:
        printed = link.content if isinstance(link.content, str) else printer(link.content)
        whole = f"{link.relation} {printed}"
        if rights and link.joins and not is_broken and printer.width(f"{rights[-1]} {whole}") <= room:
            rights[-1] += f" {whole}"
        elif printer.width(whole) <= room or isinstance(link.content, str):
            rights.append(whole)
            is_broken = False
        else:
            rights += broken(printer, link, room, quad)
            is_broken = True
    rights = [indent + right for right in rights]
    return [Line("", name), *(Line("", right) for right in rights)] if apart else lines(name, rights)


def _fits_only_apart(printer: Printer, name: str, links: Sequence[Link], width: float, quad: str) -> bool:
    widths = [
        printer.width(f"{link.relation} {printer(link.content)}") for link in links if isinstance(link.content, Expression)
    ]
    widest = max((w for w in widths if w <= width - printer.width(quad)), default=0)
    return widest > width - printer.width(name)


def lines(name: str, rights: Sequence[str]) -> list[Line]:
    """The lines of an equation whose name stands on the first."""
    return [Line(name if i == 0 else "", right) for i, right in enumerate(rights)]


def broken(printer: Printer, link: Link, room: float, quad: str) -> list[str]:
    """One link over several lines, the later ones set in."""
    assert not isinstance(link.content, str)
    within = room - printer.width(quad)
    pieces = printer.pieces(link.content, lambda piece: printer.width(piece) <= within)
    found = [f"{link.relation} {pieces[0]}"]
    for piece in pieces[1:]:
        if printer.width(found[-1] + piece) <= (room if len(found) == 1 else within):
            found[-1] += piece
        else:
            found.append(printer.continuation(quad, piece))
    return found


def fill(paragraph: str, width: int = 78) -> str:
    """A paragraph in lines of at most ``width`` columns, broken at spaces and between Chinese characters."""
    filled, line = [], ""
    for word in _words(paragraph):
        if line and columns(line + word.rstrip()) > width and word not in "，。；：、）！？":
            filled.append(line.rstrip())
            line = ""
        line += word if line or word.strip() else ""
    return "\n".join([*filled, line.rstrip()])


def _words(paragraph: str) -> list[str]:
    words = [""]
    for character in paragraph:
        wide = columns(character) == 2
        if wide or columns(words[-1][-1:]) == 2 or words[-1].endswith(" "):
            words.append("")
        words[-1] += character
    return words
