"""The layout: the columns of a drawing, the boxes in each, and the wires between them."""
