"""Measurements: our terms of a cost beside what the real model multiplies, caches, keeps and trains, line by line."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from symparams.answers.measured import module_lines
from symparams.answers.measured.activations import keep, native_dropout
from symparams.answers.measured.caches import count_cached
from symparams.answers.measured.flops import Counted, count_flops
from symparams.answers.measured.training import DTYPES, kept_in_training
from symparams.answers.real_models import META, build, inputs, mask
from symparams.expressions.symbols import b, e
from symparams.expressions.written import exact
from symparams.models.costing import Costing, costing
from symparams.quantities.term import Term

Count = int | Fraction
ANGLES, CONVOLUTION, FLASH = "rotary_emb", "convolution", "flash"
DROPOUTS = ("hidden_dropout_prob", "attention_probs_dropout_prob", "embd_pdrop", "attn_pdrop", "resid_pdrop", "hidden_dropout",
            "attention_dropout", "dropout", "dropout_rate")  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """One thing that is measured: what the library calls it, or the key of its sentence; our number and the library's.

    ``times`` is how many there are of it on either side where a single one is named, as layers that keep as many bytes.
    ``is_compared`` is false for a difference that is known by name.
    """

    what: str
    here: Count
    library: Count
    is_code: bool = False
    number: Count | None = None
    is_compared: bool = True

    @property
    def match(self) -> bool:
        """Whether both are the same, or need not be."""
        return self.here == self.library or not self.is_compared


def _sizes(found: Costing) -> dict[str, int]:
    return {letter.name: found.model.values[letter] for letter in found.cost.letters if letter in found.model.values}


def _value(terms: Sequence[Term], found: Costing) -> Count:
    return _plain(sum((Fraction(exact(term.every, found.model.values)) for term in terms), Fraction()))


def _plain(number: Count) -> Count:
    return number.numerator if number.denominator == 1 else number


def _flops(found: Costing, device: str) -> list[Measured]:
    """A line for the modules that compute a term of the forward pass, and one for all of the backward pass."""
    has_backward = found.cost.name != "forward_flops"
    real = build(found.model, device).eval()
    if found.setting.checkpoint:
        real.train().gradient_checkpointing_enable()
    counted = count_flops(real, _sizes(found), found.setting.logits, backward=has_backward)
    forward = _forward(found) if has_backward else found
    lines = [] if found.cost.name == "backward_flops" else _by_module(forward, counted)
    if has_backward:
        ours = _value(_multiplied(found), found) - sum(line.here for line in lines)
        lines.append(Measured("verify.backward", ours, sum(_multiplied_there(found, counted.backward).values())))
    return [*lines, *_named_differences(found, counted, has_backward=has_backward)]


def _forward(found: Costing) -> Costing:
    """The forward pass of a step of training."""
    own = {letter: value for letter, value in found.model.values.items() if letter not in found.cost.letters}
    sizes = {name: value for name, value in _sizes(found).items() if value}
    return costing(replace(found.model, values=own), "forward_flops", {**sizes, "logits": found.setting.logits})


def _multiplied(found: Costing) -> list[Term]:
    """The terms but for convolutions of state spaces, of which the library computes the padding too."""
    return [term for term in found.terms if term.name != CONVOLUTION]


def _multiplied_there(found: Costing, operations: Mapping[str, int]) -> dict[str, int]:
    is_padded = len(_multiplied(found)) < len(found.terms)
    return {op: number for op, number in operations.items() if not (is_padded and op.startswith(CONVOLUTION))}


def _by_module(found: Costing, counted: Counted) -> list[Measured]:
    lines = module_lines.lines(replace(found, terms=tuple(_multiplied(found))))
    counts = {
        module: sum(_multiplied_there(found, operations).values())
        for module, operations in counted.forward.items()
        if module.rpartition(".")[2] != ANGLES
    }
    theirs, elsewhere = module_lines.shared_out(lines, counts)
    named = [
        Measured(line.name, _value(line.terms, found), number, is_code=True)
        for line, number in zip(lines, theirs, strict=True)
        if line.modules
    ]
    ours = sum(_value(line.terms, found) for line in lines if not line.modules)
    return _joined([*named, *([Measured("verify.elsewhere", ours, elsewhere)] if ours or elsewhere else [])])


def _joined(lines: list[Measured]) -> list[Measured]:
    """Lines of which one module computes what another one holds, as Mamba's mixer does with its time step's matrix: as one."""
    apart = [line for line in lines if not line.match]
    here = sum(line.here for line in apart)
    is_elsewhere = any(not line.here or not line.library for line in apart)
    if not is_elsewhere or here != sum(line.library for line in apart):
        return lines
    names = ", ".join(line.what for line in apart if line.is_code)
    one = Measured(names or "verify.elsewhere", here, here, is_code=bool(names))
    place = lines.index(apart[0])
    return [*lines[:place], one, *(line for line in lines[place:] if line not in apart)]


def _named_differences(found: Costing, counted: Counted, *, has_backward: bool) -> list[Measured]:
    """What torch counts and our definition does not: rotary angles, padding; and its formula for a convolution's gradient."""
    forward = counted.forward if found.cost.name != "backward_flops" else {}
    angles = sum(sum(ops.values()) for module, ops in forward.items() if module.rpartition(".")[2] == ANGLES)
    lines = [Measured("verify.angles", 0, angles, is_compared=False)] if angles else []
    if len(_multiplied(found)) < len(found.terms):
        every = [*forward.values(), *([counted.backward] if has_backward else [])]
        padded = sum(number for operations in every for op, number in operations.items() if op.startswith(CONVOLUTION))
        ours = _value([term for term in found.terms if term.name == CONVOLUTION], found)
        lines.append(Measured("verify.padded_convolution", ours, padded, is_compared=False))
    return lines


