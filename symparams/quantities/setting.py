"""Settings: how a quantity is counted, as chosen by the user and by the model's config. They hold no size of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from symparams.errors import OptionError, quoted, read_switch
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.symbols import L_full, W_left, W_right, W_vision, chunk, n_image_tokens, n_index_keys
from symparams.quantities.implementations import PLAIN, Implementation
from symparams.quantities.memory import read_dtype
from symparams.records import frozen

# The letters of sizes that decide no parameter, by what the choices of a model call them.
CHOSEN: Mapping[str, Dimension] = MappingProxyType(
    {
        "chunk": chunk,
        "frames_before": W_left,
        "frames_after": W_right,
        "image_tokens": n_image_tokens,
        "image_window": W_vision,
        "index_keys": n_index_keys,
        "whole_image_layers": L_full,
    }
)


@frozen
class Setting:
    """The setting of a quantity: what a user chooses, what the config chooses, and the inputs that have a value.

    ``choices`` are the model's own: the activation, the window, None where there is none. ``modules`` are what the library
    calls the parts that have matrices, by path; ``is_over_tokens`` says that its classifier reads every token;
    ``implementation`` is how the library computes it, None if its table does not say.
    ``windowed_layers`` tells of a window that some layers have: 0 of a model in which none has, their number where they are
    counted by themselves, -1 where that is a letter; None where all have it that speak of one. Heads of key and value are
    ``grouped`` as the tree says, or there is one for each head of the query. ``ones`` are the letters that
    are 1, along which nothing is copied, and n_heads / n_kv_heads where that is; ``absent`` are the letters of windows that a
    config switches off; ``keeps_all`` says that the library keeps in the cache what a window of its layers no longer sees.
    """

    dtype: str = ""
    window: str = "library"
    latent: str = "cached"
    grouped: bool = True
    latent_attention: str = "expanded"
    state: str = "library"
    causal: str = "full"
    logits: str | int = "all"
    attention: str = "eager"
    dropout: Fraction = Fraction(0)
    dropout_mask: int = 1
    checkpoint: bool = False
    scope: str = "layers"
    recipe: str = ""
    gradients: str = ""
    step: bool = False
    targets: tuple[str, ...] = ()
    given: frozenset[Dimension] = frozenset()
    ones: frozenset[Expression] = frozenset()
    absent: frozenset[Dimension] = frozenset()
    keeps_all: bool = False
    choices: Mapping[str, str | int | None] = field(default_factory=dict)
    modules: Mapping[str, Sequence[str]] = field(default_factory=dict)
    windowed_layers: int | None = None
    model: str = ""
    family: str = ""
    config: Mapping[str, Any] = field(default_factory=dict)
    is_over_tokens: bool = False
    implementation: Implementation | None = PLAIN


@frozen
class Choice:
    """A choice of a setting: the values that it may have, or how another value is read, and what it means in a line."""

    name: str
    help: str
    values: tuple[str, ...] = ()
    read: Callable[[Any], Any] = str
    is_switch: bool = False
    flag: str = ""  # its option, where that is not called as it is

    @property
    def option(self) -> str:
        """Its option on a command line: --lora of targets, --dropout-mask of dropout_mask."""
        return self.flag or f"--{self.name.replace('_', '-')}"

    def of(self, value: Any) -> Any:
        """The value as a setting holds it; an error names what may be chosen."""
        if self.is_switch:
            return read_switch(self.name, value)
        if self.values and str(value) not in self.values and self.read is str:
            raise OptionError(f"Unknown {self.name} {quoted(value)}: choose {' or '.join(self.values)}.")
        return self.read(value)


def read_logits(value: Any) -> str | int:
    """Return the positions with logits: "all", "last", or a number of them."""
    if value in ("all", "last"):
        return str(value)
    text = str(value)
    if isinstance(value, bool) or not text.isdecimal():
        raise OptionError(f"Unknown logits {quoted(value)}: choose all, last or a number of positions.")
    return int(text)


def read_mask(value: Any) -> int:
    """The bytes of one number of a mask: 1, or those of a number type."""
    if str(value) not in ("1", "2", "4"):
        raise OptionError(f"Unknown dropout_mask {quoted(value)}: choose 1, 2 or 4 bytes.")
    return int(value)


def read_recipe(value: Any) -> str:
    """Return a recipe; of an optimizer the error names the recipe."""
    from symparams.quantities.recipes import OPTIMIZERS, RECIPES

    if value in RECIPES:
        return str(value)
    if meant := OPTIMIZERS.get(str(value).lower()):
        raise OptionError(f"Unknown recipe {quoted(value)}, an optimizer, which sets no number types: its recipe is {meant}.")
    raise OptionError(f"Unknown recipe {quoted(value)}: choose {' or '.join(RECIPES)}.")


def read_part(value: Any) -> Fraction:
    """A part of the whole, exactly: 0.1."""
    try:
        part = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        part = Fraction(-1)
    if not 0 <= part < 1:
        raise OptionError(f"{quoted(value)} is not a probability: write a number of at least 0 and less than 1, such as 0.1.")
    return part


def read_names(value: Any) -> tuple[str, ...]:
    """Names in a list, or one after another: q_proj,v_proj."""
    listed = value.split(",") if isinstance(value, str) else list(value)
    names = tuple(str(name).strip() for name in listed if str(name).strip())
    if not names:
        raise OptionError(f"{quoted(value)} is not the name of a matrix: write targets=['q_proj', 'v_proj'].")
    return names


# Every choice, by name: what a quantity takes of them stands in its own file.
CHOICES: Mapping[str, Choice] = MappingProxyType(
    {
        choice.name: choice
        for choice in (
            Choice("dtype", "Number type: fp32, fp16, bf16, fp8, int8, fp4 or int4; torch's names work, too.", read=read_dtype),
            Choice(
                "window", "Cached tokens of a sliding window: W - 1 (library, the default) or W (paper).", ("library", "paper")
            ),
            Choice(
                "latent",
                "Latent attention caches compressed vectors (the default) or keys and values.",
                ("cached", "expanded"),
            ),
            Choice(
                "latent_attention",
                "Latent attention expands keys and values (the default) or absorbs the up-projections.",
                ("expanded", "absorbed"),
            ),
            Choice(
                "state",
                "State of a state space in fp32 (library, the default) or in the number type (paper).",
                ("library", "paper"),
            ),
            Choice(
                "causal",
                "Count all token pairs (the default), or only those that the causal mask lets through.",
                ("full", "exact"),
            ),
            Choice("logits", "Positions with logits: all (the default), last or a number.", ("all", "last"), read_logits),
            Choice("attention", "Compute attention step by step (the default) or fused.", ("eager", "flash")),
            Choice("dropout", "Probability of dropout in training, such as 0.1.", read=read_part),
            Choice(
                "dropout_mask",
                "Bytes for each element of a dropout mask. [default: 1, as on a GPU]",
                ("1", "2", "4"),
                read_mask,
            ),
            Choice("checkpoint", "Recompute each layer in the backward pass.", is_switch=True),
            Choice(
                "scope", "Activations of the layers (the default), or also of embeddings, head and loss.", ("layers", "all")
            ),
            Choice(
                "recipe",
                "Optimizer and number types: fp32, bf16, bf16_fp32_master, amp, sgd, sgd_momentum or amsgrad.",
                ("fp32", "bf16", "bf16_fp32_master", "amp", "sgd", "sgd_momentum", "amsgrad"),
                read_recipe,
            ),
            Choice("gradients", "Number type of the gradients.", ("bf16", "fp32")),
            Choice("step", "Also count AdamW's step counters, 4 bytes for each tensor.", is_switch=True),
            Choice("targets", "Matrices to which LoRA is applied: q_proj,v_proj.", read=read_names, flag="--lora"),
        )
    }
)
assert CHOICES.keys() <= {each.name for each in fields(Setting)}
