"""The oracle: the transformers library builds the model on the meta device, and its parameters are counted one by one."""

from __future__ import annotations

import importlib
import random
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from symparams import load
from symparams.architectures import architecture
from symparams.expressions.symbols import n_active
from symparams.models.library import library

CONFIGURATIONS = 25

Draw = Callable[[random.Random], Mapping[str, Any]]


@dataclass(frozen=True)
class Real:
    """What the library builds: its trained parameters, those it stores but never trains, and the shapes of all."""

    trained: int
    stored: int
    shapes: Counter


def spaces() -> dict[str, Draw]:
    """How to draw a random configuration of each family: the functions of the files configs_*.py, by the family's name."""
    found: dict[str, Draw] = {}
    for file in sorted(Path(__file__).parent.glob("configs_*.py")):
        module = importlib.import_module(f"tests.library.{file.stem}")
        found |= {
            name: draw
            for name, draw in vars(module).items()
            if callable(draw) and getattr(draw, "__module__", "") == module.__name__ and not name.startswith("_")
        }
    return found


def classes() -> Iterator[tuple[str, str]]:
    """Each family with each of its classes."""
    for family in spaces():
        known = library(architecture(family))
        assert known is not None
        for name in known.classes:
            yield family, name


def configuration(model_type: str, settings: Mapping[str, Any], class_name: str) -> tuple[Any, dict[str, Any]]:
    """The library's own config object, and the config.json that it would write."""
    import transformers

    spelled = next(name for name in (model_type, model_type.replace("_", "-")) if name in transformers.CONFIG_MAPPING)
    config = transformers.AutoConfig.for_model(spelled, **settings)
    written = config.to_dict()
    written["architectures"] = [class_name]
    if settings.get("tie_word_embeddings") is False:
        written["tie_word_embeddings"] = False  # the newest library writes true over it for T5 and mT5
    return config, written


def correction(class_name: str, settings: Mapping[str, Any], written: Mapping[str, Any]) -> Counter:
    """The matrices that a config asks for and the newest library ties all the same: T5's untied head."""
    from tests.library.configs_seq2seq import CORRECTIONS

    if settings.get("tie_word_embeddings") is not False or class_name not in CORRECTIONS:
        return Counter()
    return Counter([tuple(sorted(written[key] for key in CORRECTIONS[class_name]))])


def mixtures() -> Iterator[str]:
    """The families of which one token uses a part."""
    return (family for family in spaces() if n_active in architecture(family).dimensions)


def active(class_name: str, config: Any) -> int:
    """What one token uses of what the library builds: of each array of experts, as many as it is given to."""
    chosen = config.num_experts_per_tok
    return sum(
        parameter.numel() // len(parameter) * chosen if ".experts." in name else parameter.numel()
        for name, parameter in on_meta(class_name, config).named_parameters()
    )


def build(class_name: str, config: Any, corrections: Counter) -> Real:
    """The model on the meta device: nothing is allocated, every shape is real; with what the library leaves out."""
    parameters = list(on_meta(class_name, config).parameters())
    shapes = Counter(tuple(sorted(parameter.shape)) for parameter in parameters)
    trained = sum(parameter.numel() for parameter in parameters if parameter.requires_grad)
    more = sum(prod(shape) * number for shape, number in corrections.items())
    return Real(trained + more, sum(parameter.numel() for parameter in parameters) + more, shapes + corrections)


def on_meta(class_name: str, config: Any) -> Any:
    """The model on the meta device: nothing is allocated, every shape is real."""
    import torch
    import transformers

    with warnings.catch_warnings(), torch.device("meta"):
        warnings.simplefilter("ignore")
        return getattr(transformers, class_name)(config)


def ours(written: Mapping[str, Any]) -> Real:
    """The same from the tree; a shape is compared without regard to which side of a matrix the library stores first."""
    model = load(written)
    shapes = Counter(tuple(sorted(shape)) for _, shape in model.tensors(frozen=True))
    return Real(model.count(), model.count(frozen=True), shapes)
