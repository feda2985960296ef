"""The options of formats: what each is called, which values it has, what it is where nobody says, and a line of help.

A format names those that it takes; ``render``, ``draw``, the command line, its help, its completion and its errors read this.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any, TypedDict

from symparams.errors import OptionError, quoted, read_switch, suggestion
from symparams.records import frozen

LEVELS = (1, 2, 3, 4)  # a title may be a section, and the headings below it have one more
COLUMNS = (1, 2)
SCALES = range(1, 9)
THEMES = ("auto", "light", "dark")
LABELS = ("both", "formula", "count", "none")
DETAILS = ("parts", "blocks", "stacks")
NUMBERS = ("exact", "short")
LAYOUTS = ("tall", "wide", "auto")
FIGURE, PLOT, SCALE, WIDTH = "figure", "with_plot", "scale", "width"
IN_CHARACTERS = frozenset({"text"})  # the formats whose width is one
RENAMED: Mapping[str, str] = {"with_figure": FIGURE}  # names of old, which still hold
PICTURED = ("labels", "numbers", "detail", "layout", "with_legend")  # of a picture alone, be it on a sheet
PREFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9:.-]{0,40}")


class SheetOptions(TypedDict, total=False):
    """The types of what ``render`` takes."""

    language: str
    standalone: bool
    flavor: str
    columns: int
    notation: str
    symbols: Mapping[str, str] | None
    with_memory: bool
    brief: bool
    figure: bool | Mapping[str, Any]
    with_figure: bool | Mapping[str, Any]
    with_plot: bool
    width: int
    only: str
    with_title: bool
    heading_level: int | None
    label: str


class DrawingOptions(TypedDict, total=False):
    """The types of what ``draw`` takes."""

    language: str
    notation: str
    symbols: Mapping[str, str] | None
    labels: str
    detail: str
    layout: str
    numbers: str
    bars: bool
    relative: bool
    side_by_side: bool
    with_title: bool
    with_legend: bool
    scale: int
    theme: str
    background: bool
    standalone: bool
    width: int | str


def _is_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        usual = OPTIONS[name].default or "closed-form"
        raise OptionError(f"{name} = {quoted(value)} is a {type(value).__name__}, not a text: write {name}={usual!r}.")


def _is_width(_: str, width: object) -> None:
    """A text has characters in a line, a drawing a length: ``checked`` knows which it is."""
    if (not isinstance(width, int) or isinstance(width, bool) or width < 1) and not isinstance(width, str):
        raise OptionError(f"width = {quoted(width)} is not a number of characters: write width=80.")


def _is_width_in(format: str, width: object) -> None:  # noqa: A002 - the field's word
    if format not in IN_CHARACTERS:
        from symparams.drawings.lengths import length

        length(width)
    elif isinstance(width, str):
        raise OptionError(f"width = {quoted(width)} is not a number of characters: write width=80.")


def _among(known: Collection[object], what: str) -> Callable[[str, object], None]:
    """The check of a number that is one of a few, which says what has so many."""

    def check(_: str, value: object) -> None:
        if value not in known:
            raise OptionError(f"{what}, not {quoted(value)}.")

    return check


def _is_prefix(_: str, label: object) -> None:
    """OptionError for a prefix of labels that TeX would stumble over."""
    if not isinstance(label, str) or (label and not PREFIX.fullmatch(label)):
        raise OptionError(f"{quoted(label)} is not a prefix of a label: write only letters, digits, - : and ., as in eq:bert.")


def _is_choice(name: str, value: object) -> None:
    module, _, table = OPTIONS[name].values.partition(":")
    known = getattr(import_module(f"symparams.{module}"), table)
    if value not in known and value != OPTIONS[name].default:
        raise OptionError(f"Unknown {OPTIONS[name].noun} {quoted(value)}. {suggestion(str(value), known)}")


def _are_letters(_: str, symbols: object) -> None:
    pairs = symbols.items() if isinstance(symbols, Mapping) else [] if symbols is None else [(None, None)]
    if not all(isinstance(text, str) for pair in pairs for text in pair):
        raise OptionError(f"symbols = {quoted(symbols)} does not give letters by dimension: write symbols={{'h': 'd'}}.")


def _is_setting(name: str, value: object) -> None:
    """OptionError for a text in the place of a switch that does not say on or off; what is not a switch may be anything."""
    if isinstance(OPTIONS[name].default, bool) and isinstance(value, str):
        read_switch(name, value)


def _is_anything(_name: str, _value: object) -> None:
    """What a figure takes beside on and off, its options, is checked where they are known."""


@frozen
class FormatOption:
    """An option of a format; {choices} in ``help`` stands for its values, which are at "module:name" where there are few.

    ``metavar`` stands for a value in the help, ``noun`` is what an unknown one is called. ``check`` raises OptionError for a
    value that it cannot have, by its name. A switch that is off by default is on in the formats of ``on_in``.
    """

    name: str
    help: str
    default: Any
    metavar: str = ""
    noun: str = ""
    values: str = ""
    check: Callable[[str, object], None] = _is_setting
    on_in: frozenset[str] = frozenset()


OPTIONS: Mapping[str, FormatOption] = {
    option.name: option
    for option in (
        FormatOption(
            "language",
            "Language of the sentences: {choices}.",
            "en", "LANGUAGE", "language", "sheets.catalogue:languages", _is_text,
        ),
        FormatOption(
            "notation",
            "Letters of the dimensions: {choices}; hidden writes V, h, L.",
            "hidden", "NAME", "notation", "expressions.notation:NOTATIONS", _is_text,
        ),
        FormatOption("symbols", "Your own letter for a dimension: h=d.", None, "DIM=LETTER", check=_are_letters),
        FormatOption("brief", "Print one page for a whiteboard.", default=False),
        FormatOption("with_memory", "Add the memory of the weights.", default=False),
        FormatOption(
            "figure",
            "Draw the model on its sheet; PDF, PNG and HTML do so by default.",
            False, check=_is_anything,
            on_in=frozenset({"pdf", "png", "html"}),
        ),
        FormatOption(
            "with_plot",
            "Add a plot: areas of the parameters, shares of the FLOPs, memory over the context or the batch.",
            default=False,
        ),
        FormatOption("standalone", "Write a whole document, or a part to \\input.", default=True),
        FormatOption("flavor", "Dialect of Markdown: {choices}.", "pandoc", "NAME", "flavor", "formats:all_flavors", _is_text),
        FormatOption(
            "only",
            "Print a single section: closed-form, dimensions, derivation, active, shares, conventions or rule; of a "
            "comparison counts, components, kinds, dimensions, closed-form, component-forms or difference.",
            "", "SECTION", "section", "sheets.excerpt:PARTS", _is_text,
        ),
        FormatOption("with_title", "Print the title, or leave it out.", default=True),
        FormatOption(
            "heading_level",
            "Level of the title: 1 is a section, 2 a subsection.",
            None, "NUMBER", "level", "formats.options:LEVELS",
            _among((None, *LEVELS), f"A heading has a level from 1 to {LEVELS[-1]}"),
        ),
        FormatOption(
            "label",
            "Number the equations and give the tables captions; every label begins with this prefix.",
            "", "PREFIX", check=_is_prefix,
        ),
        FormatOption("preamble", "Print only what a LaTeX document needs in its preamble.", default=False),
        FormatOption(
            "width",
            "Characters in a line of text, by default as many as the terminal has, or 80; or how wide a drawing is printed, "
            "which chooses its layout: 8.5cm, 85mm, 3.3in, 240pt.",
            80, "NUMBER", "width", check=_is_width,
        ),
        FormatOption(
            "columns",
            "Number of columns on the page: {choices}.",
            1, "NUMBER", "number of columns", "formats.options:COLUMNS", _among(COLUMNS, "A page has 1 or 2 columns"),
        ),
        FormatOption(
            "theme",
            "Colours of a drawing: {choices}; auto follows the reader's setting.",
            "auto", "NAME", "theme", "formats.options:THEMES", _is_choice,
        ),
        FormatOption("background", "Draw the background, or leave it out with --theme light or dark.", default=True),
        FormatOption(
            "labels",
            "Text of a box beside its name: {choices}.",
            "both", "WHAT", "labels", "formats.options:LABELS", _is_choice,
        ),
        FormatOption(
            "numbers",
            "Counts in a drawing: {choices}, as 2.36 M.",
            "exact", "HOW", "numbers", "formats.options:NUMBERS", _is_choice,
        ),
        FormatOption(
            "detail",
            "Detail of a drawing: {choices}.",
            "parts", "HOW", "detail", "formats.options:DETAILS", _is_choice,
        ),
        FormatOption(
            "layout",
            "Shape of a drawing: {choices}; wide, for a slide or a page, has what is inside the blocks at both sides; auto is "
            "the one of both that suits the model. By default tall, or wide where several columns leave no room for it.",
            None, "HOW", "layout", "formats.options:LAYOUTS", _is_choice,
        ),
        FormatOption("with_legend", "Explain the colours, or leave the legend out.", default=True),
        FormatOption("bars", "Draw the shares of the parameters as a bar instead of the picture.", default=False),
        FormatOption(
            "scale",
            "Dots of a PNG: 1 is 192 an inch, 640 across a column; 8 is the most.",
            2, "NUMBER", "scale", "formats.options:SCALES",
            _among(SCALES, f"A PNG is 1 to {SCALES[-1]} times as large as on a screen"),
        ),
        FormatOption("side_by_side", "Draw two or three models side by side, and mark what differs.", default=False),
        FormatOption("relative", "Draw every bar equally long, not to one scale.", default=False),
    )
}  # fmt: skip


def unused(name: str, format: str, users: Collection[str]) -> OptionError:  # noqa: A002 - the field's word
    """The error for an option that a format cannot use, in the words of whoever wrote it: columns or --columns."""
    return OptionError(f"{format} cannot use {name}, which is for {', '.join(users)}: leave out {name} or change the format.")


def checked(
    given: Mapping[str, Any],
    format: str,  # noqa: A002 - the field's word
    taken: Callable[[str], Collection[str]],
    formats: Collection[str],
) -> dict[str, Any]:
    """The options of a format that are not at their defaults.

    OptionError for what is not an option, for a value that it cannot have, and for one that ``taken`` does not name for this
    format, with those of ``formats`` that take it.
    """
    given = {RENAMED.get(name, name): value for name, value in given.items()}
    for name, value in given.items():
        if name in OPTIONS:
            OPTIONS[name].check(name, value)
    usual = {name: option.default for name, option in OPTIONS.items() if format not in option.on_in}
    chosen = {name: value for name, value in given.items() if name not in usual or value != usual[name]}
    for name in chosen:
        if name not in taken(format):
            users = [other for other in formats if name in taken(other)]
            if not users:
                known = sorted(set().union(*map(taken, formats)) & OPTIONS.keys())
                raise OptionError(f"Unknown option {quoted(name)}. {suggestion(name, known)}")
            raise unused(name, format, users)
    if WIDTH in chosen:
        _is_width_in(format, chosen[WIDTH])
    return chosen
