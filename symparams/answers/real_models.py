"""Real models: what the transformers library builds for a model, and what it is given to run. Needs ``symparams[hf]``."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from inspect import signature
from typing import Any

from symparams.errors import ConfigError, OptionError
from symparams.expressions.symbols import n_labels
from symparams.models.library import Flag, Library, library
from symparams.models.model import Model

META, CPU = "meta", "cpu"
WORD = 3
READING_IMAGES = ("llava", "gemma3", "qwen2_vl", "qwen2_5_vl")
OVER_WORDS = ("LMHeadModel", "CausalLM", "MaskedLM", "ConditionalGeneration", "PreTraining")
SECTIONS = ("text_config", "vision_config")


def class_of(model: Model) -> str:
    """What the library calls a model like this; OptionError where it has no class for it, or is not there."""
    table = library(model.architecture)
    if table is None:
        raise OptionError(f"{model.architecture.title} has no class in the transformers library to verify against.")
    return table.class_of(model.present, model.origin.class_name)


def refuse_without_library() -> None:
    """OptionError where torch or transformers is missing: it names the extra."""
    try:
        import torch  # noqa: F401 - whether it can be
        import transformers  # noqa: F401 - as above
    except ImportError:
        raise OptionError("Verifying builds the real model: pip install 'symparams[hf]' for torch and transformers.") from None


def refuse_images(model: Model) -> None:
    """OptionError for a model that reads words and images in one sequence, which is not run here."""
    if model.family in READING_IMAGES:
        raise OptionError(
            f"{model.name} reads words and images in one sequence, which verify does not run: leave out --quantity."
        )


def build(
    model: Model, device: str = META, *, attention: str = "eager", dropouts: Sequence[str] = (), dropout: float = 0.0
) -> Any:
    """The model as the library builds it on a device, nothing loaded into it; ``dropouts`` are keys that are given ``dropout``.

    Attention and experts are computed by products that torch counts. ConfigError says what the library refuses.
    """
    import torch

    class_name = class_of(model)
    with warnings.catch_warnings(), torch.device(device), refusals(class_name):
        warnings.simplefilter("ignore")
        return _built(model, class_name, attention, dict.fromkeys(dropouts, dropout))


def _built(model: Model, class_name: str, attention: str, dropouts: Mapping[str, Any]) -> Any:
    import transformers

    table, family = model.library, model.architecture.name
    assert table is not None  # as the name of its class has told
    transformers.logging.set_verbosity_error()
    model_type = next(name for name in (family, family.replace("_", "-")) if name in transformers.CONFIG_MAPPING)
    settings = {**settings_of(model, table, class_name), "model_type": model_type}
    config = transformers.CONFIG_MAPPING[model_type].from_dict(settings)
    for key in {*dropouts} & {*config.to_dict()}:
        setattr(config, key, dropouts[key])
    for section in (config, *(getattr(config, name, None) for name in SECTIONS)):
        if section is not None:
            section._attn_implementation, section._experts_implementation = attention, "batched_mm"
    return getattr(transformers, class_name)(config)


@contextmanager
def refusals(class_name: str) -> Iterator[None]:
    """Whatever the library refuses is told in its own words."""
    import transformers

    try:
        yield
    except Exception as error:  # noqa: BLE001 - any kind of it
        reason = " ".join(str(error).split())[:200]
        raise ConfigError(f"transformers {transformers.__version__} does not build {class_name} from this: {reason}") from None


def settings_of(model: Model, library: Library, class_name: str) -> Mapping[str, Any]:
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


def inputs(real: Any, sizes: Mapping[str, int], *, is_trained: bool = False) -> dict[str, Any]:
    """What a forward pass takes, by the library's names: b sequences of s words, s_src of a source, pixels, sounds.

    In training labels too, where a class of words or of images takes them for a loss.
    """
    import torch

    config, b, device = real.config, sizes["b"], next(real.parameters()).device
    vision = getattr(config, "vision_config", None) or config
    wanted = signature(real.forward).parameters
    has_source = "decoder_input_ids" in wanted
    kind = next(real.parameters()).dtype

    def sounds() -> Any:
        return torch.zeros(b, config.num_mel_bins, 2 * config.max_source_positions, device=device, dtype=kind)

    def pixels() -> Any:
        size = vision.image_size
        height, width = size if isinstance(size, list | tuple) else (size, size)
        return torch.zeros(b, vision.num_channels, height, width, device=device, dtype=kind)

    makers: Mapping[str, Callable[[], Any]] = {
        "input_ids": lambda: words(real, b, sizes.get("s_src", sizes.get("s", 1)) if has_source else sizes.get("s", 1)),
        "decoder_input_ids": lambda: words(real, b, sizes.get("s", 1)),
        "input_features": sounds,
        "pixel_values": pixels,
    }
    given = {name: make() for name, make in makers.items() if name in wanted}
    if is_trained and "labels" in wanted:
        is_of_words = type(real).__name__.endswith(OVER_WORDS)
        given["labels"] = words(real, b, sizes["s"]) if is_of_words else words(real, b, 1)[:, 0] * 0
    if is_trained and "next_sentence_label" in wanted:
        given["next_sentence_label"] = words(real, b, 1) * 0
    states = sizes.get("s_src") and not has_source and "encoder_hidden_states" in wanted
    if states:
        given["encoder_hidden_states"] = torch.zeros(b, sizes["s_src"], config.hidden_size, device=device, dtype=kind)
        given["encoder_hidden_states"].requires_grad_()
    return given


def words(real: Any, b: int, length: int) -> Any:
    """The same word again and again."""
    import torch

    config = real.config.get_text_config(decoder=True) if hasattr(real.config, "get_text_config") else real.config
    word = min(WORD, getattr(config, "vocab_size", WORD + 1) - 1)
    return torch.full((b, length), word, device=next(real.parameters()).device)


def mask(real: Any, sizes: Mapping[str, int]) -> Any:
    """A mask that hides nothing, of the pairs of s tokens: of shapes alone it is as good as any."""
    import torch

    weight = next(real.parameters())
    return torch.zeros(sizes["b"], 1, sizes["s"], sizes["s"], device=weight.device, dtype=weight.dtype)
