"""The options that say how an answer looks and where it goes: language, letters, page, excerpt, file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from symparams.cli import choices
from symparams.cli.option import Bundle, Option
from symparams.formats import endings

LANGUAGE: Bundle = (
    Option(
        "language",
        ("--lang",),
        "The language of the sentences: {choices}.",
        metavar="LANGUAGE",
        noun="language",
        choices=choices.of("sheets.catalogue:languages"),
        default="en",
        is_layout=True,
    ),
)
NOTATION: Bundle = (
    Option(
        "notation",
        ("--notation",),
        "The letters: {choices}; hidden are V, h, L.",
        metavar="NAME",
        noun="notation",
        choices=choices.of("expressions.notation:NOTATIONS"),
        default="hidden",
        is_layout=True,
    ),
    Option(
        "symbols",
        ("--symbol",),
        "A letter of one's own: h=d.",
        metavar="DIM=LETTER",
        completions=choices.dimensions,
        many=True,
        is_layout=True,
    ),
)
FLAVOR: Bundle = (
    Option(
        "flavor",
        ("--flavor",),
        "Whose Markdown: {choices}.",
        metavar="NAME",
        noun="flavor",
        choices=choices.flavors,
        default="pandoc",
        is_layout=True,
    ),
)
PAGE: Bundle = (
    Option(
        "standalone",
        ("--standalone", "--fragment"),
        "A whole document, or what a paper can \\input.",
        default="standalone",
        is_switch=True,
        is_layout=True,
    ),
    *FLAVOR,
)
PAPER: Bundle = (
    Option(
        "only",
        ("--only",),
        "One part alone: closed-form, dimensions, derivation, active, shares, conventions or rule.",
        metavar="SECTION",
        noun="section",
        choices=choices.of("sheets.excerpt:PARTS"),
        is_layout=True,
    ),
    Option("with_title", ("--title", "--no-title"), "Leave the title out.", is_switch=True, default="title", is_layout=True),
    Option(
        "heading_level",
        ("--heading-level",),
        "The level of the title: 1 is a section, 2 a subsection.",
        metavar="NUMBER",
        noun="level",
        choices=choices.heading_levels,
        is_layout=True,
    ),
    Option(
        "label",
        ("--label",),
        "Number the equations and give the tables captions, with labels under a prefix.",
        metavar="PREFIX",
        is_layout=True,
    ),
    Option(
        "preamble",
        ("--preamble",),
        "Print what a LaTeX document needs in its preamble, and nothing else.",
        is_switch=True,
        is_layout=True,
    ),
)
LAYOUT: Bundle = (
    *PAGE,
    *PAPER,
    Option(
        "width",
        ("--width",),
        "Characters a line of text; the terminal's, or 80, where none is named.",
        metavar="NUMBER",
        noun="width",
        default="80",
        is_layout=True,
    ),
    Option(
        "columns",
        ("--columns",),
        "How many columns the page has: {choices}.",
        metavar="NUMBER",
        noun="number of columns",
        choices=lambda: ("1", "2"),
        default="1",
        is_layout=True,
    ),
)
FIGURE: Bundle = (Option("with_figure", ("--with-figure",), "Draw the model, too.", is_switch=True, is_layout=True),)
OUTPUT: Bundle = (
    Option(
        "output",
        ("-o", "--output"),
        "Write to a file, whole or not at all; its ending chooses the format where none is named.",
        metavar="FILE",
    ),
)


def format_switches(names: Iterable[str], usual: str) -> Bundle:
    """A switch for each of these formats, of which one is the usual; none where there is nothing to choose."""
    kinds = list(names)
    if len(kinds) < 2:
        return ()
    return tuple(Option(kind, (f"--{kind}",), _said(kind, usual), is_switch=True) for kind in kinds)


def kind_switches(kinds: Mapping[str, tuple[str, ...]], *, has_default: bool = True) -> Bundle:
    """A switch for each kind of file that a command writes; the first ``has_default`` where there are no formats."""
    texts = {name: f"Write {name} ({', '.join(endings)})" for name, endings in kinds.items()}
    return tuple(
        Option(name, (f"--{name}",), text + (", the default." if i == 0 and has_default else "."), is_switch=True)
        for i, (name, text) in enumerate(texts.items())
    )


def _said(kind: str, usual: str) -> str:
    default = ", the default" if kind == usual else ""
    return f"Answer in {kind} ({', '.join(endings(kind))}){default}."
