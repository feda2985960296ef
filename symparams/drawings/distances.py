"""Distances that several parts of a drawing keep, in points; what one part alone keeps stands beside it."""

from __future__ import annotations

from symparams.drawings.theme import theme

PICTURE_WIDTH, PICTURE_EDGE = 240.0, 2.0  # of a picture, as wide as a column of print, and of what it leaves free around
SIDE_BY_SIDE = 4.0  # between two boxes
RISE, SHORT_RISE = 8.0, 6.0  # of a wire from one box to the next, and to a pill
FORK_RISE, LABELLED_RISE = 12.0, 11.0  # of a wire from a fork, and beside its name
TURN = 6.0  # of a wire, from one bend to the next
RADIUS = theme().arrows["operation"]  # of ⊕ and ⊗
BESIDE_WIRE = 2.5  # from a wire to its name, and from a column to what goes out beside it
INSIDE = 5.0  # between a frame and what stands in it
SWATCH = 7.0  # the side of a colour's sample
CARD = 2.0  # from a card to the one behind it
PILL_EDGE, LEAST_PILL = 1.5, 8.0  # of a pill beside the edge of its panel, and without words
LANE, WIDE_LANE = 6.0, 10.0  # beside a box that another's data pass, and that what is multiplied passes
GATE, GATE_MIDDLE = (
    12.5,
    3.7,
)  # at the right edge of a panel, for the gate that passes all else, and from there to its middle
NAME_BELOW = 7.6  # from the end of a wire down to the base line of its name
TO_SIGN = 7.0  # from what is multiplied up to the middle of its ⊗
