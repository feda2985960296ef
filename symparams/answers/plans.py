"""Plans: the bytes or FLOPs of a use of a model, each part with its derivation, and the boards that it fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import Any

from symparams.answers.boards import ALL, Board, Card, board, boards, cards
from symparams.answers.tokens import read_prompt, read_run, read_tokens
from symparams.derivations.budget import Budget
from symparams.derivations.fitting import Fit, checked, solve
from symparams.derivations.fitting import cards as fewest
from symparams.display import Displayed
from symparams.errors import NotDerivedError, OptionError, UnknownNameError, quoted, read_switch, suggestion
from symparams.expressions.closed_form import as_written
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import D, b, s, t
from symparams.models.calculation import USUAL_TYPE, Calculation, calculate, longer_name, own_dtype, read_input
from symparams.models.inputs import checked_calculation
from symparams.models.model import Model
from symparams.quantities.kept_by_layers import EAGER
from symparams.quantities.memory import COMPUTED, SEVERAL, read_dtype
from symparams.quantities.quantity import Term, find
from symparams.quantities.recipes import GRADIENTS, MASTERED, WEIGHTS, recipe, recipe_of
from symparams.records import frozen

MEMORY, FLOPS = "memory", "flops"
CACHE, STATE, OPTIMIZER, ACTIVATIONS = "cache", "state", "optimizer", "activations"
TOKEN, PROMPT, RUN, PASS = "token", "prompt", "run", "pass"
# What was assumed: the number type, which the config does not name or which nobody told us, that of the cache beside weights in
# which nothing is computed, the recipe; what is left out, and what was rounded.
TYPE, UNKNOWN_TYPE, CACHE_TYPE = "type", "unknown_type", "cache_type"
RECIPE, NO_ACTIVATIONS, NO_LENGTH, ROUNDED = "recipe", "activations", "length", "rounded"
OF_TRAINING = ("recipe", "optimizer", "attention", "checkpoint")  # choices that only it has


@frozen
class Line:
    """A part of a plan: its name, its calculation, what of the request that takes, and the number type where it has one.

    Parts of one calculation share the inputs; the calculation of each has only the terms of the part.
    """

    name: str
    calculation: Calculation
    inputs: Mapping[str, Any]
    dtype: str = ""

    @property
    def exact(self) -> int | Fraction:
        """The number, which of weights in four bits may end in a part of a byte."""
        return self.calculation.value()

    @property
    def value(self) -> int:
        """The number, a part of a byte taken for a whole one."""
        return -(-self.exact // 1)


@frozen
class BoardUse:
    """A memory to fit into: how many of them hold all, 0 where no number does, and the largest of each input that they hold.

    ``left`` are the bytes that those named have beside it, below 0 the bytes that they lack.
    """

    card: Card
    number: int
    fits: tuple[Fit, ...]
    left: int

    @property
    def does_fit(self) -> bool:
        """True if as many as are named hold all."""
        return 0 < self.number <= self.card.number


@frozen
class Pace:
    """Boards at work: how many of which, the FLOPs a second of one, and the seconds that all of them take together."""

    board: Board
    number: int
    rate: Fraction
    seconds: Fraction


@frozen
class Plan(Displayed):
    """An answer about one use of a model: its parts, what was assumed, the boards.

    ``asked`` are the target and its changes, as a command line named them; of a plan made in Python there are none.
    """

    model: Model
    about: str
    lines: tuple[Line, ...]
    assumed: tuple[str, ...] = ()
    boards: tuple[BoardUse, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    asked: tuple[str, ...] = ()
    dtype: str = ""
    cache_dtype: str = ""
    recipe: str = ""
    paces: tuple[Pace, ...] = ()
    utilisation: Fraction = Fraction(0)

    def __repr__(self) -> str:
        return f"Plan({self.model.name!r}, {self.about!r}, {self.value})"

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield its parts as rows of a data frame: part, quantity, closed_form, value, unit."""
        for line in self.lines:
            quantity, written = line.calculation.quantity, as_written(line.calculation.polynomial)
            row = {"part": line.name, "quantity": quantity.name, "closed_form": repr(written)}
            yield {**row, "value": line.value, "unit": quantity.unit}

    @property
    def value(self) -> int:
        """All of it."""
        return sum(line.value for line in self.lines)

    @property
    def does_fit(self) -> bool:
        """True if one of the memories holds it, of as many boards as are named, or none was named."""
        return not self.boards or any(use.does_fit for use in self.boards)


