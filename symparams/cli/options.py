"""The options and arguments of the command line, each declared once, and the bundles of them that commands take.

Options of the question come first, then those of the answer: language, letters, page, excerpt, drawing, file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from symparams.formats import endings
from symparams.formats.options import OPTIONS, PICTURED
from symparams.records import frozen

TEXT = "text"
ROOT: Mapping[str, str] = {
    "--version": "Print the version.",
    "--show-completion": "Print a completion script for bash, zsh or fish; it says where to put it.",
    "--help": "Show this message.",
}


@frozen
class Option:
    """An option, or an argument where it has no flags; ``name`` is the word for it in a request.

    ``flags`` of a switch may end with the one that turns it off. ``noun`` is what an unknown value is called; ``choices``
    are all values that there are, ``completions`` what a shell offers where they are not all; {choices} in ``help`` names them.
    A value that ``is_place`` is read, as a target is.
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
    is_place: bool = False

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
    "side_by_side": ("--draw",),
    "with_legend": ("--legend", "--no-legend"),
    "figure": ("--figure", "--no-figure"),
}


def as_flag(name: str) -> str:
    """The flag of an option that is called as it is in a request: --multiple-of for multiple_of."""
    return f"--{name.replace('_', '-')}"


def option(name: str, help: str, metavar: str, *, flags: tuple[str, ...] = (), **more: Any) -> Option:  # noqa: A002 - as in Option
    """An option with a value; its flag is its name unless it has others."""
    return Option(name, flags or (as_flag(name),), help, metavar, **more)


def switch(name: str, help: str, *, flags: tuple[str, ...] = ()) -> Option:  # noqa: A002 - as in Option
    """An option that is on or off; its flag is its name unless it has others."""
    return Option(name, flags or (as_flag(name),), help, is_switch=True)


def argument(name: str, help: str, metavar: str, **more: Any) -> Option:  # noqa: A002 - as in Option
    """What stands in the line by itself."""
    return Option(name, (), help, metavar, **more)


def of_formats(name: str, *, is_layout: bool = True) -> Option:
    """An option of formats, as their table declares it."""
    declared = OPTIONS[name]
    flags, is_switch = SPELLED.get(name, (as_flag(name),)), isinstance(declared.default, bool)
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
_TARGET = argument(
    "target",
    "A family (bloom), a published model (bloom-1b4-zh), a config.json or its folder, - for a config on standard input, a "
    "model on the Hugging Face hub (hf:OWNER/NAME, hf:OWNER/NAME@REV), a .safetensors or .gguf file or the folder that holds "
    "one, or your own architecture in a Python file, which symparams executes (mine.py, mine.py:NAME).",
    "TARGET",
    completions=choosing("targets"),
)
_OFFLINE = switch("offline", "Use only hub files that are already in the local cache.")
_STRICT = switch("strict", "Reject a config that leaves a size to a default, repeats a key, or has a key that is not read.")
_NO_CHECK = switch(
    "no_check",
    "Do not build a config of a discovered type with transformers to compare the count, which is done where it is installed.",
)
TARGET: Bundle = (replace(_TARGET, is_required=True),)
EXPRESSION = option("expression", "A formula instead of a target: '12*L*h**2 + V*h'.", "FORMULA", flags=("--expr",))
TARGET_OR_FORMULA: Bundle = (_TARGET, EXPRESSION)
CALLED: Bundle = (option("called", "The name of the model in the answer.", "NAME", flags=("--name",)),)
TARGETS: Bundle = (
    replace(_TARGET, name="targets", metavar="TARGET...", many=True, is_required=True),
    _OFFLINE,
    _STRICT,
    _NO_CHECK,
)
EACH_CALLED: Bundle = (replace(CALLED[0], help="The name of each model, one for each target, in their order.", many=True),)
TARGET_OR_COUNT: Bundle = (
    replace(TARGET[0], help="A target as for other commands, or a number of parameters: 7B, 13B, 6738415616."),
)
FAMILY: Bundle = (argument("family", "List only this family.", "ARCHITECTURE", completions=_FAMILIES),)
DISCOVERED: Bundle = (
    argument(
        "target",
        "A type of transformers (qwen3_next), one of its classes (Qwen3NextModel), or a config.json of either.",
        "TYPE|CLASS|CONFIG",
        is_required=True,
    ),
    option("rows", "Models to build at random sizes, to fit and again to check.", "NUMBER", default="60"),
    option("seed", "Choose the sizes; the same seed gives the same file.", "NUMBER", default="0"),
    option("seconds", "Give up after this many seconds.", "NUMBER", default="300"),
)
CHECKPOINT: Bundle = (
    option(
        "checkpoint",
        "Compare with what is stored, read without the weights: a .safetensors or .gguf file, a folder that holds one, a .json "
        "file of names and shapes, a .txt file of print(model), or hf:OWNER/NAME.",
        "FILE",
        is_place=True,
    ),
)
MODULE: Bundle = (
    option(
        "module",
        "Compare with the torch module, or the names and shapes, that your function returns; symparams executes it.",
        "PACKAGE:FUNCTION",
    ),
)
CLAIM: Bundle = (
    argument(
        "claimed",
        "The number to explain: 108891648, or rounded: 110M; of other quantities: 320 KB a token, 140 TFLOPs. "
        "With --checkpoint there is none.",
        "CLAIMED",
    ),
)

