"""Quantities: numbers read off a tree, each the sum of its terms, with its rules of thumb; found by its file's ``QUANTITY``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from symparams.components.tree import Component, Tensor
from symparams.components.walks import Leaf, unordered_part
from symparams.errors import DefinitionError, NotDerivedError, UnknownNameError, quoted, suggestion
from symparams.expressions.extent import measured
from symparams.expressions.nodes import Dimension, Expression, Number, as_expression
from symparams.expressions.written import ONE, times, total
from symparams.quantities.setting import CHOICES, Setting
from symparams.records import frozen


@frozen
class Term:
    """One addend: the component it comes from, its name, the formula of one copy, and the number of copies.

    ``path`` is the path of the component ("decoder.attention"), ``name`` the key of its name in the catalogues, under [names].
    ``layer`` is the name of its layer, if not the block's own. ``kind`` separates terms of one quantity that a sheet shows
    separately, such as attention among the matrix multiplications. ``note`` is the key of a sentence under [notes] that
    explains it, with ``about`` for its placeholders. A matrix multiplication has as many ``gradients`` as it has factors that
    need one; ``unread`` of its copies have none; ``backward`` are the terms in its place where their gradients differ.
    ``active`` is what one token uses of one copy, None for all of it.
    ``apart`` is the key of what tells it from another term of its path and name, under [brief.apart].
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
    backward: tuple[Term, ...] = ()
    active: Expression | None = None
    apart: str = ""

    def __post_init__(self) -> None:
        for name in ("written", "times"):
            if not isinstance(value := getattr(self, name), Expression):
                object.__setattr__(self, name, measured(value))

    @property
    def every(self) -> Expression:
        """The formula of all copies: L × 2·b·t·h."""
        return times(self.times, self.written)


@frozen
class TensorCount:
    """A way to count tensors: ``terms`` are what one copy of a leaf layer contributes, addend by addend."""

    name: str
    terms: Callable[[Component], Sequence[Expression]]

    def of(self, leaf: Component) -> Expression:
        """Return what one copy of a leaf layer contributes, equal addends together: h × h + h, 2 × h."""
        counted: dict[Expression, int] = {}
        for term in self.terms(leaf):
            counted[term] = counted.get(term, 0) + 1
        return total([times(Number(number), term) for term, number in counted.items()])

    def over(self, leaves: Iterable[Leaf]) -> Expression:
        """Return what these leaves contribute, each as often as it occurs: a sum in the tree's order."""
        return total([times(leaf.times, term) for leaf in leaves for term in self.terms(leaf.component)])


@frozen
class TensorChoice:
    """The tensors that a rule of thumb counts: of some leaf layers those that are large.

    What it leaves out is told by its ``source``, one of ``sources``. ``width`` is that of all layers, None where they have
    several, of which nobody has a rule; ``about`` is what its sentence speaks of. The rule may be written ``in_squares`` of
    the width, 13·L·h²; one with ``squares`` is told of layers that come to so many of them alone, 12.
    """

    leaf: Callable[[Leaf], bool]
    tensor: Callable[[Tensor], bool]
    source: Callable[[Leaf, Tensor], str]
    sources: Sequence[str]
    width: Callable[[Sequence[Leaf]], Dimension | None]
    about: Callable[[Dimension], Mapping[str, Expression]]
    in_squares: bool = True
    squares: int | None = None

    def counted(self, count: Callable[[Tensor], Expression]) -> TensorCount:
        """These tensors of a leaf layer, each by its ``count``."""
        return TensorCount("", lambda leaf: [count(tensor) for tensor in leaf.tensors if self.tensor(tensor)])


OF_ONE_TOKEN: Mapping[str, int] = MappingProxyType(dict.fromkeys(("b", "s", "t", "s_src", "n_image_patches", "n_frames"), 1))
PARAMETERS = "parameters"  # the quantity that people mean when they name none
BYTES, FLOPS, NUMBERS = "bytes", "flops", "parameters"
LETTERS: Mapping[str, str] = {BYTES: "M", FLOPS: "F", NUMBERS: "N"}  # what a result is called
OWN_LETTER = "Q"


@frozen
class AlternativeTerms:
    """Another way to count: the key of its sentence under [notes], its terms, and the placeholders of the sentence."""

    key: str
    terms: Sequence[Term]
    about: Mapping[str, Expression] = field(default_factory=dict)


Where = Callable[[Component, Setting], bool]


