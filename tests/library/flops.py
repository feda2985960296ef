"""The oracle of FLOPs: the library runs a tiny random model, on the meta device where it can, and torch counts products.

What torch counts beside our definition is taken out by name: rotary angles, which the library makes by a product of
matrices, and the positions before the sequence over which Mamba's convolution is padded. So is what torch does not count: a
state that the delta rule reads number by number, with a cache, and a triangular system that is solved; of the latter's two
gradients torch counts the one that is a product.
"""

from __future__ import annotations

import random
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import signature, unwrap
from math import gcd
from typing import Any

import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode, conv_backward_flop, conv_flop_count

from symparams.models.library.record import BESIDE, find
from symparams.models.model import Model
from symparams.models.tensors import patterns, tied
from symparams.quantities.quantity import Term
from tests.library.configurations import SPACES
from tests.library.oracle import COMPOSITES, VIDEOS, configuration

torch.set_num_threads(1)
# What looks at numbers, and so cannot run without them.
PACKED = ("mistral3", "pixtral")  # the patches of all images are one sequence, in which the library hides pairs
TOWERS = ("gemma4_vision", "gemma4_audio", "pixtral", "idefics3_vision", "smolvlm_vision")
ON_CPU = (*COMPOSITES, *TOWERS, "deberta", "deberta_v2", "longformer", "xlnet", "gpt2", "phimoe", "detr")
LOOKS_FOR_THE_END = ("BartForSequenceClassification", "MBartForSequenceClassification", "ModernBertForMultipleChoice",
                     "T5ForSequenceClassification", "MT5ForSequenceClassification")  # fmt: skip
SEQ2SEQ = ("bart", "mbart", "pegasus", "m2m_100", "marian", "t5", "mt5")
ALONE = ("ForCausalLM", "EncoderModel", "ForTokenClassification")
ENCODERS = ("bert", "roberta", "xlm_roberta", "electra")  # as decoders they are drawn with and without a mask
ANGLES = "rotary_emb"
DELTA_RULES = ("qwen3_next", "qwen3_5_text", "qwen3_5_moe_text", "qwen3_5", "qwen3_5_moe")
AMONG_ATTENTION = ("jamba", "bamba", "granitemoehybrid", "falcon_h1", "nemotron_h", "zamba", "zamba2", "lfm2", "lfm2_moe",
                   "minimax", "rwkv")  # fmt: skip
STATE_SPACES = ("mamba", "falcon_mamba", "mamba2", *AMONG_ATTENTION, *DELTA_RULES)
SOLVED, READ_BY_NUMBER = {"corrected_values", "corrected_keys"}, {"predicted_values", "read_states"}
WORD, END, POSITIONS = 3, 2, 44
WORD_OF_IMAGES, WORD_OF_SOUNDS = 4, 5
LONGEST_SOUND = 12  # frames
MOST_SIDES = 3  # of a square image, in patches
POSITIONED = ("gemma4_vision", "gemma4")  # which are given the place of each patch
CHOICES = ("MultipleChoice", "DoubleHeadsModel")


