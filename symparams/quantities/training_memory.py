"""Training memory: weights, gradients and what the optimizer keeps, so many bytes a parameter, and activations on top.

AdamW (Loshchilov & Hutter, 2019, arXiv:1711.05101) keeps two moments of each gradient: in fp32 4 + 4 + 8 = 16 bytes a
parameter; weights and gradients in 16 bits beside fp32 weights and moments come to 2 + 2 + 12 = 16 as well (Rajbhandari et
al., 2020, arXiv:1910.02054, section 3.1). A tied matrix is one parameter. Where there are sequences, b and s, what the
forward pass keeps of them is added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from symparams.components.tree import Component
from symparams.components.walks import leaves
from symparams.errors import OptionError
from symparams.expressions.nodes import Expression, Named, Number
from symparams.expressions.symbols import b, r, s, s_src
from symparams.expressions.written import times, total
from symparams.quantities import activations, lora
from symparams.quantities.kept_by_layers import EAGER, FLASH
from symparams.quantities.parameters import PARAMETERS, is_owned
from symparams.quantities.quantity import BYTES, Alternative, Quantity, Term, check_flow
from symparams.quantities.recipes import GRADIENTS, IN_BITS, MASTERED, MOMENTS, TOLD, WEIGHTS, Recipe, recipe
from symparams.quantities.setting import Setting

STEP = Number(4)  # bytes of the number of steps, which AdamW keeps of each array


def terms(tree: Component, setting: Setting) -> Sequence[Term]:
    """A term for the weights, for the gradients and for each state, and those of the activations where b is given.

    With the matrices of LoRA (``targets``), the weights are frozen, and only what is added to them is trained.
    """
    chosen = recipe(setting.recipe, setting.gradients)
    if setting.targets or r in setting.given:
        return list(_adapted(tree, setting, chosen))
    states = list(_states(tree, chosen))
    if setting.step and MOMENTS[0] in chosen.states:
        states.append(Term("", "steps", times(STEP, _arrays(tree))))
    if b in setting.given:
        states += _activations(tree, setting, chosen)
    return states


def _adapted(tree: Component, setting: Setting, chosen: Recipe) -> Iterator[Term]:
    """Weights that are frozen, and everything that LoRA's own take."""
    if b in setting.given or setting.step:
        raise OptionError("With LoRA, activations and steps are not derived: leave b, s and step out.")
    yield Term("", "frozen_weights", times(Number(chosen.weights), _count(tree)))
    added = total([term.every for term in lora.terms(tree, setting)])
    for name, size in chosen.parts:
        yield Term("", f"of_lora:{name}", times(Number(size), added))


def _states(tree: Component, chosen: Recipe) -> Iterator[Term]:
    in_bits = {WEIGHTS: IN_BITS[chosen.weights]}
    if chosen.gradients != chosen.weights:
        in_bits[GRADIENTS] = IN_BITS[chosen.gradients]
    for name, size in chosen.parts:
        yield Term("", name, times(Number(size), _count(tree)), note=in_bits.get(name) or TOLD.get(name, ""))


def _count(tree: Component) -> Expression:
    """N, the number of parameters."""
    return Named("", PARAMETERS.over(leaves(tree)))


def _arrays(tree: Component) -> Expression:
    """Return the number of trained arrays of a model."""
    numbers = ((leaf, sum(map(is_owned, leaf.component.tensors))) for leaf in leaves(tree))
    return total([times(leaf.times, Number(number)) for leaf, number in numbers if number])


def _activations(tree: Component, setting: Setting, chosen: Recipe) -> Iterator[Term]:
    """Yield the saved activations in the number type of the recipe."""
    if not chosen.dtype:
        raise OptionError("Activations under autocast are not derived: choose another recipe, or leave b and s out.")
    check_flow(tree, activations.QUANTITY.spelled, setting.model)
    yield from activations.terms(tree, replace(setting, dtype=chosen.dtype))


def _is_of_states(tree: Component, setting: Setting) -> bool:
    return not setting.targets and b not in setting.given


def _has_activations(tree: Component, setting: Setting) -> bool:
    return b in setting.given and not setting.checkpoint


def _counted_by(key: str, recipe: str, gradients: str = "") -> Alternative:
    """Return the alternative of another recipe's bytes a parameter, without AdamW's steps."""
    return Alternative(key, {"recipe": recipe, "gradients": gradients, "step": False}, _is_of_states)


QUANTITY = Quantity(
    "training_memory",
    BYTES,
    terms=terms,
    inputs=(b, s, s_src, r),
    choices=("recipe", "gradients", "step", "attention", "dropout", "dropout_mask", "checkpoint", "scope", "targets"),
    usual={"recipe": MASTERED, "r": lora.USUAL_RANK},
    alternatives=(
        _counted_by("convention.bytes_16", "fp32"),
        _counted_by("convention.bytes_18", "bf16_fp32_master", "fp32"),
        _counted_by("convention.bytes_20", "amsgrad"),
        Alternative("convention.checkpointed", {"checkpoint": True}, _has_activations),
        Alternative("convention.eager", {"attention": EAGER}, _has_activations),
        Alternative("convention.flash", {"attention": FLASH}, _has_activations),
    ),
    heading="each_parameter",
)
