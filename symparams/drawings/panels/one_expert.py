"""One expert of a mixture, opened above all of them: its matrices, and how many parameters it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from symparams.components.tree import Component
from symparams.derivations.mixtures import one_expert
from symparams.drawings.distances import SHORT_RISE, TURN
from symparams.drawings.lettering.lettering import cut
from symparams.drawings.marks import Box, Frame, Group, Rectangle, Tint
from symparams.drawings.panels.feed_forward import put_network
from symparams.drawings.panels.sketch import BoxSubject, Sketch

PASSING = 8.0  # beside it, for what leaves the panel
ABOVE = 8.0  # what leaves the panel turns to its side below it


def open_expert(sketch: Sketch, mixture: Component) -> None:
    """Put the frame of one expert on top of a sketch whose output then passes it at the right; nothing where it has no room."""
    context, path, expert, width = sketch.context, sketch.path, one_expert(mixture), sketch.span.width - PASSING
    inner = Sketch(context, path, expert, width)
    inner.parts = _in_arrays(inner.parts, mixture, sketch)
    if not put_network(inner) or cut(inner.marks) or sketch.end is None:
        return
    name = context.sentence("experts.one")
    told = context.lettered(path, expert, width, name)
    way = inner.end or inner.span.middle
    inner.wire((way, inner.top), (way, inner.top - SHORT_RISE))
    height = told.height + SHORT_RISE - inner.top
    lane, turn = sketch.span.right, sketch.top - ABOVE
    foot = turn - TURN
    place = Rectangle(0.0, -height, width, height)
    frame = Frame(place, Tint.PLAIN, 0.0, told.at(place.middle, place.y), path, context.title(path, expert, name))
    marks = (replace(mark, leaves=()) if isinstance(mark, Box) else mark for mark in inner.marks)
    top = foot - height
    sketch.wire((sketch.end, sketch.top), (sketch.end, turn), (lane, turn), (lane, top), arrow=False)
    sketch.marks += Group(width, height, (frame, *marks)).moved(sketch.span.x, foot).marks
    sketch.top, sketch.end = top, lane


def _in_arrays(parts: Mapping[str, BoxSubject], mixture: Component, sketch: Sketch) -> dict[str, BoxSubject]:
    """The matrices of one expert by what they are for, each at the path of the array in which all experts have theirs."""
    arrays = {made: f"{sketch.path}.{name}" for name, array in mixture.children for made in array.makes}
    own = {word: arrays[part.component.makes[0]] for word, part in parts.items()}
    return {word: replace(part, path=own[word], name=sketch.context.name(word)) for word, part in parts.items()}
