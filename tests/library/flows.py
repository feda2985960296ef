"""The oracle of flow: a tiny model of the library runs forward, and sums are found that equal what its modules read.

Hooks on the modules of a layer keep what each part reads and what it gives; what a part reads must equal, in float64 to
1e-9, exactly one sum of the layer's input x and of parts that have run before. These sums are the layer's equations. All
layers of a stack must have the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, count
from math import isqrt
from typing import Any

import torch
from torch import Tensor, nn

from tests.library.flow_cases import Case
from tests.library.flow_parts import Part, Stack
from tests.library.tiny_models import BATCH, build, encoder_of, layers

Equation = tuple[Any, ...]  # (part, reads) or, of a part that reads what the encoder wrote, (part, reads, "encoder")
Flow = list[Equation]

X, Y, OUT, ENCODER = "x", "y", "out", "encoder"
TOLERANCE = 1e-9
CHANGE = 3.0


@dataclass(frozen=True)
class Measured:
    """The equations of each block by its path, and how often each of its stored layers has run."""

    flow: Mapping[str, Flow]
    applied: Mapping[str, tuple[int, ...]]


def measure(case: Case) -> Measured:
    """What the library computes; AssertionError where no sum fits, where two do, or where the layers of a stack differ."""
    model, inputs = build(case)
    watches = [Watch(layer, stack, case.times) for stack, layer in layers(case, model)]
    with torch.no_grad(), written_by_encoder(model, inputs) as written, hooked(watches):
        model(**inputs)
    flow: dict[str, Flow] = {}
    applied: dict[str, tuple[int, ...]] = {}
    for watch in watches:
        path = watch.stack.path
        for equations in watch.solved(written):
            assert flow.setdefault(path, equations) == equations, f"{case.id}: the layers of {path} differ"
        applied[path] = (*applied.get(path, ()), len(watch.runs))
    return Measured(flow, applied)


@dataclass
class Run:
    """One run of a layer: the time at which each part read, and what; the time at which it gave, and what."""

    reads: dict[str, tuple[int, Tensor]] = field(default_factory=dict)
    gives: dict[str, tuple[int, Tensor]] = field(default_factory=dict)
    gates: dict[str, Tensor] = field(default_factory=dict)
    from_encoder: dict[str, Tensor] = field(default_factory=dict)
    values: dict[str, Tensor] = field(default_factory=dict)


class Watch:
    """Hooks on one layer, which keep what its parts read and give in each run."""

    def __init__(self, layer: nn.Module, stack: Stack, times: Mapping[str, float]) -> None:
        self.layer, self.stack, self.times = layer, stack, times
        self.runs: list[Run] = []
        self.clock = count()

    def hooks(self) -> Iterator[Any]:
        """Set the hooks; each is handed out to be taken away."""
        yield self.layer.register_forward_pre_hook(self._enter, with_kwargs=True)
        first = self.layer.get_submodule(self.stack.starts)
        yield first.register_forward_pre_hook(self._start, with_kwargs=True)
        for name, part in self.stack.parts.items():
            reads, gives = self.layer.get_submodule(part.reads), self.layer.get_submodule(part.gives)
            if part.factor:
                yield gives.register_forward_hook(self._scaling(name, part))
                continue
            yield reads.register_forward_pre_hook(self._reading(name, part), with_kwargs=True)
            if part.before:
                yield gives.register_forward_pre_hook(self._passing(name), with_kwargs=True)
            else:
                yield gives.register_forward_hook(self._giving(name, part))
            if part.gate:
                yield self.layer.get_submodule(part.gate).register_forward_hook(self._gating(name))
        if self.stack.ends:
            last = self.layer.get_submodule(self.stack.ends)
            yield last.register_forward_pre_hook(
                self._reading(OUT, Part(self.stack.ends, "", channels_first=self.stack.channels_first)), with_kwargs=True
            )
        else:
            yield self.layer.register_forward_hook(self._end)

    def _enter(self, _: nn.Module, __: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.named = named

    def _start(self, _: nn.Module, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        starts = next((part for part in self.stack.parts.values() if part.reads == self.stack.starts), Part("", ""))
        streams = {X: self._read(starts, given, named, channels_first=self.stack.channels_first)}
        if self.stack.second:
            streams[Y] = named[self.stack.second].clone()
        self.runs.append(Run(gives={stream: (next(self.clock), first) for stream, first in streams.items()}))

    def _read(self, part: Part, given: tuple[Any, ...], named: dict[str, Any], *, channels_first: bool = False) -> Tensor:
        """What a module reads, without the positions that the layer adds to it."""
        if not part.argument:
            return _first(given, named, channels_first=channels_first)
        first = named[part.argument].clone()
        return first - self.named[part.less] if part.less else first

    def _reading(self, name: str, part: Part) -> Callable[..., None]:
        def hook(_: nn.Module, given: tuple[Any, ...], named: dict[str, Any]) -> None:
            first = self._read(part, given, named, channels_first=part.channels_first)
            first = _joined(self.layer, first) if part.windows else first
            self.runs[-1].reads.setdefault(name, (next(self.clock), first))
            if part.values:
                self.runs[-1].values[name] = named[part.values].clone()
            if part.encoder:
                self.runs[-1].from_encoder[name] = named[part.encoder].clone()

        return hook

    def _giving(self, name: str, part: Part) -> Callable[..., None]:
        def hook(_: nn.Module, __: Any, given: Any) -> None:
            first = _first((given,), {}, channels_first=part.channels_first)
            self.runs[-1].gives[name] = next(self.clock), _joined(self.layer, first) if part.windows else first

        return hook

    def _passing(self, name: str) -> Callable[..., None]:
        def hook(_: nn.Module, given: tuple[Any, ...], named: dict[str, Any]) -> None:
            self.runs[-1].gives[name] = next(self.clock), _first(given, named)

        return hook

    def _scaling(self, name: str, part: Part) -> Callable[..., None]:
        def hook(_: nn.Module, __: Any, given: Tensor) -> None:
            read = _first((given,), {})
            self.runs[-1].reads[name] = next(self.clock), read
            self.runs[-1].gives[name] = next(self.clock), read * getattr(self.layer, part.factor)

        return hook

    def _gating(self, name: str) -> Callable[..., None]:
        def hook(_: nn.Module, __: Any, given: Tensor) -> None:
            self.runs[-1].gates[name] = given.sigmoid()

        return hook

    def _end(self, _: nn.Module, __: Any, given: Any) -> None:
        self.runs[-1].reads[OUT] = next(self.clock), _first((given,), {}, channels_first=self.stack.channels_first)

    def solved(self, written: list[Tensor]) -> Iterator[Flow]:
        """The equations of each run."""
        for run in self.runs:
            yield _in_order_of_data([self._equation(run, name, written) for name in (*self.stack.parts, OUT)])

    def _equation(self, run: Run, name: str, written: list[Tensor]) -> Equation:
        time, read = run.reads[name]
        known = {
            part: _rows(given) * self._factor(run, part, time) * _rows(run.gates.get(part, torch.ones(1, 1)))
            for part, (given_at, given) in run.gives.items()
            if given_at < time
        }
        if self.stack.streams:
            known = {part: _in_streams(given, read) for part, (given_at, given) in run.gives.items() if given_at < time}
            known = {part: given * self._factor(run, part, time) for part, given in known.items()}
        subsets = (names for size in range(1, len(known) + 1) for names in combinations(known, size))
        sums = [names for names in subsets if _equal(read, known, names)]
        found = " or ".join(map(" + ".join, sums)) or f"no sum of {', '.join(known)}"
        assert len(sums) == 1, f"{self.stack.path}: {name} reads {found}"
        if name in run.values:
            alike = [part for part in known if _equal(run.values[name], known, (part,))]
            assert alike == [self.stack.parts[name].of], f"{self.stack.path}: {name} makes its values of {alike}"
        besides = self.stack.parts[name].besides if name in self.stack.parts else ""
        if name not in run.from_encoder:
            return (name, sums[0], besides) if besides else (name, sums[0])
        assert any(torch.equal(run.from_encoder[name], states) for states in written), f"{name} reads no encoder"
        return name, sums[0], ENCODER

    def _factor(self, run: Run, part: str, time: int) -> float:
        """How much of what a part gives is in what is read at a time."""
        if self.stack.divided is None:
            return self.times.get(part, 1)
        reader, factor = self.stack.divided
        divided_at, _ = run.reads[reader]
        return factor if run.gives[part][0] < divided_at <= time else 1


def _in_streams(given: Tensor, read: Tensor) -> Tensor:
    """What a part gives as it is read: of all streams the first, or to all but the first."""
    if given.dim() > read.dim():
        given = given[0]
    elif given.dim() < read.dim():
        given = torch.stack([torch.zeros_like(given), *(len(read) - 1) * [given]])
    return _rows(given)


def _equal(read: Tensor, known: Mapping[str, Tensor], names: tuple[str, ...]) -> bool:
    if any(known[name].shape != _rows(read).shape for name in names):
        return False
    total = sum((known[name] for name in names), torch.zeros(()))
    return bool((total - _rows(read)).abs().max() <= TOLERANCE)


def _rows(tensor: Tensor) -> Tensor:
    """A row a token: some modules take all tokens of a batch in one matrix."""
    return tensor.reshape(-1, tensor.shape[-1])


def _first(given: tuple[Any, ...], named: Mapping[str, Any], *, channels_first: bool = False) -> Tensor:
    """The first tensor, as it is now: some modules add to what they were given. The channels of an image go last."""
    value = given[0] if given else named[_stream(named)]
    while not isinstance(value, Tensor):
        value = value[0]
    return (value.movedim(1, -1) if channels_first else value).clone()


def _joined(layer: Any, windows: Tensor) -> Tensor:
    """The image of which these are windows, where it was before they were shifted; without windows as it is."""
    side, width = layer.window_size, windows.shape[-1]
    if not side:
        return windows
    number = isqrt(windows.numel() // (BATCH * side**2 * width))  # in a row
    image = (
        windows.reshape(BATCH, number, number, side, side, width).transpose(2, 3).reshape(BATCH, *2 * [number * side], width)
    )
    return image.roll(2 * [getattr(layer, "shift_size", 0)], (1, 2))


def _in_order_of_data(equations: Flow) -> Flow:
    """The equations so that each reads what is above it, as the table lists them otherwise; its sums in this order too."""
    names, left = [X, Y], list(equations)
    ordered: Flow = []
    while left:
        equation = next(equation for equation in left if set(equation[1]) <= {*names})
        left.remove(equation)
        name, reads, *encoder = equation
        ordered.append((name, tuple(sorted(reads, key=names.index)), *encoder))
        names.append(name)
    return ordered


@contextmanager
def written_by_encoder(model: nn.Module, inputs: Mapping[str, Any]) -> Iterator[list[Tensor]]:
    """What the encoder writes, or what the decoder is given in its place."""
    given = [value for name, value in inputs.items() if name.startswith("encoder_")]
    written = [value if isinstance(value, Tensor) else value[0] for value in given]
    encoder = encoder_of(model)
    hook = encoder.register_forward_hook(lambda _, __, given: written.append(given[0].clone())) if encoder else None
    yield written
    if hook:
        hook.remove()


@contextmanager
def hooked(watches: list[Watch]) -> Iterator[None]:
    handles = [handle for watch in watches for handle in watch.hooks()]
    yield
    for handle in handles:
        handle.remove()


# Whether a token sees those after it: the last that comes into a layer is changed; what changes before it has seen it.


def look_ahead(case: Case) -> dict[str, bool]:
    """By the path of each stack whether a token sees what comes after it; AssertionError where its layers differ."""
    model, inputs = build(case)
    calls: list[Call] = []
    handles = [
        layer.register_forward_pre_hook(partial(_keep, calls, stack), with_kwargs=True) for stack, layer in layers(case, model)
    ]
    looking: dict[str, bool] = {}
    with torch.no_grad():
        model(**inputs)
        for handle in handles:
            handle.remove()
        for call in calls:
            assert looking.setdefault(call.path, call.looks_ahead()) == call.looks_ahead(), f"the layers of {call.path} differ"
    return looking


@dataclass(frozen=True)
class Call:
    """A run of a layer, which can be repeated with another input."""

    path: str
    layer: nn.Module
    given: tuple[Any, ...]
    named: Mapping[str, Any]
    streams: bool

    def looks_ahead(self) -> bool:
        x = self.given[0] if self.given else self.named[_stream(self.named)]
        tokens = 2 if self.streams else 1 if x.shape[0] == BATCH else 0  # XLNet has the tokens before the batch
        changed = x.transpose(0, tokens).clone()
        changed[-1] += CHANGE * torch.sin(torch.arange(changed[-1].numel())).reshape(changed[-1].shape)  # no norm takes it away
        before, after = (self._out(each).transpose(0, tokens)[:-1] for each in (x, changed.transpose(0, tokens)))
        return bool(((after - before).abs() > TOLERANCE).any())

    def _out(self, x: Tensor) -> Tensor:
        out = (
            self.layer(x, *self.given[1:], **self.named) if self.given else self.layer(**{**self.named, _stream(self.named): x})
        )
        return out if isinstance(out, Tensor) else out[0]


def _keep(calls: list[Call], stack: Stack, layer: nn.Module, given: tuple[Any, ...], named: Mapping[str, Any]) -> None:
    calls.append(Call(stack.path, layer, given, named, stack.streams))


def _stream(named: Mapping[str, Any]) -> str:
    """The name of the argument in which a module is given the stream."""
    return next(name for name in ("hidden_states", "hidden_state", "queries") if name in named)
