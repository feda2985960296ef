"""The real model: what the transformers library builds for a model, on the meta device. Needs the extra ``symparams[hf]``."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from symparams.errors import ConfigError, OptionError
from symparams.expressions.symbols import n_labels
from symparams.models.library import Flag, Library, library
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
    table = library(model.architecture)
    if table is None:
        raise OptionError(f"{model.architecture.title} has no class in the transformers library to verify against.")
    class_name = table.class_of(model.present, model.origin.class_name)
    settings = _settings(model, table, class_name)
    tell_how_far("1 of 3, importing transformers")
    _refuse_without_library()
    tell_how_far(f"2 of 3, building {class_name}")
    parameters = _parameters(model.architecture.name, class_name, settings)
    tell_how_far("3 of 3, comparing the tensors")
    theirs = Counter(tuple(sorted(parameter.shape)) for parameter in parameters)
    ours = Counter(tuple(sorted(shape)) for _, shape in model.tensors(frozen=True))
    return Verification(class_name, model.count(frozen=True), sum(p.numel() for p in parameters), ours, theirs)


def _refuse_without_library() -> None:
    try:
        import torch  # noqa: F401 - whether it can be
        import transformers  # noqa: F401 - as above
    except ImportError:
        raise OptionError("Verifying builds the real model: pip install 'symparams[hf]' for torch and transformers.") from None


def _parameters(family: str, class_name: str, settings: Mapping[str, Any]) -> list[Any]:
    """The parameters of the model that the library builds from these settings."""
    import torch
    import transformers

    model_type = next(name for name in (family, family.replace("_", "-")) if name in transformers.CONFIG_MAPPING)
    with warnings.catch_warnings(), torch.device("meta"):
        warnings.simplefilter("ignore")
        transformers.logging.set_verbosity_error()
        try:
            config = transformers.CONFIG_MAPPING[model_type].from_dict({**settings, "model_type": model_type})
            built = getattr(transformers, class_name)(config)
            return [*built.parameters(), *_untied(built, settings)]
        except Exception as error:  # noqa: BLE001 - whatever the library refuses is told in its own words
            reason = " ".join(str(error).split())[:200]
            raise ConfigError(
                f"transformers {transformers.__version__} does not build {class_name} from this: {reason}"
            ) from None


def _untied(built: Any, settings: Mapping[str, Any]) -> list[Any]:
    """The output matrix that T5 ties although its config says no: the checkpoints have it as a matrix of its own."""
    output = built.get_output_embeddings()
    is_tied = output is not None and output.weight is built.get_input_embeddings().weight
    return [output.weight] if is_tied and settings.get("tie_word_embeddings") is False else []


def _settings(model: Model, library: Library, class_name: str) -> Mapping[str, Any]:
    """A config of this model: its own where it was read from one, with sizes and switches as the model has them."""
    settings = dict(model.origin.config or {})
    for dimension, key in library.keys.items():
        if dimension in model.given:
            key.write(settings, model.values[dimension])
    if n_labels in model.given:
        for name in ("id2label", "label2id"):
            settings.pop(name, None)
        settings["num_labels"] = model.values[n_labels]
    for feature, flag in {**library.flags, **library.classes[class_name].flags}.items():
        if isinstance(flag, Flag):
            flag.write(settings, feature.name in model.present)
    for write in library.writers:
        write(settings, model.present, model.values)
    return settings
