"""Colours: the kinds of parts on a page, as custom properties that the drawing, the shares and the charts have in common.

``--kind-attention`` is a fill, ``--kind-attention-line`` the line around it; both have a light and a dark value.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from symparams.drawings.marks import GREY, Tint
from symparams.drawings.theme import DARK, LIGHT, Colours, Palette, theme
from symparams.formats.rendering import environment
from symparams.formats.svg.paths import number
from symparams.formats.svg.writer import fonts

KINDS = tuple(tint for tint in Tint if tint not in GREY)
INK, SOFT, PAPER, EDGE = "var(--ink)", "var(--soft)", "var(--paper)", "var(--edge)"


@cache
def colours() -> str:
    """The style of drawings on a page."""
    palettes = theme().palettes
    return environment().get_template("html/colours.j2").render(
        light=_properties(palettes[LIGHT]), dark=_properties(palettes[DARK]), theme=theme(), fonts=fonts(), tints=KINDS,
        palette=_palette(palettes[LIGHT]), number=number,
    )  # fmt: skip


def _properties(palette: Palette) -> dict[str, str]:
    blocks = {tint.value: palette.blocks[tint] for tint in KINDS}
    fills = {f"kind-{name}": block.fill for name, block in blocks.items()}
    lines = {f"kind-{name}-line": block.line for name, block in blocks.items()}
    return {**fills, **lines, "wedge": f"{palette.blends['wedge']}%"}


def _palette(light: Palette) -> Palette:
    """A palette of properties, each of which is light or dark as the page is."""

    def on_paper(tint: Tint, part: str) -> str:
        share = "var(--wedge)" if part == "wedge" else f"{light.blends[part]}%"
        return f"color-mix(in srgb,var(--kind-{tint}) {share},{PAPER})"

    lines = {tint: f"var(--kind-{tint}-line)" for tint in KINDS}
    grey = {Tint.STACK: Colours("var(--wash)", EDGE), Tint.PLAIN: Colours(PAPER, SOFT)}
    return replace(
        light, paper=PAPER, ink=INK, soft=SOFT, wire=SOFT,
        blocks={tint: Colours(f"var(--kind-{tint})", lines[tint]) for tint in KINDS} | grey,
        panels={tint: Colours(on_paper(tint, "panel"), lines[tint]) for tint in KINDS},
        wedges={tint: on_paper(tint, "wedge") for tint in KINDS},
        strips={tint: on_paper(tint, "strip") for tint in KINDS} | {Tint.STACK: "var(--rule)"},
    )  # fmt: skip
