"""Rendering: a document in a format, through the one skeleton ``templates/sheet.j2``; its arguments checked."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symparams.derivations.derivation import Derivation, derive
from symparams.errors import OptionError, quoted
from symparams.expressions.closed_form import EXPANDED
from symparams.formats import find
from symparams.formats.format import Format, Options
from symparams.models.formula import Subject
from symparams.models.model import Model
from symparams.sheets.document import Document

if TYPE_CHECKING:
    from jinja2 import Environment, FileSystemBytecodeCache

    from symparams.answers.comparison import Comparison
    from symparams.answers.solutions import Solutions
    from symparams.derivations.budget import Budget
    from symparams.models.calculation import Calculation
    from symparams.practice.worksheet import Worksheet
import re


def render(
    derivation: Derivation | Budget | Comparison | Solutions | Worksheet | Document | Model | str,
    format: str = "text",  # noqa: A002 - the name is part of the surface
    *,
    language: str = "en",
    standalone: bool = True,
    flavor: str = "pandoc",
    columns: int = 1,
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
    with_memory: bool = False,
    brief: bool = False,
    with_figure: bool | Mapping[str, Any] = False,
    width: int = 80,
    only: str = "",
    with_title: bool = True,
    heading_level: int | None = None,
    label: str = "",
) -> str:
    """A derivation as a sheet in a format: "text", "latex", "markdown", "typst" or "json"; "html" is a page of live numbers.

    A model, or the name of one, is derived first; what ``compare`` and ``solve`` answer is a sheet, too; a document stays.
    ``language`` is "en" or "zh"; ``notation`` names the letters ("hidden", "bert", "gpt3", "megatron", "hf"), ``symbols`` are
    letters of one's own, {"h": "d"}. ``columns`` is how many the page has, 1 or 2; ``width`` how many characters a line of
    text has. ``standalone`` is for LaTeX: a whole document, or a fragment to input. ``flavor`` is for Markdown: "pandoc" or
    "github". ``with_memory`` adds the bytes of the weights; ``brief`` is one page; ``with_figure``
    draws the model, too, with labels, numbers, detail and with_legend of ``draw`` where they are given, {"labels": "none"}. A
    document has its language and letters.

    For a paper: ``only`` is one part ("closed-form", "dimensions", "derivation", "active", "shares", "conventions", "rule"),
    ``with_title`` whether there is one, ``heading_level`` its level, 1 for a section; ``label`` is a prefix of labels, with
    which LaTeX numbers the equations and gives the tables captions.

    Raises OptionError for a format, a language, a flavor, a width or a number of columns that there is not, and
    UnknownNameError for a notation, or for a symbol of no dimension.
    """
    check_texts(format=format, language=language, flavor=flavor, notation=notation)
    check(columns, width, symbols)
    has_figure = with_figure is not False
    if has_figure:
        from symparams.formats.figure import is_wanted, refuse_figure, with_figure_of

        has_figure = is_wanted(with_figure, format)
    if format == "html":
        from symparams.pages.page import page_of

        return page_of(derivation, language, notation, symbols)
    text_format = _text_format(format, flavor)
    if has_figure:
        refuse_figure(derivation, text_format, flavor, only=only, brief=brief)
    if not isinstance(derivation, (Derivation, Document, Model, str)):
        derivation = _answer(derivation, language, notation, symbols, brief=brief)
    elif not isinstance(derivation, (Derivation, Document)):
        derivation = derive(derivation)
    if isinstance(derivation, Derivation):
        document = _sheet(derivation, language, notation, symbols, brief=brief, with_memory=with_memory)
        derivation = with_figure_of(document, notation, symbols, with_figure) if has_figure else document
    elif has_figure:
        raise OptionError("A figure shows one model: leave out with_figure.")
    if only or not with_title:
        from symparams.sheets.excerpt import excerpt, untitled

        derivation = excerpt(derivation, only) if only else untitled(derivation)
    options = Options(columns, standalone, width, level_of(heading_level), prefix_of(label), derivation.kind == "brief")
    return write(derivation, text_format, options)


def _sheet(
    derivation: Derivation, language: str, notation: str, symbols: Mapping[str, str] | None, *, brief: bool, with_memory: bool
) -> Document:
    """The document of a derivation, whole or as its brief."""
    from symparams.sheets.whole import sheet_of

    if with_memory and derivation.is_by_terms:
        raise OptionError("The memory of the weights stands on the sheet of the parameters: leave out with_memory.")
    document = sheet_of(derivation, language, notation, symbols, brief=brief)
    if with_memory:
        from symparams.sheets.memory import with_memory_of

        return with_memory_of(document)
    return document


def _answer(
    answer: Any, language: str, notation: str, symbols: Mapping[str, str] | None, *, brief: bool
) -> Document | Derivation:
    """The document of a budget, or of what ``compare``, ``solve`` or ``worksheet`` answered; anything else is derived."""
    from symparams.derivations.budget import Budget

    if isinstance(answer, Budget):
        from symparams.sheets.costs.budget.sheet import budget_sheet

        return budget_sheet(answer, language, notation, symbols, is_brief=brief)
    from symparams.answers.comparison import Comparison
    from symparams.answers.solutions import Solutions
    from symparams.practice.worksheet import Worksheet

    if isinstance(answer, Worksheet):
        from symparams.sheets.worksheet.filled import worksheet

        return worksheet(answer, language, notation, symbols)
    if isinstance(answer, Comparison):
        from symparams.sheets.comparison import comparison

        return comparison(answer, language, notation, symbols)
    if not isinstance(answer, Solutions):
        return derive(answer)
    from symparams.sheets.solution import solution

    return solution(answer, language, notation, symbols)


def preamble(language: str = "en", format: str = "latex", *, with_figure: bool = False) -> str:  # noqa: A002 - as in render
    """Return the preamble that a document needs for a fragment, with the engine if one is needed.

    A fragment that was written ``with_figure`` needs more of LaTeX.
    """
    needed = find(format).preamble
    if needed is None:
        raise OptionError(f"{quoted(format)} has no fragments, and so needs no preamble.")
    pictured = find(format).pictured if with_figure else ()
    return "".join(f"{line}\n" for line in (*needed(language), *pictured))


def _text_format(name: str, flavor: str) -> Format:
    text_format = find(name, flavor)
    if text_format.typeset is not None:
        raise OptionError(f"A {name.upper()} is no text: write typeset(…, {quoted(name)}).")
    return text_format


def write(document: Document, format: Format, options: Options) -> str:  # noqa: A002 - the field's word
    """A document in a format."""
    from symparams.formats.sheet import Sheet

    if format.write is not None:
        return format.write(document)
    sheet = Sheet(document, format, options)
    text = environment().get_template("sheet.j2").render(sheet=sheet, document=document, macros=_macros(format))
    return format.finish(text.lstrip("\n"), sheet.head)


def render_formula(
    model: Subject | Calculation,
    format: str = "text",  # noqa: A002 - the name is part of the surface
    *,
    flavor: str = "pandoc",
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
    form: str = EXPANDED,
) -> str:
    """The closed form of a model alone, on one line, in a format; by blocks each part with a name has a line of its own."""
    from symparams.formats.sheet import Sheet
    from symparams.sheets.formula import formula, formulas_of

    document, text_format = formula(model, notation, symbols, form), _text_format(format, flavor)
    if text_format.write is not None:
        return text_format.write(document)
    before, after = text_format.inline if text_format.marks_alone else ("", "")
    sheet = Sheet(document, text_format, Options())
    lines = "".join(f"{before}{sheet.printer(formula)}{after}\n" for formula in formulas_of(document))
    return text_format.finish(lines, sheet.head)


@cache
def environment() -> Environment:
    """The templates' environment: one set of delimiters that no format uses, and an error for every unknown name."""
    import jinja2

    from symparams.sheets.catalogue import templates

    def read(name: str) -> str:
        path = Path(name)
        return (path if path.is_absolute() else templates() / name).read_text(encoding="utf-8")

    settings: dict[str, Any] = {
        "block_start_string": "<%", "block_end_string": "%>",
        "variable_start_string": "<<", "variable_end_string": ">>",
        "comment_start_string": "<#", "comment_end_string": "#>",
    }  # fmt: skip
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(read),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=_compiled(),
        autoescape=False,  # noqa: S701 - each format escapes its own way, in Sheet, before a macro sees the text
        **settings,
    )


