"""The expert that all tokens share, in the panel of a mixture: its box beside the routed ones, and the gate that weighs it."""

from __future__ import annotations

from dataclasses import replace

from symparams.drawings.distances import FORK_RISE, RADIUS, SHORT_RISE, SIDE_BY_SIDE, WIDE_LANE
from symparams.drawings.marks import Point, Rectangle
from symparams.drawings.panels.sketch import BoxSubject, Sketch, parts_by_purpose
from symparams.drawings.ways import Span

SHARED_GATE = "shared_expert_gate"
SHARE = 0.57  # of the panel for the routed experts
GATED_SHARE = 0.53  # and beside an expert that is weighed
WEIGHT_LANE = 7.0  # beside the expert, for its weight
WEIGHED = 10.0  # from a box to what weighs it


class SharedExpert:
    """Its place in a sketch, from the foot upwards; without a gate it is a box alone."""

    def __init__(self, sketch: Sketch, part: BoxSubject) -> None:
        self.sketch = sketch
        children = parts_by_purpose(part.path, part.component)
        weighing = self.gate = children.pop(SHARED_GATE, None)
        self.routed = Span(sketch.span.x, sketch.span.width * (SHARE if weighing is None else GATED_SHARE))
        self.room = Span(self.routed.right + SIDE_BY_SIDE, sketch.span.right - self.routed.right - SIDE_BY_SIDE)
        self.span = self.room if weighing is None else self.room.inset(0.0, WEIGHT_LANE)
        alone = replace(part.component, body=tuple((child.key, child.component) for child in children.values()))
        self.part = part if weighing is None else replace(part, component=alone)
        self.pill = self.weighing = self.box = Rectangle(self.span.x, 0.0, 0.0, 0.0)

    @property
    def height(self) -> float:
        """The height of its box alone."""
        return self.sketch.lettered(self.part, self.span).height

    def foot(self) -> float:
        """Put the gate, and say how low the expert may stand."""
        if self.gate is None:
            return 0.0
        self.weighing = gate = self.sketch.box(self.gate, self.room.inset(WIDE_LANE, 0.0), -FORK_RISE)
        text = self.sketch.say("activations.sigmoid")
        self.pill = self.sketch.pill(text, gate.middle, gate.y - SHORT_RISE, Span(gate.x, gate.width - WEIGHT_LANE))
        self.sketch.wire((self.pill.middle, gate.y), (self.pill.middle, self.pill.bottom))
        return self.pill.y - SHORT_RISE

    def put(self, foot: float, height: float) -> list[Point]:
        """Put the expert, as high as those beside it: where data come in."""
        self.box = self.sketch.box(self.part, self.span, foot, height)
        if self.gate is None:
            return [(self.box.middle, foot)]
        return [self.weighing.foot, (self.room.x + WIDE_LANE / 2, foot)]

    def out(self) -> Point:
        """The point where its output leaves: its box, or the sign that weighs it."""
        if self.gate is None:
            return self.box.head
        y, lane = self.box.y - WEIGHED, self.sketch.span.right - WEIGHT_LANE / 2
        level = self.pill.level
        ways = [self.box.head], [(self.pill.right, level), (lane, level), (lane, y)]
        self.sketch.operation("×", self.box.middle, y, *ways)
        return self.box.middle, y - RADIUS
