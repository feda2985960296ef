"""Text models that read images, made small for the oracle of FLOPs: an image of a few patches, the tokens that stand for it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import torch

WORD_OF_IMAGES = 4
MOST_SIDES = 3  # of a square image, in patches


def made_small(family: str, settings: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Settings whose image has few patches, and whose tokens of an image are in the vocabulary."""
    drawn = dict(settings)
    vision = dict(drawn.get("vision_config") or {"hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 2})
    if family in ("llava", "gemma3"):
        vision["patch_size"] = rng.randint(1, 5)
        vision["image_size"] = vision["patch_size"] * rng.randint(1, MOST_SIDES)
        if family == "gemma3":
            drawn["mm_tokens_per_image"] = rng.choice([1, (vision["image_size"] // vision["patch_size"]) ** 2])
        drawn |= {"vision_config": vision, "image_token_index": WORD_OF_IMAGES, "image_token_id": WORD_OF_IMAGES}
    else:
        if "text_config" not in drawn:  # of the two forms of such a config the newer one
            text = {name: drawn.pop(name) for name in list(drawn) if name not in ("vision_config", "tie_word_embeddings")}
            drawn["text_config"] = text
        vision |= {"spatial_merge_size": rng.randint(1, 3), "patch_size": rng.randint(1, 4)}
        vision["hidden_size" if family == "qwen2_vl" else "out_hidden_size"] = drawn["text_config"]["hidden_size"]
        vision |= {"fullatt_block_indexes": [0], "window_size": 2 * vision["spatial_merge_size"] * vision["patch_size"]}
        drawn |= {"vision_config": vision, "image_token_id": WORD_OF_IMAGES}
        text = dict(drawn["text_config"])
        half = text["hidden_size"] // text["num_attention_heads"] // 2
        text["rope_scaling"] = {"type": "mrope", "mrope_section": [half - half // 2, half // 2]}
        drawn["text_config"] = text
    return drawn


def tokens(family: str, config: Any, grid: int) -> int:
    """The tokens that an image becomes: ``grid`` is the side of its merged patches where any image is taken."""
    if family == "gemma3":
        return int(config.mm_tokens_per_image)
    if family == "llava":
        return int((config.vision_config.image_size // config.vision_config.patch_size) ** 2)
    return grid**2


def pixels(family: str, config: Any, b: int, grid: int) -> dict[str, torch.Tensor]:
    """The pixels of an image for each sequence, as the library takes them."""
    vision = config.vision_config
    if family in ("llava", "gemma3"):
        return {"pixel_values": torch.zeros(b, vision.num_channels, vision.image_size, vision.image_size)}
    side = grid * vision.spatial_merge_size
    numbers = vision.in_channels * vision.temporal_patch_size * vision.patch_size**2
    return {
        "pixel_values": torch.zeros(b * side**2, numbers),
        "image_grid_thw": torch.tensor(b * [[1, side, side]]),
    }
