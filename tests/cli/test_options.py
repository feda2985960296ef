"""No option is without effect: with every command, answer and format it changes the bytes, or is refused in one line.

Python and the command line refuse with the same line, in which each option is spelled as its caller writes it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from symparams import Architecture, block, compare, derive, embedding, explain, linear, load, render, solve, symbols
from symparams.cli.commands import COMMANDS
from symparams.cli.options import TEXT
from symparams.errors import OptionError, SymparamsError
from symparams.formats import DRAWN, OF_THE_DOCUMENT, PRINTED, every, find, names
from symparams.formats.format import OF_AN_ANSWER
from symparams.formats.options import OPTIONS
from symparams.formats.typesetting import typeset
from symparams.practice.worksheet import worksheet
from symparams.sheets.card import card

# For each command a line that all its options have something to say about, and one on a bare formula.
LINES = {
    "list": "",
    "show": "gpt2",
    "explain": "gpt2 163037184 --set n_labels=2",
    "compare": "gpt2 llama-2-7b",
    "plot": "line gpt2 --over h=12..192 --set n_labels=2",
    "macros": "gpt2",
    "questions": "gpt2 --chapter attention",
    "cards": "gpt2",
    "memory": "gpt2 --set n_labels=2 --context 512 --fits 24G",
    "flops": "gpt2 --set n_labels=2 --tokens 64 --context 512 --on h100-sxm",
    "solve": "gpt2 --total 7B --for h --set n_labels=2",
}
TARGET = "gpt2 --set n_labels=2"
FORMULA = "--expr 12*L*h**2+13*L*h+V*h+7*L*h*V+5*V**2*h+3*V**2*L+11*V**2+2*h"
# A value that is not the default; a switch has none.
SWITCHES = (
    "offline", "strict", "no_check", "symbolic", "with_memory", "figure", "with_plot", "check", "force", "trust", "standalone",
    "brief", "with_title", "preamble", "choices", "vary", "checkpoint", "step", "with_legend", "bars", "relative", "background",
    "keys", "side_by_side", "training", "active", "cheat_sheet", "questions",
)  # fmt: skip
VALUES = {
    **dict.fromkeys(SWITCHES),
    "family": "bert", "expression": "L*V*h", "width": "46", "values": "d_ff=99", "include": "classifier",
    "exclude": "biases", "architecture": "bert", "view": "kind", "attention": "per-head", "shared": "each", "names": "hf",
    "dtypes": "int4", "fits": "12GB", "language": "zh", "notation": "hf", "symbols": "h=d", "flavor": "github",
    "columns": "2", "form": "blocks", "only": "dimensions", "heading_level": "3", "label": "eq", "prefix": "mine",
    "wanted": "8B", "for_": "L", "multiple_of": "100", "between": "h=5..9000", "top": "1", "chapter": "embeddings",
    "level": "hard", "exam": "3", "seed": "7", "variant": "B", "key": "none", "quantity": "kv-cache", "dtype": "fp16",
    "window": "paper", "latent": "expanded", "latent_attention": "absorbed", "state": "paper", "causal": "exact",
    "logits": "last", "dropout": "0.1", "dropout_mask": "4", "scope": "all", "recipe": "amp", "gradients": "fp32",
    "lora": "q_proj", "labels": "none", "numbers": "short", "detail": "blocks", "layout": "wide", "theme": "dark",
    "context": "256", "batch": "2", "cache_dtype": "fp32", "tokens": "128", "on": "a100-80gb", "utilisation": "50%",
    "called": "mine", "optimizer": "sgd", "rows": "90", "seconds": "90", "module": "package:build",
    "scale": "3", "over": "h=12..384", "limits": "24GB", "families": "bert",
}  # fmt: skip
ARGUMENTS = {"target", "targets", "claimed", "files", "kind"}
KINDS = {*every(), *(kind for command in COMMANDS.values() for kind in command.writes)}
PAGES = {"apkg", "html", *(name for name in names() if find(name).typeset)}  # of which no bytes are compared here
WITHOUT_EFFECT_BY_DESIGN = {"output", TEXT}  # where the answer goes, and the default said aloud
TEXTS_ARE_BARS = ("draw", "bars")  # in any case, whether one says so or not
TALKS = {"quiz", "interview"}  # of which each word is an answer to one: tests/cli/test_quiz.py, tests/practice
# The answer of the first two is the library's, that of the third a file.
SITE = "site"  # whose options are those of no answer: tests/site
ELSEWHERE = {"verify", "discover", "embed", SITE, *TALKS}


def with_option(line, option):
    """The line with the option at a value that is not its default."""
    if option.name in KINDS:
        return [word for word in line if word.removeprefix("--") not in KINDS] + [f"--{option.name}"]
    if option.name == "values" and "h=8" in line:
        return [word.replace("h=8", "h=9") for word in line]
    value = "9cm" if option.name == "width" and has_lengths(line) else VALUES[option.name]
    return [*line, *flag_of(option), *([] if value is None else [value])]


def has_lengths(line):
    """True if a line asks for a drawing, which is so wide on paper."""
    return any(f"--{kind}" in line and "width" in find(kind).drawn | find(kind).options for kind in (*DRAWN, *PRINTED))


def flag_of(option):
    """The flag of a value that is not the default in most formats."""
    has_one_of_each = option.name in OPTIONS and OPTIONS[option.name].on_in
    return option.flags[:1] if has_one_of_each else option.flags[-1:]


def lines(name, command):
    """The command's line in the text and the data that it writes, and on a formula where it takes one."""
    written = (*command.formats, *command.writes)
    kinds = [kind for kind in (TEXT, "json", "svg", "yaml", "csv") if kind in written]
    for kind in kinds:
        line = [name, *LINES.get(name, TARGET).split(), *([f"--{kind}"] if len(written) > 1 else [])]
        yield pytest.param(line, id=f"{name}-{kind}", marks=[pytest.mark.sweep] * (kind != kinds[0]))
    if any(option.name == "expression" for option in command.signature):
        sizes = [] if name == "formula" else ["--set", "L=2", "--set", "V=3", "--set", "h=8"]
        yield pytest.param([name, *FORMULA.split(), *sizes], id=f"{name}-expr", marks=[pytest.mark.sweep] * (name != "derive"))