def _cache(found: Costing, device: str) -> list[Measured]:
    """How many layers keep so many bytes, the terms of one layer together."""
    layers: dict[tuple[str, Any], list[Term]] = {}
    for term in found.terms:
        layers.setdefault((term.path, term.times), []).append(term)
    ours: Counter[Count] = Counter()
    for (_, copies), alike in layers.items():
        size = sum((Fraction(exact(term.written, found.model.values)) for term in alike), Fraction())
        ours[_plain(size)] += int(exact(copies, found.model.values))
    each = found.model.values[e]
    cached = count_cached(build(found.model, device).eval(), _sizes(found))
    return _numbered("verify.layer", ours, Counter({_plain(number * Fraction(each)): n for number, n in cached.items()}))


def _numbered(what: str, ours: Counter[Count], theirs: Counter[Count]) -> list[Measured]:
    """A line for each number of bytes: how many have it here, and how many in the library."""
    sizes = sorted({size for size in (*ours, *theirs) if size and (ours[size] or theirs[size])}, reverse=True)
    return [Measured(what, ours[size], theirs[size], number=size) for size in sizes]


def _activations(found: Costing, device: str) -> list[Measured]:
    """How many tensors of so many bytes are kept; a norm's means and deviations are two."""
    ours: Counter[Count] = Counter()
    for term in found.terms:
        copies, size = (exact(each, found.model.values) for each in (term.times, term.written))
        for part in _tensors_of(term, size):
            ours[_plain(Fraction(part))] += int(copies)
    theirs: Counter[Count] = Counter()
    theirs.update(_kept(found, device, found.setting.dtype))
    return _numbered("verify.tensor", ours, theirs)


def _tensors_of(term: Term, size: Count) -> list[Count]:
    """The bytes of each tensor of a term: 3·4·b·s·d_ff are three."""
    from symparams.expressions.nodes import Number, Product

    factors = term.written.factors if isinstance(term.written, Product) else ()
    numbers = [factor.value for factor in factors if isinstance(factor, Number)]
    several = numbers[0] if len(numbers) > 1 or (numbers and e in factors) else 1
    return [Fraction(size) / several] * int(several)


def needs_cpu(found: Costing) -> bool:
    """Whether the meta device keeps other tensors than a CPU: of fused attention, or norms of 16 bits with statistics of 32."""
    if "attention" not in found.cost.choices:
        return False
    statistics = [term for term in found.terms if term.name.startswith("statistics_of")]
    is_narrow = "16" in found.setting.dtype or "16" in found.setting.recipe
    is_normed = any(len(_tensors_of(term, 1)) > 1 for term in statistics)
    return bool(found.terms) and (found.setting.attention == FLASH or (is_narrow and is_normed))


def _kept(found: Costing, device: str, dtype: str) -> Counter[int]:
    setting = found.setting
    attention = "eager" if setting.attention == "eager" else "sdpa"
    real = build(found.model, device, attention=attention, dropouts=DROPOUTS, dropout=float(setting.dropout))
    real = real.to(DTYPES[dtype or "fp32"]()).train()
    real.config.use_cache = False
    if setting.checkpoint:
        real.gradient_checkpointing_enable()
    given = inputs(real, _sizes(found), is_trained=setting.scope == "all")
    is_native = setting.dropout and setting.dropout_mask == 1
    with warnings.catch_warnings(), native_dropout() if is_native else nullcontext():
        warnings.simplefilter("ignore")
        try:
            kept = keep(real, given)
        except RuntimeError:  # a decoder that looks for several texts in one sequence, unless it is given a mask
            kept = keep(real, {**given, "attention_mask": mask(real, _sizes(found))})
    return kept.all if setting.scope == "all" else kept.layers


def _training(found: Costing, device: str) -> list[Measured]:
    """Weights, gradients and what the optimizer keeps of them; then what the forward pass keeps."""
    theirs = kept_in_training(build(found.model, META), found.setting.recipe, found.setting.gradients)
    kept = [term for term in found.terms if term.path]
    ours = {term.name: _value([term], found) for term in found.terms if not term.path}
    lines = [Measured(f"names.{name}", number, theirs.pop(name, 0)) for name, number in ours.items()]
    lines += [Measured(f"names.{name}", 0, number) for name, number in theirs.items() if name != "steps"]
    if b in found.setting.given:
        dtype = "bf16" if found.setting.recipe.startswith("bf16") else "fp32"
        kept_there = sum(size * number for size, number in _kept(found, device, dtype).items())
        lines.append(Measured("verify.activations", _value(kept, found), kept_there))
    return lines


def _weights(found: Costing, device: str) -> list[Measured]:
    """How many arrays of so many bytes there are."""
    each = Fraction(found.model.values[e])
    ours: Counter[Count] = Counter()
    for _, shape in found.model.tensors():
        ours[_plain(_numbers(shape) * each)] += 1
    theirs: Counter[Count] = Counter()
    for parameter in build(found.model, META).parameters():
        theirs[_plain(parameter.numel() * each)] += parameter.requires_grad
    return _numbered("verify.array", ours, theirs)


def _numbers(shape: Sequence[int]) -> int:
    number = 1
    for side in shape:
        number *= side
    return number


MEASURES: Mapping[str, Callable[[Costing, str], list[Measured]]] = {
    "weight_memory": _weights,
    "kv_cache": _cache,
    "forward_flops": _flops,
    "backward_flops": _flops,
    "training_flops": _flops,
    "activations": _activations,
    "training_memory": _training,
}
