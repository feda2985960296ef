"""The commands: the summary, options and formats of each, and the function that runs it.

A command is an entry of ``COMMANDS``; its module is imported when the command is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from symparams.cli.options import (
    ASKED,
    BESIDE,
    BRIEF,
    CALLED,
    CARDS,
    CHECKPOINT,
    CLAIM,
    DISCOVERED,
    DOCUMENTS,
    DRAWING,
    DRAWN,
    EACH_CALLED,
    FAMILY,
    FIGURE,
    FIGURED,
    FITS,
    FLAVOR,
    FLOPS,
    FORM,
    INPUTS,
    INTERVIEW,
    KEYS,
    LANGUAGE,
    LAYOUT,
    LOOK,
    MEMORY,
    MODULE,
    NAMES,
    NOTATION,
    OUTPUT,
    PAGE,
    PLOTTED,
    PREFIX,
    QUIZ,
    ROOM,
    SCALED,
    SHARED,
    SITE,
    SOLVING,
    SWITCHES,
    SYMBOLIC,
    TARGET,
    TARGET_OR_COUNT,
    TARGET_OR_FORMULA,
    TARGETS,
    TEXT,
    WORKING,
    WORKSHEET,
    Bundle,
    format_switches,
    kind_switches,
    of_formats,
)
from symparams.cli.quantities import choices
from symparams.cli.quantities import options as quantities
from symparams.formats import DRAWN as DRAWINGS
from symparams.formats import PRINTED, names
from symparams.records import frozen

if TYPE_CHECKING:
    from symparams.cli.request import CommandResult, Request

Run = Callable[["Request"], "CommandResult"]


@frozen
class Command:
    """A command: its function as "module:name", the options it takes besides --format and -o, the formats it answers in.

    ``usual`` is the format where none is named, ``output`` the option that says where the answer goes.
    ``speechless`` are the formats in which it says nothing in a language. ``writes`` are kinds of file of its own, each with
    its endings; in place of formats the first where none is named. ``of_weights`` is the function for a target that is a file
    of weights, if there is one.
    """

    function: str
    group: str
    summary: str
    takes: Bundle = ()
    layout: Bundle = ()
    formats: tuple[str, ...] = (TEXT,)
    usual: str = TEXT
    speechless: tuple[str, ...] = ()
    output: Bundle = OUTPUT
    writes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    of_weights: str = ""

    @cached_property
    def signature(self) -> Bundle:
        """Every option in the order of the help: what is asked, the format, how it looks, where it goes."""
        kinds = kind_switches(self.writes, has_default=self.writes_alone)
        return (*self.takes, *format_switches(self.formats, self.usual), *kinds, *self.layout, *self.output)

    @property
    def writes_alone(self) -> bool:
        """True if the command answers in kinds of file of its own, and in no format."""
        return bool(self.writes) and len(self.formats) < 2

    def formats_for(self, given: Mapping[str, object]) -> tuple[str, ...]:
        """The formats in which it answers with such options."""
        return (*DRAWINGS, *PRINTED) if DRAWN_BESIDE in given else self.formats

    def usual_for(self, given: Mapping[str, object]) -> str:
        """The format where none is named: a drawing's where the options ask for one."""
        return DRAWINGS[0] if DRAWN_BESIDE in given else self.usual

    def load(self, request: Request) -> Run:
        """The function for a request, from its module; with more than a file of weights it is about the model in it."""
        from symparams.models.sources.target import is_checkpoint

        is_of_weights = self.of_weights and is_checkpoint(request.target) and not request.is_about_a_model
        module, _, name = (self.of_weights if is_of_weights else self.function).partition(":")
        function: Run = getattr(import_module(f"{__name__}.{module}"), name)
        return function


DRAWN_BESIDE = "side_by_side"  # the option by which a comparison is a drawing
FIND, WORK_OUT, CHECK, PLAN = "Find a model", "Count and derive", "Check a number", "Plan"
WRITE, PRACTISE = "Write a paper", "Practise"
ALL, JSON = tuple(names()), "json"
HTML = "html"
ON_PAPER = tuple(name for name in ALL if name != JSON)

