"""The options of drawings: what is shown, and how it looks."""

from __future__ import annotations

from dataclasses import replace

from symparams.cli import choices
from symparams.cli.layout import LAYOUT, PAGE, PAPER
from symparams.cli.option import Bundle, Option

DRAWN: Bundle = (
    Option(
        "labels",
        ("--labels",),
        "What a box says beside its name: {choices}.",
        metavar="WHAT",
        noun="labels",
        choices=choices.of("formats.format:LABELS"),
        default="both",
    ),
    Option(
        "numbers",
        ("--numbers",),
        "How a drawing says its counts: {choices}, as 2.36 M.",
        metavar="HOW",
        noun="numbers",
        choices=choices.of("formats.format:NUMBERS"),
        default="exact",
    ),
    Option(
        "detail",
        ("--detail",),
        "How far a drawing goes: {choices}.",
        metavar="HOW",
        noun="detail",
        choices=choices.of("formats.format:DETAILS"),
        default="parts",
    ),
    Option(
        "with_legend",
        ("--legend", "--no-legend"),
        "Leave out what the colours mean.",
        is_switch=True,
        default="legend",
    ),
    Option("bars", ("--bars",), "Where the parameters are, as a bar of shares, in place of the picture.", is_switch=True),
)
FIGURED: Bundle = tuple(  # what a figure on a sheet has of these
    replace(option, help=f"Of --with-figure: {option.help[:1].lower()}{option.help[1:]}")
    for option in DRAWN
    if option.name != "bars"
)
RELATIVE: Bundle = (
    Option("relative", ("--relative",), "Each bar of a drawing as long as the others, not to one scale.", is_switch=True),
)
LOOK: Bundle = (
    Option(
        "theme",
        ("--theme",),
        "The colours of a drawing: {choices}; auto are those that its reader has chosen.",
        metavar="NAME",
        noun="theme",
        choices=choices.of("formats.format:THEMES"),
        default="auto",
        is_layout=True,
    ),
    Option(
        "background",
        ("--background", "--no-background"),
        "Leave out what a drawing stands on: for one theme.",
        is_switch=True,
        default="background",
        is_layout=True,
    ),
)
DRAWING: Bundle = (
    replace(PAGE[0], help="A whole document (.tex), or what a paper or a slide can \\input (.tikz)."),
    *(option for option in PAPER if option.name == "with_title"),
    *LOOK,
    *(option for option in LAYOUT if option.name == "width"),
)
