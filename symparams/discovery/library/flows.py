"""The flow of a class of the library, measured: a tiny model runs, and sums are found that equal what its modules read.

What a part reads must equal, in float64, exactly one sum of the layer's input and of parts that have run before. Then each key
of the config that is not a size is varied: one that changes a sum, or which tokens see which, is held at its usual value.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from typing import Any

from symparams.atlas.architectures import architecture
from symparams.atlas.configs import of_entry as configured
from symparams.atlas.facts import nested
from symparams.atlas.record import Entry
from symparams.components import Component
from symparams.components.copies import MANY, starred
from symparams.components.flow import Reading, is_layer
from symparams.components.kinds import Role
from symparams.components.walks import components, unordered_part
from symparams.discovery.library.roles import role
from symparams.discovery.library.subjects import Subject
from symparams.discovery.names import is_called, names
from symparams.discovery.order import PARALLEL, Flow, order_of, ordered
from symparams.discovery.recognition import LayerPlaces, Places
from symparams.errors import DiscoveryError
from symparams.models.load import complete
from symparams.models.sources.config_reading import GENERAL
from symparams.records import frozen

X, OUT = "x", "out"
LENGTH, TOLERANCE = 10, 1e-9
NUMBER = 3  # what a number is varied to: a window that is smaller than the text
TRIES, LAYERS, HEADS, GROUPS, COUNTS = 24, (4, 5, 8), 4, 2, (2, 3, 4, 6)  # of tiny models
Measured = tuple[Any, ...]


def flow(entry: Entry, subject: Subject) -> Flow:
    """Return the flow of a class that writes token after token; DiscoveryError says why none is known."""
    places = Places()
    tree = architecture(replace(entry, flow=None), places).tree
    paths = [path for path, part in components(tree) if path and is_layer(part)]
    if len(places.layers) != 1:
        raise DiscoveryError("it has several stacks of layers, or none")
    [(modules, kinds)] = places.layers.items()
    if len(paths) != len(kinds):
        raise DiscoveryError("some of its layers are not known")
    parts = dict(components(tree))
    present = {name for name, switch in entry.features.items() if switch.usually}  # other parts need a key that is held
    there = {
        path: {name: part for name, part in parts[path].children if all(feature.holds(present) for feature in part.when)}
        for path in paths
    }
    layers = [Layer(path, there[path], kind) for path, kind in zip(paths, kinds, strict=True)]
    _refuse(tree, layers, places.whole)
    watch = _Watch(subject, tree, modules, layers, places.whole)
    given = _tiny(entry, watch)
    usual = watch.measured(given)
    if not all(_is_causal(seen) for _, seen in usual[1]):
        raise DiscoveryError("its tokens do not see exactly those before them")
    blocks = {"": usual[0]}
    for layer, (readings, _) in zip(layers, usual[1], strict=True):
        if (order := order_of(readings, layer.parts)) is None:
            raise DiscoveryError(f"no order of sums has the equations of {layer.path}")
        blocks[layer.path] = order
    if (lack := unordered_part(ordered(tree, blocks))) is not None:
        raise DiscoveryError(f"nobody saw what the parts of {lack} read")
    _judge(replace(entry, flow=Flow(blocks, {})), watch, given)
    return Flow(blocks, _held(entry, watch, given, usual))


def _judge(entry: Entry, watch: _Watch, given: Mapping[str, Any]) -> None:
    """DiscoveryError unless FLOPs are the products that torch counts, and the cache holds the bytes that the library keeps."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    model = _model(watch.subject, given)
    ids = torch.arange(LENGTH)[None] * 3 % _rows(model)
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        out = model(input_ids=ids, use_cache=True)
    counts = {name: sum(of.values()) for name, of in counter.get_flop_counts().items()}
    without = [
        f"{type(model).__name__}.{name}"
        for name, module in model.named_modules()
        if name and not name.startswith(f"{watch.modules}.") and not any(True for _ in module.parameters())
    ]
    counted = counter.get_total_flops() - sum(counts.get(name, 0) for name in without)  # the angles of rotary positions
    ours = complete(configured(entry.name, entry, nested(dict(given))), {})
    flops = ours.measure("forward_flops", b=1, s=LENGTH)
    if flops != counted:
        raise DiscoveryError(f"torch counts {counted:,} FLOPs, and its parts have {flops:,}")
    kept, cache = _stored(out.get("past_key_values")), ours.measure("kv_cache", b=1, t=LENGTH, e=torch.float64.itemsize)
    if kept != cache:
        raise DiscoveryError(f"the library caches {kept:,} bytes, and its parts {cache:,}")


