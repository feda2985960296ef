"""The compiler of Typst, which comes as a wheel: a source becomes a PDF or pictures. Needs the extra ``symparams[pdf]``.

A source is read from no file and reads none, and the same source gives the same bytes, whenever it is compiled.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from struct import pack
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from symparams.errors import OptionError, OutputError, quoted

if TYPE_CHECKING:
    import typst

PDF, PNG = "pdf", "png"
CHECKED, UNDATED = "a-2b", "#set document(date: none)\n"  # the standard that forbids a missing glyph asks for a date
HEAD_OF_PNG = 33  # bytes, before all that may be told of a picture
RESOLUTION = 192.0  # dots an inch, two for each of a screen's
FOLDERS = "TYPST_FONT_PATHS"  # as the compiler's own command line has it
# Room between the lines, and letters, as a part of what a source has where nothing is asked.
ROOMS: Sequence[Mapping[str, str]] = (
    {},
    {"spaces": "0.7"},
    {"spaces": "0.6", "letters": "0.95"},
    {"spaces": "0.5", "letters": "0.92"},
    {"spaces": "0.4", "letters": "0.92"},
    {"spaces": "0.3", "letters": "0.9"},
)
# Of a sheet whose last page stays emptier than FULL however close it is set.
WIDER: Sequence[Mapping[str, str]] = ({"spaces": "1.3"}, {"spaces": "1.6"}, {"spaces": "2"})
TOP, BOTTOM, MIDDLE = 39.7, 805.0, 297.6  # points, of the columns of a page, and between them
FULL = TOP + 0.6 * (BOTTOM - TOP)  # where the lines of a last page end that is not nearly empty
LACKING = re.compile(r'the text `"?(?P<text>.*?)"?` could not be displayed', re.DOTALL)


class Spot(NamedTuple):
    """A place on the pages, in points."""

    page: int
    x: float
    y: float


def compile_pdf(source: str, head: Mapping[str, Any]) -> list[bytes]:
    """A source as one PDF."""
    return _compile(source, head, PDF)


def compile_png(source: str, head: Mapping[str, Any], scale: int = 1) -> list[bytes]:
    """A source as a PNG for each of its pages, so many times as large as on a screen; each says how large it is on paper."""
    a_metre = round(RESOLUTION * scale / 0.0254)
    chunk = b"pHYs" + pack(">IIB", a_metre, a_metre, 1)
    told = pack(">I", len(chunk) - 4) + chunk + pack(">I", crc32(chunk))
    return [made[:HEAD_OF_PNG] + told + made[HEAD_OF_PNG:] for made in _compile(source, head, PNG, RESOLUTION * scale)]


def _compile(source: str, head: Mapping[str, Any], kind: str, resolution: float = RESOLUTION) -> list[bytes]:
    """The files of a source: OptionError without the extra, OutputError where the machine has no font for the language."""
    try:
        import typst
    except ImportError:
        raise OptionError(f"{kind.upper()} files need Typst: pip install 'symparams[pdf]'.") from None
    from tempfile import TemporaryDirectory

    fonts = machine_fonts()
    with TemporaryDirectory() as empty:
        chosen = chosen_font(head["typst.fonts"], {font.family for font in fonts.fonts()})
        settings = {"root": empty, "font_paths": fonts, "package_path": empty, "package_cache_path": empty}

        def compiler(room: Mapping[str, str]) -> typst.Compiler:
            return typst.Compiler((UNDATED + source).encode(), sys_inputs={**chosen, **room}, **settings)

        try:
            typst.Compiler(source.encode(), sys_inputs=chosen, **settings).compile(
                format=PDF, pdf_standards=[CHECKED], timestamp=0
            )
        except typst.TypstError as error:
            raise _refusal(error.message) from None

        def told(name: str, room: Mapping[str, str]) -> list[Any]:
            values: list[Any] = json.loads(compiler(room).query(f"<{name}>", field="value"))
            return values

        def end(room: Mapping[str, str]) -> Spot:
            return max((Spot(*spot) for spot in told("end", room)), default=Spot(1, 0.0, 0.0))

        room = fitting(end)
        steps = {number: Spot(*spot) for number, *spot in told("step", room)}
        column = second_column(steps, end(room)) if steps else None
        made = compiler({**room, "column": str(column)}).compile(format=kind, ppi=resolution)
    return made if isinstance(made, list) else [made]


def fitting(end: Callable[[Mapping[str, str]], Spot]) -> Mapping[str, str]:
    """The widest of the rooms with which a source takes as few pages as with the least.

    Where closer lines save no page, wider ones fill the last, as far as they need no other.
    """
    usual, *narrower = ROOMS
    here, fewest = end(usual), end(ROOMS[-1]).page
    if fewest < here.page:
        return next(room for room in narrower if end(room).page == fewest)
    if here.page == 1 or here.x > MIDDLE or here.y >= FULL:
        return usual
    wider = [room for room in WIDER if end(room).page == here.page]
    return next((room for room in wider if end(room).y >= FULL), wider[-1] if wider else usual)


def second_column(steps: Mapping[int, Spot], end: Spot) -> int | None:
    """The step with which the second column of the last page begins, so that both are about equally long; None without one."""
    on_it = {number: spot for number, spot in steps.items() if spot.page == end.page}
    top = min((spot.y for spot in on_it.values()), default=TOP) if end.page == 1 else TOP

    def before(spot: Spot) -> float:
        """How much of the columns stands before a place."""
        return spot.y - top + (BOTTOM - top if spot.x > MIDDLE else 0.0)

    return min(on_it, key=lambda number: max(before(on_it[number]), before(end) - before(on_it[number])), default=None)


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
