"""Drawing: a model as a picture, or where its parameters are as bars, in a format of drawings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symparams.derivations.derivation import Derivation, derive
from symparams.drawings.marks import Drawing
from symparams.errors import OptionError, quoted, suggestion
from symparams.formats import DRAWN, find
from symparams.formats.format import Format, Look
from symparams.models.model import Model

if TYPE_CHECKING:
    from symparams.answers.comparison_of_models import ModelComparison

THEMES = ("auto", "light", "dark")
LABELS = ("both", "formula", "count", "none")
DETAILS = ("parts", "blocks", "stacks")


def draw(
    model: Model | Derivation | ModelComparison | Drawing | str,
    format: str = "svg",  # noqa: A002 - the name is part of the surface
    *,
    language: str = "en",
    labels: str = "both",
    detail: str = "parts",
    bars: bool = False,
    relative: bool = False,
    theme: str = "auto",
    background: bool = True,
    with_title: bool = True,
    standalone: bool = True,
) -> str:
    """The picture of a model as "svg" or "tikz": its embeddings, its layers and what is in them, its heads, from below.

    ``labels`` are what a box says beside its name: "both" its formula and its count, "formula", "count" or "none".
    ``detail`` is how far it goes: to the "parts" of attention and feed-forward, to the "blocks" of a layer, or to the
    "stacks" alone. ``bars`` are shown in its place: one bar of the parts' shares; what ``compare`` answers is always bars,
    to one scale, or with ``relative`` each of full width.

    ``theme`` is "light", "dark" or "auto", as the reader has it; without a ``background`` it has to be one of the two.
    ``with_title`` is whether name and count stand above; ``standalone`` is for TikZ: a document, or a picture to input. A
    drawing is as it was made before.

    Raises OptionError for a format, a theme or another choice that there is not.
    """
    found = _format(format)
    if theme not in THEMES:
        raise OptionError(f"Unknown theme {quoted(theme)}. {suggestion(theme, THEMES)}")
    if not background and theme == "auto":
        raise OptionError("Without its background a drawing has the colours of one theme: choose light or dark.")
    drawing = model if isinstance(model, Drawing) else None
    if drawing is None:
        from symparams.drawings.architecture import architecture

        subject = model if isinstance(model, Derivation) else derive(model)
        drawing = architecture(subject, language, labels, detail, with_title)
    return written(drawing, found, Look(theme, background, standalone))


def written(drawing: Drawing, format: Format, look: Look) -> str:  # noqa: A002 - the field's word
    """A drawing in a format of drawings."""
    assert format.draw is not None
    return format.draw(drawing, look)


def _format(name: Any) -> Format:
    if name not in DRAWN:
        raise OptionError(f"{quoted(name)} is no format of a drawing: choose {' or '.join(DRAWN)}.")
    return find(name)