def _stored(cache: Any) -> int:
    """The bytes of a cache, or of a part of one: numbers, and no masks or lengths."""
    import torch

    if isinstance(cache, torch.Tensor):
        return cache.numel() * cache.element_size() if cache.is_floating_point() else 0
    if type(cache).__module__.endswith("cache_utils"):
        cache = vars(cache)
    within = cache.values() if isinstance(cache, Mapping) else cache if isinstance(cache, (list, tuple)) else ()
    return sum(map(_stored, within))


def _refuse(tree: Component, layers: Sequence[Layer], whole: Mapping[str, str]) -> None:
    """DiscoveryError for a tree of which a part is not known well enough."""
    for layer in layers:
        parts = layer.parts.values()
        if not all(layer.places.modules.get(name) for name in layer.parts):
            raise DiscoveryError("a part of its layers is not a module of its own")
        if any(not part.is_sublayer and part.role is not Role.NORM for part in parts):
            raise DiscoveryError("a part of its layers is neither a norm nor a known sublayer")
        if any(part.role is Role.ATTENTION and (part.attending is None or part.reads) for part in parts):
            raise DiscoveryError("the heads of its attention are not known, or it reads something else")
    stacks = {layer.path.partition(".")[0] for layer in layers}
    if {name for name, _ in tree.children} != {*whole.values(), *stacks} or len(stacks) > 1:
        raise DiscoveryError("a part beside its layers is not a module of its own")


def _is_causal(seen: tuple[tuple[bool, ...], ...]) -> bool:
    return all(seen[i][j] == (j <= i) for i in range(LENGTH) for j in range(LENGTH))


@frozen
class Layer:
    """A kind of layers: its path in the tree, its parts, and where they stand in the model."""

    path: str
    parts: Mapping[str, Component]
    places: LayerPlaces

    def modules(self, stack: str) -> Mapping[str, Sequence[str]]:
        """The modules of each part within one layer of a stack."""
        prefix = f"{stack}.{MANY}."
        return {name: [path.removeprefix(prefix) for path in self.places.modules[name]] for name in self.parts}


class _Watch:
    """A class, and the hooks that keep what its parts read and give."""

    def __init__(
        self, subject: Subject, tree: Component, modules: str, layers: Sequence[Layer], whole: Mapping[str, str]
    ) -> None:
        self.subject, self.tree, self.modules, self.layers, self.whole = subject, tree, modules, layers, whole
        self.stack = layers[0].path.partition(".")[0]

    def measured(self, given: Mapping[str, Any]) -> Measured:
        """The order of the whole, and of each kind of layers its equations and which tokens see which."""
        import torch

        model = _model(self.subject, given)
        stack = list(model.get_submodule(self.modules))
        of = [self._kind(layer) for layer in stack]
        if missing := [layer.path for layer in self.layers if layer not in of]:
            raise _LackError(f"no tiny model has {', '.join(missing)}")
        reads: dict[tuple[int, str], Any] = {}
        gives: dict[tuple[int, str], Any] = {}
        calls: dict[int, Any] = {}
        known: dict[tuple[int, str], list[str]] = {}
        order: list[str] = []
        ids = torch.arange(LENGTH)[None] * 3 % _rows(model)
        with torch.no_grad(), _hooks() as hook:
            for place, (layer, kind) in enumerate(zip(stack, of, strict=True)):
                hook(layer, place, X, reads, gives, known, calls)
                for name, modules in kind.modules(self.modules).items():
                    for module in modules:
                        hook(_module(layer, module), place, name, reads, gives, known, None)
            for module, name in self.whole.items():
                hook(model.get_submodule(module), -1, name, reads, gives, known, None, order)
            model(input_ids=ids, use_cache=False)
        found = [self._equations(place, kind, reads, gives, known) for place, kind in enumerate(of)]
        whole = self._whole(len(stack), reads, gives, order)
        with torch.no_grad():
            seen = [_seen(layer, *calls[place]) for place, layer in enumerate(stack)]
        alike: list[tuple[list[Reading], Any]] = []
        for layer in self.layers:
            own = [(found[place], seen[place]) for place, kind in enumerate(of) if kind is layer]
            if any(one != own[0] for one in own):
                raise DiscoveryError("its layers differ, or tokens see others in one than in another")
            alike.append(own[0])
        return whole, alike

    def _kind(self, module: Any) -> Layer:
        """The kind of a layer: that of whose arrays it has the most, and all."""
        names = {starred(name) for name, _ in module.named_parameters(remove_duplicate=False)}
        fits = [layer for layer in self.layers if layer.places.arrays <= names]
        if not fits:
            raise DiscoveryError("a layer is of no known kind")
        return max(fits, key=lambda layer: len(layer.places.arrays))

    def _equations(self, place: int, kind: Layer, reads: Any, gives: Any, known: Any) -> list[Reading]:
        stream = reads[place, X]
        found: list[Reading] = []
        names = [name for at, name in known if at == place and name != X]
        if set(names) != set(kind.parts):
            raise DiscoveryError("a part of its layers did not run")
        for name in [*names, OUT]:
            before = {X: stream} | {
                other: gives[place, other]
                for other in (names if name == OUT else known[place, name])
                if other != X and (place, other) in gives
            }
            read = gives[place, X] if name == OUT else reads[place, name]
            found.append((name, _sum(name, read, before)))
        return found

    def _whole(self, number: int, reads: Any, gives: Any, order: Sequence[str]) -> list[Any]:
        """The order of the whole model: tables, whose rows are added, the layers, and what follows them in a chain."""
        tables = [name for name, part in self.tree.children if part.role is Role.TABLE]
        if not set(tables) <= set(order) or sorted(order) != sorted(self.whole.values()):
            raise DiscoveryError("a part beside its layers did not run, or ran twice")
        chain = [name for name in order if name not in tables]
        first = _total([gives[-1, name] for name in tables])
        if not _equal(first, reads[0, X]):
            raise DiscoveryError("what its layers read is not a sum of the rows of its tables")
        stream = gives[number - 1, X]
        if any(not _equal(gives[place, X], reads[place + 1, X]) for place in range(number - 1)):
            raise DiscoveryError("a layer does not read the layer before it")
        for name in chain:
            if not _equal(reads[-1, name], stream):
                raise DiscoveryError(f"{name} does not read what stands before it")
            stream = gives[-1, name]
        return [[PARALLEL, *tables] if len(tables) > 1 else tables[0], self.stack, *chain]


