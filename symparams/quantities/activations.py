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

from symparams.components.facts import Projection
from symparams.components.flow import is_layer, layers
from symparams.components.kinds import Role
from symparams.components.norms import NON_PARAMETRIC_LAYER_NORM
from symparams.components.tree import Component
from symparams.components.walks import components, leaves
from symparams.errors import NotDerivedError, OptionError
from symparams.expressions.nodes import Expression, Number
from symparams.expressions.symbols import b, e, s, s_src
from symparams.expressions.written import ONE, total
from symparams.quantities.implementations import PLAIN, Implementation
from symparams.quantities.kept_by_layers import ALL, EAGER, FLASH, Stream, pairs, through_layer
from symparams.quantities.kept_outside_layers import embedded, headed, is_before
from symparams.quantities.kept_tensors import Tape, Value, product, width_of
from symparams.quantities.quantity import BYTES, Alternative, Quantity, RuleOfThumb, Term
from symparams.quantities.setting import Setting

SOURCE = s_src
LINEAR_PART, SCORES_PART = Number(34), Number(5)  # bytes for each b·s·h, and for each b·n_heads·s²
USUAL_LENGTH = 2_048  # tokens of a sequence in training; a single one would hide the square of s
BACK = frozenset({Projection.OUTPUT, Projection.DOWN})  # what goes back into the stream


def terms(tree: Component, setting: Setting) -> Sequence[Term]:
    """Return what is saved, a term for each tensor.

    Raises OptionError for a part that does not say what it saves, and for a choice in which a family is not derived.
    """
    tape = Tape(setting, _implementation(tree, setting))
    stream, source = _streams(tree, setting)
    x, pooled = stream.wide(stream.width), list[Value]()
    is_read_apart = any(is_before(part) and part.tokens == SOURCE for _, part in _parts(tree))
    if not any(layers(tree)) and setting.scope != ALL:
        raise OptionError(f"{setting.model} has no layers with activations: choose scope all.")
    for path, part in _parts(tree):
        here = source if source is not None and part.tokens == SOURCE else stream
        if is_layer(part):
            tokens = part.tokens if isinstance(part.tokens, Expression) and part.tokens != SOURCE else here.tokens
            tape.copies = part.applied or part.times
            x = _stacked(tape, part, path, replace(here, tokens=tokens, width=_width_of_layer(part) or here.width))
            tape.copies = ONE
        elif setting.scope != ALL:
            continue
        elif is_before(part):
            if not is_read_apart:
                embedded(tape, tree, part, path, stream, source)
            elif part.tokens == SOURCE or part.reads:  # what both stacks share is stored, and not read
                embedded(tape, tree, part, path, here, None)
        else:
            x = headed(tape, tree, part, path, here, x, pooled)
            if here is source:
                stream = replace(stream, source=x)
    return tape.terms


def _parts(block: Component, path: str = "") -> Iterator[tuple[str, Component]]:
    """The stacks of layers, and what stands before, between and behind them, in the order of data."""
    for name, part in block.children:
        here = f"{path}.{name}" if path else name
        if part.role is Role.BLOCK and not is_layer(part) and any(layers(part)):
            yield from _parts(part, here)
        else:
            yield here, part


def _stacked(tape: Tape, layer: Component, path: str, stream: Stream) -> Value:
    """Yield the tensors that the layers of a stack save; of a recomputed layer its input alone."""
    x = stream.wide(stream.width)
    if not tape.setting.checkpoint:
        return through_layer(tape, layer, path, stream, x)
    tape.keep(x, path, "layer_input", "layer_input")
    if stream.source is not None and _reads(layer):
        tape.keep(stream.source, path, "encoder_states", "encoder_states", copies=ONE)
    return replace(x)


def _implementation(tree: Component, setting: Setting) -> Implementation:
    how = setting.implementation
    if how is None:
        raise NotDerivedError(
            f"Activations of {setting.model} are not derived: its table does not say what transformers saves."
        )
    if setting.dtype and setting.dtype not in how.dtypes:
        raise NotDerivedError(
            f"Activations of {setting.model} are not derived in {setting.dtype}: choose {', '.join(how.dtypes)}."
        )
    if odd := next((key for key in how.unlike if setting.config.get(key)), ""):
        raise NotDerivedError(f"Activations of {setting.model} are not derived if its config sets {odd}.")
    if how.layers_only and setting.scope == ALL:
        raise NotDerivedError(f"What {setting.model} saves outside of its layers is not derived: choose scope layers.")
    if how.several_heads and _has_single(tree, setting):
        raise NotDerivedError(
            f"Activations of {setting.model} with a single token or head, or heads of width 1, are not derived."
        )
    if how.several_heads and setting.attention == FLASH and setting.choices.get("window"):
        raise OptionError(f"{setting.model} has no flash attention here, since its window is a mask: choose eager.")
    if setting.attention == FLASH and how.why_eager:
        raise OptionError(f"{setting.model} has no flash attention, since {how.why_eager}: choose eager.")
    if (
        how is not PLAIN
        and setting.scope == ALL
        and any(part.kind == NON_PARAMETRIC_LAYER_NORM for _, part in components(tree))
    ):
        raise NotDerivedError(
            f"The stack of {setting.model} may end with norms without parameters, not in its tree: choose scope layers."
        )
    return how


