"""Lines: the text of a drawing as ``<tspan>`` elements, formulas run by run, so that it can be searched and copied."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from symparams.drawings.marks import Drawing, Face, TextPiece
from symparams.drawings.theme import theme
from symparams.errors import printable
from symparams.expressions.nodes import Expression, Named
from symparams.expressions.printing.runs import RunPrinter, Style
from symparams.sheets.catalogue import catalogue

CLASSES = {Style.ITALIC: "i", Style.UPRIGHT: "m", Style.INDEX: "s"}
Printed = TypeVar("Printed")
NO_IDENTIFIER = re.compile(r"[^\w.-]")


class StyledSpan(NamedTuple):
    """Letters of one class, and how far they are lowered from those before them."""

    text: str
    kind: str
    drop: float


class SvgLines:
    """Sets the pieces of a drawing's texts."""

    def __init__(self, drawing: Drawing) -> None:
        self.print = printed_by(RunPrinter, drawing)

    def spans(self, pieces: Iterable[TextPiece]) -> list[StyledSpan]:
        """The runs of a line; an index is lowered, and what is behind it raised again."""
        spans: list[StyledSpan] = []
        lowered = False
        for text, kind in (run for piece in pieces for run in self._runs(piece)):
            is_index = kind == CLASSES[Style.INDEX]
            drop = theme().formulas["drop"] * (is_index - lowered)
            lowered = is_index
            if spans and spans[-1].kind == kind and not drop:
                spans[-1] = spans[-1]._replace(text=spans[-1].text + printable(text))
            else:
                spans.append(StyledSpan(printable(text), kind, drop))
        return spans

    def _runs(self, piece: TextPiece) -> list[tuple[str, str]]:
        """The letters of a piece with their classes; numbers outside a formula are set as the words beside them."""
        if not isinstance(piece.value, Expression):
            return [(piece.value, CLASSES[Style.UPRIGHT] if piece.face is Face.FORMULA else f"t-{piece.face}")]
        runs = self.print(piece.value).runs
        if piece.face is not Face.FORMULA and not piece.value.dimensions:
            return [("".join(run.text for run in runs), f"t-{piece.face}")]
        return [(run.text, CLASSES[run.style]) for run in runs]


def printed_by(printer: Callable[..., Printed], drawing: Drawing) -> Printed:
    """A printer with the letters of a drawing, and the names and the numbers of its language."""
    words = catalogue(drawing.language)

    def named(quantity: Named) -> str:
        return words.called(str(quantity.label), is_short=True) if quantity.label else ""

    return printer(drawing.letters, lambda key: words.called(str(key)), named, words.head["grouping"])


def identifier(name: str) -> str:
    """A name as the beginning of an id."""
    cleaned = NO_IDENTIFIER.sub("-", name)
    return cleaned if cleaned[:1].isalpha() else f"drawing-{cleaned}"
