"""A format: its options and what writes it; its markup: a printer and a metric for formulas, marks, the widths of lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from symparams.expressions.printing.metric import Metric
from symparams.expressions.printing.printer import Printer
from symparams.formats.options import PICTURED, WIDTH
from symparams.records import frozen

if TYPE_CHECKING:
    from symparams.drawings.marks import Drawing
    from symparams.sheets.values import Branch

# What is chosen of the answer; and of a format with pages: a part alone, and whether there is a title.
OF_AN_ANSWER = frozenset({"brief", "with_memory"})
OF_A_PAGE = OF_AN_ANSWER | {"only", "with_title"}
# What may be chosen of bars, and of any drawing; of one that is a page of its own.
OF_BARS = frozenset({"bars", "with_title", "language"})
OF_PICTURES = OF_BARS | {*PICTURED, WIDTH, "relative", "side_by_side", "notation", "symbols"}
OF_A_DRAWING = OF_PICTURES | {"theme", "background"}


@frozen
class Options:
    """The options of a sheet; a format uses those of its ``options``.

    ``heading_level`` is that of the title, 1 for a section; with a ``label``, a prefix, equations are numbered and tables have
    captions. A page that is tight has narrow margins and small tables.
    """

    columns: int = 1
    standalone: bool = True
    width: int = 80
    heading_level: int | None = None
    label: str = ""
    is_tight: bool = False


@frozen
class Look:
    """The look of a drawing: the colours of a theme, "light", "dark" or "auto", on its own paper or on none.

    ``standalone`` is for TikZ and Typst: a whole document, or the picture alone.
    """

    theme: str = "auto"
    background: bool = True
    standalone: bool = True


@frozen
class PageWidths:
    """The rooms on a page, in the metric's unit: a line of a formula, of a paragraph, of a table; the frame of the answer.

    ``answer`` is a line of the answer where that is not one of any formula, ``number`` what the number of an equation takes of
    a formula's. ``rule`` is the least rule to write on, 25 mm, and
    ``margin`` what the numbers of such rules take of a line where the page has no margin for them.
    """

    formula: float
    paragraph: float
    table: float
    frame: float = 0.0
    answer: float | None = None
    number: float = 0.0
    rule: float = 0.0
    margin: float = 0.0


@frozen
class Widths:
    """The widths of tables: the gap between columns, and the least widths of words and formulas before columns move.

    ``tight_gap`` is the gap on a page that is tight, where that is another.
    """

    gap: float
    widest_words: float
    narrowest_words: float
    narrowest_formula: float
    indent: float
    narrowest_heading: float = 0.0
    tight_gap: float | None = None


@frozen
class Typesetter:
    """A typesetter of pages: the name of its source format, and a function from that text and the language's head to files.

    Of pictures it takes a ``scale``, too.
    """

    source: str
    compile: Callable[..., list[bytes]]


@frozen
class Markup:
    """How a sheet is marked in a format: its printer and metric, a page's widths from the options and the language's head.

    ``escape``, ``code`` and ``branch`` mark text, names and trees. ``inline`` is what stands around a formula in a sentence,
    and where ``marks_alone`` says so around one that stands alone; ``kept`` what stands around a relation that is not broken,
    where a format marks that, and around a term where ``keeps_terms`` says so. ``marks_at_margin`` says whether the numbers of
    blanks in a table stand beside their row, as those of an equation. ``wrap`` breaks a text into lines where the format itself
    has to; ``finish`` is given the whole sheet, and the language's head, for what it cannot hold. ``macros`` is the template of
    the blocks, ``tools`` are what that calls.
    """

    printer: type[Printer]
    metric: type[Metric]
    room: Callable[[Options, Mapping[str, Any]], PageWidths]
    widths: Widths = Widths(0.0, 0.0, 0.0, 0.0, 0.0)
    escape: Callable[[str], str] = str
    code: Callable[[str], str] = str
    branch: Callable[[Branch], str] = str
    inline: tuple[str, str] = ("", "")
    kept: tuple[str, str] | None = None
    keeps_terms: bool = False
    marks_alone: bool = False
    marks_at_margin: bool = False
    wrap: Callable[[str, float], list[str]] | None = None
    finish: Callable[[str, Mapping[str, Any]], str] = lambda text, _head: text
    macros: str = ""
    tools: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


@frozen
class Format:
    """A format: its options, and what writes it.

    Its sheets have a ``markup``. One that makes its text of an answer itself, as JSON and HTML, has ``answer``, or ``pack``
    where that is not text; one whose pages are set from a text ``typeset``; one of drawings ``draw``, and its files bear its
    ``signature``. ``drawn`` are the options of a drawing that is a page. ``preamble`` gives the lines that a document in a
    language needs for a fragment, with a figure and a plot or without. A notebook shows its texts by their ``media_type``.
    """

    name: str
    options: frozenset[str] = frozenset()
    markup: Markup | None = None
    answer: Callable[..., str] | None = None
    pack: Callable[[Any], bytes] | None = None
    typeset: Typesetter | None = None
    draw: Callable[[Drawing, Look], str] | None = None
    drawn: frozenset[str] = frozenset()
    preamble: Callable[[str, bool, bool], Sequence[str]] | None = None
    media_type: str = "text/plain"
    signature: str = ""

    @property
    def is_text(self) -> bool:
        """True if its files are texts, not pages or a package."""
        return self.typeset is None and self.pack is None
