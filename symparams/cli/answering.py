"""The answer of a command, as text or as pages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from symparams.cli.options import as_flag
from symparams.cli.request import CommandResult, Request
from symparams.errors import OptionError
from symparams.formats import find

if TYPE_CHECKING:
    from symparams.answers.comparison import Comparison
    from symparams.models.calculation import Calculation
    from symparams.models.formula import Subject
    from symparams.models.model import Model


def answer(subject: Any, request: Request, exit_code: int = 0, **composed: Any) -> CommandResult:
    """Return what ``render`` takes, a derivation, an answer or a document, in the format of the request, on its page."""
    if not find(request.format).is_text:
        from symparams.formats.typesetting import typeset

        return CommandResult("", exit_code, pages=typeset(subject, request.format, **request.layout, **composed))
    from symparams.formats.rendering import render

    return CommandResult(render(subject, request.format, **request.layout, **composed), exit_code)


def told(*subjects: Subject) -> str:
    """Return what was assumed of models, and what is odd about them, for answers that do not begin with it."""
    remarks = []
    for subject in subjects:
        assumed = f"the config names no class, so this is the base model, {subject.assumed}"
        of_one = "; ".join([*([assumed] if subject.assumed else []), *map(str, subject.oddities)])
        remarks += [f"{subject.name}: {of_one}" if len(subjects) > 1 else of_one] if of_one else []
    return "; ".join(dict.fromkeys(remarks))


def answer_formula(subject: Subject | Calculation, request: Request) -> CommandResult:
    """The closed form alone in the format of the request."""
    from symparams.models.calculation import Calculation

    note = told(subject.model if isinstance(subject, Calculation) else subject)
    if find(request.format).typeset:
        from symparams.formats.typesetting import typeset_formula

        return CommandResult("", pages=typeset_formula(subject, request.format, **request.own, **request.layout), note=note)
    from symparams.formats.rendering import render_formula

    text = render_formula(subject, request.format, **request.own, **request.layout)
    is_read_here = request.output is None and sys.stdout is not None and sys.stdout.isatty()
    if request.format == "latex" and r"\text{" in text and is_read_here:
        note = "; ".join(filter(None, (note, r"\text needs \usepackage{amsmath} in the document")))
    return CommandResult(text, note=note)


def page_of(
    models: Sequence[Model],
    request: Request,
    calculation: Calculation | None = None,
    beside: Callable[..., Comparison] | None = None,
) -> CommandResult:
    """The page of models, which opens with what differs where they are set ``beside`` one another.

    OptionError for what a page has not, or lets its reader choose.
    """
    from symparams.pages.page import page
    from symparams.pages.quantities import opening_of

    others = [as_flag(name) for name in request.own if name not in ("symbolic", "targets")]
    if others:
        raise OptionError(f"The HTML page computes a model part by part: leave out {' and '.join(others)}.")
    chosen = [model.symbolic() for model in models] if "symbolic" in request.own else models
    compared = beside(*chosen) if beside is not None and len(chosen) > 1 else None
    return CommandResult(page(chosen, **request.layout, opening=opening_of(calculation), compared=compared), note=told(*models))
