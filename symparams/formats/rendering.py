"""Rendering: a document in a format, through the one skeleton ``templates/sheet.j2``; its arguments checked."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symparams.display import RenderedText
from symparams.errors import OptionError, quoted
from symparams.expressions.closed_form import EXPANDED
from symparams.formats import DRAWN, OF_THE_DOCUMENT, find, names
from symparams.formats.format import OF_AN_ANSWER, Format, Options
from symparams.formats.options import FIGURE, OPTIONS, PLOT, SheetOptions, checked
from symparams.models.formula import Subject
from symparams.sheets import document_of, refuse_format, refuse_unused
from symparams.sheets.document import Document

if TYPE_CHECKING:
    from typing import Unpack

    from jinja2 import Environment, FileSystemBytecodeCache

    from symparams.models.calculation import Calculation


def render(
    answer: Any,
    format: str = "text",  # noqa: A002 - the name is part of the surface
    **options: Unpack[SheetOptions],
) -> RenderedText:
    """Return an answer as text in a format: "text", "latex", "markdown", "typst", "json", or "html", the interactive page.

    A model or its name is derived first; the answers of ``compare``, ``solve``, ``explain`` and ``worksheet`` and documents
    are rendered as they are.

    ``language`` is "en" or "zh". ``notation`` names the letters ("hidden", "bert", "gpt3", "megatron", "hf"), ``symbols`` are
    your own, {"h": "d"}. ``columns`` is 1 or 2; ``width`` is the number of characters in a line of text. ``standalone`` LaTeX
    and Typst is a whole document, else a fragment for \\input. ``flavor`` of Markdown is "pandoc" or "github". ``with_memory``
    adds the bytes of the weights, ``brief`` gives one page, ``figure`` draws the model; it may be a mapping with the labels,
    numbers, detail and with_legend of ``draw``, {"labels": "none"}. ``with_plot`` adds a plot after the total: parameters as
    areas, FLOPs as shares over the sequence, memory over the context or, of training, over the batch; outside of LaTeX it needs
    the extra ``symparams[plot]``. A document has its language and letters already.

    For a paper: ``only`` is a single section ("closed-form", "dimensions", "derivation", "active", "shares", "conventions",
    "rule"; of models side by side "counts", "components", "kinds", "dimensions", "closed-form", "component-forms",
    "difference"), ``with_title=False`` leaves out the title, ``heading_level`` 1 makes it a section; ``label`` is the prefix of
    labels with which LaTeX numbers the equations and gives the tables captions.

    Raises OptionError for an unknown format, for an invalid value, and for an option that the format or the answer does not
    have; UnknownNameError for a notation, or for a symbol of no dimension.
    """
    text_format = _text_format(format, options.get("flavor", ""))
    return RenderedText(rendered(answer, text_format, chosen_of(options, format)), text_format.media_type)


def chosen_of(options: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The options of a sheet in a format, where they are not at their defaults; OptionError for what it cannot use."""
    return checked(options, name, _taken, sorted((*names(), "html")))


def _taken(name: str) -> frozenset[str]:
    return (find(name).options | OF_THE_DOCUMENT) - {"preamble"}


def rendered(answer: Any, format: Format, chosen: Mapping[str, Any], *, draws: bool = False) -> str:  # noqa: A002 - the field's word
    """An answer in a format, with what was chosen and checked; one that ``draws`` has a figure where there can be one."""
    refuse_format(answer, format.name)
    composed = {name: chosen[name] for name in (*OF_THE_DOCUMENT, *OF_AN_ANSWER) if name in chosen}
    if format.answer is not None:
        refuse_unused(answer, composed)
        own = {name: chosen[name] for name in (format.options - OF_AN_ANSWER) & chosen.keys()}
        return format.answer(answer, **composed, **own)
    only, has_title = chosen.get("only", ""), chosen.get("with_title", True)
    document = _drawn(answer, format, chosen, composed, draws=draws)
    if only or not has_title:
        from symparams.sheets.excerpt import excerpt, untitled

        document = excerpt(document, only) if only else untitled(document)
    from symparams.formats.sheet import Sheet

    page = {name: chosen[name] for name in ("columns", "standalone", "width", "heading_level", "label") if name in chosen}
    assert format.markup is not None
    sheet = Sheet(document, format.markup, Options(**page, is_tight=document.kind == "brief"))
    text = from_template("sheet.j2", sheet=sheet, document=document, macros=format.markup.macros)
    return format.markup.finish(text.lstrip("\n"), sheet.head)