def _macros(format: Format) -> str:  # noqa: A002 - the field's word
    return str(format.macros / "macros.j2") if format.macros else f"{format.name}/macros.j2"


def _compiled() -> FileSystemBytecodeCache | None:
    """Compiled templates beside Python's own compiled modules, where Python too would write them: 15 ms of each run."""
    import jinja2

    folder = Path(__file__).parent / "__pycache__"
    is_writable = folder.is_dir() and os.access(folder, os.W_OK) and not sys.dont_write_bytecode
    return jinja2.FileSystemBytecodeCache(str(folder)) if is_writable else None


MOST_LEVELS = 4  # a title may be a section, and the headings below it have one more
PREFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9:.-]{0,40}")


def level_of(level: int | None) -> int | None:
    """The level of the title; OptionError for one that no heading has."""
    if level is not None and level not in range(1, MOST_LEVELS + 1):
        raise OptionError(f"A heading has a level from 1 to {MOST_LEVELS}, not {quoted(level)}.")
    return level


def prefix_of(label: str) -> str:
    """A prefix of labels; OptionError for one that TeX would stumble over."""
    if label and not PREFIX.fullmatch(label):
        raise OptionError(f"{quoted(label)} is no prefix of a label: write letters, digits, - : . alone, as in eq:bert.")
    return label


def check_texts(**arguments: object) -> None:
    """OptionError for an argument by its name that is no text."""
    for name, value in arguments.items():
        if not isinstance(value, str):
            usual = {"format": "text", "language": "en", "flavor": "pandoc", "notation": "hidden"}[name]
            raise OptionError(f"{name} = {quoted(value)} is a {type(value).__name__}, not a text: write {name}={usual!r}.")


def check(columns: object, width: object, symbols: object) -> None:
    """OptionError for a number of columns, a width or letters that there are not."""
    if columns not in (1, 2):
        raise OptionError(f"A page has 1 or 2 columns, not {quoted(columns)}.")
    if not isinstance(width, int) or isinstance(width, bool) or width < 1:
        raise OptionError(f"width = {quoted(width)} is no number of characters: write width=80.")
    pairs = symbols.items() if isinstance(symbols, Mapping) else [] if symbols is None else [(None, None)]
    if not all(isinstance(text, str) for pair in pairs for text in pair):
        raise OptionError(f"symbols = {quoted(symbols)} are no letters by dimension: write symbols={{'h': 'd'}}.")
