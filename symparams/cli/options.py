"""The options and arguments of the command line: what one is, each said once, and the bundles of them that commands take.

First those that say what is asked, then those that say how an answer looks and where it goes: language, letters, page,
excerpt, drawing, file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from symparams.formats import endings
from symparams.formats.options import OPTIONS, PICTURED

TEXT = "text"
ROOT: Mapping[str, str] = {
    "--version": "Print the version.",
    "--show-completion": "Print the script that makes bash, zsh or fish complete what you type; it says where to put it.",
    "--help": "Show this message.",
}


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
        """The help text; {choices} in it stands for all values, {endings} for the endings of a format's files."""
        if "{endings}" in self.help:
            return self.help.replace("{endings}", ", ".join(endings(self.name)))
        if "{choices}" not in self.help:
            return self.help
        *others, last = self.choices() if self.choices else self.completions({}, "") if self.completions else ()
        return self.help.format(choices=f"{', '.join(others)} or {last}")

    def spelled(self, value: object = None) -> str:
        """The flag that was written for a value: --fragment where --standalone is off; an argument's metavar."""
        if not self.flags:
            return self.metavar
        return self.flags[-1] if value is False else next(flag for flag in self.flags if flag.startswith("--"))


def of(place: str) -> Callable[..., Iterable[str]]:
    """Return a function for the names at "module:name", a table or a function; the module is imported when it is called."""

    def names(*_: object) -> Iterable[str]:
        module, name = place.split(":")
        known: Any = getattr(import_module(f"symparams.{module}"), name)
        values: Iterable[str] = known() if callable(known) else known
        return map(str, values)

    return names


def choosing(name: str) -> Callable[..., Iterable[str]]:
    """Return the function of a name in ``cli.choices``, which is imported when it is called."""

    def offered(*line: Any) -> Iterable[str]:
        values: Iterable[str] = getattr(import_module("symparams.cli.choices"), name)(*line)
        return values

    return offered


Bundle = tuple[Option, ...]
# How the command line spells an option of a format, where that is not its name; the second flag turns it off.
SPELLED: Mapping[str, tuple[str, ...]] = {
    "language": ("--lang",),
    "symbols": ("--symbol",),
    "standalone": ("--standalone", "--fragment"),
    "with_title": ("--title", "--no-title"),
    "background": ("--background", "--no-background"),
    "with_legend": ("--legend", "--no-legend"),
    "figure": ("--figure", "--no-figure"),
}


def of_formats(name: str, *, is_layout: bool = True) -> Option:
    """An option of formats, as their table declares it."""
    declared = OPTIONS[name]
    flags, is_switch = SPELLED.get(name, (f"--{name.replace('_', '-')}",)), isinstance(declared.default, bool)
    usual = flags[0].removeprefix("--") if declared.default is True else str(declared.default or "")
    return Option(
        name,
        flags,
        declared.help,
        declared.metavar,
        declared.noun,
        of(declared.values) if declared.values else None,
        choosing("dimensions") if name == "symbols" else None,
        usual,
        many=name == "symbols",
        is_switch=is_switch,
        is_layout=is_layout,
    )


_FAMILIES = of("architectures:architecture_names")
_KEYS, _VARIANTS = of("practice.worksheet:KEYS"), of("practice.exam:VARIANTS")
_TARGET = Option(
    "target",
    (),
    "An architecture (bloom), a published model (bloom-1b4-zh), a config.json or the folder that holds it, - for a config "
    "on standard input, a model on the Hugging Face hub (hf:OWNER/NAME, hf:OWNER/NAME@REV), or a Python file, which is run, "
    "with an architecture of one's own (mine.py, mine.py:NAME).",
    metavar="TARGET",
    completions=choosing("targets"),
)
TARGET: Bundle = (replace(_TARGET, is_required=True),)
EXPRESSION = Option("expression", ("--expr",), "A bare formula in place of a target: '12*L*h**2 + V*h'.", metavar="FORMULA")
TARGET_OR_FORMULA: Bundle = (_TARGET, EXPRESSION)
CALLED: Bundle = (Option("called", ("--name",), "What to call the model.", metavar="NAME"),)
TARGETS: Bundle = (
    replace(_TARGET, name="targets", metavar="TARGET...", many=True, is_required=True),
    Option("offline", ("--offline",), "Read of the hub only what its client has fetched before.", is_switch=True),
)
EACH_CALLED: Bundle = (replace(CALLED[0], help="What to call each model, one for each target, in their order.", many=True),)
TARGET_OR_COUNT: Bundle = (replace(TARGET[0], help="A target as elsewhere, or a count: 7B, 13B, 6738415616."),)
FAMILY: Bundle = (
    Option("family", (), "One architecture; all where none is named.", metavar="ARCHITECTURE", completions=_FAMILIES),
)
CLAIM: Bundle = (
    Option(
        "claimed",
        (),
        "A number that somebody gives: 108891648, or rounded: 110M; of a cost: 320 KB a token, 140 TFLOPs.",
        metavar="CLAIMED",
        is_required=True,
    ),
)

