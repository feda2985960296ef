"""``draw``: a model as a picture, or its shares as a bar."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from symparams.cli.loading import load_request
from symparams.cli.option import TEXT
from symparams.cli.request import Answer, Request
from symparams.errors import OptionError

TIKZ = "tikz"


def draw(request: Request) -> Answer:
    """The drawing of a model."""
    from symparams.formats.drawing import draw as drawn

    chosen: dict[str, Any] = {name: value for name, value in request.own.items() if name in ("labels", "detail", "bars")}
    if request.format == TEXT and "bars" not in chosen:
        raise OptionError("A text shows shares alone, not a picture: add --bars, or leave out --text.")
    layout = dict(request.layout)
    if request.format == TIKZ and PurePath(request.output or "").suffix.lower() == f".{TIKZ}":
        layout.setdefault("standalone", False)
    model = load_request(request)
    subject = model.symbolic() if "symbolic" in request.own else model
    return Answer(drawn(subject, request.format, **chosen, **layout))
