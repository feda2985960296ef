"""Panels beside the layers: the wedge that leads to each comes upon no line that the layer says."""

import pytest

from symparams.drawings.architecture import architecture
from symparams.drawings.lettering.faces import TextMeasure
from symparams.drawings.marks import Frame, Tint, Wedge
from tests.drawings.clearances import text_area


def covers(wedge: Wedge, x: float, y: float) -> bool:
    """Whether a point lies within a wedge: a ray from it to the right crosses its outline an odd number of times."""
    corners = list(zip(wedge.points, (*wedge.points[1:], wedge.points[0]), strict=True))
    return sum((b > y) != (d > y) and x < a + (c - a) * (y - b) / (d - b) for (a, b), (c, d) in corners) % 2 == 1


@pytest.mark.parametrize("name", ["gpt2", "deepseek-v3", "gpt-j-6b", "phi-2", "pythia-6.9b", "falcon-40b", "jamba-v0.1"])
def test_a_wedge_leaves_the_lines_of_a_layer_free(name):
    drawing = architecture(name)
    layers = [mark for mark in drawing.marks if isinstance(mark, Frame) and mark.tint is Tint.STACK]
    said = [text_area(line, TextMeasure(drawing.letters)) for layer in layers for line in layer.lines]
    wedges = [mark for mark in drawing.marks if isinstance(mark, Wedge)]
    assert wedges
    assert said
    for wedge in wedges:
        for line in said:
            assert not any(covers(wedge, x, y) for x in (line.left, line.right) for y in (line.top, line.bottom)), line.what