def _anywhere(tree: Component, setting: Setting) -> bool:
    return True


@frozen
class Alternative:
    """Another way to count the same: the terms under a setting that is ``changed`` in some of its fields, {"causal": "exact"}.

    ``key`` is that of its sentence under [notes], or a user's own words. It is one ``where`` a tree and a setting say so,
    unless the terms are refused in that setting. Raises DefinitionError for a field that a ``Setting`` has not.
    """

    key: str
    changed: Mapping[str, Any] = field(hash=False)
    where: Where = _anywhere

    def __post_init__(self) -> None:
        names = [setting.name for setting in fields(Setting)]
        for name in self.changed:
            if name not in names:
                raise DefinitionError(
                    f"{quoted(name)} is not a setting that an alternative can change. {suggestion(str(name), names)}"
                )


@frozen
class RuleOfThumb:
    """A rule of thumb for a quantity: 6·N·D for training, the matrices of the layers, 12·L·h², for parameters.

    ``key`` is that of its sentence in the catalogues, or a user's own words. ``formula`` is written in sizes and inputs, and
    in N and N_active, the numbers of parameters and of those that one token uses, or of the leaf layers that it is ``over``; it
    holds ``where`` a tree and a setting say so. One that is put together from a tree is a ``term`` in its place, None for a
    tree that has no such formula. A rule that ``counts`` tensors has no formula of its own: it is worked out layer by layer,
    and so is what it leaves out.
    """

    key: str
    formula: Expression | None = None
    where: Where = _anywhere
    counts: TensorChoice | None = None
    term: Callable[[Component, Setting], Term | None] | None = None
    over: Callable[[Leaf], bool] | None = None

    def estimate(self, tree: Component, setting: Setting) -> Term | None:
        """Return its formula for a tree; None if it has none."""
        if self.formula is not None:
            return Term("", self.key, self.formula)
        return self.term(tree, setting) if self.term is not None else None


@frozen
class Quantity:
    """A number read off a tree: the sum of ``terms(tree, setting)``, each a Term or an expression (sympy, too).

    ``unit`` is "bytes", "flops", "parameters" or your own word. ``inputs`` are the letters that it needs besides the sizes of
    the model (b sequences, s tokens), as names or symbols; a mapping gives them default values. ``choices`` names the fields
    of a ``Setting`` that it reads. ``rules_of_thumb`` maps names to formulas that estimate it, and ``alternatives`` maps names
    to other settings, {"window": "paper"}; a sheet lists the difference of each.

    ``tensors`` is set if each tensor contributes the same wherever it is. ``heading`` is the heading of terms that belong to
    no part of the tree, by default the quantity's name. ``usual`` maps inputs and choices to what a sheet takes, and says that
    it takes, where nobody gives any: {"b": 1, "s": 1}. ``is_of_weights``: its weights may have a format of blocks.
    ``reads_flow``: it depends on what reads what, so a tree with ``unordered`` parts has none.
    ``consequences`` name the sentences on what the number means (derivations.consequences)::

        sums = Quantity("residual_sums", unit="additions", inputs="bs", terms=lambda tree, setting: 2 * L * b * s * h)
        derive("gpt2", quantity=sums, b=1, s=1_024)

    Raises DefinitionError if the name is not a name, an input is not a letter, or a choice is not a field of ``Setting``.
    """

    name: str
    unit: str = NUMBERS
    terms: Callable[[Component, Setting], Any] = field(kw_only=True)
    inputs: tuple[Dimension, ...] = ()
    choices: tuple[str, ...] = ()
    defaults: Mapping[Dimension, int] = field(default_factory=dict, hash=False)
    alternatives: Sequence[Alternative | RuleOfThumb] = ()
    rules_of_thumb: Sequence[RuleOfThumb] = ()
    tensors: TensorCount | None = None
    heading: str = ""
    usual: Mapping[str, Any] = field(default_factory=dict, hash=False)
    is_of_weights: bool = False
    reads_flow: bool = False
    consequences: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.isidentifier():
            raise DefinitionError(f"{quoted(self.name)} is not the name of a quantity: write letters, digits and _.")
        if not isinstance(self.unit, str) or not self.unit.isprintable():
            raise DefinitionError(f"{quoted(self.unit)} is not a unit: write what {self.name} counts, such as 'bytes'.")
        if not callable(self.terms):
            raise DefinitionError(f"The terms of {self.name} are a function: write terms=lambda tree, setting: […].")
        for choice in self.choices:
            if choice not in CHOICES:
                raise DefinitionError(f"{quoted(choice)} is not a choice for {self.name}. {suggestion(str(choice), CHOICES)}")
        rules: Any = self.rules_of_thumb
        if isinstance(rules, Mapping):
            rules = [RuleOfThumb(words, self._term(formula, self.name).written) for words, formula in rules.items()]
        object.__setattr__(self, "rules_of_thumb", tuple(rules))
        others: Any = self.alternatives
        if isinstance(others, Mapping):
            others = [Alternative(words, changed) for words, changed in others.items()]
        object.__setattr__(self, "alternatives", tuple(others))
        given: Any = self.inputs
        letters = tuple(map(_letter, given))
        if isinstance(given, Mapping):
            defaults = zip(letters, given.values(), strict=True)
            object.__setattr__(self, "defaults", {letter: value for letter, value in defaults if value is not None})
        object.__setattr__(self, "inputs", letters)

    @property
    def letter(self) -> str:
        """The letter of its results on a sheet: M, F or N, and Q for a unit of your own."""
        return LETTERS.get(self.unit, OWN_LETTER)

    def __reduce__(self) -> Any:
        """A quantity of ours is another process's by its name: the functions in it have none."""
        return super().__reduce__() if self.is_own else (find, (self.name,))

    @property
    def spelled(self) -> str:
        """Its name as a command line spells it, kv-cache; a user's own name stays."""
        return self.name if self.is_own else self.name.replace("_", "-")

    @property
    def is_own(self) -> bool:
        """True if a user wrote it, so that the catalogues have no words for it."""
        return self.name not in names() or find(self.name) is not self

    def addends(self, tree: Component, setting: Setting) -> tuple[Term, ...]:
        """Return its terms over a tree; DefinitionError if one is neither a Term nor an expression."""
        terms = self.terms(tree, setting)
        listed = list(terms) if isinstance(terms, Iterable) and not isinstance(terms, str) else [terms]
        named = [self.name] if len(listed) == 1 else [f"term_{number}" for number in range(1, len(listed) + 1)]
        return tuple(
            term if isinstance(term, Term) else self._term(term, name) for term, name in zip(listed, named, strict=True)
        )

    def _term(self, value: Any, name: str) -> Term:
        try:
            return Term("", name, measured(as_expression(value)))
        except TypeError as error:
            raise DefinitionError(f"A term of {self.name} is {quoted(value)}: write an expression or a Term.") from error