@dataclass(frozen=True)
class Run:
    """What is run: a class with a configuration, on b sequences of s new tokens after t in the cache, and a source."""

    family: str
    class_name: str
    settings: Mapping[str, Any]
    b: int
    s: int
    t: int = 0
    s_src: int = 0
    grid: int = 0
    frames: int = 0
    n_global: int = 0
    is_on_meta: bool = False
    config: Any = None
    written: Mapping[str, Any] = field(default_factory=dict)

    @property
    def inputs(self) -> dict[str, int]:
        """What our quantities take of it; a decoder whose encoder is another model's is given no source here."""
        has_encoder = self.family in SEQ2SEQ and not self.class_name.endswith(ALONE)
        taken = {"b": self.b, "s": self.s} | ({"t": self.t} if self.t else {}) | ({"s_src": self.s_src} if has_encoder else {})
        if self.family in PACKED:
            vision = getattr(self.config, "vision_config", self.config)
            taken["n_image_patches"] = (vision.image_size // vision.patch_size) ** 2
        if self.n_global:
            taken["n_global"] = self.n_global
        if self.family in POSITIONED:
            taken["n_image_patches"] = self.grid**2
        if self.frames:
            taken["n_frames"] = self.frames
        if self.family in VIDEOS:
            taken["n_image_patches"] = (self.grid * self.config.vision_config.spatial_merge_size) ** 2
        return taken

    @property
    def dtype(self) -> torch.dtype:
        """bf16 for state spaces, whose states are in fp32 whatever the number type."""
        return torch.bfloat16 if self.family in STATE_SPACES else torch.float32

    @property
    def device(self) -> str:
        """The meta device, where shapes alone are worked out; the CPU, which is quicker with tiny matrices, counts the same."""
        is_read = self.family in ON_CPU or self.class_name in LOOKS_FOR_THE_END
        return "cpu" if is_read or not self.is_on_meta else "meta"


def writes(family: str, class_name: str) -> bool:
    """Whether a class writes token by token: a language model, alone or beside an encoder; images have been read by then."""
    is_one = class_name.endswith(("ForCausalLM", "LMHeadModel", "ForConditionalGeneration", "MarianMTModel"))
    return is_one and family not in (*COMPOSITES, *ENCODERS, "xlnet")


def draw(family: str, class_name: str, rng: random.Random, *, cached: bool = False) -> Run:
    """A random run that the library accepts, of sizes over which it multiplies matrices."""
    settings = _runnable(family, class_name, dict(SPACES[family](rng)), rng)
    if cached:
        settings.pop("use_bidirectional_attention", None)  # what sees all tokens does not decode
    config, written = configuration(family, settings, class_name)
    _refuse_odd_heads(config)
    longest = 150 if family in DELTA_RULES else 9  # which cuts a sequence into chunks of 64
    b = 1 if family in PACKED else rng.randint(1, 3)
    run = Run(family, class_name, settings, b, rng.randint(1, longest), config=config, written=written)
    if family == "gemma4_audio":
        return replace(run, frames=rng.randint(1, 3 * LONGEST_SOUND))
    if family in POSITIONED:
        grid = getattr(config, "vision_config", config).pooling_kernel_size * rng.randint(1, MOST_SIDES)
        frames = rng.randint(1, LONGEST_SOUND) if getattr(config, "audio_config", None) else 0
        return replace(
            run, s=run.s + (tokens(family, config, grid) + frames if family in COMPOSITES else 0), grid=grid, frames=frames
        )
    if family in COMPOSITES:
        grid = rng.choice([2, 4])  # windows of two by two merged patches are full
        return replace(run, s=run.s + tokens(family, config, grid), grid=grid)
    if class_name in LOOKS_FOR_THE_END:  # the end of the source is sought in the target, which is the source again
        return replace(run, s_src=run.s)
    if family == "detr":  # of a square image that its backbone makes so many positions of
        grid = rng.randint(1, 3)
        return replace(run, s=grid**2, grid=grid)
    if family in ("xlnet", "sam"):  # SAM puts one more point behind those of a prompt
        return replace(run, s=run.s + 1)
    if family == "longformer":
        return replace(run, n_global=rng.randint(0, run.s))
    if not cached:
        return replace(run, s_src=rng.randint(1, 9))
    is_state = family in STATE_SPACES  # which decodes token by token
    if family == "rwkv":  # mixes each token with the last one of every sequence
        run = replace(run, b=1)
    return replace(run, s=1 if is_state else run.s, t=rng.randint(1, 9), s_src=rng.randint(1, 9))


def _runnable(family: str, class_name: str, settings: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Settings with a padding, which two sequences need, two ends of an answer, and enough positions."""
    settings["pad_token_id"] = settings.get("pad_token_id") or 0
    if "QuestionAnswering" in class_name:
        settings["num_labels"] = 2
    for name in {"max_position_embeddings", "n_positions"} & set(settings):
        settings[name] = POSITIONS
    if settings.get("sliding_window") == 1:
        settings["sliding_window"] = 2  # of a window of one token the library's cache keeps all tokens, not none
    return settings | OWN.get(family, lambda settings, rng: {})(settings, rng)


def _even(settings: Mapping[str, Any]) -> dict[str, int]:
    """Latent attention that runs: pairs to turn, keys and values of every head, one group of experts."""
    sides = {name: 2 * settings[name] for name in ("qk_rope_head_dim", "qk_nope_head_dim", "kv_lora_rank")}
    return {**sides, "num_key_value_heads": settings["num_attention_heads"], "n_group": 1, "topk_group": 1}


def _even_groups(settings: Mapping[str, Any]) -> dict[str, int]:
    """A state space that runs: groups of as many heads each, and states of at least two numbers."""
    groups = gcd(settings["mamba_n_groups"], settings["mamba_n_heads"])
    return {"mamba_d_state": settings["mamba_d_state"] + 1, "mamba_n_groups": groups}


def _adds_up(settings: Mapping[str, Any]) -> bool:
    """Whether adapters give as many numbers as the matrices beside them."""
    heads = settings["num_attention_heads"]
    return settings["num_key_value_heads"] in (None, heads) and 2 * settings["hidden_size"] % heads == 0


def _half_turned(settings: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Heads whose half has pairs to turn, and heads of a state space that divide the same width."""
    width = 4 * settings["num_attention_heads"] * rng.randint(1, 3)
    own = {"hidden_size": width, "head_dim": 4 * rng.randint(1, 4), "mamba_n_heads": rng.choice([2, 4]), "mamba_d_head": "auto"}
    return {**own, **_even_groups({**settings, **own})}


def _wide_heads(rng: random.Random, settings: Mapping[str, Any]) -> dict[str, int]:
    """Heads of at least two numbers: over a side of 1 einsum adds nothing up, and torch counts nothing."""
    n_heads, d_head = rng.choice([1, 2, 4]), rng.randint(2, 9)
    old = "hidden_size" in settings
    return {
        "num_attention_heads" if old else "n_head": n_heads,
        "hidden_size" if old else "d_model": n_heads * d_head,
        "d_head": d_head,
    }


# The patches beside one another that become one token: the key, of a side or of its inverse, and the image encoder.
MERGING = {
    **dict.fromkeys(("idefics3", "smolvlm"), ("scale_factor", "idefics3_vision")),
    "mistral3": ("spatial_merge_size", "pixtral"),
    "internvl": ("downsample_ratio", "internvl_vision"),
}


def side_of(family: str, settings: Any) -> int:
    """The side of the squares of patches that become one token."""
    number = settings.get(MERGING[family][0], 0.5 if family == "internvl" else 2)
    return number if isinstance(number, int) else round(1 / number)


def made_small(family: str, settings: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Settings whose image has few patches, and whose tokens of an image are in the vocabulary."""
    drawn = dict(settings)
    if family == "gemma4":
        small = {"hidden_size": 8, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 4, "num_hidden_layers": 2}
        text = {name: value for name, value in drawn["text_config"].items() if name != "use_bidirectional_attention"}
        pads = {
            "text_config": text | {"pad_token_id": 0},
            "image_token_id": WORD_OF_IMAGES,
            "audio_token_id": WORD_OF_SOUNDS,
        }  # it decodes
        pooled = {"pooling_kernel_size": rng.randint(2, 3)}  # of squares of one patch the library drops all
        return {**drawn, **pads, "vision_config": (drawn.get("vision_config") or small) | pooled}
    vision = dict(drawn.get("vision_config") or {"hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 2})
    if family in MERGING:
        vision |= {"patch_size": rng.randint(1, 4), "model_type": MERGING[family][1]}
        if family in PACKED:  # whose positions turn pairs
            vision |= {"hidden_size": 16, "num_attention_heads": 2}
        vision["image_size"] = vision["patch_size"] * side_of(family, drawn) * rng.randint(1, MOST_SIDES)
        pads = {"text_config": {**drawn["text_config"], "pad_token_id": 0}}
        return {**drawn, **pads, "vision_config": vision, "image_token_index": WORD_OF_IMAGES, "image_token_id": WORD_OF_IMAGES}
    if family in ("llava", "gemma3", "paligemma"):
        vision["patch_size"] = rng.randint(1, 5)
        vision["image_size"] = vision["patch_size"] * rng.randint(1, MOST_SIDES)
        if family == "paligemma":
            drawn["projection_dim"] = drawn["text_config"]["hidden_size"]
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
        head = text.get("head_dim") or text["hidden_size"] // text["num_attention_heads"]
        if family in ("qwen2_vl", "qwen2_5_vl"):
            text["rope_scaling"] = {"type": "mrope", "mrope_section": [head // 2 - head // 4, head // 4]}
        else:
            sections = [head // 2 - 2 * (head // 6), head // 6, head // 6]
            rotary = {"rope_type": "default", "rope_theta": 10_000.0, "mrope_section": sections}
            text |= {"head_dim": head, "rope_parameters": rotary}
        drawn["text_config"] = text
    return drawn


def tokens(family: str, config: Any, grid: int) -> int:
    """The tokens that an image becomes: ``grid`` is the side of its merged patches where any image is taken."""
    if family == "gemma3":
        return int(config.mm_tokens_per_image)
    vision = config.vision_config
    if family in POSITIONED:
        return (grid // int(vision.pooling_kernel_size)) ** 2
    if family in MERGING:
        image, patch = (size if isinstance(size, int) else size[0] for size in (vision.image_size, vision.patch_size))
        return int((image // patch // side_of(family, config.to_dict())) ** 2)
    if family == "llama4":
        return int((vision.image_size // vision.patch_size) ** 2 * vision.pixel_shuffle_ratio**2)
    if family == "llava":
        has_class_token = vision.model_type != "siglip_vision_model"
        return (
            int((vision.image_size // vision.patch_size) ** 2)
            + has_class_token
            - (config.vision_feature_select_strategy == "default")
        )
    return grid**2


def pixels(family: str, config: Any, b: int, grid: int) -> dict[str, torch.Tensor]:
    """The pixels of an image for each sequence, as the library takes them."""
    vision = config.vision_config
    if family in POSITIONED:
        return patches_at_places(vision, b, grid, "image_position_ids")
    if family in MERGING:
        side = vision.image_size if isinstance(vision.image_size, int) else vision.image_size[0]
        images = (b, 1) if "idefics3_vision" in MERGING[family] else (b,)  # of each sequence
        sizes = {"image_sizes": torch.tensor(b * [2 * [side]])} if family in PACKED else {}
        return {"pixel_values": torch.ones(*images, vision.num_channels, side, side), **sizes}
    if family in ("llava", "gemma3", "paligemma", "llama4"):
        return {"pixel_values": torch.zeros(b, vision.num_channels, vision.image_size, vision.image_size)}
    side = grid * vision.spatial_merge_size
    numbers = vision.in_channels * vision.temporal_patch_size * vision.patch_size**2
    return {
        "pixel_values": torch.zeros(b * side**2, numbers),
        "image_grid_thw": torch.tensor(b * [[1, side, side]]),
    }


def patches_at_places(vision: Any, b: int, grid: int, places: str) -> dict[str, torch.Tensor]:
    """The patches of a square image of each sequence, with the column and the row of each."""
    at = torch.cartesian_prod(torch.arange(grid), torch.arange(grid)).expand(b, grid**2, 2)
    return {"pixel_values": torch.zeros(b, grid**2, 3 * vision.patch_size**2), places: at}


def whole_squares(settings: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """An image encoder whose patches fill squares, which its adapter reads side by side."""
    side = rng.randint(1, 2)
    sizes = {"image_size": settings["patch_size"] * side * rng.randint(1, 2), "pixel_shuffle_ratio": 1 / side}
    width = settings["projector_input_dim"]
    return {**settings, **sizes, "intermediate_size": settings["hidden_size"] * side**2, "vision_output_dim": width}


def wide_heads(settings: Mapping[str, Any]) -> dict[str, Any]:
    """An image encoder whose heads have two numbers or more."""
    return {**settings, "hidden_size": 2 * settings["hidden_size"]}


def every_expert(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings in which a token uses all experts: Llama 4's multiply it, by zeros where it was not sent."""
    return {**settings, "num_experts_per_tok": settings["num_local_experts"]}


def llama4(settings: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Its text model and its image encoder as they run."""
    sections = {
        "text_config": every_expert(settings["text_config"]) | {"pad_token_id": 0},
        "vision_config": whole_squares(settings["vision_config"], rng),
    }
    return {**settings, **sections, "image_token_index": WORD_OF_IMAGES}


def _comparable(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Texts and images whose vectors are of one length."""
    text, images = settings["text_config"], settings["vision_config"]
    return {
        "text_config": {**text, "projection_size": images["hidden_size"]},
        "vision_config": {**images, "vision_use_head": True},
    }


def one_sided(settings: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Positions by an odd kernel: with an even one the library computes a frame more, and drops it. Short looks aside."""
    odd = settings["num_conv_pos_embeddings"] // 2 * 2 + 1
    return {"num_conv_pos_embeddings": odd, "tdnn_kernel": [rng.randint(1, 2) for _ in settings["tdnn_kernel"]]}


# What a family needs besides. Over an inner side of 1 einsum multiplies no matrices.
OWN: Mapping[str, Callable[[Mapping[str, Any], random.Random], Mapping[str, Any]]] = {
    "xlnet": lambda settings, rng: {"bi_data": False, "mem_len": None, **_wide_heads(rng, settings)},
    "longformer": lambda settings, rng: {
        "attention_window": 2 * rng.randint(1, 4),  # one for all layers
        "hidden_size": 2 * settings["hidden_size"],
    },
    "rwkv": lambda settings, rng: {"use_cache": False},  # what is written to in its cache has no gradient
    "sam_vision_model": lambda settings, rng: {"hidden_size": 2 * settings["hidden_size"]},
    "sam": lambda settings, rng: {"vision_config": wide_heads(settings["vision_config"])},
    "mamba2": lambda settings, rng: {"state_size": settings["state_size"] + 1},
    **dict.fromkeys(("granitemoehybrid", "falcon_h1"), lambda settings, rng: _even_groups(settings)),
    "bamba": _half_turned,
    "zamba2": lambda settings, rng: {
        "mamba_d_state": settings["mamba_d_state"] + 1,
        "mamba_ngroups": gcd(settings["mamba_ngroups"], settings["n_mamba_heads"]),
        "use_shared_attention_adapter": settings["use_shared_attention_adapter"] and _adds_up(settings),
    },
    "nemotron_h": lambda settings, rng: {
        "ssm_state_size": settings["ssm_state_size"] + 1,
        "n_groups": gcd(settings["n_groups"], settings["mamba_num_heads"]),
    },
    **dict.fromkeys(("deepseek_v2", "deepseek_v3", "deepseek_v32", "minicpm3"), lambda settings, rng: _even(settings)),
    "siglip": lambda settings, rng: _comparable(settings),
    "pixtral": lambda settings, rng: {"image_size": settings["patch_size"] * rng.randint(1, MOST_SIDES)},
    **{family: partial(made_small, family) for family in COMPOSITES},
    "llama4_text": lambda settings, rng: every_expert(settings),
    "wav2vec2": one_sided,
    "hubert": lambda settings, rng: {"num_conv_pos_embeddings": settings["num_conv_pos_embeddings"] // 2 * 2 + 1},
    "llama4_vision_model": whole_squares,
    "llama4": llama4,
}


class NotRunError(Exception):
    """The library builds such a model, and cannot run it as it is meant."""


def _refuse_odd_heads(config: Any) -> None:
    """Rotary positions turn pairs: the library widens a head of one number, or of any other odd one."""
    config = getattr(config, "text_config", None) or config
    rotary = getattr(config, "rope_parameters", None)
    if rotary:
        own = config.hidden_size // config.num_attention_heads  # which StableLM takes, whatever head_dim says
        widths = {getattr(config, "head_dim", None) or own, own}
        if any(int(width * rotary.get("partial_rotary_factor", 1.0)) % 2 for width in widths):
            raise NotRunError


def build(run: Run) -> Any:
    """The model, whose attention and experts are computed by products that torch counts."""
    config = run.config
    sections = (config, *(getattr(config, name, None) for name in ("text_config", "vision_config")))
    for section in (each for each in sections if each is not None):
        section._attn_implementation, section._experts_implementation = "eager", "batched_mm"
    with warnings.catch_warnings(), torch.device(run.device):
        warnings.simplefilter("ignore")
        model = getattr(transformers, run.class_name)(config).to(run.dtype).eval()
    if hasattr(model, "quantizer"):
        model.quantizer.train()  # whose choice has a gradient while it is learned
    return model


def inputs(run: Run, model: Any) -> dict[str, Any]:
    """What a forward pass takes: words, pixels, sounds."""
    wanted, given = signature(model.forward).parameters, {}
    if "decoder_input_ids" in wanted:
        given["decoder_input_ids"] = ids(run, run.s)
    if "input_ids" in wanted:
        given["input_ids"] = ids(run, run.s_src if "decoder_input_ids" in wanted else run.s)
    if run.family in COMPOSITES:
        given |= pixels(run.family, run.config, run.b, run.grid)
        words = given["input_ids"]
        images = tokens(run.family, run.config, run.grid)
        words[:, :images], words[:, images : images + run.frames] = WORD_OF_IMAGES, WORD_OF_SOUNDS
        if "mm_token_type_ids" in wanted or run.family in VIDEOS:
            given["mm_token_type_ids"] = (words == WORD_OF_IMAGES).int()
    elif run.family in POSITIONED:
        given |= patches_at_places(run.config, run.b, run.grid, "pixel_position_ids")
    elif "pixel_values" in wanted:
        given["pixel_values"] = _pixels(run)
    if run.frames:
        channels = getattr(run.config, "audio_config", run.config).subsampling_conv_channels
        given["input_features"] = torch.zeros(run.b, 4 * run.frames, channels[0] // 4 * 4)
        if "input_features_mask" in wanted:
            given["input_features_mask"] = torch.ones(run.b, 4 * run.frames, dtype=torch.bool)
    if "global_attention_mask" in wanted:
        given["global_attention_mask"] = (torch.arange(run.s) < run.n_global).int().expand_as(given["input_ids"])
    if "input_points" in wanted:
        side = 4 * run.config.prompt_encoder_config.image_embedding_size
        given["input_points"] = torch.zeros(run.b, 1, run.s - 1, 2, device=run.device)
        given["input_masks"] = torch.zeros(run.b, 1, side, side, device=run.device)
    if "input_values" in wanted:
        given["input_values"] = torch.zeros(run.b, samples(run.config, run.s), device=run.device)
    if "input_features" in wanted and hasattr(run.config, "num_mel_bins"):
        config = run.config
        given["input_features"] = torch.zeros(run.b, config.num_mel_bins, 2 * config.max_source_positions, device=run.device)
    return given


def samples(config: Any, frames: int) -> int:
    """The shortest waveform of which the convolutions make so many frames."""
    for kernel, stride in zip(reversed(config.conv_kernel), reversed(config.conv_stride), strict=True):
        frames = stride * (frames - 1) + kernel
    return frames


def ids(run: Run, length: int) -> torch.Tensor:
    """The same word again and again, the last of a sequence its end."""
    words = torch.full((run.b, length), WORD, device=run.device)
    if run.class_name in LOOKS_FOR_THE_END and run.family != "modernbert":
        words[:, -1] = getattr(run.config, "eos_token_id", None) or END
    return words[:, None] if run.class_name.endswith(CHOICES) else words


def _pixels(run: Run) -> torch.Tensor:
    vision = getattr(run.config, "vision_config", None) or run.config
    if run.family == "detr":
        return torch.zeros(run.b, vision.backbone_config.num_channels, *2 * [32 * run.grid], device=run.device)
    size = vision.image_size
    height, width = size if isinstance(size, list | tuple) else (size, size)
    return torch.zeros(run.b, vision.num_channels, height, width, device=run.device)


def _gradients_of_convolution(given: Any, x: Any, weight: Any, *options: Any, out_shape: Any) -> int:
    """The products of both gradients: as many each as in the forward pass. Of groups torch counts those of all channels."""
    (*_, transposed, _, groups, needed), shapes = options, (given, x, weight)
    if groups == 1:
        return int(unwrap(conv_backward_flop)(*shapes, *options, out_shape=out_shape))
    return int(sum(needed[:2]) * conv_flop_count(x, weight, given, transposed=transposed))


CORRECTED = {torch.ops.aten.convolution_backward: _gradients_of_convolution}


def measure(run: Run, *, backward: bool = False) -> tuple[Counted, Counted]:
    """What torch counts in a forward pass, after the cache is filled, and in that with a backward pass if asked for."""
    model = build(run)
    given = inputs(run, model)
    if run.t:
        given |= _cache(run, model, given)
    if not backward:
        model.requires_grad_(False)
    with FlopCounterMode(display=False, custom_mapping=CORRECTED) as counter, torch.set_grad_enabled(backward):
        out = model(**given)
        cache = _stored(out.get("past_key_values", out.get("cache_params", out.get("state"))))
        forward = _counted(run, counter, cache)
        if backward:
            leaves = [each for each in floats(out) if each.requires_grad]
            torch.autograd.backward(leaves, [torch.ones_like(each) for each in leaves])
    return forward, _counted(run, counter, cache)


def floats(out: Any) -> list[Any]:
    """The tensors of numbers in what a model gives, caches aside."""
    found: list[Any] = []
    for value in out.values() if hasattr(out, "values") else out if isinstance(out, (tuple, list)) else [out]:
        if isinstance(value, torch.Tensor):
            found += [value] if value.is_floating_point() else []
        elif isinstance(value, (tuple, list)) or (hasattr(value, "values") and not hasattr(value, "get_seq_length")):
            found += floats(value)
    return found


def _stored(cache: Any) -> int:
    """The bytes of a cache, or of a part of one: numbers, and no masks or lengths."""
    if isinstance(cache, torch.Tensor):
        return cache.numel() * cache.element_size() if cache.is_floating_point() else 0
    if isinstance(cache, transformers.Cache) or type(cache).__module__.endswith("cache_utils"):
        cache = vars(cache)
    within = cache.values() if isinstance(cache, Mapping) else cache if isinstance(cache, list | tuple) else ()
    return sum(map(_stored, within))


def _counted(run: Run, counter: FlopCounterMode, cache: int) -> Counted:
    counts = counter.get_flop_counts()
    named = {name: {str(op).removeprefix("aten."): n for op, n in ops.items()} for name, ops in counts.items()}
    return Counted(run, named, cache)


def _cache(run: Run, model: Any, given: dict[str, Any]) -> dict[str, Any]:
    """The cache after t tokens; a decoder beside an encoder does not run it again."""
    key = "decoder_input_ids" if "decoder_input_ids" in given else "input_ids"
    with torch.no_grad():
        first = model(**{**given, key: ids(run, run.t), "use_cache": True})
    key = next(key for key in ("past_key_values", "cache_params", "state") if key in first)
    cache = {key: first[key]}
    if "encoder_last_hidden_state" in first:
        given.pop("input_ids", None)
        given.pop("input_features", None)
        cache["encoder_outputs"] = (first.encoder_last_hidden_state,)
    return {**cache, "use_cache": True}


@dataclass(frozen=True)
class Counted:
    """What torch counted, by module and operation, and the bytes of the cache behind it."""

    run: Run
    counts: Mapping[str, Mapping[str, int]]
    cache: int

    @property
    def total(self) -> int:
        """What our definition counts too: everything but rotary angles, and but Mamba's convolution."""
        return self._of("Global") - self._angles

    @property
    def of_modules(self) -> dict[str, int]:
        """What each module computes without the modules in it, by its name in the model, rotary angles aside."""
        inner = {path: name for name in self.counts if (path := name.partition(".")[2])}
        totals = {path: self._of(name) for path, name in inner.items()}
        alone = Counter(totals) + Counter({"": self._of("Global")})
        for path, total in totals.items():
            around = path.rpartition(".")[0]
            while around and around not in totals:
                around = around.rpartition(".")[0]
            alone[around] -= total
        return {path: number for path, number in alone.items() if number and path.rpartition(".")[2] != ANGLES}

    def _of(self, name: str) -> int:
        operations = self.counts.get(name, {})
        return sum(n for op, n in operations.items() if not (self.leaves_convolution_out and op.startswith("convolution")))

    @property
    def leaves_convolution_out(self) -> bool:
        """Whether a convolution is counted otherwise: over its padding, and its gradient over one channel after another."""
        return self.run.family in STATE_SPACES

    @property
    def uncounted(self) -> set[str]:
        """The names of our terms that torch counts otherwise or not at all."""
        convolution = {"convolution", "patch_embedding"} if self.leaves_convolution_out else set()
        reads = READ_BY_NUMBER if self.run.family in DELTA_RULES and self.run.t else set()
        return convolution | reads

    @property
    def _angles(self) -> int:
        """Rotary angles, which the library makes by a product of frequencies and positions."""
        return sum(sum(ops.values()) for name, ops in self.counts.items() if name.rpartition(".")[2] == ANGLES)


# Terms beside the library's modules: which of our terms a module computes, so that both are compared module by module.

NUMBER = re.compile(r"(?<=\.)(\d+|\{[ij]\})(?=\.|$)")
LAYER = "*"


@dataclass(frozen=True)
class ModuleGroup:
    """The modules that compute the same terms, and these; the numbers of layers in their names are stars."""

    modules: frozenset[str]
    terms: tuple[Term, ...]


def module_groups(model: Model, terms: Iterable[Term]) -> list[ModuleGroup]:
    """Terms by the modules that compute them."""
    groups: list[ModuleGroup] = []
    leaves = _leaves(model)
    for term in terms:
        modules, alike = _modules(term.path, leaves, model), [term]
        for group in [group for group in groups if group.modules & modules]:
            groups.remove(group)
            modules, alike = modules | group.modules, [*group.terms, *alike]
        groups.append(ModuleGroup(modules, tuple(alike)))
    return groups


def shared_out(groups: Sequence[ModuleGroup], counts: Mapping[str, int]) -> tuple[list[int], int]:
    """What the library counts for each group, and in modules of none; ``counts`` are of each module without those in it."""
    totals: Counter[int] = Counter()
    for module, number in counts.items():
        totals[_place(groups, NUMBER.sub(LAYER, module))] += number
    return [totals[place] for place in range(len(groups))], totals[-1]


def _place(groups: Sequence[ModuleGroup], module: str) -> int:
    """The group of a module, or of the innermost module around it that has one; -1 for none."""
    while module:
        for place, group in enumerate(groups):
            if module in group.modules:
                return place
        module = module.rpartition(".")[0]
    return -1


def _leaves(model: Model) -> dict[str, set[str]]:
    """The library's modules of each leaf layer, by its path."""
    leaves: dict[str, set[str]] = {}
    for named in (*patterns(model), *tied(model)):
        if module := NUMBER.sub(LAYER, named.name.rpartition(".")[0]):
            leaves.setdefault(named.path, set()).add(module)
    return leaves


def _modules(path: str, leaves: Mapping[str, set[str]], model: Model) -> frozenset[str]:
    """The modules of a leaf layer; of a part that has several, the module around them; of a head that is tied, its own."""
    if path in leaves:
        return frozenset(leaves[path])
    inside = [module for inner, modules in leaves.items() if inner.startswith(f"{path}.") for module in modules]
    row = None if inside or model.library is None else find(model.library.names.modules, path)
    return frozenset([row[1].names[0].removeprefix(BESIDE) if row else _around(inside)])


def _around(modules: Sequence[str]) -> str:
    """The innermost module that holds all of these, or is one of them and holds the others; that around a single one."""
    names = [module.split(".") for module in set(modules)]
    if len(names) == 1:
        return ".".join(names[0][:-1])
    common = []
    for parts in zip(*names, strict=False):
        if len(set(parts)) > 1:
            break
        common.append(parts[0])
    return ".".join(common)
