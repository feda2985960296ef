"""pgfplots: a plot for those who change it in TeX, from the same points; long numbers have their point moved, exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from string import ascii_lowercase
from typing import Any

from symparams.drawings.marks import Tint
from symparams.drawings.theme import DARK, LIGHT, Palette, theme
from symparams.errors import OptionError
from symparams.expressions.nodes import Expression, Number
from symparams.expressions.printing.latex import LatexPrinter, escape
from symparams.plots.lettering import Lettering
from symparams.plots.pictures import RATIO, Amount, Areas, Axis, Columns, Curve, Dots, Lines
from symparams.plots.ticks import ticks_of
from symparams.sheets.values import Value

SIZE = "width=84mm, height=60mm"
WIDE, HIGH, APART, APART_ABOVE = 190.0, 120.0, 26.0, 10.0  # points of the axes, and between ticks
BELOW = r"legend style={font=\scriptsize, draw=none, at={(0.5,-0.28)}, anchor=north}, legend cell align=left"
PLACES = 9  # decimals of a number that no decimal ends
DASHES = ("solid", "dashed", "densely dotted", "dashdotted")


def written(lettering: Lettering, *, standalone: bool = True, look: str = LIGHT, with_title: bool = True) -> str:
    """Return a plot as a document, or as the picture alone; OptionError for areas of parameters, which are no axes."""
    picture = lettering.plot.picture
    if picture.kind not in PICTURES:
        raise OptionError("A treemap has no axes for pgfplots: write SVG, PDF or PGF.")
    palette = theme().palettes[DARK if look == DARK else LIGHT]
    tex = _Tex(lettering, palette)
    body = list(PICTURES[picture.kind](tex, picture))
    title = tex.text(lettering.plot.title)
    about = "".join(tex.run(run) for run in lettering.runs(lettering.plot.about))
    head, foot = lettering.words.catalogue.head, [about, *(tex.text(fact) for fact in lettering.plot.facts)]
    told = [
        lettering.text(lettering.plot.title),
        lettering.joined(lettering.plot.about),
        *map(lettering.text, lettering.plot.facts),
    ]
    lines = [f"% {line}" for line in told]
    if standalone:
        lines += [f"% {head['latex.engines']}", *head["latex.first"], r"\documentclass{article}"]
        lines += [*head["latex.fonts"], *head["latex.preamble"], r"\usepackage{amsmath}", r"\usepackage{pgfplots}"]
        lines += [r"\pgfplotsset{compat=1.16}", r"\pagestyle{empty}", r"\begin{document}", r"\noindent"]
    else:
        lines.append(rf"% Needs \usepackage{{amsmath,pgfplots}} and \pgfplotsset{{compat=1.16}}{head['latex.needs']}.")
    lines += [f"\\definecolor{{plot{name}}}{{HTML}}{{{colour[1:]}}}" for name, colour in tex.colours.items()]
    lines += [r"\begin{tikzpicture}[font=\sffamily\footnotesize]", *body]
    if with_title:
        lines.append(
            rf"\node[anchor=south west, font=\sffamily\small\bfseries] at (current bounding box.north west) {{{title}}};"
        )
    lines.append(r"\end{tikzpicture}")
    if standalone:
        lines += ["", *(rf"\noindent\footnotesize {line}\par" for line in foot), r"\end{document}"]
    return "\n".join(lines) + "\n"


class _Tex:
    """The words and numbers of a plot as TeX reads them."""

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
            "tick label style={font=\\scriptsize}",
            "label style={font=\\scriptsize}",
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
            rf"node[pos=0, anchor=south west, font=\scriptsize]{{{tex.text(level.name)}}};"
        )
    for i, curve in enumerate(picture.curves):
        models = tex.palette.plots["models"]
        colour = tex.colour(f"model{ascii_lowercase[i]}", models[i % len(models)])
        points = " ".join(f"({x},{_moved(amount, power)})" for x, amount in curve.points)
        yield (
            rf"\addplot[{colour}, {DASHES[i % len(DASHES)]}, line width=1pt, mark=none] coordinates {{{points}}} "
            rf"node[pos=1, anchor=west, font=\scriptsize]{{{tex.text(curve.name)}}};"
        )
    for i, x, amount in picture.rings:
        look = f"plotmodel{ascii_lowercase[i]}, only marks, mark=o, mark size=1.6pt"
        yield rf"\addplot[{look}] coordinates {{({x},{_moved(amount, power)})}};"
    yield r"\end{axis}"


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
            rf"node[pos=1, above left, font=\scriptsize]{{{tex.text(words)}}};"
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
        called = rf"node[right, font=\scriptsize]{{{tex.text(level.name)}}}"
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


PICTURES: Mapping[str, Callable[[_Tex, Any], Iterator[str]]] = {
    "lines": _lines,
    "areas": _areas,
    "columns": _columns,
    "dots": _dots,
}