SWITCHES: Bundle = (
    Option(
        "values",
        ("--set",),
        "Give a dimension a value: h=1024, d_ff=4*h.",
        metavar="DIM=VALUE",
        completions=choosing("dimensions"),
        many=True,
    ),
    Option(
        "include",
        ("--with",),
        "Add a feature, such as tying, biases or lm_head; 'symparams show TARGET' names the target's.",
        metavar="FEATURE",
        completions=choosing("features"),
        many=True,
    ),
    Option("exclude", ("--without",), "Leave a feature out.", metavar="FEATURE", completions=choosing("features"), many=True),
    Option(
        "architecture",
        ("--architecture",),
        "The family of a config that does not say it: bert.",
        metavar="NAME",
        completions=_FAMILIES,
    ),
    Option("offline", ("--offline",), "Read of the hub only what its client has fetched before.", is_switch=True),
)
INPUTS: Bundle = (replace(SWITCHES[0], help="Give an input of the quantity, or a dimension of all, a value: b=1, t=8192."),)
SYMBOLIC: Bundle = (Option("symbolic", ("--symbolic",), "Leave all values out: symbols alone.", is_switch=True),)
WORKING: Bundle = (
    Option(
        "view",
        ("--view",),
        "How the parts are grouped: {choices}.",
        metavar="VIEW",
        noun="view",
        choices=of("derivations.views:names"),
        default="module",
    ),
    Option(
        "attention",
        ("--attention",),
        "How attention is written: {choices}.",
        metavar="WAY",
        noun="attention",
        choices=choosing("attentions"),
        default="fused",
    ),
)
FORM: Bundle = (
    Option(
        "form",
        ("--form",),
        "The closed form: expanded, or by blocks; the one that a person would write where none is named.",
        metavar="FORM",
        noun="form",
        choices=of("expressions.closed_form:FORMS"),
    ),
)
SHARED: Bundle = (
    Option(
        "shared",
        ("--shared",),
        "Count a shared tensor once (own), or at each use (each).",
        metavar="WAY",
        noun="way to count shared tensors",
        choices=choosing("ways_of_sharing"),
        default="own",
    ),
)
KEYS: Bundle = (Option("keys", ("--keys",), "Print the sheet's sentences by their keys, for translators.", is_switch=True),)
BRIEF: Bundle = (of_formats("brief", is_layout=False),)
NAMES: Bundle = (
    Option(
        "names",
        ("--names",),
        "Whose names the tensors have: tree, or hf for those of transformers, with the shapes that it stores.",
        metavar="NAMES",
        noun="names",
        choices=of("models.model:WAYS_OF_NAMING"),
        default="tree",
    ),
)
PREFIX: Bundle = (
    Option(
        "prefix",
        ("--prefix",),
        "What the names of all LaTeX commands begin with: letters.",
        metavar="LETTERS",
        default="symparams",
    ),
)
MEMORY: Bundle = (of_formats("with_memory", is_layout=False),)
FITS: Bundle = (Option("fits", ("--fits",), "A memory to fit into: 12GB or 12GiB.", metavar="SIZE"),)
_TOKENS = (
    Option("context", ("--context",), "Tokens of each sequence, prompt and answer together: 8192, 32Ki.", metavar="TOKENS"),
    Option("batch", ("--batch",), "Sequences at a time.", metavar="NUMBER", default="1"),
)
ROOM: Bundle = (
    Option(
        "dtypes",
        ("--dtype",),
        "The number type of the weights, such as bf16 or int8, or their format, such as nf4 or q4_k_m.",
        metavar="TYPE",
        completions=of("quantities.memory:types"),
        many=True,
    ),
    *_TOKENS,
    Option(
        "cache_dtype",
        ("--cache-dtype",),
        "The number type of the KV cache; that of the weights where the model runs in it.",
        metavar="TYPE",
        completions=of("quantities.memory:types"),
    ),
    Option("training", ("--training",), "All that training takes: gradients, optimizer states, activations.", is_switch=True),
    replace(
        FITS[0],
        help="A memory to fit into: 24G, 80 GB, 32GiB, a board such as h100-sxm, or boards, all that are known; the largest "
        "batch and context that fit.",
        completions=of("answers.boards:named"),
    ),
)
FLOPS: Bundle = (
    Option(
        "tokens",
        ("--tokens",),
        "The tokens of a prompt: 2048; of a training run: 15T. One token where none is named.",
        metavar="NUMBER",
    ),
    replace(_TOKENS[0], help="Tokens in the cache before them, 8192 or 32Ki; in training the length of a sequence."),
    _TOKENS[1],
    Option("training", ("--training",), "Of training: forward and backward.", is_switch=True),
    Option(
        "on",
        ("--on",),
        "The time that it takes on a board, h100-sxm, on several, 1024xh100-sxm, or on each of boards.",
        metavar="BOARD",
        completions=of("answers.boards:named"),
    ),
    Option("utilisation", ("--utilisation",), "The part of its peak that a board reaches.", metavar="PART", default="40%"),
    Option("dtype", ("--dtype",), "The number type of the peak.", metavar="TYPE", default="bf16"),
)
DOCUMENTS: Bundle = (
    Option(
        "files",
        (),
        "Markdown (.md, .qmd, .html), LaTeX (.tex) and notebooks (.ipynb), in which count, formula, derive, compare, draw, "
        "memory, flops or explain stands in a marker: <!-- symparams: derive bloom --view kind --> … <!-- /symparams -->, or "
        "% symparams: formula bloom … % /symparams.",
        metavar="FILE...",
        many=True,
        is_required=True,
    ),
    Option("check", ("--check",), "Write nothing: print what would change, and exit 1 where something would.", is_switch=True),
    Option("force", ("--force",), "Write over blocks that were edited by hand, too.", is_switch=True),
    Option(
        "trust",
        ("--trust",),
        "Let blocks run Python files, ask the hub, and read standard input and files outside of the document's folder.",
        is_switch=True,
    ),
)
SOLVING: Bundle = (
    Option(
        "wanted",
        ("--total",),
        "What to come to: 7e9, 7B, 6738415616; of another quantity 80GB, 40GiB, 140TFLOP.",
        metavar="NUMBER",
        is_required=True,
    ),
    Option(
        "for_",
        ("--for",),
        "What to solve for: h, or up to three: L,h,d_ff; of another quantity b, s, t, D too.",
        metavar="DIMS",
        completions=choosing("free_dimensions"),
        is_required=True,
    ),
    Option(
        "multiple_of",
        ("--multiple-of",),
        "What widths are a multiple of: 128; or one dimension: d_ff=256.",
        metavar="NUMBER",
        many=True,
    ),
    Option("between", ("--between",), "Bounds, both included: h=512..8192.", metavar="DIM=LOW..HIGH", many=True),
    Option("top", ("--top",), "At most so many solutions.", metavar="NUMBER", default="10"),
)
ASKED: Bundle = (
    replace(_TARGET, name="targets", metavar="[TARGET...]", many=True),
    Option(
        "chapter", ("--chapter",), "One chapter of the bank: {choices}.", "NAME", noun="chapter", choices=choosing("chapters")
    ),
    Option("level", ("--level",), "One level: {choices}.", "LEVEL", noun="level", choices=of("practice.kind:LEVELS")),
    Option("choices", ("--choices",), "Offer answers to choose among, the usual wrong ones.", is_switch=True),
    Option("exam", ("--exam",), "An exam of so many questions, with points.", metavar="NUMBER"),
    Option("seed", ("--seed",), "What chooses: the same seed, the same questions.", metavar="TEXT", default="0"),
    Option("variant", ("--variant",), "The same exam with other models: {choices}.", "LETTER", "variant", _VARIANTS),
    Option("key", ("--key",), "Where the key is: {choices}.", "PLACE", noun="place", choices=_KEYS, default="end"),
)
CARDS: Bundle = (
    ASKED[0],
    TARGETS[1],
    Option(
        "chapter",
        ("--chapter",),
        "The questions of one chapter, and no derivation: {choices}.",
        metavar="NAME",
        noun="chapter",
        choices=choosing("chapters"),
    ),
)
WORKSHEET: Bundle = (
    Option(
        "level",
        ("--level",),
        "How much is left out: {choices}.",
        metavar="LEVEL",
        noun="level",
        choices=of("practice.worksheet:LEVELS"),
        default="standard",
    ),
    Option("seed", ("--seed",), "Choose what stays printed, other blanks for each number.", metavar="NUMBER", default="0"),
    Option("vary", ("--vary",), "Give the family sizes that nobody published, drawn by the seed.", is_switch=True),
    Option(
        "key",
        ("--key",),
        "Where the key stands: {choices}.",
        metavar="WHERE",
        noun="place of a key",
        choices=_KEYS,
        default="end",
    ),
)
_OF_THE_BANK = tuple(option for option in ASKED if option.name in ("targets", "chapter", "level"))
QUIZ: Bundle = (
    *_OF_THE_BANK,
    Option("count", ("--count", "-n"), "How many questions; where none is named, 10 at most.", metavar="NUMBER"),
    Option("new", ("--new",), "How many of them new, at most; 5 where neither is named.", metavar="NUMBER"),
    Option("derive", ("--derive",), "Ask a target's whole derivation, step by step.", is_switch=True),
    Option("seed", ("--seed",), "What chooses: the same seed, the same questions; the clock where none is named.", "TEXT"),
    Option("plain", ("--plain",), "No colours, no prompts, no broken lines, as in a pipe.", is_switch=True),
    Option("no_save", ("--no-save",), "Keep nothing of this quiz.", is_switch=True),
    Option("stats", ("--stats",), "Ask nothing: tell of each chapter what was seen, is due and was right.", is_switch=True),
    Option(
        "progress",
        ("--progress",),
        "Where the progress is kept; $SYMPARAMS_PROGRESS or the user's data folder where none is named.",
        metavar="FILE",
    ),
)