def _drawn(
    answer: Any,
    format: Format,  # noqa: A002 - the field's word
    chosen: Mapping[str, Any],
    composed: Mapping[str, Any],
    *,
    draws: bool,
) -> Document:
    """The document of an answer, with a plot where one was chosen, and a figure where one was, or is usual and possible."""
    if chosen.get(FIGURE, draws) is False and PLOT not in chosen:
        return document_of(answer, **composed)
    from symparams.formats.figure import drawn_on, has_place, refuse_figure, refuse_picture

    if FIGURE in chosen:
        refuse_figure(answer, format, chosen)
    if PLOT in chosen:
        refuse_picture(answer, format, chosen, PLOT)
    document = document_of(answer, **composed)
    is_usual = chosen.get(FIGURE, draws) is not False and not isinstance(answer, Document) and has_place(document, chosen)
    if is_usual or chosen.get(FIGURE, False) is not False:
        document = drawn_on(document, chosen)
    if PLOT in chosen:
        from symparams.formats.plot import plotted_on

        document = plotted_on(document, chosen)
    return document


def preamble(
    language: str = "en",
    format: str = "latex",  # noqa: A002 - as in render
    *,
    figure: bool = False,
    with_figure: bool = False,
    with_plot: bool = False,
) -> str:
    """Return the preamble that a document needs for a fragment, with the engine if one is needed.

    A fragment with a ``figure`` or ``with_plot`` needs more of LaTeX; ``with_figure`` is the figure's name of old.
    """
    lines = find(format).preamble
    if lines is None:
        raise OptionError(f"{quoted(format)} has no fragments, so it has no preamble: leave out preamble.")
    return "".join(f"{line}\n" for line in lines(language, figure or with_figure, with_plot))


def _text_format(name: str, flavor: str) -> Format:
    if not isinstance(name, str):
        raise OptionError(f"format = {quoted(name)} is a {type(name).__name__}, not a text: write format='text'.")
    OPTIONS["flavor"].check("flavor", flavor)
    text_format = find(name, flavor)
    if name in DRAWN:
        *others, last = (other for other in names() if find(other).is_text)
        texts = f"{', '.join(others)} or {last}"
        raise OptionError(f"{quoted(name)} is for drawings: write draw(…, {quoted(name)}), or render in {texts}.")
    if not text_format.is_text:
        raise OptionError(f"{quoted(name)} is not text: write typeset(…, {quoted(name)}).")
    return text_format


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
    if text_format.answer is not None:
        return text_format.answer(document)
    markup = text_format.markup
    assert markup is not None
    before, after = markup.inline if markup.marks_alone else ("", "")
    sheet = Sheet(document, markup, Options())
    lines = "".join(f"{before}{sheet.printer(formula)}{after}\n" for formula in formulas_of(document))
    return markup.finish(lines, sheet.head)


def from_template(name: str, /, **values: Any) -> str:
    """The text of a template with these values."""
    return environment().get_template(name).render(**values)


@cache
def environment() -> Environment:
    """The templates' environment: one set of delimiters that no format uses, and an error for every unknown name."""
    import jinja2

    from symparams.sheets.catalogue import templates

    def read(name: str) -> str:
        return (templates() / name).read_text(encoding="utf-8")

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


def _compiled() -> FileSystemBytecodeCache | None:
    """Compiled templates beside Python's own compiled modules, where Python too would write them: 15 ms of each run."""
    import jinja2

    folder = Path(__file__).parent / "__pycache__"
    is_writable = folder.is_dir() and os.access(folder, os.W_OK) and not sys.dont_write_bytecode
    return jinja2.FileSystemBytecodeCache(str(folder)) if is_writable else None