def memory_plan(
    model: Model,
    context: Any = None,
    batch: Any = 1,
    *,
    dtype: Any = None,
    cache_dtype: Any = None,
    fits: str | None = None,
    training: bool = False,
    recipe: str | None = None,
    optimizer: str | None = None,
    asked: Sequence[str] = (),
    **inputs: Any,
) -> Plan:
    """Return the memory of the weights, with a ``context`` that of the cache too, or for ``training`` all that it takes.

    ``fits`` is a size, a board, or "boards". OptionError for tokens that may be two numbers, for more than there are positions,
    and for a context of a model that has no cache.
    """
    model.count()  # a family is an error that names its sizes
    training = read_switch("training", training)
    given = _given(model, context, batch, s if training else t, inputs)
    named = tuple(asked)
    _refuse_unknown(memory_plan, "training_memory" if training else "kv_cache", inputs)
    if training:
        if cache_dtype:
            raise OptionError("Training has no KV cache: leave out --cache-dtype beside --training.")
        if recipe and optimizer:
            raise OptionError(f"The recipe {quoted(recipe)} names the optimizer, too: leave out one of the two.")
        return _trained(model, given, recipe, optimizer, fits, named, dtype)
    _refuse_of_training({"recipe": recipe, "optimizer": optimizer, **inputs})
    if cache_dtype and t.name not in given:
        raise OptionError("A KV cache holds a context: add --context 8192, in Python context=8192, or leave out --cache-dtype.")
    kind = read_dtype(dtype) if dtype else own_dtype(model)
    cached = read_dtype(cache_dtype) if cache_dtype else kind if kind in COMPUTED else own_dtype(model)
    cached = cached if cached and (cache_dtype or cached in COMPUTED) else USUAL_TYPE
    for name in inputs if t.name not in given else ():
        calculate(model, "kv_cache", {**inputs, "dtype": cached})  # which refuses what it does not take
        raise OptionError(f"{name} is for the KV cache: add --context 1024, in Python context=1024, or leave out {name}.")
    if given[b.name] != 1 and t.name not in given and fits is None:
        raise OptionError("A batch is for the KV cache: add --context 1024, in Python context=1024, or leave out the batch.")
    assumed = [] if kind else [UNKNOWN_TYPE if model.origin.config is None else TYPE]
    weights = _line(WEIGHTS, model, "weight_memory", {"dtype": kind or USUAL_TYPE}, kind or USUAL_TYPE)
    lines = [weights]
    if t.name in given:
        cache = _line(CACHE, model, "kv_cache", {**given, "dtype": cached}, cached)
        lines.append(cache if t in cache.calculation.written.dimensions else replace(cache, name=STATE))
        assumed += [CACHE_TYPE] if kind and cached != kind and not cache_dtype else []
    assumed += [ROUNDED] if any(line.exact != line.value for line in lines) else []
    growing = _cache(model, given, cached) if fits is not None else None
    letters = (b, t) if t.name in given else (t,)
    plan = Plan(model, MEMORY, tuple(lines), tuple(assumed), (), given, named, kind or USUAL_TYPE, cached)
    return _fitted(plan, fits, growing, weights.exact, letters)


def flops_plan(
    model: Model,
    tokens: Any = None,
    context: Any = None,
    batch: Any = 1,
    *,
    training: bool = False,
    on: str | None = None,
    utilisation: Any = "40%",
    dtype: Any = USUAL_TYPE,
    asked: Sequence[str] = (),
    **inputs: Any,
) -> Plan:
    """Return the FLOPs of one token after a ``context``, of a prompt of so many ``tokens``, or of ``training`` on so many.

    ``on`` a board, or so many, 1024xh100-sxm, it takes a time: that at which they reach a part of their dense peak in a number
    type. OptionError where training has no number of tokens or no context.
    """
    named = tuple(asked)
    training = read_switch("training", training)
    _refuse_unknown(flops_plan, "training_flops" if training else "forward_flops", inputs)
    if training:
        if tokens is None and context is None and s.name not in inputs:
            raise OptionError(
                "Training takes FLOPs for each token, and attention depends on the length of a sequence: add --tokens 15T "
                "--context 8192, in Python tokens='15T', context=8192."
            )
        if tokens is None:
            raise OptionError("Training takes FLOPs for each token: add --tokens 15T, in Python tokens='15T'.")
        if context is None and s.name not in inputs:
            raise OptionError("Attention depends on the length of a sequence: add --context 8192, in Python context=8192.")
        given = {**_given(model, context, batch, s, inputs), D.name: read_run("--tokens", tokens)}
        if given.pop(b.name) != 1:
            raise OptionError("--tokens counts all tokens of a training run: leave out --batch beside --training.")
        plan = Plan(model, FLOPS, (_line(RUN, model, "training_flops", given),), given=given, asked=named)
        return _paced(plan, on, utilisation, read_dtype(dtype))
    _refuse_of_training(inputs)
    given = _given(model, context, batch, t, inputs)
    if s.name in inputs:
        raise OptionError("s is the number of tokens of a prompt: give --tokens instead, in Python tokens=.")
    decodes = _cache(model, {}, USUAL_TYPE) is not None
    reads = s in calculate(model, "forward_flops", {}).written.dimensions
    if reads and not decodes and tokens is None:
        raise OptionError(f"{model.name} reads its whole input at once: add --tokens 512, in Python tokens=512.")
    number = 1 if tokens is None else read_prompt("--tokens", tokens)
    checked(Budget(model, {s.name: number}))
    given |= {s.name: number} if reads or tokens is not None else {}
    given = {"logits": "last", **given} if decodes else given
    name = PASS if not decodes else TOKEN if tokens is None else PROMPT
    if on is not None and name == TOKEN:
        raise OptionError(
            "The time of one token depends on memory bandwidth, not on FLOPs: leave out --on, or add --tokens 512, in Python "
            "tokens=512."
        )
    plan = Plan(model, FLOPS, (_line(name, model, "forward_flops", given),), given=given, asked=named)
    return _paced(plan, on, utilisation, read_dtype(dtype))