@pytest.mark.parametrize("line", [line for name in COMMANDS if name not in ELSEWHERE for line in lines(name, COMMANDS[name])])
def test_an_option_changes_the_answer_or_is_refused_by_its_name(line, cli):
    plain, name = cli(line), line[0]
    assert (plain.code, plain.err) == (0, "")
    for option in COMMANDS[name].signature:
        if option.name in WITHOUT_EFFECT_BY_DESIGN | ARGUMENTS | PAGES:
            continue
        if f"--{TEXT}" in line and (name, option.name) == TEXTS_ARE_BARS:
            continue
        changed = cli(with_option(line, option))
        if changed.code == 2:
            assert (changed.out, changed.err.count("\n")) == ("", 1), option.name
            assert flag_of(option)[0] in changed.err or option.name == "quantity", option.name  # it says what a quantity needs
        else:
            is_said_aloud = option.name in KINDS and f"--{option.name}" in line
            assert (changed.out == plain.out) == is_said_aloud, option.name


PICTURE = "labels numbers detail layout with_legend bars width"
# The options of a page that each format uses, of those that a sheet, a comparison and a drawing have; the others it refuses.
USED = {
    "derive": {
        "text": "only with_title width columns",
        "markdown": "figure with_plot flavor only with_title heading_level columns",
        "latex": "figure with_plot standalone only with_title heading_level label preamble columns",
        "typst": "figure with_plot standalone only with_title heading_level label preamble columns",
        "pdf": "figure with_plot only with_title label columns",
        "png": "figure with_plot only with_title label columns",
        "json": "",
        "html": "figure with_plot",
    },
    "compare": {
        "text": "only with_title width columns",
        "typst": "standalone only with_title heading_level label columns",
        "svg": "theme background width",
        "tikz": "standalone theme width",
    },
    "draw": {
        "text": "with_title width",
        "typst": f"{PICTURE} standalone with_title theme background",
        "svg": f"{PICTURE} with_title theme background",
        "tikz": f"{PICTURE} standalone with_title theme",
        "pdf": f"{PICTURE} with_title theme background",
        "png": f"{PICTURE} with_title theme background scale",
    },
}