SWITCHES: Bundle = (
    option(
        "values",
        "Set a dimension: h=1024, d_ff=4*h, 'd_ff=roundup(8*h/3, 256)'.",
        "DIM=VALUE",
        flags=("--set",),
        completions=choosing("dimensions"),
        many=True,
    ),
    option(
        "include",
        "Add a feature, such as tying, biases or lm_head; 'symparams show TARGET' lists them.",
        "FEATURE",
        flags=("--with",),
        completions=choosing("features"),
        many=True,
    ),
    option("exclude", "Remove a feature.", "FEATURE", flags=("--without",), completions=choosing("features"), many=True),
    option("architecture", "Family of a config or a checkpoint that does not name one: bert.", "NAME", completions=_FAMILIES),
    _OFFLINE,
    _STRICT,
    _NO_CHECK,
)
INPUTS: Bundle = (replace(SWITCHES[0], help="Set an input of the quantity, or a dimension of all targets: b=1, t=8192."),)
SYMBOLIC: Bundle = (switch("symbolic", "Leave out all values and print only symbols."),)
WORKING: Bundle = (
    option(
        "view",
        "Grouping of the parts: {choices}.",
        "VIEW",
        noun="view",
        choices=of("derivations.views:names"),
        default="module",
    ),
    option(
        "attention",
        "Derive attention fused or per-head; for activations, eager or flash.",
        "WAY",
        noun="attention",
        choices=choosing("attentions"),
        default="fused",
    ),
)
FORM: Bundle = (
    option(
        "form",
        "Closed form: expanded or blocks; by default expanded, or blocks if that is long.",
        "FORM",
        noun="form",
        choices=of("expressions.closed_form:FORMS"),
    ),
)
SHARED: Bundle = (
    option(
        "shared",
        "Count a tied tensor once (own) or at every use (each).",
        "WAY",
        noun="way to count shared tensors",
        choices=choosing("ways_of_sharing"),
        default="own",
    ),
)
KEYS: Bundle = (switch("keys", "Print the catalogue's key beside each sentence, for translators."),)
BRIEF: Bundle = (of_formats("brief", is_layout=False),)
NAMES: Bundle = (
    option(
        "names",
        "Names of the tensors: tree, or hf for the names and stored shapes of transformers.",
        "NAMES",
        noun="names",
        choices=of("models.model:WAYS_OF_NAMING"),
        default="tree",
    ),
)
PREFIX: Bundle = (option("prefix", "Letters that begin the name of every LaTeX command.", "LETTERS", default="symparams"),)
MEMORY: Bundle = (of_formats("with_memory", is_layout=False),)
FITS: Bundle = (option("fits", "A memory size to fit into: 12GB or 12GiB.", "SIZE"),)
_TOKENS = (
    option("context", "Tokens of each sequence, prompt and answer together: 8192, 32Ki.", "TOKENS"),
    option("batch", "Number of sequences.", "NUMBER", default="1"),
)
ROOM: Bundle = (
    option(
        "dtypes",
        "Number type of the weights, such as bf16 or int8, or their format, such as nf4 or q4_k_m.",
        "TYPE",
        flags=("--dtype",),
        completions=of("quantities.memory:types"),
        many=True,
    ),
    _TOKENS[0],
    replace(_TOKENS[1], help="Number of sequences, on all boards together; in training, on each board."),
    option(
        "cache_dtype",
        "Number type of the KV cache; by default that of the weights, or of the config if the weights are quantized.",
        "TYPE",
        completions=of("quantities.memory:types"),
    ),
    switch("training", "Count what training takes: weights, gradients, optimizer states and, with --context, activations."),
    option(
        "optimizer",
        "Optimizer of training: {choices}; --recipe also sets the number types.",
        "NAME",
        completions=of("quantities.recipes:OPTIMIZERS"),
    ),
    replace(
        FITS[0],
        help="A memory size (24G, 80 GB, 32GiB), a GPU board (h100-sxm), several (8x80GB) or all known ones (boards); adds the "
        "largest batch and context that fit.",
        completions=of("answers.boards:named"),
    ),
)
FLOPS: Bundle = (
    option("tokens", "Tokens of a prompt (2048) or of a training run (15T); by default one token.", "NUMBER"),
    replace(_TOKENS[0], help="Tokens already in the cache: 8192, 32Ki; in training, the length of a sequence."),
    _TOKENS[1],
    switch("training", "Count training: forward and backward passes."),
    option(
        "on",
        "Add the time on a GPU board (h100-sxm), on several (8xh100-sxm) or on each known one (boards).",
        "BOARD",
        completions=of("answers.boards:named"),
    ),
    option("utilisation", "Share of its peak that a board reaches.", "PART", default="40%"),
    option("dtype", "Number type of the peak.", "TYPE", default="bf16"),
)
PLOTTED: Bundle = (
    argument(
        "kind",
        "What is plotted: line (a quantity), memory (weights and KV cache), shares (of FLOPs), treemap (of parameters) or rule "
        "(N against 12·L·h²).",
        "KIND",
        noun="kind of plot",
        choices=of("plots:KINDS"),
        is_required=True,
    ),
    replace(TARGETS[0], metavar="[TARGET...]", is_required=False),
    *TARGETS[1:],
    option("over", "The letter to plot over, with its bounds: t=1Ki..1Mi, b=1..32, h=1024..8192.", "DIM=LOW..HIGH"),
    option(
        "limits",
        "A memory to draw as a line, and what fits it: 24GB, h100-sxm, 8x80GB.",
        "SIZE",
        flags=("--limit",),
        completions=of("answers.boards:named"),
        many=True,
    ),
    switch("active", "Mark the parameters that one token uses."),
    option(
        "families",
        "Only published models of this family.",
        "ARCHITECTURE",
        flags=("--family",),
        completions=_FAMILIES,
        many=True,
    ),
)
SITE: Bundle = (
    option("folder", "The folder of the site.", "DIR", flags=("-o", "--output"), is_required=True),
    option(
        "only",
        "Only these published models, separated by commas; pages of others that are there stay as they are.",
        "NAME,…",
        completions=of("architectures:published_names"),
        many=True,
    ),
    option(
        "languages",
        "Languages of the pages, {choices}, separated by commas; those of the first stand at the top. By default all.",
        "LANG,…",
        flags=("--lang",),
        completions=of("sheets.catalogue:languages"),
        many=True,
    ),
    option(
        "docs",
        "The folder in the site that holds its documentation, with a folder for each language as in the site. "
        "Every page links to it.",
        "DIR",
    ),
    option(
        "url",
        "The address at which the site will stand, such as https://example.org/models/. Every page then tells search engines "
        "its own address and those in other languages, and sitemap.xml lists all pages.",
        "ADDRESS",
    ),
    option("jobs", "Number of processes; by default one for each core.", "NUMBER"),
)
DOCUMENTS: Bundle = (
    argument(
        "files",
        "Markdown (.md, .qmd, .html), LaTeX (.tex) or notebooks (.ipynb) with count, formula, derive, compare, draw, plot, "
        "memory, flops or explain in markers: <!-- symparams: derive bloom --view kind --> … <!-- /symparams -->, or "
        "% symparams: formula bloom … % /symparams.",
        "FILE...",
        many=True,
        is_required=True,
    ),
    switch("check", "Write nothing; print what would change, and exit 1 if anything would."),
    switch("force", "Overwrite blocks that were edited by hand, too."),
    switch(
        "trust",
        "Let blocks execute Python files, contact the hub, and read standard input and files outside the document's folder.",
    ),
)
SOLVING: Bundle = (
    option(
        "wanted",
        "The total to reach: 7e9, 7B, 6738415616; of another quantity: 80GB, 40GiB, 140TFLOP.",
        "NUMBER",
        flags=("--total",),
        is_required=True,
    ),
    option(
        "for_",
        "One to three dimensions to solve for: h, or L,h,d_ff; of another quantity also b, s, t, D.",
        "DIMS",
        flags=("--for",),
        completions=choosing("free_dimensions"),
        many=True,
        is_required=True,
    ),
    option("multiple_of", "Make every width a multiple: 128; or one dimension: d_ff=256.", "NUMBER", many=True),
    option("between", "Bounds of a dimension or a ratio, both included: h=512..8192, h/L=64..128.", "DIM=LOW..HIGH", many=True),
    option("top", "Print at most this many solutions.", "NUMBER", default="10"),
)
ASKED: Bundle = (
    replace(_TARGET, name="targets", metavar="[TARGET...]", many=True),
    option("chapter", "Only this chapter: {choices}.", "NAME", noun="chapter", choices=choosing("chapters")),
    option("level", "Only this level: {choices}.", "LEVEL", noun="level", choices=of("practice.kind:LEVELS")),
    switch("choices", "Offer answers to choose from, with the usual wrong ones."),
    switch("cheat_sheet", "Print thirty formulas with examples, and no questions."),
    option("exam", "Make an exam of this many questions, with points.", "NUMBER"),
    option("seed", "Choose the questions; the same seed gives the same ones.", "TEXT", default="0"),
    option("variant", "Ask the same exam about other models: {choices}.", "LETTER", noun="variant", choices=_VARIANTS),
    option("key", "Where to print the answer key: {choices}.", "PLACE", noun="place", choices=_KEYS, default="end"),
)
CARDS: Bundle = (
    ASKED[0],
    TARGETS[1],
    replace(ASKED[1], help="Only the questions of this chapter, without the derivation: {choices}."),
    switch("questions", "Without a target, add the questions of the bank to the facts."),
)
WORKSHEET: Bundle = (
    option(
        "level",
        "How much is left blank: {choices}.",
        "LEVEL",
        noun="level",
        completions=of("practice.kind:LEVELS"),
        default="standard",
    ),
    option("seed", "Choose the blanks; the same seed gives the same ones.", "NUMBER", default="0"),
    switch("vary", "Use random sizes of no published model, chosen by the seed."),
    option("key", "Where to print the answer key: {choices}.", "WHERE", noun="place of a key", choices=_KEYS, default="end"),
)
QUIZ: Bundle = (
    *ASKED[:3],
    option("count", "Number of questions; by default 10 at most.", "NUMBER", flags=("--count", "-n")),
    option("new", "At most this many new questions; by default 5, unless --count is given.", "NUMBER"),
    switch("derive", "Ask for a target's whole derivation, step by step."),
    option(
        "path",
        "Ask the next day of a path that is not done, such as interview-7-days.",
        "NAME",
        noun="path",
        completions=of("practice.paths:names"),
    ),
    option("seed", "Choose the questions; the same seed gives the same ones. By default the clock chooses.", "TEXT"),
    switch("plain", "Print without colours, prompts and line breaks, as in a pipe."),
    switch("no_save", "Do not save the progress of this quiz."),
    switch("stats", "Ask nothing; print for each chapter how many questions were seen, are due and were right."),
    option("progress", "File that stores your progress; by default $SYMPARAMS_PROGRESS or a file in your data folder.", "FILE"),
)
_OF_THE_QUIZ = {option.name: option for option in QUIZ}
INTERVIEW: Bundle = (
    replace(_TARGET, metavar="[TARGET]"),
    option(
        "script",
        "What is asked: {choices}; by default what suits the target.",
        "NAME",
        noun="script",
        choices=of("practice.interview:names"),
    ),
    option("minutes", "Ask as many questions as fit into so many minutes, by default all; no answer is cut off.", "NUMBER"),
    option("seed", "Choose the order of answers to choose from.", "TEXT", default="0"),
    replace(ASKED[-1], help="On paper, where to print the answer key: {choices}."),
    _OF_THE_QUIZ["plain"],
    option("transcript", "Also write what was said to a file, completely or not at all.", "FILE"),
    replace(_OF_THE_QUIZ["no_save"], help="Do not save how the questions were answered."),
    _OF_THE_QUIZ["progress"],
)

