"""Typesetting: a document as files of pages, PDF or pictures, set from its text in another format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symparams.display import TypesetPages
from symparams.errors import OptionError, quoted
from symparams.formats import DRAWN, find, names
from symparams.formats.drawing import draw
from symparams.formats.format import Typesetter
from symparams.formats.options import FIGURE, OPTIONS, SCALE
from symparams.formats.rendering import chosen_of, render_formula, rendered
from symparams.models.calculation import Calculation
from symparams.models.formula import Subject
from symparams.sheets import refuse_format, refuse_unused
from symparams.sheets.catalogue import USUAL_LANGUAGE, catalogue
from symparams.sheets.document import Document

if TYPE_CHECKING:
    from typing import Unpack

    from symparams.formats.options import SheetOptions

BY_ITSELF = '#set page(width: auto, height: auto, margin: 4pt)\n#set text(font: "New Computer Modern")\n'


def typeset(
    answer: Any,
    format: str = "pdf",  # noqa: A002 - as in render
    **options: Unpack[SheetOptions],
) -> TypesetPages:
    """Return an answer as pages: one PDF, or with "png" a picture of each page. Needs the extra ``symparams[pdf]``.

    "apkg" returns a deck of flash cards and needs the extra ``symparams[practice]``.

    The answer and the options are those of ``render``. The same derivation gives the same bytes. Raises OptionError for
    another format or without the extra, and OutputError if no font of the machine has the characters.
    """
    if (pack := find(format).pack) is not None:
        refuse_format(answer, format)
        refuse_unused(answer, chosen_of(options, format))
        return TypesetPages([pack(answer)], find(format).media_type)
    typesetter = _typesetter(format)
    language = answer.language if isinstance(answer, Document) else options.get("language", USUAL_LANGUAGE)
    chosen = chosen_of(options, format)
    text = rendered(answer, find(typesetter.source), chosen, draws=format in OPTIONS[FIGURE].on_in)
    return TypesetPages(typesetter.compile(text, catalogue(language).head), find(format).media_type)


def typeset_formula(model: Subject | Calculation, format: str = "pdf", **options: Any) -> TypesetPages:  # noqa: A002
    """The closed form of a model alone, on a page of its own size."""
    typesetter = _typesetter(format)
    lines = render_formula(model, typesetter.source, **options).splitlines()
    source = BY_ITSELF + "".join(f"$ {line} $\n" for line in lines)
    return TypesetPages(typesetter.compile(source, catalogue(USUAL_LANGUAGE).head), find(format).media_type)


def typeset_drawing(model: Any, format: str = "pdf", **options: Any) -> TypesetPages:  # noqa: A002
    """Return the drawing of a model, or its bars, as "pdf" or "png"; the options are those of ``draw``.

    A PNG has a ``scale`` from 1 to 8, where 1 is 640 dots wide; 2 unless another is given.
    """
    typesetter = _typesetter(format, "draw")
    if not options.get("standalone", True):
        raise OptionError("A drawing on a page of its own is always standalone: leave out standalone.")
    chosen = dict(options)
    if SCALE in find(format).drawn:
        OPTIONS[SCALE].check(SCALE, scale := chosen.pop(SCALE, OPTIONS[SCALE].default))
        enlarged = {SCALE: scale}
    else:
        enlarged = {}
    source, head = draw(model, typesetter.source, **chosen), catalogue(options.get("language", USUAL_LANGUAGE)).head
    return TypesetPages(typesetter.compile(source, head, **enlarged), find(format).media_type)


def _typesetter(name: str, verb: str = "render") -> Typesetter:
    typesetter = find(name).typeset
    if typesetter is None:
        pages = " or ".join(f"'{other}'" for other in names() if find(other).typeset)
        writes, verb = verb == "render" or find(name).draw is not None, "draw" if name in DRAWN else verb
        how = f"write {verb}(…, {quoted(name)}), or typeset" if writes else "typeset"
        raise OptionError(f"{quoted(name)} is a text, not pages: {how} to {pages}.")
    return typesetter