def in_python(name):
    """An option of a sheet as ``render`` takes it, at the value of the command line."""
    default, written = OPTIONS[name].default, VALUES[name]
    if name == "symbols":
        return {name: dict([written.split("=")])}
    if isinstance(default, bool):
        return {name: not default}
    return {name: int(written) if name in ("width", "columns", "heading_level") else written}


ALIKE = {("derive", "typst"), ("derive", "png"), ("draw", "pdf")}  # which use and refuse what another does
EACH = [(name, kind) for name, kinds in USED.items() for kind in kinds]


@pytest.mark.parametrize(("name", "kind"), [pytest.param(*each, marks=[pytest.mark.sweep] * (each in ALIKE)) for each in EACH])
def test_a_format_uses_an_option_of_the_page_or_refuses_it(name, kind, cli, mistake):
    command, used = COMMANDS[name], USED[name][kind].split()
    line = [name, *LINES.get(name, "gpt2").split(), f"--{kind}", *(["--theme", "light"] if "theme" in used else [])]
    plain = None if kind in PAGES else cli(line).out
    for option in (option for option in command.signature if option.is_layout):
        if (option.name in OF_THE_DOCUMENT and name != "derive") or (kind, name, option.name) == (TEXT, *TEXTS_ARE_BARS):
            continue
        if option.name not in used and option.name not in OF_THE_DOCUMENT:
            told, [flag] = mistake(with_option(line, option)), flag_of(option)
            if name == "derive":
                users = ", ".join(f"--{other}" for other in sorted(USED[name]) if option.name in USED[name][other].split())
                assert told == f"--{kind} cannot use {flag}, which is for {users}: leave out {flag} or change the format."
            if name == "derive" and option.name != "preamble":
                with pytest.raises(OptionError) as error:
                    (typeset if find(kind).typeset else render)("gpt2", kind, **in_python(option.name))
                assert str(error.value) == told.replace(flag, option.name).replace("--", "")
            assert flag in told, option.name
        elif kind not in PAGES:
            changed = cli(with_option(line, option))
            assert (changed.code, changed.err) == (0, ""), option.name
            assert changed.out not in ("", plain), option.name
            if name == "derive" and option.name != "preamble":
                assert render("gpt2", kind, **in_python(option.name)) == changed.out, option.name


def test_a_page_takes_what_a_document_is_composed_with_and_no_option_at_its_default_asks_for_anything():
    small = load(Architecture("own", tree=block(tok=embedding(symbols.V, symbols.h), net=linear(symbols.h, symbols.h))))
    pages = [render(small, "html"), *(render(small, "html", **in_python(name)) for name in sorted(OF_THE_DOCUMENT))]
    assert len(set(pages)) == len(pages) == 4
    for kind in (*names(), "html"):
        if find(kind).typeset is None:
            others = OPTIONS.keys() - {"preamble", "theme", "background"}
            usual = {name: kind in OPTIONS[name].on_in or OPTIONS[name].default for name in others}
            assert render(small, kind, **usual) == render(small, kind), kind


ANSWERS = {
    "derivation": lambda: derive("gpt2", quantity="kv_cache", b=1, t=8),
    "budget": lambda: derive("gpt2", quantity="all", b=1, s=8),
    "comparison": lambda: compare("gpt2", "bloom-560m"),
    "list of explanations": lambda: explain(load("gpt2"), "124M"),
    "list of solutions": lambda: solve(load("gpt2"), total=7e9, for_=("h",)),
    "worksheet": lambda: worksheet("gpt2"),
    "document": lambda: card(load("gpt2")),
}


