"""The options and arguments of the command line, each said once, and the bundles of them that commands take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from symparams.cli import choices
from symparams.formats import find
from symparams.formats.format import Format

TEXT = "text"


@dataclass(frozen=True)
class Option:
    """An option, or an argument where it has no flags; ``name`` is the word for it in a request.

    ``flags`` of a switch may end with the one that turns it off. ``noun`` is what an unknown value is called; ``choices``
    are all values that there are, ``completions`` what a shell offers where they are not all; {choices} in ``help`` names them.
    """

    name: str
    flags: tuple[str, ...]
    help: str
    metavar: str = ""
    noun: str = ""
    choices: Callable[[], Iterable[str]] | None = None
    completions: Callable[[Mapping[str, Any], str], Iterable[str]] | None = None
    default: str = ""
    many: bool = False
    is_switch: bool = False
    is_required: bool = False
    is_layout: bool = False

    @property
    def explanation(self) -> str:
        """What the help says: {choices} in it stands for all values that there are."""
        if "{choices}" not in self.help:
            return self.help
        *others, last = self.choices() if self.choices else self.completions({}, "") if self.completions else ()
        return self.help.format(choices=f"{', '.join(others)} or {last}")

    def spelled(self, value: object = None) -> str:
        """The flag that was written for a value: --fragment where --standalone is off; an argument's metavar."""
        if not self.flags:
            return self.metavar
        return self.flags[-1] if value is False else next(flag for flag in self.flags if flag.startswith("--"))


Bundle = tuple[Option, ...]

_TARGET = Option(
    "target",
    (),
    "An architecture (bloom), a published model (bloom-1b4-zh), a config.json or the folder that holds it, - for a config "
    "on standard input, a model on the Hugging Face hub (hf:OWNER/NAME, hf:OWNER/NAME@REV), or a Python file, which is run, "
    "with an architecture of one's own (mine.py, mine.py:NAME).",
    metavar="TARGET",
    completions=choices.targets,
)
TARGET: Bundle = (replace(_TARGET, is_required=True),)
EXPRESSION = Option("expression", ("--expr",), "A bare formula in place of a target: '12*L*h**2 + V*h'.", metavar="FORMULA")
TARGET_OR_FORMULA: Bundle = (_TARGET, EXPRESSION)
TARGET_OR_COUNT: Bundle = (replace(TARGET[0], help="A target as elsewhere, or a count: 7B, 13B, 6738415616."),)
FAMILY: Bundle = (
    Option("family", (), "One architecture; all where none is named.", metavar="ARCHITECTURE", completions=choices.families),
)
CLAIM: Bundle = (
    Option("claimed", (), "A number that somebody gives: 108891648, or rounded: 110M.", metavar="CLAIMED", is_required=True),
)

SWITCHES: Bundle = (
    Option(
        "values",
        ("--set",),
        "Give a dimension a value: h=1024, d_ff=4*h.",
        metavar="DIM=VALUE",
        completions=choices.dimensions,
        many=True,
    ),
    Option(
        "include",
        ("--with",),
        "Add a feature, such as tying, biases or lm_head; 'symparams show TARGET' names the target's.",
        metavar="FEATURE",
        completions=choices.features,
        many=True,
    ),
    Option("exclude", ("--without",), "Leave a feature out.", metavar="FEATURE", completions=choices.features, many=True),
    Option(
        "architecture",
        ("--architecture",),
        "The family of a config that does not say it: bert.",
        metavar="NAME",
        completions=choices.families,
    ),
    Option("offline", ("--offline",), "Read of the hub only what its client has fetched before.", is_switch=True),
)
SYMBOLIC: Bundle = (Option("symbolic", ("--symbolic",), "Leave all values out: symbols alone.", is_switch=True),)
WORKING: Bundle = (
    Option(
        "view",
        ("--view",),
        "How the parts are grouped: {choices}.",
        metavar="VIEW",
        noun="view",
        choices=choices.views,
        default="module",
    ),
    Option(
        "attention",
        ("--attention",),
        "How attention is written: {choices}.",
        metavar="WAY",
        noun="attention",
        choices=choices.attentions,
        default="fused",
    ),
)
SHARED: Bundle = (
    Option(
        "shared",
        ("--shared",),
        "Count a shared tensor once (own), or at each use (each).",
        metavar="WAY",
        noun="way to count shared tensors",
        choices=choices.ways_of_sharing,
        default="own",
    ),
)
NAMES: Bundle = (
    Option(
        "names",
        ("--names",),
        "Whose names the tensors have: tree, or hf for those of transformers, with the shapes that it stores.",
        metavar="NAMES",
        noun="names",
        choices=choices.ways_of_naming,
        default="tree",
    ),
)
MEMORY: Bundle = (Option("with_memory", ("--with-memory",), "Add the memory of the weights.", is_switch=True),)
ROOM: Bundle = (
    Option(
        "dtypes",
        ("--dtype",),
        "{choices}; all where none is named.",
        metavar="TYPE",
        completions=choices.number_types,
        many=True,
    ),
    Option("fits", ("--fits",), "A memory to fit into: 12GB or 12GiB.", metavar="SIZE"),
)

LANGUAGE: Bundle = (
    Option(
        "language",
        ("--lang",),
        "The language of the sentences: {choices}.",
        metavar="LANGUAGE",
        noun="language",
        choices=choices.languages,
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
        choices=choices.notations,
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
LAYOUT: Bundle = (
    *PAGE,
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
        choices=choices.columns,
        default="1",
        is_layout=True,
    ),
)
OUTPUT: Bundle = (
    Option(
        "output",
        ("-o", "--output"),
        "Write to a file, whole or not at all; its ending chooses the format where none is named.",
        metavar="FILE",
    ),
)


def format_switches(names: Iterable[str]) -> Bundle:
    """A switch for each of these formats; none where there is nothing to choose."""
    kinds = [find(name) for name in names]
    if len(kinds) < 2:
        return ()
    return tuple(Option(kind.name, (f"--{kind.name}",), _said(kind), is_switch=True) for kind in kinds)


def _said(kind: Format) -> str:
    default = ", the default" if kind.name == TEXT else ""
    return f"Answer in {kind.name} ({', '.join(kind.endings)}){default}."
