"""Sources: a model can be read from these besides its name, one file each."""

from __future__ import annotations

from collections.abc import Mapping

from symparams.architectures import Architecture, Published
from symparams.architectures import architecture as composite
from symparams.expressions.nodes import Dimension
from symparams.models.model import Model, Origin


def member(name: str, architecture: Architecture, published: Published | None) -> Model:
    """The model of this name: the family with nothing chosen, or with what is published of a member."""
    usual = {feature.name for feature in architecture.has}
    values: Mapping[Dimension, int] = {}
    source = architecture.source
    if published:
        if architecture.of:  # of the families of which this model is made
            architecture = composite(architecture.name, *published.of)
            usual = {feature.name for feature in architecture.has}
        usual |= {feature.name for feature in published.include}
        usual -= {feature.name for feature in published.exclude}
        values, source = published.values, published.source
    origin = Origin(
        name,
        source,
        frozenset(values),
        frozenset(usual),
        dtype=published.dtype if published else "",
        context=published.context if published else 0,
    )
    return Model(architecture, frozenset(usual), values, origin)
