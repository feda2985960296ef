"""The theme: the letters, lines and colours of ``templates/drawings/theme.toml``, which all that draws and measures reads."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache

from symparams.drawings.marks import Face, Tint
from symparams.records import frozen
from symparams.sheets.catalogue import templates

LIGHT, DARK = "light", "dark"


@frozen
class Lettering:
    """The setting of a face: its size in SVG, which is measured, the height of its line, its size in TeX; bold, softer."""

    size: float
    pitch: float
    tex: float
    bold: bool = False
    soft: bool = False


@frozen
class Colours:
    """A fill and the line around it, as #RRGGBB."""

    fill: str
    line: str


@frozen
class Palette:
    """The colours of a drawing that is light or dark; those of a block by what it is for.

    ``panels``, ``wedges`` and ``strips`` are the same, mixed with the paper; ``marked`` is what differs where models are
    compared, ``plots`` are the colours of what is no part; ``blends`` the percentages by which the colours were mixed.
    """

    paper: str
    ink: str
    soft: str
    wire: str
    marked: str
    blocks: Mapping[Tint, Colours]
    panels: Mapping[Tint, Colours]
    wedges: Mapping[Tint, str]
    strips: Mapping[Tint, str]
    plots: Mapping[str, Sequence[str]]
    blends: Mapping[str, int]


@frozen
class Theme:
    """All of it; ``lines``, ``corners``, ``arrows`` and ``formulas`` are numbers by their names in the file."""

    scale: float
    sans: tuple[str, ...]
    serif: tuple[str, ...]
    faces: Mapping[Face, Lettering]
    formulas: Mapping[str, float]
    lines: Mapping[str, float]
    corners: Mapping[str, float]
    arrows: Mapping[str, float]
    dashes: tuple[float, float]
    palettes: Mapping[str, Palette]


@cache
def theme() -> Theme:
    """The theme, read once."""
    read = tomllib.loads((templates() / "drawings" / "theme.toml").read_text(encoding="utf-8"))
    lines = dict(read["lines"])
    dashes = lines.pop("tied")
    return Theme(
        read["scale"],
        tuple(read["fonts"]["sans"]),
        tuple(read["fonts"]["serif"]),
        {face: Lettering(**read["faces"][face.value]) for face in Face},
        read["formulas"],
        lines,
        read["corners"],
        read["arrows"],
        (dashes[0], dashes[1]),
        {name: _palette(read[name], {**read["blends"], **read[name].get("blends", {})}) for name in (LIGHT, DARK)},
    )


def _palette(read: Mapping[str, str | Mapping[str, Mapping[str, str]]], blends: Mapping[str, int]) -> Palette:
    kinds: Mapping[str, Mapping[str, str]] = read["kinds"]  # type: ignore[assignment] # tables of tables
    paper, ink, soft, wire, marked, stack, strip, edge = (
        str(read[name]) for name in ("paper", "ink", "soft", "wire", "marked", "stack", "strip", "edge")
    )
    grey = {Tint.STACK: Colours(stack, edge), Tint.PLAIN: Colours(paper, wire), Tint.ALIKE: Colours(strip, edge)}
    tints = {Tint(name): Colours(colours["fill"], colours["line"]) for name, colours in kinds.items()}

    def on_paper(part: str) -> dict[Tint, str]:
        return {tint: blended(colours.fill, paper, blends[part]) for tint, colours in tints.items()}

    return Palette(
        paper,
        ink,
        soft,
        wire,
        marked,
        tints | grey,
        {tint: Colours(fill, tints[tint].line) for tint, fill in on_paper("panel").items()} | grey,
        on_paper("wedge") | {Tint.STACK: stack, Tint.PLAIN: paper},
        on_paper("strip") | {Tint.STACK: strip, Tint.PLAIN: paper},
        {name: [colours] if isinstance(colours, str) else list(colours) for name, colours in read["plots"].items()},  # type: ignore[union-attr] # a table
        blends,
    )


def blended(colour: str, paper: str, percent: int) -> str:
    """Return a colour mixed with the paper, of which it has this percentage."""
    pairs = [(int(colour[i : i + 2], 16), int(paper[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{(percent * over + (100 - percent) * under + 50) // 100:02X}" for over, under in pairs)
