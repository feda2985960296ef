"""The drawing of an architecture: its tree from the inputs at the bottom to the outputs on top, each part at its place."""

from __future__ import annotations

from enum import StrEnum

from symparams.derivations.derivation import Derivation, derive
from symparams.drawings.columns import Column, outline
from symparams.drawings.feet import put_feet
from symparams.drawings.group import moved
from symparams.drawings.header import header
from symparams.drawings.heads import put_heads
from symparams.drawings.marks import Box, Cells, Drawing, Frame, Mark, Operation, Pill, Text, Wedge, Wire
from symparams.drawings.pen import Pen, Way
from symparams.drawings.spine import run
from symparams.drawings.work import Labels, Work
from symparams.errors import OptionError, suggestion
from symparams.models.model import Model

WIDTH = 240.0
GUTTER, PAD = 13.0, 5.0
LAYERS: tuple[tuple[type, ...], ...] = ((Wedge,), (Frame,), (Wire,), (Box, Pill, Operation), (Cells,), (Text,))


class Detail(StrEnum):
    """How much is drawn: a box for each stack, the blocks of a layer, or what is in the blocks too."""

    STACKS = "stacks"
    BLOCKS = "blocks"
    PARTS = "parts"


def architecture(
    subject: Derivation | Model | str, language: str = "en", labels: str = "both", detail: str = "parts", title: bool = True
) -> Drawing:
    """The drawing of a model, or of a derivation: ``labels`` are "both", "formula", "count" or "none" beside each name,
    ``detail`` is "stacks", "blocks" or "parts"; ``title`` puts the name and the total above.

    Raises OptionError for a bare formula, which has no tree, and for choices that there are not.
    """
    derivation = subject if isinstance(subject, Derivation) else derive(subject)
    work = Work(derivation, language, Labels(_chosen(labels, Labels, "labels")))
    pen = Pen(work, with_panels=_chosen(detail, Detail, "detail") == Detail.PARTS)
    column = outline(work.model.tree).columns[0]
    way = Way(x=72, width=96, side=-1, left=11, right=125)
    top = _put(pen, column, way, room=(138, 234))
    marks = [*pen.marks, *(header(work, WIDTH, top) if title else [])]
    return _framed(work, marks, top - 26)


def _put(pen: Pen, column: Column, way: Way, room: tuple[float, float]) -> float:
    at = put_feet(pen, column.feet, way, room)
    at = run(pen, column.spine, way, at)
    return put_heads(pen, column.heads, way, at).y


def _framed(work: Work, marks: list[Mark], top: float) -> Drawing:
    """The marks from the lowest, moved so that the highest of them is at the top."""
    bottom = 18.0
    ordered = sorted((moved(mark, 0, -top) for mark in marks), key=_layer)
    model = work.model
    return Drawing(model.name, model.name, "", work.language, WIDTH, bottom - top, tuple(ordered), work.letters)


def _layer(mark: Mark) -> int:
    return next(i for i, kinds in enumerate(LAYERS) if isinstance(mark, kinds))


def _chosen(value: str, choices: type[StrEnum], name: str) -> str:
    """A choice as it is; OptionError where there is none of that name."""
    known = [each.value for each in choices]
    if value not in known:
        raise OptionError(f"Unknown {name} {value!r}. {suggestion(value, known)}")
    return value
