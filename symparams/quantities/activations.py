"""Activations: the bytes that a forward pass keeps for the backward pass, tensor by tensor.

Each operation keeps what its gradient needs, and a tensor that several need is kept once (Korthikanti et al., 2022,
arXiv:2205.05198, section 4): GPT-2's layer with exact GELU in two bytes keeps 34·s·b·h + 5·a·s²·b, and the means and
deviations of its norms. Weights are not among them. It is what ``torch.autograd.graph.saved_tensors_hooks`` sees of the
transformers library, where norms of 16-bit numbers keep their statistics in 16 bits, as on a CPU, and a dropout mask takes
``dropout_mask`` bytes a number: 1 on a GPU, as many as a number on a CPU.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from symparams.components.flow import layers
from symparams.components.kinds import Role
from symparams.components.norms import NON_PARAMETRIC_LAYER_NORM
from symparams.components.readings import ENCODER
from symparams.components.tree import Component
from symparams.components.walks import components
from symparams.errors import OptionError
from symparams.expressions.nodes import Expression
from symparams.expressions.symbols import b, e, n_patches, s, s_src
from symparams.expressions.written import ONE
from symparams.quantities.activation_conventions import korthikanti, others
from symparams.quantities.cost import BYTES, Alternative, Cost
from symparams.quantities.implementations import EMBEDDINGS, IMPLEMENTATIONS, Implementation
from symparams.quantities.kept_by_layers import FLASH, Stream, through_layer
from symparams.quantities.kept_outside_layers import embedded, headed
from symparams.quantities.kept_tensors import Tape, Value, width_of
from symparams.quantities.setting import Setting
from symparams.quantities.term import Term

ALL = "all"


def terms(tree: Component, setting: Setting) -> Sequence[Term]:
    """What is kept, a term for each tensor; OptionError for a family that is not derived, or not as chosen."""
    tape = Tape(setting, _implementation(tree, setting))
    stream, source = _streams(tree, setting)
    x, pooled = stream.wide(stream.width), list[Value]()
    stacks = dict(layers(tree))
    for name, part in tree.children:
        here = source if source is not None and name.startswith(ENCODER) else stream
        if name in stacks:
            tape.copies = part.times
            x = _stacked(tape, part, name, here)
            tape.copies = ONE
        elif setting.scope == ALL and name == EMBEDDINGS:
            embedded(tape, tree, stream, source)
        elif setting.scope == ALL:
            x = headed(tape, part, name, here, x, pooled)
            if here is source:
                stream = replace(stream, source=x)
    return tape.terms


def _stacked(tape: Tape, layer: Component, path: str, stream: Stream) -> Value:
    """What the layers of a stack keep, each its input alone where it is computed again in the backward pass."""
    x = stream.wide(stream.width)
    if not tape.setting.checkpoint:
        return through_layer(tape, layer, path, stream, x)
    tape.keep(x, path, "layer_input", "layer_input")
    if stream.source is not None and _reads(layer):
        tape.keep(stream.source, path, "encoder_states", "encoder_states", copies=ONE)
    return replace(x)


def _implementation(tree: Component, setting: Setting) -> Implementation:
    how = IMPLEMENTATIONS.get(setting.family)
    if how is None:
        raise OptionError(f"Activations are not derived for {setting.family or 'this tree'} yet: {', '.join(IMPLEMENTATIONS)}.")
    if setting.dtype and setting.dtype not in how.dtypes:
        raise OptionError(
            f"Activations of {setting.family} are not derived in {setting.dtype}: choose {', '.join(how.dtypes)}."
        )
    if odd := next((key for key in how.unlike if setting.config.get(key)), ""):
        raise OptionError(f"Activations of {setting.family} are not derived where its config sets {odd}.")
    if setting.attention == FLASH and how.why_eager:
        raise OptionError(f"{setting.family} has no flash attention, since {how.why_eager}: choose eager.")
    if setting.scope == ALL and any(part.kind == NON_PARAMETRIC_LAYER_NORM for _, part in components(tree)):
        raise OptionError("Norms without parameters may end the stack too, which the tree does not say: choose scope layers.")
    return how


def _width(tree: Component) -> Expression:
    """The width of the stream: what an attention gives."""
    part = next(part for _, part in components(tree) if part.role is Role.ATTENTION)
    return width_of(part.child("output"), 1)


def _reads(layer: Component) -> bool:
    return any(part.reads == ENCODER for _, part in layer.children)


def _streams(tree: Component, setting: Setting) -> tuple[Stream, Stream | None]:
    """What flows through the model, and beside it the source's tokens where one stack reads what another writes.

    A source is as long as what is written where s alone is given.
    """
    width = _width(tree)
    stacks = [layer for _, layer in layers(tree)]
    if not any(map(_reads, stacks)):
        patches = any(n_patches in tensor.shape[0].dimensions for _, part in components(tree) for tensor in part.tensors)
        return Stream(n_patches + 1 if patches else s, width), None
    length = s if s in setting.given and s_src not in setting.given else s_src
    source = Stream(length, width)
    return Stream(s, width, source.wide(width), length), None if all(map(_reads, stacks)) else source


def alternatives(tree: Component, setting: Setting) -> Iterator[Alternative]:
    """Korthikanti's formula where it is about such a model, and the same tensors under other choices."""
    stream, _ = _streams(tree, setting)
    stacks = list(layers(tree))
    if len(stacks) == 1 and not _reads(stacks[0][1]) and setting.scope != ALL and not setting.checkpoint:
        yield korthikanti(stacks[0][1], stacks[0][0], stream, setting)
    for key, other in others(setting):
        if other.attention != FLASH or not IMPLEMENTATIONS[setting.family].why_eager:
            yield Alternative(key, terms(tree, other))


COST = Cost(
    "activations",
    BYTES,
    terms,
    letters=(b, s, s_src, e),
    choices=("dtype", "attention", "dropout", "dropout_mask", "checkpoint", "scope"),
    alternatives=alternatives,
)
