"""The compiler of Typst, which comes as a wheel: a source becomes a PDF or pictures. Needs the extra ``symparams[pdf]``.

A source is read from no file and reads none, and the same source gives the same bytes, whenever it is compiled.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from symparams.errors import OptionError, OutputError, quoted

if TYPE_CHECKING:
    import typst

PDF, PNG = "pdf", "png"
CHECKED, UNDATED = "a-2b", "#set document(date: none)\n"  # the standard that forbids a missing glyph asks for a date
RESOLUTION = 192.0  # dots an inch, two for each of a screen's
FOLDERS = "TYPST_FONT_PATHS"  # as the compiler's own command line has it
LACKING = re.compile(r'the text `"?(?P<text>.*?)"?` could not be displayed', re.DOTALL)


def compile_pdf(source: str, head: Mapping[str, Any]) -> list[bytes]:
    """A source as one PDF."""
    return _compile(source, head, PDF)


def compile_png(source: str, head: Mapping[str, Any]) -> list[bytes]:
    """A source as a PNG for each of its pages."""
    return _compile(source, head, PNG)


def _compile(source: str, head: Mapping[str, Any], kind: str) -> list[bytes]:
    """The files of a source: OptionError without the extra, OutputError where the machine has no font for the language."""
    try:
        import typst
    except ImportError:
        raise OptionError(f"{kind.upper()} files need Typst: pip install 'symparams[pdf]'.") from None
    from tempfile import TemporaryDirectory

    fonts = machine_fonts()
    with TemporaryDirectory() as empty:
        chosen = chosen_font(head["typst.fonts"], {font.family for font in fonts.fonts()})
        compiler = typst.Compiler(root=empty, font_paths=fonts, sys_inputs=chosen, package_path=empty, package_cache_path=empty)
        try:
            compiler.compile(source.encode(), format=PDF, pdf_standards=[CHECKED], timestamp=0)
        except typst.TypstError as error:
            raise _refusal(error.message) from None
        made = compiler.compile((UNDATED + source).encode(), format=kind, ppi=RESOLUTION)
    return made if isinstance(made, list) else [made]


def machine_fonts() -> typst.Fonts:
    """The fonts that the compiler has in it, and those of the machine."""
    import typst

    return typst.Fonts(font_paths=[folder for folder in os.environ.get(FOLDERS, "").split(os.pathsep) if folder])


def chosen_font(wanted: Sequence[str], known: Iterable[str]) -> dict[str, str]:
    """The first font of a language that the machine has; a language that needs none has none to choose."""
    if not wanted:
        return {}
    of_machine = {name.casefold() for name in known}
    font = next((name for name in wanted if name.casefold() in of_machine), None)
    if font is None:
        wish = f"install {wanted[0]} or {wanted[1]}, or name a folder that holds one of them in {FOLDERS}"
        raise OutputError(f"No font with Chinese characters was found: {wish}.")
    return {"font": font}


def _refusal(message: str) -> OutputError:
    lacking = LACKING.search(message)
    if lacking is None:
        return OutputError(f"Typst cannot set this sheet: {message}")
    return OutputError(f"No font of this machine has {quoted(lacking['text'])}: install one that has it.")
