"""TikZ: a drawing for TeX, with tikz and its library arrows.meta alone; all that it defines is gone where the picture ends."""

ENDINGS = (".tikz", ".tex")  # of its files
