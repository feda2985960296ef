"""One table, format × option: what a format takes changes its answer, what it does not take is refused in one line.

Python and the command line refuse with the same line, in which each option is spelled as its caller writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from symparams import compare, derive, explain, load, render, solve
from symparams.cli.commands import COMMANDS
from symparams.errors import OptionError, SymparamsError
from symparams.formats import OF_THE_DOCUMENT, find, names
from symparams.formats.options import OPTIONS
from symparams.formats.typesetting import typeset
from symparams.practice.worksheet import worksheet
from symparams.sheets.card import card

# A value of each option that is not its default, and what the command line writes for it.
VALUES: Mapping[str, tuple[Any, str]] = {
    "language": ("zh", "--lang zh"),
    "notation": ("hf", "--notation hf"),
    "symbols": ({"h": "d"}, "--symbol h=d"),
    "brief": (True, "--brief"),
    "with_memory": (True, "--with-memory"),
    "with_figure": (True, "--with-figure"),
    "standalone": (False, "--fragment"),
    "flavor": ("github", "--flavor github"),
    "only": ("dimensions", "--only dimensions"),
    "with_title": (False, "--no-title"),
    "heading_level": (3, "--heading-level 3"),
    "label": ("eq", "--label eq"),
    "width": (46, "--width 46"),
    "columns": (2, "--columns 2"),
}
FORMATS = (*names(), "html")


def is_taken(kind: str, option: str) -> bool:
    return option in find(kind).options | OF_THE_DOCUMENT


OF_THE_PAGE = VALUES.keys() - {"brief", "with_memory"}
REFUSED = [(kind, option) for kind in FORMATS for option in VALUES if option in OF_THE_PAGE and not is_taken(kind, option)]
TAKEN = [(kind, option) for kind in FORMATS for option in VALUES if is_taken(kind, option) and not find(kind).typeset]


def test_every_option_of_a_sheet_is_in_the_table() -> None:
    assert VALUES.keys() == set().union(*(find(kind).options for kind in FORMATS), OF_THE_DOCUMENT) - {"preamble"}
    assert all(value != OPTIONS[name].default for name, (value, _) in VALUES.items())
    assert len(REFUSED) > 30


@pytest.mark.parametrize(("kind", "option"), REFUSED)
def test_python_refuses_what_the_command_line_refuses(kind: str, option: str, mistake: Callable[[str], str]) -> None:
    value, written = VALUES[option]
    write = typeset if find(kind).typeset else render
    with pytest.raises(OptionError) as error:
        write("gpt2", kind, **{option: value})  # type: ignore[arg-type,operator]
    told = mistake(f"derive gpt2 --{kind} {written}")
    assert told.replace(written.split()[0], option).replace("--", "") == str(error.value)


@pytest.mark.parametrize(("kind", "option"), TAKEN)
def test_an_option_that_a_format_takes_changes_its_answer(kind: str, option: str) -> None:
    chosen: Any = {option: VALUES[option][0]}
    assert render("gpt2", kind, **chosen) != render("gpt2", kind)


@pytest.mark.parametrize("kind", FORMATS)
def test_an_option_at_its_default_asks_for_nothing(kind: str) -> None:
    if find(kind).typeset is None:
        usual: Any = {name: OPTIONS[name].default for name in VALUES}
        assert render("gpt2", kind, **usual) == render("gpt2", kind)


ANSWERS: Mapping[str, Callable[[], Any]] = {
    "derivation": lambda: derive("gpt2", quantity="kv_cache", b=1, t=8),
    "budget": lambda: derive("gpt2", quantity="all", b=1, s=8),
    "comparison": lambda: compare("gpt2", "bloom-560m"),
    "list of explanations": lambda: explain(load("gpt2"), "124M"),
    "list of solutions": lambda: solve(load("gpt2"), total=7e9, for_=("h",)),
    "worksheet": lambda: worksheet("gpt2"),
    "document": lambda: card(load("gpt2")),
}


@pytest.mark.parametrize("noun", ANSWERS)
def test_every_answer_is_written_in_every_format_or_refused_in_one_line(noun: str) -> None:
    answer = ANSWERS[noun]()
    for kind in FORMATS:
        try:
            assert render(answer, kind)
        except SymparamsError as error:
            assert find(kind).typeset or kind == "html", (noun, kind)
            assert "\n" not in str(error)  # noqa: PT017


@pytest.mark.parametrize("noun", ANSWERS)
def test_an_option_that_an_answer_has_not_is_refused(noun: str) -> None:
    answer, plain = ANSWERS[noun](), render(ANSWERS[noun]())
    for option in ("notation", "symbols", "brief", "with_memory", "with_figure"):
        chosen: Any = {option: VALUES[option][0]}
        kind = "latex" if option == "with_figure" else "text"
        try:
            assert render(answer, kind, **chosen) != plain, option
        except OptionError as error:
            assert "leave out" in str(error)  # noqa: PT017
            assert "\n" not in str(error)  # noqa: PT017


@pytest.mark.parametrize(("option", "told"), {"colums": "There is no option 'colums'. Did you mean 'columns'?"}.items())
def test_what_is_no_option_is_told(option: str, told: str) -> None:
    unknown: Any = {option: 2}
    with pytest.raises(OptionError) as error:
        render("gpt2", **unknown)
    assert str(error.value) == told


def test_the_command_line_has_the_options_of_the_table() -> None:
    options = {option.name: option for command in COMMANDS.values() for option in command.signature if option.is_layout}
    assert options.keys() <= OPTIONS.keys()
    for name, option in options.items():
        assert option.help in {OPTIONS[name].help, "A whole document (.tex), or what a paper or a slide can \\input (.tikz)."}
