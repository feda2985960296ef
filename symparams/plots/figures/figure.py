"""The figure: a plot drawn, shown in a notebook, and written as SVG, PDF, PNG or PGF; the same plot gives the same bytes."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from importlib import import_module
from io import BytesIO, StringIO
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.text import Text

from symparams.drawings.theme import DARK, LIGHT, theme
from symparams.errors import OptionError, OutputError, UnknownNameError, quoted, read_switch, suggestion
from symparams.expressions.printing.latex import escape as in_tex
from symparams.plots.figures.canvas import Canvas, settings
from symparams.plots.lettering import FIRST_WIDE, Lettering
from symparams.plots.pictures import Plot

AUTO, OUTLINES = "auto", "outlines"
PNG_DOTS = 192  # an inch, two for each of a screen's
NO_DATE: Mapping[str, Mapping[str, Any]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "pdf": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
SIZE = re.compile(r'(<svg[^>]*?) width="([\d.]+)pt" height="([\d.]+)pt"')
SERIES = re.compile(r'<g id="(series|mark) ([^"]*)">')
FONT, SERIF = re.compile(r"(font: [^;\"]*?[\d.]+px |font-family: )([^;\"]*)"), re.compile("Serif|Times|STIX|Roman")
# Of an SVG within a page: its styles, those of its elements, its ids and what refers to them, a font in short.
STYLES, STYLED = re.compile(r"<defs>\s*<style.*?</style>\s*</defs>", re.DOTALL), re.compile(r' style="([^"]*)"')
IDS = re.compile(r'(\bid="|url\(#|href="#)([^")]+)')
SHORTHAND = re.compile(
    r"(?:(?P<font_style>italic|oblique) )?(?:(?P<font_weight>\d+|bold) )?(?P<font_size>[\d.]+px) (?P<font_family>.*)"
)
DOLLAR = re.compile(r"(?<!\\)\$")  # of a formula: one of a name has a backslash before it
CHINESE = r"\usepackage[fontset=fandol]{ctex}"
GLYPH = re.compile(r"Glyph \d+ .*missing from")


class PlotFigure(Figure):  # type: ignore[misc] # matplotlib's types are those of who has it
    """A matplotlib figure of a plot, which ``plot`` holds with its exact numbers; a notebook shows it as SVG."""

    plot: Plot
    lettering: Lettering
    look: str = LIGHT

    def _repr_svg_(self) -> str:
        return written(self, "svg").decode()

    def _repr_html_(self) -> None:
        return None

    @property
    def points(self) -> list[Any]:
        """Its exact numbers as records, which a data frame takes."""
        return list(self.plot)


def figure_of(
    plot: Plot,
    *,
    language: str = "en",
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
    theme: str = AUTO,
    background: bool = True,
    with_title: bool = True,
) -> PlotFigure:
    """Return a plot as a figure of a column's width, 8.43 cm."""
    if theme not in (AUTO, LIGHT, DARK):
        raise UnknownNameError(f"Unknown theme {quoted(theme)}. {suggestion(str(theme), (AUTO, LIGHT, DARK))}")
    background, with_title = read_switch("background", background), read_switch("with_title", with_title)
    if symbols is not None and not isinstance(symbols, Mapping):
        raise OptionError(f"symbols = {quoted(symbols)} is no mapping: write symbols={{'h': 'd'}}.")
    if not background and theme == AUTO:
        raise OptionError("A plot without background (--no-background) needs one theme: choose light or dark.")
    lettering = Lettering(plot, str(language), notation, symbols or {})
    with mpl.rc_context(settings()), _quiet():
        figure = PlotFigure()
        figure.plot, figure.lettering, figure.look = plot, lettering, theme
        canvas = Canvas(lettering, DARK if theme == DARK else LIGHT, background, with_title, figure)
        import_module(f"symparams.plots.figures.{plot.picture.kind}").draw(canvas)
    return figure


def written(figure: PlotFigure, kind: str, scale: int = 2) -> bytes:
    """Return a figure as a file: "svg", "pdf", "png" or "pgf"; a PNG so many times as large as on a screen.

    "outlines" is an SVG without text, for what reads SVG and sets letters in fonts of its own.

    OutputError where no font has the characters, and for PGF where TeX is not installed.
    """
    with mpl.rc_context(settings()):
        if kind == "svg":
            return _svg(figure).encode()
        stream = BytesIO()
        if kind == "pgf":
            return _pgf(figure)
        form = "svg" if kind == OUTLINES else kind
        with warnings.catch_warnings(), mpl.rc_context({"svg.fonttype": "path"} if kind == OUTLINES else {}):
            warnings.filterwarnings("error", message=GLYPH.pattern)
            try:
                figure.savefig(stream, format=form, metadata=NO_DATE[form], dpi=PNG_DOTS * scale)
            except UserWarning:
                raise OutputError(
                    "No font of this machine has the characters of the plot: install one, such as Noto Sans CJK, or write SVG."
                ) from None
        return stream.getvalue()


