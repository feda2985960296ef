"""Elements: each mark of a drawing as the elements of SVG that show it; the library that writes them escapes all text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from symparams.drawings.layout.corners import frame_radius
from symparams.drawings.marks import (
    COMPARING,
    GREY,
    Anchor,
    Box,
    Cells,
    Frame,
    Operation,
    Pill,
    Rectangle,
    Segment,
    Stroke,
    Text,
    Tint,
    Wedge,
    Wire,
)
from symparams.drawings.theme import theme
from symparams.errors import printable
from symparams.formats.svg import paths
from symparams.formats.svg.lines import SvgLines
from symparams.formats.svg.paths import number, point

SET_APART = (Stroke.TIED, Stroke.ROUTE, *COMPARING)


def elements(mark: Any, lines: SvgLines) -> list[Element]:
    """Return the elements of a mark, the lowest first."""
    return SHOWN[type(mark)](mark, lines)


def _text(mark: Text, lines: SvgLines) -> list[Element]:
    spans = lines.spans(mark.pieces)
    if not spans:
        return []
    soft = "soft" if all(theme().faces[piece.face].soft for piece in mark.pieces) else "marked" if mark.is_marked else ""
    element = Element("text", _at(mark))
    if mark.anchor is not Anchor.START:
        element.set("text-anchor", mark.anchor)
    if len(spans) == 1:
        element.set("class", f"{spans[0].kind} {soft}".strip())
        element.text = spans[0].text
        return [element]
    if soft:
        element.set("class", soft)
    for span in spans:
        inner = SubElement(element, "tspan", {"class": span.kind} | ({"dy": number(span.drop)} if span.drop else {}))
        inner.text = span.text
    return [element]


def _at(mark: Text) -> dict[str, str]:
    if mark.scale == 1:
        return {"x": number(mark.x), "y": number(mark.y)}
    return {"transform": f"translate({point((mark.x, mark.y))}) scale({mark.scale:.3f})"}


def _rectangle(place: Rectangle, kind: str, radius: float = 0, shift: float = 0) -> Element:
    size = {"width": number(place.width), "height": number(place.height)}
    corner = {"rx": number(radius)} if radius else {}
    return Element("rect", {"class": kind, "x": number(place.x + shift), "y": number(place.y - shift)} | size | corner)


def _grouped(mark: Any, inside: Iterable[Element], lines: SvgLines) -> list[Element]:
    """The elements of a part, with its path and what is read aloud of it; its lines above them."""
    part, title = getattr(mark, "part", ""), mark.title
    shapes = [*inside, *(element for line in mark.lines for element in _text(line, lines))]
    if not part and not title:
        return shapes
    group = Element("g", {"data-part": printable(part)} if part else {})
    if title:
        SubElement(group, "title").text = printable(title)
    group.extend(shapes)
    return [group]


def _box(mark: Box, lines: SvgLines) -> list[Element]:
    radius = theme().corners["box"]
    cards = [_rectangle(mark.place, f"{mark.tint} card", radius, 2 * i) for i in range(mark.cards - 1, 0, -1)]
    return _grouped(mark, [*cards, _rectangle(mark.place, _emphasised(mark.tint, mark), radius)], lines)


def _emphasised(kind: str, mark: Box | Frame | Segment) -> str:
    return f"{kind} {mark.emphasis}" if mark.emphasis else kind


def _pill(mark: Pill, lines: SvgLines) -> list[Element]:
    radius = min(mark.place.height / 2, theme().corners["pill"])
    return _grouped(mark, [_rectangle(mark.place, Tint.PLAIN, radius)], lines)


def _frame(mark: Frame, lines: SvgLines) -> list[Element]:
    kind = mark.tint if mark.tint in GREY else f"panel-{mark.tint}"
    shapes = [_rectangle(mark.place, _emphasised(kind, mark), frame_radius(mark))]
    if mark.strip:
        strip = "strip" if mark.tint in GREY else f"line strip-{mark.tint}"
        shapes.append(Element("path", {"class": _emphasised(strip, mark), "d": paths.strip(mark)}))
    return _grouped(mark, shapes, lines)


def _segment(mark: Segment, lines: SvgLines) -> list[Element]:
    return _grouped(mark, [_rectangle(mark.place, _emphasised(mark.tint, mark))], lines)


def _operation(mark: Operation, _: SvgLines) -> list[Element]:
    middle = {"cx": number(mark.x), "cy": number(mark.y), "r": number(theme().arrows["operation"])}
    return [Element("circle", {"class": Tint.PLAIN} | middle), Element("path", {"class": "wire", "d": paths.sign(mark)})]


def _wire(mark: Wire, _: SvgLines) -> list[Element]:
    kind = "axis" if mark.stroke is Stroke.AXIS else "wire"
    kind = f"{kind} {mark.stroke}" if mark.stroke in SET_APART else kind
    shapes = [Element("path", {"class": kind, "d": paths.way(mark)})]
    if mark.dot:
        x, y = map(number, mark.points[0])
        shapes.insert(0, Element("circle", {"class": "tip", "cx": x, "cy": y, "r": number(theme().arrows["dot"])}))
    if mark.arrow:
        shapes.append(Element("path", {"class": "tip", "d": paths.head(mark)}))
    return shapes


def _wedge(mark: Wedge, _: SvgLines) -> list[Element]:
    return [Element("polygon", {"class": f"wedge-{mark.tint}", "points": " ".join(map(point, mark.points))})]


def _cells(mark: Cells, _: SvgLines) -> list[Element]:
    drawn = {kind: paths.cells(mark, active=kind == "active") for kind in ("idle", "active")}
    return [Element("path", {"class": kind, "d": path}) for kind, path in drawn.items() if path]


SHOWN: Mapping[type, Callable[[Any, SvgLines], list[Element]]] = {
    Box: _box,
    Cells: _cells,
    Frame: _frame,
    Operation: _operation,
    Pill: _pill,
    Segment: _segment,
    Text: _text,
    Wedge: _wedge,
    Wire: _wire,
}
