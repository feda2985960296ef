"""The real model: what the transformers library builds for a model, on the meta device. Needs the extra ``symparams[hf]``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from symparams.answers.real_models import build, class_of, refuse_without_library
from symparams.features import tying
from symparams.models.model import Model

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Verification:
    """The count here and the library's, and how many tensors of each shape either has.

    A matrix counts as equal to its transpose: which side comes first is how a library multiplies, not what it stores.
    """

    class_name: str
    here: int
    library: int
    shapes_here: Counter[Shape]
    shapes_library: Counter[Shape]

    @property
    def match(self) -> bool:
        """Whether count and tensors are the same."""
        return self.here == self.library and self.shapes_here == self.shapes_library


def verify(model: Model, tell_how_far: Callable[[str], None] = lambda _: None) -> Verification:
    """Build the model with the library, without allocating it, and compare; OptionError where there is no class for it.

    It takes seconds: ``tell_how_far`` is called with each of its steps.
    """
    class_name = class_of(model)
    tell_how_far("1 of 3, importing transformers")
    refuse_without_library()
    tell_how_far(f"2 of 3, building {class_name}")
    parameters = _parameters(model)
    tell_how_far("3 of 3, comparing the tensors")
    theirs = Counter(tuple(sorted(parameter.shape)) for parameter in parameters)
    ours = Counter(tuple(sorted(shape)) for _, shape in model.tensors(frozen=True))
    return Verification(class_name, model.count(frozen=True), sum(p.numel() for p in parameters), ours, theirs)


def _parameters(model: Model) -> list[Any]:
    """The parameters of the model that the library builds."""
    built = build(model)
    return [*built.parameters(), *_untied(built, model)]


def _untied(built: Any, model: Model) -> list[Any]:
    """The output matrix that T5 ties although its config says no: the checkpoints have it as a matrix of its own."""
    output = built.get_output_embeddings()
    is_tied = output is not None and output.weight is built.get_input_embeddings().weight
    return [output.weight] if is_tied and tying.name not in model.present else []