@pytest.mark.parametrize("noun", ANSWERS)
def test_every_answer_is_written_in_every_format_or_refused_in_one_line(noun):
    answer = ANSWERS[noun]()
    has_page = noun in ("derivation", "comparison", "list of explanations")  # tests/pages
    for kind in names() if has_page else (*names(), "html"):
        if find(kind).typeset or kind == "html":
            with pytest.raises(SymparamsError, match=r"^.*$"):
                render(answer, kind)
        else:
            assert render(answer, kind), kind
    for option in ("notation", "symbols", "brief", "with_memory", "figure", "with_plot"):
        kind = "latex" if option in ("figure", "with_plot") else "text"
        try:
            assert render(answer, kind, **in_python(option)) != render(answer, kind), option
        except OptionError as error:
            assert "leave out" in str(error)  # noqa: PT017
            assert "\n" not in str(error)  # noqa: PT017


def test_what_is_no_option_is_told():
    with pytest.raises(OptionError, match=r"^Unknown option 'colums'\. Did you mean 'columns'\?$"):
        render("gpt2", colums=2)


def test_the_tables_of_options_are_one():
    """Those here, those of the commands, and those of the formats, with one line of help."""
    answering = [command for name, command in COMMANDS.items() if name not in {SITE, *TALKS}]
    options = {option.name: option for command in answering for option in command.signature}
    assert options.keys() - WITHOUT_EFFECT_BY_DESIGN - ARGUMENTS - KINDS == VALUES.keys()
    layout = {(option.name, option.help) for command in COMMANDS.values() for option in command.signature if option.is_layout}
    taken = {name for kind in map(find, (*names(), *DRAWN)) for name in kind.options}
    assert {name for name, _ in layout} | OF_AN_ANSWER == OF_THE_DOCUMENT | taken - {"relative", "side_by_side"} | {
        "scale"
    }  # of compare, of pictures, not of a page
    others = {(name, text) for name, text in layout if text != OPTIONS[name].help}
    assert others == {("standalone", "Write a whole document (.tex), or a picture to \\input (.tikz).")}


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
ONE_MORE = """
import sys
from symparams import formats
formats.__path__.append(sys.argv[1])
from symparams.cli import run
from symparams.cli.completion import offers
assert run(["formula", "bloom", "--groff"]) == 0
assert run(["formula", "bloom", "-o", "formula.ms"]) == 0
assert run(["derive", "bloom", "--groff", "--flavor", "github"]) == 2
assert run(["count", "bloom", "--groff"]) == 2
assert offers(["formula", "bloom"], "--gro")[0][0] == "--groff"
"""
GROFF = """
from dataclasses import replace
from symparams.formats.latex.writer import FORMAT as LATEX
FORMAT = replace(LATEX, name="groff")
"""


def test_one_more_format_is_known_to_all_that_formats_are_known_to(tmp_path):
    """Its switch, its endings, its completion and its errors come from the registry."""
    (tmp_path / "more" / "groff").mkdir(parents=True)
    (tmp_path / "more" / "groff" / "__init__.py").write_text('ENDINGS = (".ms",)\n')
    (tmp_path / "more" / "groff" / "writer.py").write_text(GROFF)
    command = [sys.executable, "-c", ONE_MORE, str(tmp_path / "more")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=ENVIRONMENT, check=False)
    assert done.stderr.splitlines() == [
        "symparams: --groff cannot use --flavor, which is for --markdown: leave out --flavor or change the format.",
        "symparams: count has no option --groff, which is for show, formula, derive, compare, explain, verify, memory, flops, "
        "solve, questions, worksheet, interview: leave it out.",
    ]
    assert (tmp_path / "formula.ms").read_text() == done.stdout == "12Lh^{2} + 13Lh + Vh + 4h\n"
