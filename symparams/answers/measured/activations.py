"""What the real model keeps for the backward pass: the storages that ``saved_tensors_hooks`` sees, each once, weights aside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Kept:
    """The bytes of each storage that is kept, those of the layers, their tables aside, and what is read of each."""

    every: dict[int, int] = field(default_factory=dict)
    within: set[int] = field(default_factory=set)
    views: dict[int, dict[int, int]] = field(default_factory=dict)

    @property
    def layers(self) -> Counter[int]:
        """How many tensors of so many bytes the layers keep."""
        return self._tensors(self.within)

    @property
    def all(self) -> Counter[int]:
        """How many tensors of so many bytes are kept."""
        return self._tensors(self.every)

    def _tensors(self, places: Iterable[int]) -> Counter[int]:
        """Storages, or the tensors that divide one up among them: queries, keys and values that are made at once."""
        found: Counter[int] = Counter()
        for place in places:
            views = list(self.views[place].values())
            found.update(views if sum(views) == self.every[place] else [self.every[place]])
        return found


def keep(real: Any, inputs: Mapping[str, Any]) -> Kept:
    """What one forward pass keeps. On the meta device storages have no address, so they are told apart as objects.

    They are held until all have been seen: one that is freed gives its place to the next.
    """
    import torch

    kept, held, depth = Kept(), list[Any](), list[int]()
    weights, tables = {_place(parameter) for parameter in real.parameters()}, set[int]()

    def enter(_: Any, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        depth.append(1)
        held.extend(given := [tensor for tensor in _tensors((arguments, named)) if not tensor.requires_grad])
        tables.update(map(_place, given))

    def leave(*_: Any) -> None:
        depth.pop()

    def pack(tensor: Any) -> Any:
        if (place := _place(tensor)) in weights:
            return tensor
        held.append(tensor)
        kept.every[place] = tensor.untyped_storage().nbytes()
        kept.views.setdefault(place, {})[tensor.storage_offset()] = tensor.numel() * tensor.element_size()
        if depth and tensor.is_floating_point() | (tensor.dtype is torch.bool) and place not in tables:
            kept.within.add(place)
        return tensor

    for layer in _layers(real):
        layer.register_forward_pre_hook(enter, with_kwargs=True)
        layer.register_forward_hook(leave)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        result = real(**inputs)
    del result
    return kept


def _place(tensor: Any) -> int:
    return int(tensor.untyped_storage()._cdata)


def _tensors(value: Any) -> Iterator[Any]:
    from torch import Tensor

    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _tensors(inner)


def _layers(real: Any) -> Iterator[Any]:
    """The layers: what stands in a list, and not in a layer's own."""
    from torch import nn

    inner: set[Any] = set()
    for module in real.modules():
        if isinstance(module, nn.ModuleList) and module not in inner:
            for layer in module:
                inner.update(layer.modules())
                yield layer


@contextmanager
def native_dropout() -> Iterator[None]:
    """Dropout as a GPU computes it, whose mask has one byte a number."""
    import torch
    from torch.nn import functional

    plain: Callable[..., Any] = functional.dropout

    def native(values: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
        return torch.native_dropout(values, p, True)[0] if training and p else values

    functional.dropout = native
    try:
        yield
    finally:
        functional.dropout = plain
