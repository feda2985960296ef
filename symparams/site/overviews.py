"""Pages over all models: the plots, and the families with their papers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from itertools import groupby
from typing import Any, ClassVar, NamedTuple

from symparams.architectures import architecture
from symparams.errors import OptionError
from symparams.expressions.printing.mathml import escape
from symparams.formats.sheet import Sheet
from symparams.pages.page import dark_rules
from symparams.plots import inline, plot_of
from symparams.plots.lettering import Lettering
from symparams.plots.sheet import plot_sheet
from symparams.records import frozen
from symparams.site import shown
from symparams.site.frame import Edition, Files, Frame
from symparams.site.records import read_all
from symparams.site.shown import ChosenPlot


class DrawnPlot(NamedTuple):
    """A plot: its words, and its drawing, which is empty where nothing can draw it."""

    sheet: Sheet
    drawn: str


def plots(names: Sequence[str], edition: Edition) -> Files:
    """Return the page of plots."""
    return PlotsPage("plots", edition, tuple(names)).render()


def families(names: Sequence[str], edition: Edition, folder: str) -> Files:
    """Return the page of families."""
    return FamiliesPage("families", edition, tuple(read_all(names, folder))).render()


@frozen
class PlotsPage(Frame):
    """The plots, each with its numbers."""

    template: ClassVar[str] = "plots"

    models: Sequence[str]

    @cached_property
    def plots(self) -> list[DrawnPlot]:
        """The plots that the site has the models of."""
        return [drawn for drawn, _ in self._drawn]

    @cached_property
    def _drawn(self) -> list[tuple[DrawnPlot, dict[str, str]]]:
        """Each plot, and the dark one of each of its colours."""
        wanted = [
            ChosenPlot("rule", tuple(self.models), {}),
            *(each for each in shown.plots() if {*each.models} <= {*self.models}),
        ]
        drawn: list[tuple[DrawnPlot, dict[str, str]]] = []
        for number, (kind, models, options) in enumerate(wanted):
            try:
                made = plot_of(kind, *models, **options)
            except OptionError:  # no model of so small a site is of the rule
                continue
            text, dark = "", dict[str, str]()
            if find_spec("matplotlib"):
                text, colours = inline(Lettering(made, self.language), f"plot-{number}-")
                dark = dict(colours)
            drawn.append((DrawnPlot(self.sheet(plot_sheet(made, self.language)), text), dark))
        return drawn

    @cached_property
    def style(self) -> str:
        rules = dark_rules(*(dark for _, dark in self._drawn))
        return super().style + (f"@media (prefers-color-scheme: dark) {{ {' '.join(rules)} }}" if rules else "")


@frozen
class FamiliesPage(Frame):
    """The families with their papers and their models."""

    template: ClassVar[str] = "families"

    records: Sequence[dict[str, Any]]

    @property
    def families(self) -> Iterator[tuple[str, str, str, list[dict[str, Any]]]]:
        """The name of each family, its title, where it is described, its models from the smallest."""
        by_family = {name: list(group) for name, group in groupby(self.records, key=lambda each: str(each["family"]))}
        for name in sorted(by_family, key=lambda name: architecture(name).title.lower()):
            family, models = architecture(name), sorted(by_family[name], key=lambda each: int(each["parameters"]))
            yield name, escape(family.title), self.cited(family.source), models
