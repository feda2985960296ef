"""Tiny models of the library that run: in float64 with random parameters, inputs for them, and their layers."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from inspect import signature
from typing import Any

import torch
import transformers
from torch import Tensor, nn

from symparams import load
from tests.library.flow_cases import IMAGE_TOKEN, IMAGE_TOKENS, SOUND_TOKEN, SOUND_TOKENS, Case
from tests.library.flow_parts import Stack, stacks
from tests.library.oracle import configuration

SEED, BATCH, LENGTH, SOURCE_LENGTH = 20, 2, 12, 7
SAMPLES = 2_000  # of a waveform
FIRST_WORD = 5  # after the ids that mean padding, start and end

torch.set_num_threads(1)  # a thread more costs more than such small matrices take


def written_config(case: Case) -> dict[str, Any]:
    """The config.json that the library writes for the model."""
    return configuration(case.family, case.settings, case.class_name)[1]


def build(case: Case) -> tuple[nn.Module, dict[str, Any]]:
    """The model in float64 with random parameters, norms and biases too, and inputs for it."""
    random = torch.Generator().manual_seed(SEED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        config, _ = configuration(case.family, case.settings, case.class_name)
        config._attn_implementation = config._experts_implementation = "eager"
        config.use_cache = False
        model = getattr(transformers, case.class_name)(config).double().eval()
    for module in [*model.modules()]:
        if type(module).__name__.endswith("AltUp"):
            _step_by_step(module)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=random, dtype=torch.float64) * 0.3)
        for module in model.modules():
            if hasattr(module, "per_dim_scale"):  # which multiplies queries in fp32
                module.per_dim_scale.data = module.per_dim_scale.float()
    return model, _inputs(model, case, random)


class Step(nn.Module):
    """A method of a module as a module of its own, which hooks can watch."""

    def __init__(self, method: Callable[..., Tensor]) -> None:
        super().__init__()
        self.method = method

    def forward(self, *given: Tensor) -> Tensor:
        return self.method(*given)


def _step_by_step(altup: Any) -> None:
    """AltUp's steps as modules; that which corrects is given first what the layer made."""
    correct = altup.correct
    altup.predicting, altup.scaling = Step(altup.predict), Step(altup.scale_corrected_output)
    altup.correcting = Step(lambda made, predicted: correct(predicted, made))
    vars(altup).update(
        predict=altup.predicting,
        scale_corrected_output=altup.scaling,
        correct=lambda predicted, made: altup.correcting(made, predicted),
    )