COMMANDS: Mapping[str, Command] = {
    "list": Command(
        "targets:list_targets",
        FIND,
        "List the families and their published models.",
        FAMILY,
        formats=(TEXT, JSON),
    ),
    "show": Command(
        "targets:show",
        FIND,
        "Show a target's components with shapes and formulas, and its features.",
        TARGET + SWITCHES + CALLED + NAMES,
        LANGUAGE + PAGE,
        ALL,
        of_weights="weights:show",
    ),
    "discover": Command(
        "discovering:discover",
        FIND,
        "Discover the definition of any class of transformers, checked against it, as a Python file.",
        DISCOVERED,
        LANGUAGE,
        formats=(),
        writes={"python": (".py",), JSON: (".json",)},
    ),
    "count": Command(
        "counting:count",
        WORK_OUT,
        "Print only the count, an integer.",
        TARGET_OR_FORMULA + SWITCHES + SHARED + quantities(),
        formats=(TEXT, JSON),
        of_weights="weights:count",
    ),
    "formula": Command(
        "counting:formula",
        WORK_OUT,
        "Print only the closed form.",
        TARGET_OR_FORMULA + SWITCHES + FORM + quantities(),
        NOTATION + FLAVOR,
        ALL,
    ),
    "derive": Command(
        "counting:derive",
        WORK_OUT,
        "Derive a target's parameter count, or another quantity, step by step.",
        TARGET_OR_FORMULA
        + SWITCHES
        + CALLED
        + SYMBOLIC
        + WORKING
        + FORM
        + BRIEF
        + KEYS
        + MEMORY
        + quantities("attention", has_all=True)
        + FITS
        + FIGURED,
        LANGUAGE + NOTATION + LAYOUT + FIGURE,
        (*ALL, HTML),
    ),
    "compare": Command(
        "comparing:compare",
        WORK_OUT,
        "Compare models side by side: components, sizes, closed forms, the difference.",
        TARGETS + EACH_CALLED + INPUTS + SYMBOLIC + quantities() + BESIDE,
        LANGUAGE + NOTATION + tuple(option for option in LAYOUT if option.name != "preamble") + LOOK + SCALED,
        (*ALL, *DRAWINGS, HTML),
    ),
    "draw": Command(
        "drawing:draw",
        WORK_OUT,
        "Draw a target: its layers, their parts, formulas and counts; or its shares as a bar.",
        TARGET + SWITCHES + CALLED + SYMBOLIC,
        DRAWN + LANGUAGE + NOTATION + DRAWING,
        (*DRAWINGS, *PRINTED, TEXT),
        usual="svg",
    ),
    "plot": Command(
        "plotting:plot",
        WORK_OUT,
        "Plot a quantity of models over a size or an input, shares, a treemap; or print the numbers.",
        PLOTTED + EACH_CALLED + INPUTS + quantities(),
        LANGUAGE + NOTATION + PAGE + (of_formats("with_title"),) + LOOK + SCALED,
        (TEXT, "markdown", JSON, *DRAWINGS, "pdf", "png", "csv"),
        usual="svg",
        speechless=("csv",),
        writes={"pgf": (".pgf",)},
    ),
    "explain": Command(
        "checking:explain",
        CHECK,
        "Explain why a published number, or a checkpoint, differs from the count; exit 1 if nothing explains it.",
        TARGET + CLAIM + CHECKPOINT + SWITCHES + quantities("checkpoint"),
        LANGUAGE + PAGE,
        (*ALL, HTML),
    ),
    "verify": Command(
        "checking:verify",
        CHECK,
        "Compare the name and shape of every tensor with transformers, a checkpoint or your module; exit 1 if they differ.",
        TARGET + CHECKPOINT + MODULE + SWITCHES,
        LANGUAGE + PAGE,
        (*ALL, HTML),
    ),
    "memory": Command(
        "memory:memory",
        PLAN,
        "Print the memory (VRAM) of the weights, with --context also of the KV cache, with --training of training; with "
        "--fits what fits, and exit 1 if nothing does.",
        TARGET_OR_COUNT + SWITCHES + CALLED + ROOM + choices("recipe", "attention", "checkpoint"),
        LANGUAGE + PAGE,
        ALL,
        speechless=(JSON,),
        of_weights="weights:memory",
    ),
    "flops": Command(
        "memory:flops",
        PLAN,
        "Print the FLOPs (compute) of one token, with --tokens of a prompt, with --training of a training run.",
        TARGET + SWITCHES + CALLED + FLOPS + choices("causal", "checkpoint"),
        LANGUAGE + NOTATION + PAGE,
        ALL,
        speechless=(JSON,),
    ),
    "solve": Command(
        "solving:solve",
        PLAN,
        "Find the sizes or inputs that give a total; exit 1 if there are none.",
        TARGET + SOLVING + SWITCHES + CALLED + quantities(),
        LANGUAGE + NOTATION + PAGE,
        ALL,
        speechless=(JSON,),
    ),
    "embed": Command(
        "embedding:embed",
        WRITE,
        "Update the output of commands in documents; exit 1 if a block was edited by hand and so not updated.",
        DOCUMENTS,
        output=(),
    ),
    "macros": Command(
        "macros:macros",
        WRITE,
        "Write counts and closed forms for a paper: LaTeX commands to \\input, YAML for Quarto, JSON.",
        TARGETS + EACH_CALLED + INPUTS + PREFIX + quantities(),
        LANGUAGE + NOTATION,
        formats=(),
        writes={"latex": (".tex",), "yaml": (".yml", ".yaml"), JSON: (".json",)},
    ),
    "site": Command(
        "site:site",
        WRITE,
        "Write a website of the published models: static pages in every language, which also work from a folder. "
        "Run again, it makes only what is missing or changed.",
        SITE,
        output=(),
    ),
    "questions": Command(
        "practising:questions",
        PRACTISE,
        "Print questions as a booklet or an exam, with the answers at the end.",
        ASKED,
        LANGUAGE + PAGE,
        (*ALL, HTML),
    ),
    "cards": Command(
        "practising:cards",
        PRACTISE,
        "Write flash cards for Anki: about each target questions and its derivation; without one, forty facts.",
        CARDS,
        LANGUAGE,
        formats=("apkg", "csv"),
        usual="apkg",
    ),
    "worksheet": Command(
        "practising:worksheet",
        PRACTISE,
        "Print a derivation with blanks to fill in, with the answers at the end.",
        TARGET + SWITCHES + CALLED + WORKSHEET,
        LANGUAGE + NOTATION + PAGE + (of_formats("width"),),
        ON_PAPER,
    ),
    "quiz": Command(
        "quizzing:quiz",
        PRACTISE,
        "Ask questions in the terminal; those that you got wrong come back when they are due.",
        QUIZ,
        LANGUAGE + NOTATION,
        output=(),
    ),
    "interview": Command(
        "quizzing:interview",
        PRACTISE,
        "Hold a mock interview in the terminal: linked questions on one model, rough numbers, points by skill; with a format, "
        "or -o, print it for whoever asks the questions.",
        INTERVIEW,
        LANGUAGE + NOTATION + PAGE,
        (*ALL, HTML),
    ),
}
