"""Display: what a notebook shows of a value.

A sheet stands above the model that it is about, and is asked for here only when a notebook shows the model: the one import
from below to above that is not for a type.
"""

from __future__ import annotations

from collections.abc import Collection


class Displayed:
    """A value that a notebook shows as HTML, Markdown and LaTeX, a model as a drawing too; its repr stays short."""

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        """The value by media type, of those in ``include`` if there are any, and without those in ``exclude``."""
        from symparams.formats.notebook import bundle

        shown = bundle(self)
        return {kind: text for kind, text in shown.items() if kind in (include or shown) and kind not in (exclude or ())}