def _inputs(model: nn.Module, case: Case, random: torch.Generator) -> dict[str, Any]:
    """Random words, pixels, sounds, and for a decoder without its encoder what the encoder would have written."""

    def ids(length: int) -> Tensor:
        words = torch.randint(FIRST_WORD, 40, (BATCH, length), generator=random)
        if IMAGE_TOKEN in case.settings.values():  # the text model reads images
            words[:, :IMAGE_TOKENS] = IMAGE_TOKEN
        if SOUND_TOKEN in case.settings.values():
            words[:, IMAGE_TOKENS : IMAGE_TOKENS + SOUND_TOKENS] = SOUND_TOKEN
        return words

    def pixels() -> Tensor:
        given = case.settings.get("vision_config", case.settings)
        if "position_embedding_size" in given:
            return normal((3 * given["pooling_kernel_size"]) ** 2, 3 * given["patch_size"] ** 2)
        if "temporal_patch_size" not in given:
            images = [1] if "pixel_attention_mask" in wanted else []  # as many of each sequence
            return normal(*images, 3, *2 * [given.get("image_size", 64)])
        patch = 3 * given["temporal_patch_size"] * given["patch_size"] ** 2
        return normal(IMAGE_TOKENS * given["spatial_merge_size"] ** 2, patch).flatten(0, 1)

    def places() -> Tensor:
        side = torch.arange(3 * case.settings.get("vision_config", case.settings)["pooling_kernel_size"])
        return torch.cartesian_prod(side, side).expand(BATCH, -1, 2)

    def normal(*shape: int) -> Tensor:
        return torch.randn(BATCH, *shape, generator=random, dtype=torch.float64)

    config: Any = model.config
    wanted = signature(model.forward).parameters
    makers: dict[str, Callable[[], Any]] = {
        "input_ids": lambda: ids(SOURCE_LENGTH if "decoder_input_ids" in wanted else LENGTH),
        "decoder_input_ids": lambda: ids(LENGTH),
        "pixel_values": pixels,
        "input_points": lambda: normal(1, 2, 2).abs(),
        "input_masks": lambda: normal(1, *2 * [4 * config.prompt_encoder_config.image_embedding_size]),
        "image_grid_thw": lambda: torch.tensor(BATCH * [[1, 6, 6]]),  # merged two by two these are nine tokens
        "mm_token_type_ids": lambda: (torch.arange(LENGTH) < IMAGE_TOKENS).int().expand(BATCH, LENGTH),
        "input_values": lambda: normal(SAMPLES),
        "pixel_position_ids": places,
        "image_position_ids": places,
        "input_features": lambda: normal(config.num_mel_bins, 2 * config.max_source_positions),
    }
    if sounds := case.settings.get("audio_config", case.settings).get("subsampling_conv_channels"):
        makers["input_features"] = lambda: normal(4 * SOUND_TOKENS, sounds[0])
        makers["input_features_mask"] = lambda: torch.ones(BATCH, 4 * SOUND_TOKENS, dtype=torch.bool)
    if getattr(getattr(config, "vision_config", None), "model_type", "") == "pixtral":  # whose images may differ in size
        makers["image_sizes"] = lambda: torch.tensor(BATCH * [2 * [case.settings["vision_config"]["image_size"]]])
    if not sounds and not hasattr(config, "num_mel_bins"):  # which reads no sounds
        del makers["input_features"]
    inputs = {name: make() for name, make in makers.items() if name in wanted}
    if hasattr(config, "num_queries"):  # in place of zeros, which are in every sum
        inputs["decoder_inputs_embeds"] = normal(config.num_queries, config.d_model)
    read = {part.encoder for stack in stacks(load(written_config(case))) for part in stack.parts.values()}
    is_alone = "key_value_states" in read and encoder_of(model) is None
    if is_alone or case.settings.get("add_cross_attention"):
        states = normal(SOURCE_LENGTH, config.hidden_size)
        inputs |= {"encoder_outputs": (states,)} if "encoder_outputs" in wanted else {"encoder_hidden_states": states}
    return inputs


def layers(case: Case, model: nn.Module) -> Iterator[tuple[Stack, nn.Module]]:
    """The layers of a model in order, each with the stack that it belongs to, or with both of its stacks of sublayers."""
    known = stacks(load(written_config(case)))
    for name, layer in model.named_modules():
        holding = [stack for stack in known if stack.holds(name)]
        for start in dict.fromkeys(stack.starts for stack in holding):
            yield next(stack for stack in holding if stack.starts == start and _has_parts(layer, stack)), layer


def _has_parts(layer: nn.Module, stack: Stack) -> bool:
    """Whether the modules of all parts of the stack's layers are there and do something, and are as the stack says."""
    modules = dict(layer.named_modules())
    if any(getattr(modules.get(name), attribute, None) is not value for name, attribute, value in stack.attributes):
        return False
    there = (modules.get(module) for part in stack.parts.values() for module in part.modules)
    factors = (getattr(layer, part.factor, None) for part in stack.parts.values() if part.factor)
    if stack.windows is not None and bool(getattr(layer, "window_size", 0)) is not stack.windows:
        return False
    return not any(isinstance(module, nn.Identity | None) for module in there) and all(each is not None for each in factors)


def encoder_of(model: Any) -> nn.Module | None:
    """The encoder of a model that has a decoder as well; what is called so in a decoder that is given states is none."""
    if getattr(model.config, "add_cross_attention", False):
        return None
    modules = dict(model.named_modules())
    found = [name for name in modules if re.fullmatch(r"(.*\.)?encoder", name)]
    return modules[min(found, key=len)] if found else None  # a backbone has one of its own
