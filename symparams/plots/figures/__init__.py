"""Figures: a plot as a matplotlib figure, and that as a file; the extra ``symparams[plot]``."""
