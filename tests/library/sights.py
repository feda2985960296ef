"""Which tokens a token sees: one token that comes into a layer is changed, and the tokens that change behind it have seen it.

``python -m tests.library.sights`` prints a table of all cases.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

import torch
from torch import Tensor, nn

from tests.library.flow_cases import CASES, Case
from tests.library.flows import TOLERANCE
from tests.library.tiny_models import BATCH, build, layers

CHANGE = 3.0


@dataclass(frozen=True)
class Sight:
    """What each layer of a stack lets a token see: itself, and tokens before it, and unless ``causal`` those after it.

    ``window`` is the number of tokens seen to one side, the token itself counted: of i a causal layer sees i - window + 1
    to i, another i - window + 1 to i + window - 1; None is all there are.
    """

    causal: bool
    window: int | None = None

    def __str__(self) -> str:
        return ("causal" if self.causal else "both ways") + (f", window {self.window}" if self.window else "")

    def mask(self, length: int) -> Tensor:
        """Of length × length: whether the token of the row sees that of the column."""
        back = torch.arange(length)[:, None] - torch.arange(length)[None, :]
        near = back.abs() < (self.window or length)
        return near & (back >= 0) if self.causal else near


def sees(case: Case) -> dict[str, tuple[Sight, ...]]:
    """By the path of each stack the sight of its layers, in the order in which they run; AssertionError if it is another."""
    model, inputs = build(case)
    calls: list[Call] = []
    handles = [
        layer.register_forward_pre_hook(partial(_keep, calls, stack.path), with_kwargs=True)
        for stack, layer in layers(case.family, model)
    ]
    with torch.no_grad():
        model(**inputs)
        for handle in handles:
            handle.remove()
        sights: dict[str, tuple[Sight, ...]] = {}
        for call in calls:
            sights[call.path] = (*sights.get(call.path, ()), _sight(call))
    return sights


@dataclass(frozen=True)
class Call:
    """A run of a layer, which can be repeated with another input."""

    path: str
    layer: nn.Module
    given: tuple[Any, ...]
    named: Mapping[str, Any]

    @property
    def taken(self) -> Tensor:
        return self.given[0] if self.given else self.named["hidden_states"]

    @property
    def tokens_first(self) -> bool:
        """Whether the tokens come before the batch, as XLNet has them."""
        return self.taken.shape[0] != BATCH

    @property
    def x(self) -> Tensor:
        """What came into the layer, the tokens first."""
        return self.taken if self.tokens_first else self.taken.transpose(0, 1)

    def __call__(self, x: Tensor) -> Tensor:
        """What comes out of it for another x."""
        x = x if self.tokens_first else x.transpose(0, 1)
        out = self.layer(x, *self.given[1:], **self.named) if self.given else self.layer(**{**self.named, "hidden_states": x})
        out = out if isinstance(out, Tensor) else out[0]
        return out if self.tokens_first else out.transpose(0, 1)


def _keep(calls: list[Call], path: str, layer: nn.Module, given: tuple[Any, ...], named: Mapping[str, Any]) -> None:
    calls.append(Call(path, layer, given, named))


def _sight(call: Call) -> Sight:
    before, columns = call(call.x), []
    for token in range(len(call.x)):
        x = call.x.clone()
        x[token] += CHANGE * torch.sin(torch.arange(x[token].numel())).reshape(x[token].shape)  # no norm takes it away
        columns.append((call(x) - before).abs().amax((1, 2)) > TOLERANCE)
    seen = torch.stack(columns, dim=1)
    row, column = seen.nonzero(as_tuple=True)
    causal, reach = not bool((column > row).any()), int((row - column).max()) + 1
    sight = Sight(causal, None if reach == len(seen) else reach)
    assert torch.equal(seen, sight.mask(len(seen))), f"{call.path}: a sight of another form:\n{seen.int()}"
    return sight


def described(sights: tuple[Sight, ...]) -> str:
    """The sights of a stack's layers; those next to each other that are equal are written once."""
    return ", ".join(f"{len(list(same))} × {sight}" for sight, same in groupby(sights))


def table() -> str:
    """The sights of all cases, a line a stack."""
    return "\n".join(f"{case.id} | {path}: {described(sights)}" for case in CASES for path, sights in sees(case).items())


if __name__ == "__main__":
    print(table())