def _given(model: Model, context: Any, batch: Any, length: Dimension, inputs: Mapping[str, Any]) -> dict[str, Any]:
    sequences = read_tokens("--batch", batch)
    given = {b.name: sequences, **inputs}
    for flag, letter, is_given in (("--batch", b, sequences != 1), ("--context", length, context is not None)):
        if is_given and letter.name in inputs:
            raise OptionError(f"{flag} gives {letter.name}, which is set too: leave out one of the two.")
    if context is not None:
        given[length.name] = read_tokens("--context", context)
    if length.name in given:
        given[length.name] = read_input(length, given[length.name], model)
        checked(Budget(model, {length.name: given[length.name]}))
    return given


def _refuse_unknown(plan: Callable[..., Plan], quantity: str, inputs: Mapping[str, Any]) -> None:
    """UnknownNameError for a keyword that neither a plan nor its quantity has."""
    letters = find(quantity).inputs
    taken = {*find(quantity).choices, *OF_TRAINING, *(name for a in letters for name in (a.name, longer_name(a).name))}
    for name in inputs.keys() - taken:
        from inspect import signature

        from symparams.answers.synonyms import synonyms

        verb = plan.__name__.removesuffix("_plan")
        known = [own for own in signature(plan).parameters if own not in ("model", "asked", "inputs")]
        meant = synonyms(verb).get(name)
        told = f"Did you mean {quoted(meant)}?" if meant else suggestion(name, [*known, *find(quantity).choices])
        raise UnknownNameError(f"{verb} has no option {quoted(name)}. {told}")


def _refuse_of_training(given: Mapping[str, Any]) -> None:
    """OptionError for what only training has."""
    for name in OF_TRAINING:
        if given.get(name):
            raise OptionError(f"--{name} is for training: add --training, in Python training=True, or leave out --{name}.")


def _line(name: str, model: Model, quantity: str, inputs: Mapping[str, Any], dtype: str = "") -> Line:
    line = Line(name, checked_calculation(model, quantity, inputs), inputs, dtype)
    _ = line.exact  # what has no value is refused here, not where it is first looked at
    return line


def _cache(model: Model, given: Mapping[str, Any], dtype: str) -> Calculation | None:
    """The cache, with letters for what is not given; None of a model that has none."""
    try:
        return calculate(model, "kv_cache", {**given, "dtype": dtype})
    except OptionError:
        return None


def _trained(
    model: Model,
    given: Mapping[str, Any],
    named: str | None,
    optimizer: str | None,
    fits: str | None,
    asked: tuple[str, ...],
    dtype: Any,
) -> Plan:
    """Weights, gradients, the optimizer's states, and the activations of b sequences of s tokens where they are derived."""
    if dtype:
        raise OptionError("The recipe sets the number types of training: give --recipe instead of --dtype.")
    chosen = named or (recipe_of(optimizer) if optimizer else MASTERED)
    ways = {name: value for name, value in given.items() if name not in (b.name, s.name)}
    assumed, growing = [] if named else [RECIPE], None
    lines, takes_length = _parts(model, {"recipe": chosen}), _takes_length(model)
    others = (*ways, *(["batch"] if given[b.name] != 1 else []))
    if s.name not in given and (takes_length or not (others or recipe(chosen).dtype)):
        for name in others:
            raise OptionError(f"{name} is for activations: add --context 1024, in Python context=1024, or leave out {name}.")
        assumed.append(NO_LENGTH if takes_length else NO_ACTIVATIONS)
    else:
        whole = {**given, "recipe": chosen, "scope": "all", **ways}
        try:
            growing = calculate(model, "training_memory", whole)
            lines = _parts(model, whole)
        except NotDerivedError:
            assumed.append(NO_ACTIVATIONS)
        else:
            assumed += [EAGER] if growing.setting.attention == EAGER and "attention" not in given else []
    plan = Plan(model, MEMORY, tuple(lines), tuple(assumed), (), given, asked, recipe=chosen)
    return _fitted(plan, fits, growing, 0, (b, s), sum(line.value for line in lines if line.name == ACTIVATIONS))


