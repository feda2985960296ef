"""The published figures of a model, if it is as it was published."""

from __future__ import annotations

from symparams.architectures import Published
from symparams.models.model import Model


def as_published(model: Model) -> Published | None:
    """Return the published facts of the model; None if its features or values differ from the published ones."""
    published = model.architecture.models.get(model.origin.name)
    is_so = published and model.present == model.origin.usual and published.values.items() <= model.values.items()
    return published if is_so else None
