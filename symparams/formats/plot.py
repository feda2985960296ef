"""The plot: what a derivation counts as a picture on its sheet, as a format takes one in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from symparams.derivations.derivation import Derivation
from symparams.errors import OptionError
from symparams.sheets.document import Document, Plotted, Section
from symparams.sheets.values import Listed, Sentence, Value

if TYPE_CHECKING:
    from symparams.plots.lettering import Lettering

ANSWERED = "total"  # the section that a plot follows


def plotted_on(document: Document, options: Mapping[str, Any]) -> Document:
    """The sheet of a derivation with the plot that goes with it, after its total, or last; OptionError where there is none."""
    from symparams.plots.derived import derived_plot
    from symparams.plots.lettering import Lettering

    derivation = document.subject
    if not isinstance(derivation, Derivation):
        raise OptionError("A plot shows what is derived of one model: leave out with_plot.")
    plot = derived_plot(derivation)
    about: Value = Listed(tuple(plot.about), "signs.comma")
    sentences = [Sentence("figure.plot", {"title": plot.title, "about": about}), *plot.facts]
    letters = {"notation": options.get("notation", "hidden"), "symbols": options.get("symbols") or {}}
    block = Plotted(Lettering(plot, document.language, **letters), sentences)
    keys = [section.key for section in document.sections]
    at = keys.index(ANSWERED) + 1 if ANSWERED in keys else len(keys)
    sections = [*document.sections[:at], Section("plot", None, [block]), *document.sections[at:]]
    return replace(document, sections=sections)


def drawn(lettering: Lettering, kind: str) -> str:
    """A plot without a title, which its caption has: its source as "tex", else "svg", or "outlines" on the paper of a page."""
    if kind == "tex":
        from symparams.plots.pgfplots import written

        return written(lettering, standalone=False, with_title=False).rstrip("\n")
    from symparams.plots import picture

    look = {"language": lettering.language, "notation": lettering.notation, "symbols": lettering.symbols}
    background = kind == "svg"
    return picture(lettering.plot, kind, with_title=False, background=background, **look).decode().rstrip("\n")