def _takes_length(model: Model) -> bool:
    """False if the activations of a model are those of images, whose number of patches is one of its sizes."""
    try:
        return s in calculate(model, "training_memory", {b.name: 1, "recipe": MASTERED}).written.dimensions
    except NotDerivedError:
        return True


def _parts(model: Model, inputs: Mapping[str, Any]) -> list[Line]:
    """Return the memory of training part by part: the terms of one quantity, each with the part that it belongs to."""
    whole, parts = _line("", model, "training_memory", inputs), dict[str, list[Term]]()
    for term in whole.calculation.terms:
        of_parameters = term.name if term.name in (WEIGHTS, GRADIENTS) else OPTIMIZER
        parts.setdefault(ACTIVATIONS if term.path else of_parameters, []).append(term)
    chosen = recipe(inputs["recipe"], inputs.get("gradients", ""))
    types = {WEIGHTS: chosen.weight_type, GRADIENTS: chosen.gradient_type, ACTIVATIONS: chosen.dtype}
    calculations = {name: replace(whole.calculation, chosen_terms=tuple(terms)) for name, terms in parts.items()}
    return [Line(name, part, inputs, types.get(name, "")) for name, part in calculations.items()]


def _fitted(
    plan: Plan,
    fits: str | None,
    growing: Calculation | None,
    beside: int | Fraction,
    letters: Sequence[Dimension],
    own: int = 0,
) -> Plan:
    """Return the plan with what it takes of each memory that is named, of which each holds ``own`` and a share of the rest.

    In training the states are divided among the memories, but the activations are not; in serving weights and cache are.
    """
    if fits is None:
        return plan
    if growing is not None and not {*growing.lacking} <= {*letters}:  # the tokens of a source, which nobody gave
        growing = None
    uses = []
    for card in cards(fits):
        solved: tuple[Fit, ...] = ()
        room, elsewhere = card.room, Fraction((plan.value - own) * (card.number - 1), card.number)
        if not plan.recipe:
            room, elsewhere = replace(room, size=room.size * card.number), Fraction(0)
        if growing is not None and beside - elsewhere <= room.size:
            wanted = [letter for letter in letters if letter in growing.written.dimensions]
            solved = tuple(solve(growing, beside - elsewhere, letter, room) for letter in wanted)
        free = card.room.size - own  # of each, for its share of the rest
        number = fewest(plan.value - own, replace(card.room, size=free)) if free > 0 else 0
        uses.append(BoardUse(card, number, solved, (free * card.number - (plan.value - own)) // 1))
    return replace(plan, boards=tuple(uses))


def _paced(plan: Plan, on: str | None, utilisation: Any, dtype: str) -> Plan:
    """Return the plan with the time that it takes on boards of which so much of the peak is reached."""
    if on is None:
        return plan
    part = _part(utilisation)
    several = SEVERAL.fullmatch(str(on).strip())
    number, name = (int(several[1]), several[2]) if several else (1, str(on))
    chosen = [board(key) for key in (boards() if name.strip().lower() == ALL else [name])]
    having = [one for one in chosen if dtype in one.peak]
    if not number:
        raise OptionError("--on needs at least one board: write --on 8xh100-sxm.")
    if not having:
        types = ", ".join(chosen[0].peak)
        raise OptionError(f"No peak of {chosen[0].name} is known in {dtype}: choose --dtype {types}.")
    paces = [Pace(one, number, one.peak[dtype] * part, plan.value / (one.peak[dtype] * part * number)) for one in having]
    return replace(plan, paces=tuple(paces), utilisation=part, dtype=dtype)


def _part(value: Any) -> Fraction:
    """Return a part of a peak, exactly: 40%, 0.4."""
    text = str(value).strip()
    try:
        part = Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        part = Fraction(0)
    if not 0 < part <= 1:
        meant = part if 1 < part <= 100 else 40
        raise OptionError(
            f"--utilisation {quoted(value)} is not a share of the peak: write {float(meant):g}% or {float(meant / 100):g}."
        )
    return part