def _has_single(tree: Component, setting: Setting) -> bool:
    """True if there is a single token or head, or heads of width 1, whose transposed tensors are views."""
    heads = [part.attending.heads for _, part in components(tree) if part.attending]
    letters = {s, *(letter for facts in heads for size in (facts.number, facts.width) for letter in size.dimensions)}
    return not setting.ones.isdisjoint(letters)


def _width(tree: Component, model: str) -> Expression:
    """The width of the stream: that of its layers; without layers, what the first matrix reads."""
    for _, layer in layers(tree):
        if width := _width_of_layer(layer):
            return width
    for leaf in leaves(tree):
        if leaf.component.role is Role.MATRIX:
            return width_of(leaf.component, 0)
    raise OptionError(f"{model} has no activations to save: its tree has no matrix.")


def _width_of_layer(layer: Component) -> Expression | None:
    """The width of what a layer gives: what its output or down projection gives, or its last matrix; None without one."""
    matrices = [leaf.component for leaf in leaves(layer) if leaf.component.role is Role.MATRIX and _is_plain(leaf.component)]
    back = [matrix for matrix in matrices if not BACK.isdisjoint(matrix.makes)]
    return width_of((back or matrices[::-1])[0], -1) if matrices else None


def _is_plain(matrix: Component) -> bool:
    """True if a matrix, or one of each expert, has its outputs as its last side."""
    return len(matrix.tensors[0].shape) == 2 or matrix.tensors[0].active is not None


def _reads(layer: Component) -> bool:
    return any(part.attending is not None and part.reads for _, part in components(layer))


def _streams(tree: Component, setting: Setting) -> tuple[Stream, Stream | None]:
    """Return the stream through the model, with the source's tokens if one stack reads another.

    A source is as long as what is written where s alone is given.
    """
    width = _width(tree, setting.model)
    stacks = [layer for _, layer in layers(tree)]
    if not any(map(_reads, stacks)):
        tokens = tree.tokens if isinstance(tree.tokens, Expression) and tree.tokens != SOURCE else s
        return Stream(tokens, width), None
    length = s if s in setting.given and s_src not in setting.given else s_src
    source = Stream(length, width)
    return Stream(s, width, source.wide(width), length), None if all(map(_reads, stacks)) else source


def _of_korthikanti(tree: Component, setting: Setting) -> Term | None:
    """34·s·b·h + 5·a·s²·b bytes a layer, in two bytes and with masks of one; without the second where it is recomputed.

    Korthikanti et al., 2022, arXiv:2205.05198, equations 1 and 6: a layer with attention whose d_ff is 4·h, with exact GELU.
    None for several stacks, and where something else than the layers is counted.
    """
    stacks = list(layers(tree))
    if len(stacks) != 1 or _reads(stacks[0][1]) or setting.scope == ALL:
        return None
    [(path, layer)], (stream, _) = stacks, _streams(tree, setting)
    heads = next((part.attending.heads for _, part in components(layer) if part.attending), None)
    if heads is None:
        return None
    parts = [product(LINEAR_PART, b, stream.tokens, stream.width)]
    if setting.attention != FLASH:
        parts.append(product(SCORES_PART, b, *pairs(stream.tokens, stream.tokens), heads.number))
    return Term(path, "korthikanti", total(parts), layer.times)


def _keeps_layers(tree: Component, setting: Setting) -> bool:
    return not setting.checkpoint


QUANTITY = Quantity(
    "activations",
    BYTES,
    terms=terms,
    inputs=(b, s, s_src, e),
    choices=("dtype", "attention", "dropout", "dropout_mask", "checkpoint", "scope"),
    usual={"b": 1, "s": USUAL_LENGTH, "s_src": USUAL_LENGTH},
    alternatives=(
        RuleOfThumb("convention.korthikanti", term=_of_korthikanti, where=_keeps_layers),
        Alternative("convention.checkpointed", {"checkpoint": True}),
        Alternative("convention.eager", {"attention": EAGER}, _keeps_layers),
        Alternative("convention.flash", {"attention": FLASH}, _keeps_layers),
    ),
    reads_flow=True,
)
