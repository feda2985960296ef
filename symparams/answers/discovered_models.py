"""A config of a discovered type beside the model that the library builds from it: every name with its shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from symparams.answers.verification import Shape
from symparams.atlas import entries, kind_of
from symparams.atlas.configs import sizes_of
from symparams.errors import ConfigError, OptionError
from symparams.models.model import Model


def is_discovered(model: Model) -> bool:
    """True if a model is a config of a discovered type."""
    is_config = model.origin.config is not None and model.architecture.certificate is not None
    return is_config and model.origin.class_name in entries(kind_of(model.architecture.name) or "")


def both(model: Model) -> tuple[int, Mapping[str, Shape], Mapping[str, Shape]]:
    """Return the library's count of a config, and the tensors by name, here and in the library.

    Which of the copies of a layer has a tensor is not known here: one that is missing is named as the last of them.
    """
    from symparams.components.copies import starred
    from symparams.discovery.agreement import Shapes, shapes_by
    from symparams.discovery.library.chosen import of_entry
    from symparams.discovery.library.subjects import version

    assert model.origin.config is not None
    entry = entries(kind_of(model.architecture.name) or "")[model.origin.class_name]
    numbers, present = sizes_of(entry, model.origin.config)
    changed = [letter.name for letter, value in model.values.items() if numbers.get(letter.name, value) != value]
    changed += [name for name in model.architecture.features if (name in model.present) != (name in present)]
    if changed:
        raise OptionError(f"verify builds {entry.name} from its config: write {', '.join(changed)} there, not beside it.")
    subject = of_entry(entry)
    row = subject.build(model.origin.config)
    if row is None:
        raise ConfigError(f"{version()} does not build {entry.name} from this config: {subject.problem}")
    left: Shapes = shapes_by(entry.part, numbers, present) or Counter()
    here: dict[str, Shape] = {}
    library: dict[str, Shape] = {}
    for name, array in row.module.named():
        key = (starred(name), array.shape, starred(array.shares), array.trained)
        is_here = left.get(key, 0) > 0
        if is_here:
            left[key] -= 1
        if not array.shares:
            library[name] = array.shape
            here |= {name: array.shape} if is_here else {}
    here |= {name: shape for (name, shape, shares, _), times in left.items() if times > 0 and not shares}
    return row.module.count(frozen=True), here, library
