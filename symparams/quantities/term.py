"""Terms: the addends of a quantity, each as a person would write it down beside the part of the tree that it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from symparams.expressions.extent import measured
from symparams.expressions.nodes import Expression
from symparams.expressions.written import ONE
from symparams.expressions.written import times as product


@dataclass(frozen=True)
class Term:
    """One addend: where it comes from, what it is called, the formula of one copy, and how many copies the model has.

    ``path`` is that of the component that contributes ("decoder.attention"), ``name`` what the catalogues call it under
    [names]. ``layer`` is what one of the layers that have it is called, where that is not the block's own name. ``kind`` tells
    terms of one quantity apart that are looked at by themselves, as attention is among products of matrices. ``note`` is the
    key of a sentence under [notes] that explains it, with ``about`` for its placeholders. Of a product of matrices there are
    so many ``gradients``, one for each factor that is learned or follows from what is; of ``unread`` of its copies none.
    """

    path: str
    name: str
    written: Expression
    times: Expression = ONE
    kind: str = ""
    note: str = ""
    about: Mapping[str, Expression] = field(default_factory=dict)
    layer: str = ""
    gradients: int = 2
    unread: Expression | None = None

    def __post_init__(self) -> None:
        for name in ("written", "times"):
            if not isinstance(value := getattr(self, name), Expression):
                object.__setattr__(self, name, measured(value))

    @property
    def every(self) -> Expression:
        """All copies: L × 2·b·t·h."""
        return product(self.times, self.written)