@contextmanager
def _hooks() -> Iterator[Any]:
    """Sets hooks, and takes them away at the end."""
    handles: list[Any] = []

    def hook(module: Any, place: int, name: str, reads: Any, gives: Any, known: Any, calls: Any, order: Any = None) -> None:
        def before(_: Any, given: Any, named: Any) -> None:
            if calls is not None:
                calls[place] = given, dict(named)
            if order is not None:
                order.append(name)
            if (place, name) not in reads:  # of several modules the first
                known[place, name] = [other for at, other in gives if at == place]
                reads[place, name] = _first(given, named)

        def after(_: Any, __: Any, given: Any) -> None:
            gives[place, name] = _first((given,), {})

        handles.append(module.register_forward_pre_hook(before, with_kwargs=True))
        handles.append(module.register_forward_hook(after))

    try:
        yield hook
    finally:
        for handle in handles:
            handle.remove()


class _LackError(DiscoveryError):
    """A tiny model that has not all kinds of layers."""


def _module(layer: Any, name: str) -> Any:
    """A module of a layer; of an array the module that holds it."""
    found = layer
    for segment in name.split("."):
        inner = getattr(found, segment, None)
        if not hasattr(inner, "register_forward_hook"):
            break
        found = inner
    if found is layer:
        raise DiscoveryError("a part of its layers is not a module")
    return found


def _first(given: Any, named: Mapping[str, Any]) -> Any:
    """The first tensor, as it is now: some modules add to what they were given."""
    value = given[0] if given else next(iter(named.values()), None) if "hidden_states" not in named else named["hidden_states"]
    while isinstance(value, (tuple, list)):
        value = value[0]
    if value is None or not hasattr(value, "clone"):
        raise DiscoveryError("a part reads no tensor")
    return value.clone()


def _sum(name: str, read: Any, known: Mapping[str, Any]) -> tuple[str, ...]:
    subsets = (names for size in range(1, len(known) + 1) for names in combinations(known, size))
    sums = [names for names in subsets if _equal(_total([known[one] for one in names]), read)]
    if len(sums) != 1:
        raise DiscoveryError(f"what {name} reads is {'several sums' if sums else 'no sum'} of what was given before")
    return sums[0]


def _total(tensors: Sequence[Any]) -> Any:
    shape = tensors[0].shape[-1]
    return sum(tensor.reshape(-1, shape) if tensor.shape[-1] == shape else float("nan") for tensor in tensors)


def _equal(one: Any, other: Any) -> bool:
    import torch

    other = other.reshape(-1, other.shape[-1])
    one = one.reshape(-1, one.shape[-1]) if isinstance(one, torch.Tensor) else one
    return isinstance(one, torch.Tensor) and one.shape == other.shape and bool((one - other).abs().max() <= TOLERANCE)


