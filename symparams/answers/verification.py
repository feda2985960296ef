"""The real model: what the transformers library builds for a model, on the meta device. Needs the extra ``symparams[hf]``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import prod
from typing import Any

from symparams.answers.real_models import build, class_of, config_of, refuse_without_class, refuse_without_library
from symparams.features import tying
from symparams.models.model import Model
from symparams.records import frozen

Shape = tuple[int, ...]


@frozen
class TensorDifference:
    """A tensor by the library's name, with its shape here and in the library; None where it does not exist."""

    name: str
    here: Shape | None
    library: Shape | None


@frozen
class Verification:
    """The parameter count here and in the library, and the tensors of both: shapes by the library's names."""

    model: Model
    class_name: str
    here: int
    library: int
    tensors_here: Mapping[str, Shape]
    tensors_library: Mapping[str, Shape]

    @property
    def differences(self) -> tuple[TensorDifference, ...]:
        """The tensors that only one side has or that have another shape, in the library's order, then those only here."""
        here, library = self.tensors_here, self.tensors_library
        return tuple(
            TensorDifference(name, here.get(name), library.get(name))
            for name in {**library, **here}
            if here.get(name) != library.get(name)
        )

    @property
    def match(self) -> bool:
        """True if the count, the names and the shapes are the same."""
        return self.here == self.library and not self.differences


def verify(model: Model, tell_how_far: Callable[[str], None] = lambda _: None) -> Verification:
    """Build the model with the library, without allocating it, and compare; OptionError where there is no class for it.

    It takes seconds: ``tell_how_far`` is called with each of its steps.
    """
    from symparams.answers.discovered_models import both, is_discovered

    if is_discovered(model):
        tell_how_far("1 of 2, importing transformers")
        refuse_without_library()
        tell_how_far(f"2 of 2, building {model.origin.class_name}")
        library, here, there = both(model)
        return Verification(model, model.origin.class_name, model.count(frozen=True), library, here, there)
    class_name = class_of(model)
    refuse_without_class(model)
    counted = model.count(frozen=True)  # which says what has no value
    configured = replace(model, origin=replace(model.origin, config=config_of(model)))
    tensors = dict(configured.tensors(names="hf", frozen=True))
    tell_how_far("1 of 3, importing transformers")
    refuse_without_library()
    tell_how_far(f"2 of 3, building {class_name}")
    real = build(model)
    tell_how_far("3 of 3, comparing the tensors")
    parameters = {name: tuple(parameter.shape) for name, parameter in (*real.named_parameters(), *_untied(real, model))}
    count = sum(map(prod, parameters.values()))
    return Verification(model, class_name, counted, count, tensors, parameters)


def _untied(real: Any, model: Model) -> list[tuple[str, Any]]:
    """The output matrix that T5 ties although its config says no: the checkpoints have it as a matrix of its own."""
    output = None if tying.name in model.present else real.get_output_embeddings()
    if output is None or output.weight is not real.get_input_embeddings().weight:
        return []
    return [(f"{name}.weight", output.weight) for name, module in real.named_modules() if module is output]