def _letter(value: Any) -> Dimension:
    """The letter of an input: a Dimension, a sympy symbol, or a name."""
    if isinstance(value, Dimension):
        return value
    letter = Dimension(value) if isinstance(value, str) and value.isidentifier() else None
    if letter is None:
        expression = as_expression(value)
        letter = expression if isinstance(expression, Dimension) else None
    if letter is None:
        raise DefinitionError(f"{quoted(value)} is not an input: write a letter, as in inputs=('b', 't').")
    return letter


@cache
def names() -> tuple[str, ...]:
    """Return the names of the quantities: the number of parameters, then the others."""
    files = Path(__file__).parent.glob("*.py")
    bound = sorted(file.stem for file in files if "\nQUANTITY = " in file.read_text(encoding="utf-8"))
    return (PARAMETERS, *(name for name in bound if name != PARAMETERS))


def spelled(name: object) -> str:
    """Return the name of a quantity, written with hyphens or underscores; UnknownNameError lists those that there are."""
    read = str(name).strip().lower().replace("-", "_")
    if read not in names():
        raise UnknownNameError(f"Unknown quantity {quoted(name)}. {suggestion(read, names())}")
    return read


def check_flow(tree: Component, quantity: str, model: str) -> None:
    """NotDerivedError for a quantity of a tree with parts of which nobody saw what they read."""
    if (path := unordered_part(tree)) is not None:
        raise NotDerivedError(
            f"{model} has no known {quantity}, since nobody saw what the parts of {path or 'the model'} read: write its tree "
            "with attention(…), feed_forward(…) and residual(…)."
        )


def find(quantity: str | Quantity) -> Quantity:
    """Return the quantity of this name, or the quantity itself; UnknownNameError if there is none of the name."""
    if isinstance(quantity, Quantity):
        return quantity
    bound: Quantity = import_module(f"symparams.quantities.{spelled(quantity)}").QUANTITY
    return bound
