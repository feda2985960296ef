"""The canvas: a matplotlib figure of a drawing's width, in its letters and colours, with a title, axes and a foot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

from symparams.drawings.marks import Face, Tint
from symparams.drawings.theme import DARK, Palette, theme
from symparams.plots.lettering import EDGE, IDEOGRAPH, TICK, WIDTH, Lettering, wrapped
from symparams.plots.pictures import RATIO, SHARE, Amount, Axis, Plot
from symparams.plots.sheet import about_of
from symparams.plots.ticks import ticks_of
from symparams.quantities.quantity import NUMBERS

UNIT = 72.0  # points in an inch; one unit of a drawing is a point
GAP, TICKS_APART, LEAST_APART = 4.0, 9.5, 26.0


@dataclass
class Canvas:
    """A figure that is being made of a plot: its letters, its colours, and what is written around its axes."""

    lettering: Lettering
    look: str = "light"
    background: bool = True
    with_title: bool = True
    figure: Figure = field(default_factory=Figure)
    beside_title: float = 0.0  # the room that something else takes at its right

    @property
    def plot(self) -> Plot:
        """What is plotted."""
        return self.lettering.plot

    @cached_property
    def palette(self) -> Palette:
        """The colours."""
        return theme().palettes[DARK if self.look == DARK else "light"]

    def colour(self, name: str, i: int = 0) -> str:
        """A colour of what is no part, by its name."""
        colours = self.palette.plots[name]
        return colours[i % len(colours)]

    def size(self, face: Face) -> float:
        """The size of a face in points."""
        return theme().faces[face].size

    def axes(
        self, height: float, left: float, right: float, foot: Sequence[str] = (), *, below: float = 22.0, keys: float = 0
    ) -> Axes:
        """Return axes of a height in points, beneath the title, above the foot; the figure is as high as all of it.

        ``below`` is the room of what the axis is called, ``keys`` is the height of a legend at the bottom in lines.
        """
        lines = [line for text in foot for line in self.wrapped(text, WIDTH - 2 * EDGE)]
        pitch = theme().faces[Face.NOTE].pitch
        bottom = below + pitch * (len(lines) + keys) + (GAP if lines or keys else 0)
        top = self.top
        whole = top + height + bottom
        self.figure.set_size_inches(WIDTH / UNIT, whole / UNIT)
        self.figure.patch.set_facecolor(self.palette.paper)
        self.figure.patch.set_alpha(None if self.background else 0.0)
        axes = self.figure.add_axes((left / WIDTH, bottom / whole, (WIDTH - left - right) / WIDTH, height / whole))
        self.style(axes)
        self._head(whole)
        for i, line in enumerate(lines):
            y = (pitch * (keys + len(lines) - 1 - i) + EDGE + 1) / whole
            self.text(line, EDGE / WIDTH, y, Face.NOTE)
        return axes

    def style(self, axes: Axes) -> None:
        """Give axes their two lines and small ticks."""
        axes.set_facecolor("none")
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        for side in ("left", "bottom"):
            axes.spines[side].set(color=self.palette.wire, linewidth=0.6)
        axes.tick_params(colors=self.palette.soft, labelsize=TICK, width=0.5, length=2.5, pad=2, which="major")
        axes.tick_params(which="minor", length=0)

    @property
    def top(self) -> float:
        """The room above the axes: the title, the line beneath it, the unit of the axis."""
        title = 10.6 + self._title_pitch * (len(self._title) - 1)
        return (EDGE + title + self.pitch * len(self._about) if self.with_title else EDGE) + 10.0

    @property
    def pitch(self) -> float:
        """From one line of notes to the next."""
        return theme().faces[Face.NOTE].pitch

    @property
    def _title_pitch(self) -> float:
        return theme().faces[Face.TITLE].pitch

    @cached_property
    def _title(self) -> list[str]:
        title = self.lettering.math(self.plot.title)
        return self.wrapped(title, WIDTH - 2 * EDGE - self.beside_title, Face.TITLE, bold=True)

    @cached_property
    def _about(self) -> list[str]:
        about = self.lettering.math(about_of(self.plot)) if self.plot.about else ""
        return self.wrapped(about, WIDTH - 2 * EDGE)

    def _head(self, whole: float) -> None:
        if not self.with_title:
            return
        for i, line in enumerate(self._title):
            self.text(line, EDGE / WIDTH, 1 - (9.0 + self._title_pitch * i) / whole, Face.TITLE, bold=True)
        below = 18.5 + self._title_pitch * (len(self._title) - 1)
        for i, line in enumerate(self._about):
            self.text(line, EDGE / WIDTH, 1 - (below + self.pitch * i) / whole, Face.NOTE)

    def text(self, text: str, x: float, y: float, face: Face, *, bold: bool = False, **more: Any) -> Any:
        """Write a line at a place of the figure, in parts of it, by its base line."""
        soft = face is Face.NOTE
        settings: dict[str, Any] = {"color": self.palette.soft if soft else self.palette.ink, "va": "baseline"}
        settings |= {"fontsize": self.size(face), "fontweight": "bold" if bold else "normal", **more}
        return self.figure.text(x, y, text, **settings)

    def note(self, axes: Axes, text: str, at: tuple[float, float], by: tuple[float, float] = (0, 0), **more: Any) -> None:
        """Write a note so many points from a place of the axes, in parts of them unless ``xycoords`` are others."""
        settings = {"xycoords": "axes fraction", "va": "center", "fontsize": TICK, "color": self.palette.soft, **more}
        axes.annotate(text, at, xytext=by, textcoords="offset points", **settings)

    def ring(self, axes: Axes, x: float, y: float, colour: str, size: float = 3.6) -> Line2D:
        """Draw a ring about a point that a fact is about."""
        look = {"markerfacecolor": self.palette.paper, "markeredgecolor": colour, "markeredgewidth": 1.0}
        [ring] = axes.plot([x], [y], "o", markersize=size, zorder=5, **look)
        return ring

    def legend(self, keys: Sequence[Any], columns: int) -> None:
        """Write what colours or signs mean, at the bottom."""
        self.figure.legend(
            handles=keys,
            loc="lower left",
            bbox_to_anchor=(0.0, 0.0),
            ncols=columns,
            frameon=False,
            fontsize=TICK,
            handlelength=1.1,
            handleheight=0.9,
            borderpad=0.2,
            labelspacing=0.3,
            columnspacing=1.0,
            labelcolor=self.palette.soft,
        )

    def card(self, *, pad: float = 0.3) -> dict[str, Any]:
        """The card behind a name that stands on a picture."""
        return {
            "boxstyle": f"round,pad={pad}",
            "facecolor": self.palette.paper,
            "edgecolor": self.palette.wire,
            "linewidth": 0.4,
        }

    def width(self, text: str, size: float, *, bold: bool = False) -> float:
        """The width of a line in points."""
        probe = self.figure.text(0, 0, text, fontsize=size, fontweight="bold" if bold else "normal")
        box = probe.get_window_extent(self._renderer)
        probe.remove()
        width: float = box.width * UNIT / self.figure.dpi
        return width

    @cached_property
    def _renderer(self) -> Any:
        return FigureCanvasAgg(self.figure).get_renderer()

    def wrapped(self, text: str, room: float, face: Face = Face.NOTE, *, bold: bool = False, whole: bool = False) -> list[str]:
        """A text in lines that fit; a formula stays whole, a word too long for a line is broken unless ``whole``."""
        return wrapped(text, lambda line: self.width(line, self.size(face), bold=bold) <= room, whole=whole)

    def left_of(self, axis: Axis, low: Amount, high: Amount, height: float) -> float:
        """The room that the numbers of a vertical axis take."""
        ticks = ticks_of(axis, low, high, height, TICKS_APART)
        among = (min(ticks, default=low), max(ticks, default=high))
        return 6.0 + max((self.width(self.lettering.tick(tick, axis.unit, among), TICK) for tick in ticks), default=12.0)

    def ticks(self, axis: Axis, low: Amount, high: Amount, points: float, which: str) -> list[Amount]:
        """The ticks of an axis; those of a horizontal one are as far apart as their numbers are wide."""
        if which != "x":
            return ticks_of(axis, low, high, points, TICKS_APART)
        places = ticks_of(axis, low, high, points, LEAST_APART)
        among = (min(places, default=low), max(places, default=high))
        widest = max((self.width(self.lettering.tick(place, axis.unit, among), TICK) for place in places), default=0.0)
        return ticks_of(axis, low, high, points, max(LEAST_APART, widest + GAP))

    def scale(
        self, axes: Axes, axis: Axis, which: str, low: Amount, high: Amount, ticks: Sequence[Amount] | None = None
    ) -> None:
        """Set an axis: its scale, its ends, its ticks with their numbers, the unit above it or its name below it."""
        own, length = getattr(axes, f"{which}axis"), axes.get_position().width if which == "x" else axes.get_position().height
        inches = self.figure.get_size_inches()
        points = length * (inches[0] if which == "x" else inches[1]) * UNIT
        getattr(axes, f"set_{which}scale")("log" if axis.is_log else "linear")
        getattr(axes, f"set_{which}lim")(float(low), float(high))
        places = list(ticks) if ticks is not None else self.ticks(axis, low, high, points, which)
        among = (min(places, default=low), max(places, default=high))
        own.set_major_locator(FixedLocator([float(place) for place in places]))
        own.set_major_formatter(FixedFormatter([self.lettering.tick(place, axis.unit, among) for place in places]))
        own.set_minor_locator(NullLocator())
        if which == "x":
            name, unit = self.lettering.math(axis.name), self.lettering.unit(axis.unit, among)[1]
            if unit:
                name = f"{self.lettering.text(axis.name) if IDEOGRAPH.search(unit) else name} ({unit})"
            axes.set_xlabel(name, fontsize=self.size(Face.NOTE), color=self.palette.soft, labelpad=1.5)
            return
        axes.grid(axis="y", color=self.palette.strips[Tint.STACK], linewidth=0.4)
        axes.set_axisbelow(True)
        unit = self.lettering.unit(axis.unit, among)[1] or ("%" if axis.unit == SHARE else self.lettering.unit_name(axis.unit))
        if axis.unit == RATIO or (axis.unit == NUMBERS and not self.lettering.unit(axis.unit, among)[1]):
            unit = self.lettering.math(axis.name)
        room = axes.bbox.x0 * UNIT / self.figure.dpi - EDGE - 2.5
        side = "right" if self.width(unit, TICK) <= room else "left"
        self.note(axes, unit, (0, 1), (-2.5, 3.5), ha=side, va="baseline")


def families() -> list[str]:
    """The fonts of drawings that this machine has; matplotlib's own where there is none."""
    known = set(font_manager.get_font_names())
    return [name for name in theme().sans if name in known] or ["DejaVu Sans"]


def settings() -> dict[str, Any]:
    """The settings of matplotlib for a plot: text stays text, the same bytes twice, formulas in a serif."""
    known = set(font_manager.get_font_names())
    serif = next((name for name in theme().serif if name in known), "STIXGeneral")
    return {
        "mathtext.fontset": "custom",
        "mathtext.rm": serif,
        "mathtext.it": f"{serif}:italic",
        "mathtext.bf": f"{serif}:bold",
        "mathtext.cal": serif,
        "mathtext.sf": serif,
        "mathtext.tt": serif,
        "mathtext.fallback": "stix",
        "hatch.linewidth": 0.35,
        "font.family": families(),
        "font.size": theme().faces[Face.NOTE].size,
        "svg.fonttype": "none",
        "svg.hashsalt": "symparams",
        "pdf.fonttype": 42,
        "axes.unicode_minus": False,
        "path.simplify": False,
    }
