"""Real models: what the transformers library builds for a model. Needs the extra ``symparams[hf]``."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from symparams.errors import ConfigError, OptionError
from symparams.expressions.symbols import n_labels
from symparams.models.library import Flag, Library
from symparams.models.model import Model


def class_of(model: Model) -> str:
    """Return the library's class for a model; OptionError where it has none."""
    return _table(model).class_of(model.present, model.origin.class_name)


def _table(model: Model) -> Library:
    if model.library is None:
        raise OptionError(f"{model.architecture.title} has no class in the transformers library to verify against.")
    return model.library


def refuse_without_class(model: Model) -> None:
    """Raise OptionError for a family of which its authors ship the code: the library builds nothing to compare with."""
    if code := _table(model).code:
        raise OptionError(
            f"{model.architecture.title} is not a type of transformers: its names are those of {code}. Compare with a file, "
            "as in --checkpoint model.safetensors.index.json."
        )


def refuse_without_library() -> None:
    """Raise OptionError, which names the extra, if torch or transformers is missing."""
    try:
        import torch  # noqa: F401 - whether it can be
        import transformers  # noqa: F401 - as above
    except ImportError:
        raise OptionError("verify needs torch and transformers: pip install 'symparams[hf]'.") from None


def build(model: Model) -> Any:
    """Return what the library builds for a model on the meta device, which allocates nothing.

    Raises ConfigError with the library's own words where it refuses the config.
    """
    import torch
    import transformers

    class_name, family = class_of(model), model.family
    transformers.logging.set_verbosity_error()
    with warnings.catch_warnings(), torch.device("meta"), _refusals(class_name):
        warnings.simplefilter("ignore")
        model_type = next(name for name in (family, family.replace("_", "-")) if name in transformers.CONFIG_MAPPING)
        settings = {**config_of(model), "model_type": model_type}
        return getattr(transformers, class_name)(transformers.CONFIG_MAPPING[model_type].from_dict(settings))


@contextmanager
def _refusals(class_name: str) -> Iterator[None]:
    """Raise whatever the library refuses as a ConfigError in its own words."""
    import transformers

    try:
        yield
    except Exception as error:  # noqa: BLE001 - any kind of it
        reason = " ".join(str(error).split())[:200]
        raise ConfigError(f"transformers {transformers.__version__} does not build {class_name} from this: {reason}") from None


def config_of(model: Model) -> Mapping[str, Any]:
    """Return a config of this model: its own where it was read from one, with its sizes and switches written in."""
    library, class_name = _table(model), class_of(model)
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
    for section, name in zip(library.sections.values(), model.architecture.of, strict=True):
        if section.any:
            settings[section.key] = {**(settings.get(section.key) or {}), "model_type": name}
    sizes = {letter.name: value for letter, value in model.values.items()}
    for write in library.writers:
        write(settings, model.present, sizes, library)
    return settings