def _pgf(figure: PlotFigure) -> bytes:
    stream = BytesIO()
    texts = [text for text in figure.findobj(Text) if text.get_text()]
    is_latin = all(character < FIRST_WIDE for text in texts for character in text.get_text())
    chosen: dict[str, Any] = {"pgf.rcfonts": False, "pgf.texsystem": "pdflatex" if is_latin else "xelatex"}
    if not is_latin:
        chosen["pgf.preamble"] = CHINESE
    try:
        with mpl.rc_context(chosen), _as_tex(texts):
            figure.savefig(stream, format="pgf")
    except (RuntimeError, OSError, ValueError, mpl.ExecutableNotFoundError):
        raise OutputError(
            "PGF is measured by TeX, which does not run here: install it, or leave out --pgf for --tikz, which needs none."
        ) from None
    return stream.getvalue()


@contextmanager
def _as_tex(texts: Sequence[Text]) -> Iterator[None]:
    """What is no formula escaped meanwhile: a name from outside is no TeX."""
    before = [(text, text.get_text()) for text in texts]
    for text, words in before:
        is_math = len(DOLLAR.findall(words)) % 2 == 0
        parts = DOLLAR.split(words) if is_math else [words]
        text.set_text("".join(f"${part}$" if i % 2 else _in_tex(part) for i, part in enumerate(parts)))
    try:
        yield
    finally:
        for text, words in before:
            text.set_text(words)


def _in_tex(words: str) -> str:
    """Words in TeX, each dollar sign of them by its name: matplotlib takes the backslash before one away."""
    return in_tex(words.replace(r"\$", "$")).replace(r"\$", r"\textdollar{}")


@contextmanager
def _quiet() -> Iterator[None]:
    """No word of glyphs that the fonts of this machine lack: in SVG the reader's fonts have them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=GLYPH.pattern)
        yield


def _svg(figure: PlotFigure) -> str:
    stream = StringIO()
    with _quiet():
        figure.savefig(stream, format="svg", metadata=dict(NO_DATE["svg"]))
    text = stream.getvalue()
    text = text[text.index("<svg") :]
    words, scale = figure.lettering, theme().scale
    size = SIZE.search(text)
    if size is None:
        raise OptionError("matplotlib wrote an SVG without a size: install another release of it.")
    wide, high = (float(size[i]) * scale for i in (2, 3))
    told = " ".join([words.joined(figure.plot.about) + ".", *map(words.text, figure.plot.facts)])
    head = f"<title>{escape(words.text(figure.plot.title))}</title>\n<desc>{escape(told)}</desc>\n"
    start = f'{size[1]} width="{wide:.2f}" height="{high:.2f}" class="symparams" role="img" xml:lang="{words.language}"'
    text = text[: size.start()] + start + text[size.end() :]
    inside = text.index(">", text.index("<svg")) + 1
    text = text[:inside] + "\n" + head + (_dark() if figure.look == AUTO else "") + text[inside:]
    lists = {
        name: ", ".join(f"'{font}'" for font in (*fonts, name))
        for name, fonts in (("sans-serif", theme().sans), ("serif", theme().serif))
    }
    lists = {name: fonts.replace(f"'{name}'", name) for name, fonts in lists.items()}
    text = FONT.sub(lambda match: match[1] + lists["serif" if SERIF.search(match[2]) else "sans-serif"], text)
    return SERIES.sub(lambda match: f'<g data-{match[1]}="{match[2]}"><title>{match[2]}</title>', text)


def _dark() -> str:
    """A style that gives each colour its dark one, where the reader's setting is dark."""
    rules = [
        f'[style*="{name}: {old.lower()}"]{{{name}:{new} !important}}'
        for name in ("fill", "stroke")
        for old, new in _pairs().items()
    ]
    return "<style>@media (prefers-color-scheme:dark){" + "".join(rules) + "}</style>\n"


def _pairs() -> dict[str, str]:
    """The dark colour of each."""
    light, dark = (theme().palettes[name] for name in (LIGHT, DARK))
    pairs = {getattr(light, name): getattr(dark, name) for name in ("paper", "ink", "soft", "wire")}
    for name in ("blocks", "panels"):
        for tint, colours in getattr(light, name).items():
            other = getattr(dark, name)[tint]
            pairs |= {colours.fill: other.fill, colours.line: other.line}
    for tint, colour in light.strips.items():
        pairs[colour] = dark.strips[tint]
    for name, colours in light.plots.items():
        pairs |= dict(zip(colours, dark.plots[name], strict=True))
    return pairs


def inline(figure: PlotFigure, prefix: str) -> tuple[str, Mapping[str, str]]:
    """Return a light figure as SVG within a page that lets no style but its own hold, and the dark one of each colour in it.

    Its ids begin with a prefix: another plot of the page may have the same.
    """
    text = STYLES.sub("", written(figure, "svg").decode()).replace("<svg ", '<svg stroke-linejoin="round" ', 1)
    text = STYLED.sub(lambda match: "".join(_attributes(match[1])), text)
    text = IDS.sub(lambda match: f"{match[1]}{prefix}{match[2]}", text)
    return text, {old: new for old, new in _pairs().items() if old.lower() in text}


def _attributes(style: str) -> Iterator[str]:
    """Yield the attributes that say what a style says."""
    for name, _, value in (part.partition(":") for part in style.split(";") if ":" in part):
        short = SHORTHAND.fullmatch(value.strip()) if name.strip() == "font" else None
        of_font = short.groupdict() if short else {name.strip(): value.strip()}
        yield from (f' {key.replace("_", "-")}="{said}"' for key, said in of_font.items() if said)
