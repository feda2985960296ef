"""The laws of a model between its sizes, held against integers or arrays: what ``load`` refuses, a function refuses too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from symparams.components.laws import Binding, Law
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Dimension, Expression, Quotient
from symparams.models.model import Model
from symparams.models.vectorised import Evaluation
from symparams.records import frozen


@frozen
class SizeCheck:
    """The check of a model's sizes: d_head = h / n_heads is whole, n_kv_heads divides n_heads."""

    model: Model

    @cached_property
    def letters(self) -> tuple[Dimension, ...]:
        """The letters of the laws that say what divides: of h / n_heads, whatever the closed form has of the two."""
        dividing = [law for law in self._laws if law.binding is Binding.DIVIDES or isinstance(law.value, Quotient)]
        return tuple(dict.fromkeys(d for law in dividing for d in (*law.subject.dimensions, *law.value.dimensions)))

    def __call__(self, given: Mapping[Dimension, Any]) -> None:
        """Raise the DimensionError that ``load`` has for these sizes, of arrays for the first ones that break a law."""
        sizes = {letter: value for letter, value in given.items() if letter in self.model.architecture.dimensions}
        arrays = {letter: value for letter, value in sizes.items() if not isinstance(value, int)}
        if not arrays:
            self._check_integers(sizes)
            return
        for law in self._laws:
            wrong = self._wrong(law, sizes)
            if wrong is not False and (wrong is True or wrong.any()):
                self._check_integers(_first(sizes, wrong))

    @cached_property
    def _laws(self) -> list[Law]:
        """The laws on what is whole or divides, in the order in which ``load`` holds sizes against them."""
        relations = [Law(Binding.DEFAULT, letter, value) for letter, value in self.model.relations.items()]
        laws = self.model.architecture.laws
        always = [law for law in laws if law.binding is Binding.ALWAYS and law.subject not in self.model.relations]
        return [*relations, *always, *(law for law in laws if law.binding in (Binding.DIVIDES, Binding.AT_MOST))]

    def _check_integers(self, sizes: Mapping[Dimension, int]) -> None:
        from symparams.models.load import complete

        values = {letter: size for letter, size in self.model.values.items() if letter not in self.model.relations}
        complete(replace(self.model, values=values), sizes)

    def _wrong(self, law: Law, sizes: Mapping[Dimension, Any]) -> Any:
        """Where the sizes break a law, as an array of truth values or as one; False where it does not speak of them."""
        if law.binding is Binding.DEFAULT and law.subject in sizes:
            return False
        value = law.value / law.subject if law.binding is Binding.DIVIDES else law.value
        left, right = self._evaluation(law.subject), self._evaluation(value)
        is_touched = any(letter.name in {**left.taken, **right.taken} for letter in sizes)
        if not is_touched or right.lacking([*sizes]):
            return False
        above, below = right.ratio(sizes)
        if law.binding in (Binding.DEFAULT, Binding.DIVIDES):
            return above % below != 0
        if left.lacking([*sizes]):
            return False
        subject, divisor = left.ratio(sizes)
        compared = subject * below, above * divisor
        return compared[0] > compared[1] if law.binding is Binding.AT_MOST else compared[0] != compared[1]

    def _evaluation(self, formula: Expression) -> Evaluation:
        return Evaluation(self.model.name, multiply_out(formula, {}), self.model.relations, self.model.values)


def _first(sizes: Mapping[Dimension, Any], wrong: Any) -> dict[Dimension, int]:
    """The sizes at the first place where they are wrong."""
    import numpy as np

    names = [letter for letter, value in sizes.items() if not isinstance(value, int)]
    broken, *stacked = np.broadcast_arrays(np.asarray(wrong, dtype=bool), *(np.asarray(sizes[letter]) for letter in names))
    place = np.unravel_index(int(np.argmax(broken)), broken.shape)
    return {**sizes, **{letter: int(array[place]) for letter, array in zip(names, stacked, strict=True)}}
