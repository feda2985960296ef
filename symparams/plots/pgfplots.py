"""pgfplots: a plot for those who change it in TeX, from the same points; long numbers have their point moved, exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import log
from string import ascii_lowercase
from typing import Any

from symparams.drawings.lettering.faces import BOLDER, text_width
from symparams.drawings.marks import Tint
from symparams.drawings.theme import DARK, LIGHT, Palette, theme
from symparams.expressions.nodes import Expression, Number
from symparams.expressions.printing.latex import LatexPrinter, escape, reached
from symparams.plots.lettering import TICK, Lettering, apart, wrapped
from symparams.plots.pictures import RATIO, STROKES, Amount, Areas, Axis, Columns, Curve, Dots, Lines, Tiles
from symparams.plots.ticks import ticks_of
from symparams.plots.tiling import LINE, Area, Letters, Place, Tiling
from symparams.sheets.values import Value

SIGNATURE = "%%Creator: symparams"  # of our files, as of drawings in TikZ
COMPAT = r"\pgfplotsset{compat=1.16}"
BEGIN = r"\leavevmode\begingroup\setbox0\hbox{%"
END = r"}\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\box0}\else\box0\fi\endgroup%"
SIZE = "width=84mm, height=60mm"
WIDE, HIGH, APART, APART_ABOVE = 190.0, 120.0, 26.0, 10.0  # points of the axes, and between ticks
BELOW = r"legend style={font=\sffamily\scriptsize, draw=none, at={(0.5,-0.28)}, anchor=north}, legend cell align=left"
PLACES = 9  # decimals of a number that no decimal ends


def written(lettering: Lettering, *, standalone: bool = True, look: str = LIGHT, with_title: bool = True) -> str:
    """Return a plot as a document, or as the picture alone, no wider than its line."""
    picture = lettering.plot.picture
    palette = theme().palettes[DARK if look == DARK else LIGHT]
    tex = _Tex(lettering, palette)
    body = list(PICTURES[picture.kind](tex, picture))
    head, plot = lettering.words.catalogue.head, lettering.plot
    below = [tex.text(value) for value in plot.foot] + ([tex.foot] if tex.foot else [])
    if isinstance(picture, Lines) and picture.rings:
        below[0] = rf"$\circ$ {below[0]}"
    told = [lettering.text(plot.title), lettering.joined(plot.about), *map(lettering.text, plot.facts)]
    packages = ["amsmath", "tikz" if isinstance(picture, Tiles) else "pgfplots"]
    compat = [] if isinstance(picture, Tiles) else [COMPAT]
    lines = [f"% {told[0]}", SIGNATURE, *(f"% {line}" for line in told[1:] if line)]
    if standalone:
        lines += [f"% {head['latex.engines']}", *head["latex.first"], r"\documentclass{article}"]
        lines += [*head["latex.fonts"], *head["latex.preamble"], *(rf"\usepackage{{{name}}}" for name in packages), *compat]
        lines += [r"\pagestyle{empty}", r"\begin{document}", r"\noindent"]
    else:
        needed = " and ".join([rf"\usepackage{{{','.join(packages)}}}", *compat])
        lines += [f"% Needs {needed}{head['latex.needs']}. It is as wide as it was drawn, or as the column.", BEGIN]
    lines += [f"\\definecolor{{plot{name}}}{{HTML}}{{{colour[1:]}}}%" for name, colour in tex.colours.items()]
    lines += [r"\begin{tikzpicture}[x=1pt, y=1pt, font=\sffamily\footnotesize]", *body]
    if below:
        words = r"\\".join(below)
        lines.append(
            r"\node[anchor=north west, align=left, text width=82mm, inner xsep=0pt, font=\sffamily\scriptsize] "
            rf"at (current bounding box.south west) {{{words}}};"
        )
    if with_title:
        lines += tex.heads(plot.title)
    lines.append(r"\end{tikzpicture}")
    if standalone:
        about = "".join(tex.run(run) for run in lettering.runs(plot.about))
        after = [about, *(tex.text(fact) for fact in plot.facts if fact not in plot.foot)]
        lines += ["", *(rf"\noindent\footnotesize {line}\par" for line in after if line), r"\end{document}"]
    else:
        lines[-1] += "%"
        lines.append(END)
    return reached("\n".join(lines) + "\n", head)


class _Tex:
    """The words and numbers of a plot as TeX reads them; what is written beside its title and below it, if anything is."""

    beside: Sequence[str] = ()
    foot = ""

    def __init__(self, lettering: Lettering, palette: Palette) -> None:
        self.lettering, self.palette, words = lettering, palette, lettering.words
        grouping = str(words.catalogue.head["grouping"])
        self.printer = LatexPrinter(words.document.letters, words.label, words.named, grouping)
        self.colours: dict[str, str] = {}

    def text(self, value: Value) -> str:
        """Words escaped, formulas as mathematics."""
        return "".join(map(self.run, self.lettering.words.runs(value)))

    def run(self, run: object) -> str:
        """A run of words escaped, or of a formula."""
        if isinstance(run, Expression) and not isinstance(run, Number):
            return f"${self.printer(run)}$"
        return escape(self.lettering.plain(run))

    def heads(self, title: Value) -> Iterator[str]:
        """Yield the title above the picture, and what stands beside it at the right."""
        look = r"\node[anchor=south west, inner xsep=0pt, font=\sffamily\small\bfseries]"
        yield rf"{look} (title) at (current bounding box.north west) {{{self.text(title)}}};"
        if self.beside:
            words = r"\\".join(map(escape, self.beside))
            yield (
                r"\node[anchor=south east, align=right, inner xsep=0pt, font=\sffamily\scriptsize] "
                rf"at (title.south -| current bounding box.north east) {{{words}}};"
            )

    def colour(self, name: str, value: str) -> str:
        """A colour by its name, defined before the picture."""
        self.colours[name] = value
        return f"plot{name}"

    def ticks(self, axis: Axis, which: str, among: tuple[Amount, Amount], length: float, apart: float, power: int) -> str:
        """The option for the ticks of an axis, with their numbers."""
        places = ticks_of(axis, *among, length, apart)
        words = ",".join(f"{{{escape(self.lettering.tick(place, axis.unit, among))}}}" for place in places)
        return f"{which}tick={{{','.join(_moved(place, power) for place in places)}}}, {which}ticklabels={{{words}}}"

    def axis(
        self, picture: Any, y: Axis, among: tuple[Amount, Amount], *more: str, label: str = "", basis: int = 2
    ) -> tuple[str, int]:
        """The begin of an axis, and the power of ten by which its numbers are less.

        Its label is its unit unless one is given.
        """
        power, unit = self.lettering.unit(y.unit, among)
        label = label or escape(unit or self.lettering.unit_name(y.unit))
        options = [
            SIZE,
            "axis lines=left",
            "clip=false",
            "tick label style={font=\\sffamily\\scriptsize}",
            "label style={font=\\sffamily\\scriptsize}",
        ]
        options += [f"xlabel={{{self.text(picture.x.name)}}}", f"ylabel={{{label}}}", "enlarge x limits=false"]
        options += ["ymajorgrids", "grid style={black!12}", "scaled ticks=false"]
        options += ["xmode=log", f"log basis x={basis}"] if picture.x.is_log else []
        options += ["ymode=log"] if y.is_log else ["ymin=0"]
        return f"\\begin{{axis}}[{', '.join([*options, *more])}]", power


def _ends(curves: Sequence[Curve]) -> tuple[int, int]:
    places = [x for curve in curves for x, _ in curve.points]
    return min(places), max(places)


def _moved(value: Amount, power: int) -> str:
    """A number divided by a power of ten, exactly where a decimal is."""
    part = abs(Fraction(value)) / 10**power
    whole, rest = divmod(part.numerator, part.denominator)
    decimals, digits = "", rest
    while digits and len(decimals) < max(PLACES, power):
        digit, digits = divmod(digits * 10, part.denominator)
        decimals += str(digit)
    return f"{'-' if value < 0 else ''}{whole}{'.' if decimals else ''}{decimals}"


def _lines(tex: _Tex, picture: Lines) -> Iterator[str]:
    values = [y for curve in picture.curves for _, y in curve.points] + [level.value for level in picture.levels]
    low = min(values)
    y = picture.y if low > 0 else Axis(picture.y.name, picture.y.unit, is_log=False)
    among = (low, max(values))
    power = tex.lettering.unit(y.unit, among)[0]
    ticks = [tex.ticks(y, "y", among, HIGH, APART_ABOVE, power)] if y.is_log else []
    begin, power = tex.axis(picture, y, among, tex.ticks(picture.x, "x", _ends(picture.curves), WIDE, APART, 0), *ticks)
    yield begin
    places = [x for curve in picture.curves for x, _ in curve.points]
    for level in picture.levels:
        at = _moved(level.value, power)
        yield (
            rf"\addplot[densely dashed, black!60] coordinates {{({min(places)},{at}) ({max(places)},{at})}} "
            rf"node[pos=0, anchor=south west, font=\sffamily\scriptsize]{{{tex.text(level.name)}}};"
        )
    shifts = _shifts(picture, y, among)
    for i, curve in enumerate(picture.curves):
        models = tex.palette.plots["models"]
        colour = tex.colour(f"model{ascii_lowercase[i]}", models[i % len(models)])
        points = " ".join(f"({x},{_moved(amount, power)})" for x, amount in curve.points)
        lengths = "".join(f" {'off' if j % 2 else 'on'} {length:g}pt" for j, length in enumerate(STROKES[i].dash))
        dash = f"dash pattern={lengths.strip()}" if lengths else "solid"
        yield (
            rf"\addplot[{colour}, {dash}, line width=1pt, mark={STROKES[i].mark}, mark size=1.4pt, mark options=solid] "
            rf"coordinates {{{points}}} "
            rf"node[pos=1, anchor=west, yshift={shifts[i]:.1f}pt, font=\sffamily\scriptsize]{{{tex.text(curve.name)}}};"
        )
    for i, x, amount in picture.rings:
        look = f"plotmodel{ascii_lowercase[i]}, only marks, mark=o, mark size=1.6pt"
        yield rf"\addplot[{look}] coordinates {{({x},{_moved(amount, power)})}};"
    yield r"\end{axis}"


def _shifts(picture: Lines, y: Axis, among: tuple[Amount, Amount]) -> list[float]:
    """How far the name at the end of each curve is moved, so that none lies upon another; a curve that ends early has room."""
    low, high = (float(amount) for amount in among)
    last = max(curve.points[-1][0] for curve in picture.curves)
    ends = []
    for i, curve in enumerate(picture.curves):
        x, amount = curve.points[-1]
        part = log(float(amount) / low) / log(high / low) if y.is_log and high > low else float(amount) / (high or 1)
        ends += [(part * HIGH, i)] if x == last else []
    shifts = [0.0] * len(picture.curves)
    ends.sort()
    for place, (wished, i) in zip(apart([end for end, _ in ends], [1] * len(ends), HIGH), ends, strict=True):
        shifts[i] = place - wished
    return shifts


def _areas(tex: _Tex, picture: Areas) -> Iterator[str]:
    ticks = tex.ticks(picture.x, "x", _ends(picture.curves), WIDE, APART, 0)
    areas = ("stack plots=y", "area style", "ymax=100", ticks, BELOW, "legend columns=2")
    begin, _ = tex.axis(picture, Axis(picture.x.name, "", is_log=False), (0, 100), *areas, label=r"\%")
    yield begin
    for i, curve in enumerate(picture.curves):
        colours = tex.palette.blocks[curve.tint or Tint.PLAIN]
        fill = tex.palette.plots["pairs"][0] if curve.strong else colours.fill
        name, line = tex.colour(f"area{ascii_lowercase[i]}", fill), tex.colour(f"line{ascii_lowercase[i]}", colours.line)
        points = " ".join(f"({x},{_moved(part * 100, 0)})" for x, part in curve.points)
        yield rf"\addplot[fill={name}, draw={line}] coordinates {{{points}}} \closedcycle;"
        yield rf"\addlegendentry{{{tex.text(curve.name)}}}"
    if picture.half:
        x, words = picture.half
        yield (
            rf"\addplot[stack plots=false, black!80, line width=1pt, forget plot] coordinates {{({x},0) ({x},50)}} "
            rf"node[pos=1, above left, font=\sffamily\scriptsize]{{{tex.text(words)}}};"
        )
    yield r"\end{axis}"


def _columns(tex: _Tex, picture: Columns) -> Iterator[str]:
    places = list(dict.fromkeys(column.place for column in picture.columns))
    each = len(picture.columns) // len(places)
    highest = max(sum(column.parts) for column in picture.columns)
    ticks = ",".join(str(i) for i in range(len(places)))
    linear = Columns(Axis(picture.x.name, "", is_log=False), picture.y, picture.names, picture.columns)
    begin, power = tex.axis(
        linear,
        picture.y,
        (0, highest),
        "ybar stacked",
        f"bar width={18 // each}pt",
        f"xtick={{{ticks}}}",
        f"xticklabels={{{','.join(map(str, places))}}}",
        f"xmin=-0.6, xmax={len(places) - 0.4}",
        BELOW,
        "legend columns=3",
    )
    yield begin
    states = tex.palette.plots["states"]
    colours = [*(states[i % len(states)] for i in range(len(picture.names) - 1)), tex.palette.plots["activations"][0]]
    for j, (name, colour) in enumerate(zip(picture.names, colours, strict=True)):
        points = " ".join(
            f"({_moved(i // each + Fraction(2 * (i % each) - (each - 1), 5), 0)},{_moved(column.parts[j], power)})"
            for i, column in enumerate(picture.columns)
        )
        yield rf"\addplot[fill={tex.colour(f'part{ascii_lowercase[j]}', colour)}, draw=black!60] coordinates {{{points}}};"
        yield rf"\addlegendentry{{{tex.text(name)}}}"
    for level in picture.levels:
        at = _moved(level.value, power)
        ends = [rf"({{rel axis cs:{x},0}}|-{{axis cs:0,{at}}})" for x in (0, 1)]
        called = rf"node[right, font=\sffamily\scriptsize]{{{tex.text(level.name)}}}"
        yield rf"\draw[densely dashed, black!60] {ends[0]} -- {ends[1]} {called};"
    yield r"\end{axis}"


def _dots(tex: _Tex, picture: Dots) -> Iterator[str]:
    xs, ys = [dot.x for dot in picture.dots], [dot.y for dot in picture.dots]
    among = (min(*xs, *ys), max(*xs, *ys))
    plain = Axis(picture.y.name, RATIO)
    begin, _ = tex.axis(picture, plain, among, BELOW, "legend columns=2", label=tex.text(picture.y.name), basis=10)
    yield begin
    for is_mixture, mark, key in ((False, "*", "dense"), (True, "diamond*", "mixture")):
        points = " ".join(f"({dot.x},{dot.y})" for dot in picture.dots if dot.is_mixture is is_mixture)
        if points:
            words = str(tex.lettering.words.catalogue.entry(f"plots.rule.{key}"))
            grey = 45 if is_mixture else 65
            yield rf"\addplot[only marks, mark={mark}, mark size=1.1pt, black!{grey}] coordinates {{{points}}};"
            yield rf"\addlegendentry{{{escape(words)}}}"
    yield rf"\addplot[densely dashed, black!60, forget plot] coordinates {{({among[0]},{among[0]}) ({among[1]},{among[1]})}};"
    yield r"\end{axis}"


def _tiles(tex: _Tex, picture: Tiles) -> Iterator[str]:
    # The letters of a drawing, by whose one measure every format breaks lines; what is written is escaped afterwards.
    tiling = Tiling(tex.lettering, Letters(tex.lettering.text, _width, _wrapped), picture)
    tex.beside, tex.foot = [text for text in (tiling.total, tiling.active) if text], escape(tiling.foot)
    for area in tiling.areas:
        yield from _area(tex, area)
    for writing in tiling.writings:
        words = r"\\".join(map(escape, writing.lines))
        look = [
            "align=center",
            rf"font=\sffamily\linespread{{1}}\fontsize{{{TICK}}}{{{LINE}}}\selectfont" + r"\bfseries" * writing.bold,
        ]
        look += ["anchor=north west" if writing.on_card else "anchor=west"] if writing.starts else []
        look += ["draw=black!40, fill=white, rounded corners=1.5pt, inner sep=2pt"] if writing.on_card else ["inner sep=0pt"]
        look += ["black!65"] if writing.soft else []
        yield rf"\node[{', '.join(look)}] at {_point(writing.x, writing.y)} {{{words}}};"


def _area(tex: _Tex, area: Area) -> Iterator[str]:
    """A rectangle, over it the pieces that a token uses and the lines between all of them; what it is of as a comment."""
    if area.tint is None:
        yield rf"\draw[black, line width=.6pt] {_rectangle(area.place)};"
        return
    colours, letters = tex.palette.blocks[area.tint], str(area.tint).replace("_", "")
    fill, edge = tex.colour(letters, colours.fill), tex.colour(f"{letters}line", colours.line)
    said = f" % {tex.lettering.text(area.tile.name)} {area.tile.count}" if area.tile else ""
    yield rf"\filldraw[fill={edge if area.strong else fill}, draw={edge}, line width=.6pt] {_rectangle(area.place)};{said}"
    if area.used:
        yield rf"\fill[{edge}] {' '.join(_rectangle(area.piece(number)) for number in area.used)};"
    first, place = area.piece(0), area.place
    for wide, number, end in ((True, area.columns, place.y + place.height), (False, area.rows, place.x + place.width)):
        if number > 1:
            step, start = (first.width, place.x) if wide else (first.height, place.y)
            at = rf"{{{start:.6g}+\i*{step:.6g}}}"
            line = f"({at},{place.y:.6g}) -- ({at},{end:.6g})" if wide else f"({place.x:.6g},{at}) -- ({end:.6g},{at})"
            yield rf"\foreach \i in {{1,...,{number - 1}}} \draw[{edge}, line width=.3pt] {line};"


def _point(x: float, y: float) -> str:
    return f"({x:.6g},{y:.6g})"


def _rectangle(place: Place) -> str:
    return f"{_point(place.x, place.y)} rectangle {_point(place.x + place.width, place.y + place.height)}"


def _width(text: str, bold: bool = False) -> float:
    """The width of a text in the letters of a drawing, by which every format breaks lines; what is written is escaped later."""
    return text_width(text) * TICK * (BOLDER if bold else 1)


def _wrapped(text: str, room: float) -> list[str]:
    return wrapped(text, lambda line: _width(line) <= room, whole=True)


PICTURES: Mapping[str, Callable[[_Tex, Any], Iterator[str]]] = {
    "lines": _lines,
    "areas": _areas,
    "columns": _columns,
    "dots": _dots,
    "tiles": _tiles,
}
