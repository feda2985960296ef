"""Lettering: the text of a box in lines that fit it, by one measure for every format."""