LANGUAGE: Bundle = (of_formats("language"),)
NOTATION: Bundle = (of_formats("notation"), of_formats("symbols"))
FLAVOR: Bundle = (of_formats("flavor"),)
PAGE: Bundle = (of_formats("standalone"), *FLAVOR)
PAPER: Bundle = tuple(map(of_formats, ("only", "with_title", "heading_level", "label", "preamble")))
LAYOUT: Bundle = (*PAGE, *PAPER, of_formats("width"), of_formats("columns"))
FIGURE: Bundle = (of_formats("figure"), of_formats("with_plot"))
OUTPUT: Bundle = (
    option(
        "output",
        "Write to a file, completely or not at all; its extension chooses the format if no option does.",
        "FILE",
        flags=("-o", "--output"),
    ),
)


def format_switches(names: Iterable[str], usual: str) -> Bundle:
    """A switch for each of these formats, of which one is the usual; none where there is nothing to choose."""
    kinds = list(names)
    if len(kinds) < 2:
        return ()
    return tuple(switch(kind, f"Answer in {kind} ({{endings}}){', the default' * (kind == usual)}.") for kind in kinds)


def kind_switches(kinds: Mapping[str, tuple[str, ...]], *, has_default: bool = True) -> Bundle:
    """A switch for each kind of file that a command writes; the first ``has_default`` where there are no formats."""
    usual = next(iter(kinds), "") if has_default else ""
    return tuple(
        switch(name, f"Write {name} ({', '.join(endings)}){', the default' * (name == usual)}.")
        for name, endings in kinds.items()
    )


DRAWN: Bundle = tuple(map(of_formats, ("labels", "numbers", "detail", "layout", "with_legend", "bars")))
FIGURED: Bundle = tuple(  # what a figure on a sheet has of these
    replace(option, help=f"With --figure: {option.help[:1].lower()}{option.help[1:]}", is_layout=False)
    for option in DRAWN
    if option.name in PICTURED
)
BESIDE: Bundle = (of_formats("side_by_side", is_layout=False), of_formats("relative", is_layout=False))
LOOK: Bundle = (of_formats("theme"), of_formats("background"))
SCALED: Bundle = (of_formats("scale"),)
DRAWING: Bundle = (
    replace(PAGE[0], help="Write a whole document (.tex), or a picture to \\input (.tikz)."),
    of_formats("with_title"),
    *LOOK,
    of_formats("width"),
    *SCALED,
)
