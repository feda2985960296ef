"""What the library keeps for the backward pass: the storages that ``saved_tensors_hooks`` sees, each once, weights aside."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import torch
import transformers
from torch import Tensor, nn
from torch.nn import functional

from tests.library.oracle import configuration

torch.set_num_threads(1)  # a thread more costs more than such small matrices take

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
DROPOUTS = {
    "bert": ("hidden_dropout_prob", "attention_probs_dropout_prob"),
    "gpt2": ("embd_pdrop", "attn_pdrop", "resid_pdrop"),
    "bloom": ("hidden_dropout", "attention_dropout"),
    "opt": ("dropout", "attention_dropout"),
    "t5": ("dropout_rate",),
    **dict.fromkeys(("mpnet", "nomic_bert", "vit", "dinov2"), ("hidden_dropout_prob", "attention_probs_dropout_prob")),
    "gpt_neox": ("hidden_dropout", "attention_dropout"),
    "phi3": ("resid_pdrop", "attention_dropout"),
    "seed_oss": ("residual_dropout", "attention_dropout"),
    "bart": ("dropout", "attention_dropout", "activation_dropout"),
    "falcon": ("hidden_dropout", "attention_dropout"),
}
READS_AND_WRITES = ("t5", "bart")


@dataclass(frozen=True)
class Drawn:
    """A configuration of a class, with how it is trained: its settings, the inputs' sizes and the choices."""

    family: str
    class_name: str
    settings: Mapping[str, Any]
    b: int
    s: int
    s_src: int
    dtype: str = "fp32"
    attention: str = "eager"
    dropout: str = "0"
    native: bool = False  # dropout as a GPU computes it, with a mask of one byte a number
    checkpoint: bool = False

    @property
    def dropout_mask(self) -> int:
        """The bytes of one number of a mask."""
        return 1 if self.native else DTYPES[self.dtype].itemsize


@dataclass
class Kept:
    """The bytes that the layers keep, their tables aside, and all that is kept."""

    layers: int = 0
    every: int = 0
    written: dict[str, Any] = field(default_factory=dict)


def measured(drawn: Drawn) -> Kept:
    """What one forward pass in training keeps, labels and loss included where the class computes one."""
    settings = {**drawn.settings, **dict.fromkeys(DROPOUTS.get(drawn.family, ("attention_dropout",)), float(drawn.dropout))}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        config, written = configuration(drawn.family, settings, drawn.class_name)
        config._attn_implementation = "eager" if drawn.attention == "eager" else "sdpa"
        config.use_cache = False
        config._experts_implementation = "eager"  # one expert after another
        model = getattr(transformers, drawn.class_name)(config).to(DTYPES[drawn.dtype]).train()
        if drawn.checkpoint:
            model.gradient_checkpointing_enable()
        with native_dropout() if drawn.native else nullcontext():
            layers, every = saved(model, _inputs(model, drawn))
    return Kept(layers, every, written)


def saved(model: nn.Module, inputs: Mapping[str, Any]) -> tuple[int, int]:
    """The bytes that the layers save in one forward pass, without what they are handed, as masks and angles; and all that is.

    All tensors are held until the end: a storage that is freed gives its address to the next.
    """
    weights, handed, within = {_address(parameter) for parameter in model.parameters()}, set[int](), set[int]()
    sizes, held, depth = dict[int, int](), list[Tensor](), list[int]()

    def enter(_: Any, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        depth.append(1)
        constants = [tensor for tensor in _tensors((arguments, named)) if not tensor.requires_grad]
        held.extend(constants)
        handed.update(map(_address, constants))

    def leave(*_: Any) -> None:
        depth.pop()

    def pack(tensor: Tensor) -> Tensor:
        if (address := _address(tensor)) not in weights:
            held.append(tensor)
            sizes[address] = tensor.untyped_storage().nbytes()
            if depth and (tensor.is_floating_point() or tensor.dtype is torch.bool) and address not in handed:
                within.add(address)
        return tensor

    for layer in _layers(model):
        layer.register_forward_pre_hook(enter, with_kwargs=True)
        layer.register_forward_hook(leave)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        model(**inputs)
    return sum(sizes[address] for address in within), sum(sizes.values())


def _address(tensor: Tensor) -> int:
    return tensor.untyped_storage().data_ptr()


def _tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _tensors(inner)


def _layers(model: nn.Module) -> Iterator[nn.Module]:
    """The layers: what stands in a list, and not in a layer's own."""
    inner: set[nn.Module] = set()
    for module in model.modules():
        if isinstance(module, nn.ModuleList) and module not in inner:
            for layer in module:
                inner.update(layer.modules())
                yield layer


@contextmanager
def native_dropout() -> Iterator[None]:
    """Dropout as a GPU computes it, whose mask has one byte a number."""
    plain = functional.dropout

    def native(values: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
        return torch.native_dropout(values, p, True)[0] if training and p else values

    functional.dropout = native
    try:
        yield
    finally:
        functional.dropout = plain


def _inputs(model: Any, drawn: Drawn) -> dict[str, Any]:
    """Random words or pixels, and labels where the class takes them for a loss over words or over images."""
    chance = random.Random(drawn.s)  # noqa: S311 - no secret
    config = model.config

    def ids(length: int, below: int) -> Tensor:
        return torch.tensor([[chance.randrange(below) for _ in range(length)] for _ in range(drawn.b)])

    if drawn.family in ("vit", "dinov2", "idefics3_vision"):
        height, width = _pair(config.image_size)
        pixels = torch.randn(drawn.b, config.num_channels, height, width).to(DTYPES[drawn.dtype])
        labelled = drawn.class_name.endswith("Classification")
        return {"pixel_values": pixels, **({"labels": ids(1, config.num_labels)[:, 0]} if labelled else {})}
    has_source = drawn.family in READS_AND_WRITES and drawn.class_name != "T5EncoderModel"
    found = {"input_ids": ids(drawn.s_src if has_source else drawn.s, config.vocab_size)}
    if drawn.class_name in ("T5Model", "BartModel"):
        found["decoder_input_ids"] = ids(drawn.s, config.vocab_size)
    if drawn.class_name.endswith(("LMHeadModel", "CausalLM", "MaskedLM", "ConditionalGeneration", "PreTraining")):
        found["labels"] = ids(drawn.s, config.vocab_size)
    if drawn.settings.get("add_cross_attention"):  # the states of an encoder, through which the gradient goes on
        states = torch.randn(drawn.b, drawn.s_src, config.hidden_size, dtype=DTYPES[drawn.dtype])
        found["encoder_hidden_states"] = states.requires_grad_()
    if drawn.class_name == "BertForPreTraining":
        found["next_sentence_label"] = ids(1, 2)[:, 0]
    return found


def _pair(side: Any) -> tuple[int, int]:
    return (side, side) if isinstance(side, int) else tuple(side)