LANGUAGE: Bundle = (of_formats("language"),)
NOTATION: Bundle = (of_formats("notation"), of_formats("symbols"))
FLAVOR: Bundle = (of_formats("flavor"),)
PAGE: Bundle = (of_formats("standalone"), *FLAVOR)
PAPER: Bundle = tuple(map(of_formats, ("only", "with_title", "heading_level", "label", "preamble")))
LAYOUT: Bundle = (*PAGE, *PAPER, of_formats("width"), of_formats("columns"))
FIGURE: Bundle = (of_formats("figure"),)
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
    return tuple(Option(kind, (f"--{kind}",), _help_of_format(kind, usual), is_switch=True) for kind in kinds)


def kind_switches(kinds: Mapping[str, tuple[str, ...]], *, has_default: bool = True) -> Bundle:
    """A switch for each kind of file that a command writes; the first ``has_default`` where there are no formats."""
    texts = {name: f"Write {name} ({', '.join(endings)})" for name, endings in kinds.items()}
    return tuple(
        Option(name, (f"--{name}",), text + (", the default." if i == 0 and has_default else "."), is_switch=True)
        for i, (name, text) in enumerate(texts.items())
    )


def _help_of_format(kind: str, usual: str) -> str:
    default = ", the default" if kind == usual else ""
    return f"Answer in {kind} ({{endings}}){default}."


DRAWN: Bundle = tuple(map(of_formats, ("labels", "numbers", "detail", "with_legend", "bars")))
FIGURED: Bundle = tuple(  # what a figure on a sheet has of these
    replace(option, help=f"Of --figure: {option.help[:1].lower()}{option.help[1:]}", is_layout=False)
    for option in DRAWN
    if option.name in PICTURED
)
RELATIVE: Bundle = (of_formats("relative", is_layout=False),)
LOOK: Bundle = (of_formats("theme"), of_formats("background"))
DRAWING: Bundle = (
    replace(PAGE[0], help="A whole document (.tex), or what a paper or a slide can \\input (.tikz)."),
    *(option for option in PAPER if option.name == "with_title"),
    *LOOK,
    *(option for option in LAYOUT if option.name == "width"),
)
