"""The data of how a config was read: the library's defaults, and the keys that were not read or stand there twice."""

from __future__ import annotations

from typing import Any

from symparams.models.formula import Formula, Subject


def reading(subject: Subject) -> dict[str, Any]:
    """Return the reading of a model's config; nothing where the model is from none."""
    if isinstance(subject, Formula) or subject.reading is None:
        return {}
    read = subject.reading
    return {
        "reading": {
            "family": read.family,
            "class": read.foreign_class or None,
            "defaults": read.sizes,
            "unread": [{"key": key.name, "near": key.near or None} for key in read.unread],
            "repeated": list(read.repeated),
            "used": list(read.used),
            "unused": list(read.unused),
        }
    }