def _seen(layer: Any, given: Any, named: dict[str, Any]) -> tuple[tuple[bool, ...], ...]:
    """Of each token of a layer which others it sees: those that change it."""
    import torch

    x = given[0] if given else named["hidden_states"]

    def out(changed: Any) -> Any:
        made = layer(changed, *given[1:], **named) if given else layer(**{**named, "hidden_states": changed})
        return made if isinstance(made, torch.Tensor) else made[0]

    plain = out(x.clone())
    columns = []
    for token in range(LENGTH):
        changed = x.clone()
        changed[:, token] += 3 * torch.sin(torch.arange(x.shape[-1], dtype=x.dtype))
        columns.append(((out(changed) - plain).abs().amax(-1)[0] > TOLERANCE).tolist())
    return tuple(tuple(columns[j][i] for j in range(LENGTH)) for i in range(LENGTH))


def _rows(model: Any) -> int:
    return int(model.get_input_embeddings().weight.shape[0])


def _model(subject: Subject, given: Mapping[str, Any]) -> Any:
    """A model of a config with random arrays, so that nothing is equal by accident."""
    import torch

    torch.manual_seed(0)
    config = subject.config(**nested({**subject.base, **given}))
    own = subject.own(config)
    own._attn_implementation = own._experts_implementation = "eager"  # the products one by one, as they are counted
    model = subject.model(own).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(0.3 * torch.randn(parameter.shape, dtype=parameter.dtype) + (0.8 if parameter.dim() == 1 else 0))
    return model


def _tiny(entry: Entry, watch: _Watch) -> dict[str, Any]:
    """Small sizes with which the library builds and runs the class."""
    row = watch.subject.build({})
    if row is None:
        raise DiscoveryError("the library does not build its default config")
    usual = {name: max(1, row.facts.numbers.get(letter.source, 0)) for name, letter in entry.letters.items()}
    free = {
        name: letter.source.key
        for name, letter in entry.letters.items()
        if letter.source.of == "" and (letter.usual is None or not letter.usual.dimensions)
    }
    active = names()["letters"]["active"]
    padding = {key: 0 for key, _ in watch.subject.padding}
    rng, problem = random.Random(0), ""  # noqa: S311 - no secret
    for _ in range(TRIES):
        layers, widths = rng.choice(LAYERS), iter(rng.sample(range(3, 3 + 4 * len(free)), k=len(free)))
        by_role = {"layers": layers, "heads": HEADS, "groups": GROUPS}
        given: dict[str, Any] = dict(padding)
        for name, key in free.items():
            of = role(key, usual[name])
            small = GROUPS if is_called(name, active) else min(usual[name], rng.choice(COUNTS))
            given[key] = by_role.get(of, small if of == "count" else 2 * HEADS * next(widths))
        try:
            model = _model(watch.subject, given)
            if len(list(model.get_submodule(watch.modules))) < 2:
                continue
            watch.measured(given)
        except _LackError as error:
            problem = str(error)
            continue
        except DiscoveryError:
            raise
        except Exception as error:  # noqa: BLE001 - the library refuses a config in any way
            problem = f"{type(error).__name__}: {error}".splitlines()[0]
            continue
        return given
    raise DiscoveryError(f"no tiny model of it runs{': ' if problem else ''}{problem[:100]}")


def _held(entry: Entry, watch: _Watch, given: Mapping[str, Any], usual: Measured) -> dict[str, Any]:
    """The keys on which the flow may depend, with the value at which it was measured.

    DiscoveryError where a large number matters once it is small, as a window does: what it does as it is was not seen.
    """
    row = watch.subject.build(given)
    if row is None:
        raise DiscoveryError("the library builds no tiny model of it")
    own = {letter.source.key for letter in entry.letters.values()} | {*given, *entry.allowed, *GENERAL}
    values = {key: value for key, value in row.facts.values.items() if key not in own}
    truths = [key for key, value in values.items() if isinstance(value, bool)]
    numbers: dict[str, Any] = {}
    fractions: list[str] = []
    for key, value in values.items():
        if key in truths or not (value is None or isinstance(value, (int, float))):
            continue
        other = value / 2 + 0.1 if isinstance(value, float) else NUMBER
        if _is_alike(watch, {**given, key: other}, usual):
            numbers |= {} if isinstance(value, float) else {key: other}
            fractions += [key] if isinstance(value, float) else []
        elif isinstance(value, int) and value >= LENGTH:
            raise DiscoveryError(f"{key} changes what is seen once it is small")
    free = {*fractions}
    if not numbers or _is_alike(watch, {**given, **numbers}, usual):
        ways = ({}, numbers) if numbers else ({},)
        free |= numbers.keys()
        free |= {key for key in truths if all(_is_alike(watch, {**given, **way, key: not values[key]}, usual) for way in ways)}
    return {key: value for key, value in values.items() if key not in free}


def _is_alike(watch: _Watch, given: Mapping[str, Any], usual: Measured) -> bool:
    try:
        return watch.measured(given) == usual
    except Exception:  # noqa: BLE001 - what does not build or run is not alike
        return False
