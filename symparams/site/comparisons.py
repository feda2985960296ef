"""Comparisons that people look for, each on a page of its own, and the list of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

from symparams.answers.comparison import Comparison, compare
from symparams.drawings.compared.comparing import UnlikeModelsError
from symparams.formats.drawing import draw
from symparams.records import frozen
from symparams.sheets.comparison import comparison
from symparams.site import shown
from symparams.site.frame import DocumentPage, Edition, Files, Frame
from symparams.site.records import read_all

Pair = tuple[str, str]


def pairs(names: Sequence[str]) -> list[Pair]:
    """Return the pairs of which the site has both models."""
    return [pair for pair in shown.pairs() if {*pair} <= {*names}]


def page_name(pair: Pair) -> str:
    """Return the name of the page of a pair."""
    return f"compare/{pair[0]}-vs-{pair[1]}"


def page(pair: Pair, edition: Edition) -> Files:
    """Return the page of two models."""
    compared = compare(*pair)
    return ComparisonPage(page_name(pair), edition, comparison(compared, edition.language), compared).render()


def index(names: Sequence[str], edition: Edition, folder: str) -> Files:
    """Return the list of comparisons."""
    return ComparisonsPage("comparisons", edition, tuple(read_all(names, folder))).render()


@frozen
class ComparisonPage(DocumentPage):
    """Two models beside each other."""

    template: ClassVar[str] = "comparison"

    compared: Comparison

    @property
    def names(self) -> list[str]:
        """The names of the models."""
        return [model.name for model in self.compared.models]

    @cached_property
    def drawing(self) -> str:
        """The models side by side, what differs marked; as bars where they are too unlike."""
        try:
            return str(draw(self.compared, "svg", language=self.language, side_by_side=True, with_title=False))
        except UnlikeModelsError:
            return str(draw(self.compared, "svg", language=self.language, relative=True))

    @property
    def drawings(self) -> Sequence[str]:
        return (self.drawing,)


@frozen
class ComparisonsPage(Frame):
    """The list of comparisons."""

    template: ClassVar[str] = "comparisons"

    records: Sequence[dict[str, Any]]

    @property
    def rows(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """The page of each pair, and the records of its models."""
        known = {each["name"]: each for each in self.records}
        return [(page_name(pair), [known[name] for name in pair]) for pair in pairs(list(known))]
