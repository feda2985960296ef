"""Rendering: a derivation in a format and a language, through the one skeleton ``templates/sheet.j2``."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symparams.derivations.derivation import Derivation
from symparams.errors import OptionError, quoted, suggestion
from symparams.formats import FORMATS, JSON
from symparams.models.model import Model
from symparams.quantities.memory import Room

if TYPE_CHECKING:
    from jinja2 import Environment, FileSystemBytecodeCache


def render(
    derivation: Derivation,
    format: str,  # noqa: A002 - the name is part of the surface
    *,
    language: str = "en",
    standalone: bool = True,
    flavor: str = "pandoc",
    columns: int = 1,
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
    with_memory: bool = False,
) -> str:
    """The derivation as a sheet: format latex, markdown, text or json; language en or zh.

    ``standalone`` is for LaTeX: a whole document, or a fragment to input. ``flavor`` is for Markdown: pandoc or github.
    ``columns`` is how many the page has, 1 or 2. ``with_memory`` adds what the weights take. Raises
    OptionError and UnknownNameError.
    """
    from symparams.sheets.memory_sheet import MemorySheet
    from symparams.sheets.sheet import Sheet

    if columns not in (1, 2):
        raise OptionError(f"A page has 1 or 2 columns, not {quoted(columns)}.")
    if format == JSON:
        from symparams.sheets.data import to_json

        return to_json(derivation, language, notation, symbols, with_memory=with_memory)
    if format not in FORMATS:
        raise OptionError(f"Unknown format {quoted(format)}. {suggestion(format, [*FORMATS, JSON])}")
    kind = MemorySheet if with_memory else Sheet
    sheet = kind(
        derivation,
        FORMATS[format],
        language,
        notation,
        symbols=symbols,
        columns=columns,
        standalone=standalone,
        flavor=flavor,
    )
    return environment().get_template("sheet.j2").render(sheet=sheet, format=format)


def render_memory(
    derivation: Derivation,
    format: str,  # noqa: A002 - the name is part of the surface
    *,
    language: str = "en",
    dtypes: Sequence[str] = (),
    room: Room | None = None,
) -> str:
    """What the weights take in each number type, and whether that fits into a room."""
    from symparams.sheets.memory_sheet import MemorySheet

    if format == JSON:
        from symparams.sheets.data import memory_json

        return memory_json(derivation, dtypes, room)
    sheet = MemorySheet(derivation, FORMATS[format], language, "hidden", standalone=False, dtypes=dtypes, room=room)
    return environment().get_template("memory.j2").render(sheet=sheet, format=format)


def render_formula(
    model: Model,
    format: str,  # noqa: A002 - the name is part of the surface
    *,
    flavor: str = "pandoc",
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
) -> str:
    """The closed form of a model alone, on one line, in a format."""
    from symparams.expressions.closed_form import as_written
    from symparams.sheets.sheet import model_letters

    letters, closed = model_letters(model, notation, symbols or {}), as_written(model.polynomial)
    if format == JSON:
        from symparams.sheets.data import formula_json

        return formula_json(model, closed, FORMATS["latex"].printer(letters, str)(closed))
    kind = FORMATS[format]
    before, after = kind.inline[flavor] if format == "markdown" else ("", "")
    return f"{before}{kind.printer(letters, str)(closed)}{after}\n"


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
