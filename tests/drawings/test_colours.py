"""The colours of the tints: told apart in print without colour and by those who see fewer, and text is read on each."""

from itertools import combinations, pairwise
from math import dist

import pytest

from symparams.drawings.marks import GREY, Tint
from symparams.drawings.theme import theme
from symparams.plots import KINDS
from symparams.plots.pictures import STROKES

Colour = tuple[float, ...]
THEMES = ("light", "dark")
# What is seen of a colour by who lacks one kind of cones (Machado et al., 2009, doi:10.1109/TVCG.2009.113, severity 1).
SEEN = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)


def light(code: str) -> Colour:
    """The linear light of a colour of sRGB, #F3B6D0."""
    shares = (int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return tuple(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)


def times(matrix: tuple[Colour, ...], colour: Colour) -> Colour:
    return tuple(sum(a * b for a, b in zip(row, colour, strict=True)) for row in matrix)


def lab(colour: Colour) -> Colour:
    """CIE L*a*b*: how far two colours are apart is seen, about, as the distance in it."""
    shares = [min(1.0, max(0.0, each)) for each in colour]
    x, y, z = (
        share ** (1 / 3) if share > 0.008856 else 7.787 * share + 16 / 116
        for share in (a / b for a, b in zip(times(XYZ, tuple(shares)), WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def contrast(one: str, other: str) -> float:
    """How many times as light one is as the other (WCAG 2, 1.4.3)."""
    high, low = sorted((times(XYZ, light(each))[1] for each in (one, other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def fills(name: str) -> dict[Tint, str]:
    return {tint: colours.fill for tint, colours in theme().palettes[name].blocks.items() if tint not in GREY}


@pytest.mark.parametrize("name", THEMES)
def test_tints_are_told_apart_with_fewer_cones_and_in_grey_and_text_is_read_on_each(name: str) -> None:
    for seen, least in (("all cones", 22), ("no red", 10), ("no green", 10), ("no blue", 10)):
        colours = [lab(times(SEEN[seen], light(code))) for code in fills(name).values()]
        assert min(dist(one, other) for one, other in combinations(colours, 2)) > least, seen
    greys = sorted(lab(light(code))[0] for code in fills("light").values())
    assert min(high - low for low, high in pairwise(greys)) > 2.9
    palette = theme().palettes[name]
    assert min(contrast(palette.ink, fill) for fill in fills(name).values()) > 5.4
    assert min(contrast(palette.paper, palette.blocks[tint].line) for tint in fills(name)) > 3.2
    assert contrast(palette.ink, palette.paper) > 16
    assert contrast(palette.ink, palette.blocks[Tint.ALIKE].fill) > 10
    assert contrast(palette.marked, palette.paper) > 5.5


@pytest.mark.parametrize("name", THEMES)
def test_the_lines_of_eight_models_are_told_apart_by_colour_or_by_dashes_and_marks(name: str) -> None:
    models = theme().palettes[name].plots["models"]
    assert KINDS["line"].most == len(STROKES) == 2 * len(models) == 8
    for (i, one), (j, other) in combinations(enumerate(STROKES), 2):
        if i % len(models) == j % len(models):
            assert one.mark != other.mark
            assert one != other
            continue
        for seen, least in (("all cones", 33), ("no red", 19), ("no green", 26), ("no blue", 35)):
            colours = [lab(times(SEEN[seen], light(models[k % len(models)]))) for k in (i, j)]
            assert dist(*colours) > least, (i, j, seen)
