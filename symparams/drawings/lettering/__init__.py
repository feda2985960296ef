"""Lettering: what a box tells, in lines that fit it, by one measure for every format."""
