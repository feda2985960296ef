"""What is published of a model, as long as it is as it is published."""

from __future__ import annotations

from symparams.architectures import Published
from symparams.models.model import Model


def as_published(model: Model) -> Published | None:
    """What is published of the model; None where it has other features or other values than that."""
    found = model.architecture.models.get(model.name)
    is_so = found and model.present == model.origin.usual and found.values.items() <= model.values.items()
    return found if is_so else None
