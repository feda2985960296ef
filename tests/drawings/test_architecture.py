"""The drawing of an architecture: every block of the tree, in the order of data, each text in its box."""

from __future__ import annotations

from symparams.drawings.architecture import architecture
from symparams.drawings.marks import Box, Drawing, Operation


def named(drawing: Drawing) -> list[str]:
    """The boxes of a drawing from below."""
    boxes = sorted((mark for mark in drawing.marks if isinstance(mark, Box)), key=lambda box: -box.place.y)
    return [box.part for box in boxes]


def test_a_drawing_follows_the_data_from_below() -> None:
    drawing = architecture("gpt2", detail="blocks")
    assert named(drawing)[2:] == [
        "decoder.attention_norm",
        "decoder.attention",
        "decoder.feed_forward_norm",
        "decoder.feed_forward",
        "final_layer_norm",
        "lm_head",
    ]
    assert set(named(drawing)[:2]) == {"embeddings.token_embedding", "embeddings.position_embedding"}
    assert sum(isinstance(mark, Operation) for mark in drawing.marks) == 3
