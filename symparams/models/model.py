"""Models: an architecture with its features chosen and values for its dimensions (some, all or none)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import field, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from symparams.architectures import Architecture
from symparams.components.flow import Reading, equations, layers
from symparams.components.tree import Component
from symparams.components.walks import Leaf
from symparams.display import Displayed
from symparams.errors import OptionError, UnknownNameError, printable, quoted, read_switch, suggestion
from symparams.expressions.closed_form import EXPANDED, Relations, as_sympy, multiply_out
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import by_reading, in_rank
from symparams.expressions.written import Bound, evaluate
from symparams.models.values import agreeing, combined
from symparams.quantities.parameters import ACTIVE, COUNTS, EACH, OWN, PARAMETERS
from symparams.quantities.quantity import TensorCount
from symparams.records import frozen

if TYPE_CHECKING:
    import sympy

    from symparams.answers.plans import Plan
    from symparams.models.blocks import Blocks
    from symparams.models.calculation import Calculation
    from symparams.models.functions import Function
    from symparams.models.library import Library
    from symparams.models.sources.config_reading import ConfigReading
    from symparams.models.values import Oddity
    from symparams.quantities.quantity import Quantity

LONGEST_NAME = 200
TREE, HF = WAYS_OF_NAMING = ("tree", "hf")  # whose names the tensors of a model have


@frozen
class Origin:
    """The origin of a model: its name there, and what it has when nobody chooses anything.

    ``called`` is the name that somebody chose for it, by which nothing is looked up. ``given`` are the dimensions whose values
    were given, the others follow from relations; ``usual`` the features that the target has by itself. A model from a config
    has its class, by default the base class, and its config; its name may be that of any file, and what could not be shown of
    it is replaced. Of a published model, ``dtype`` is the number type that its config names and ``context`` the longest
    sequence, 0 if unknown. What was read by itself knows the ``target`` and the ``architecture`` that it was read by, as they
    are typed, the ``sizes`` that it gave, and of a config the ``reading``; they tell no two models apart.
    """

    name: str
    source: str = ""
    given: frozenset[Dimension] = frozenset()
    usual: frozenset[str] = frozenset()
    class_name: str = ""
    assumes_base: bool = False
    config: Mapping[str, Any] | None = None
    dtype: str = ""
    context: int = 0
    called: str = ""
    target: str = field(default="", compare=False)
    architecture: str = field(default="", compare=False)
    sizes: Mapping[Dimension, int] | None = field(default=None, compare=False)
    reading: ConfigReading | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for name in ("name", "source", "called"):
            object.__setattr__(self, name, printable(getattr(self, name)))

    def changed(self, values: Mapping[Dimension, int], followed: Container[Dimension]) -> list[Dimension]:
        """The given dimensions whose value is neither the target's own nor what follows from it, in order; none of a family."""
        own = self.sizes or {}
        changed = (d for d in self.given if own and (own[d] != values[d] if d in own else d not in followed))
        return sorted(changed, key=by_reading)


@frozen
class Model(Displayed):
    """An architecture with features and values.

    ``broken`` are the dimensions whose relations the values contradict, even after the values are removed. ``own_relations``
    were given in place of the family's, d_ff="3*h", and hold for all values.
    """

    architecture: Architecture
    present: frozenset[str]
    values: Mapping[Dimension, int]
    origin: Origin
    broken: frozenset[Dimension] = field(default_factory=frozenset)
    own_relations: Relations = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.values, Bound):
            object.__setattr__(self, "values", Bound(self.values))

    def __hash__(self) -> int:
        return hash((self.name, self.architecture, self.present, frozenset(self.values.items())))

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields, without what was worked out from them."""
        return {own.name: getattr(self, own.name) for own in fields(self)}

    def __repr__(self) -> str:
        return f"Model({self.name!r}, {f'{self.count():,} parameters' if not self.unbound else 'without values'})"

    @property
    def name(self) -> str:
        """The name of the model: the one that was chosen for it, or that of its target."""
        return self.origin.called or self.origin.name

    @property
    def family(self) -> str:
        """The name of its architecture."""
        return self.architecture.name

    @property
    def source(self) -> str:
        """The publication of its sizes, or of its family."""
        return self.origin.source

    @property
    def given(self) -> frozenset[Dimension]:
        """The dimensions whose values were given."""
        return self.origin.given

    @property
    def reading(self) -> ConfigReading | None:
        """What became of the keys of its config: those not read, and the library's defaults; None without a config."""
        return self.origin.reading

    @property
    def assumed(self) -> str:
        """The class that is assumed because the config names none; "" if none is assumed."""
        return self.origin.class_name if self.origin.assumes_base else ""

    @property
    def oddities(self) -> tuple[Oddity, ...]:
        """The sentences on settings of its config that transformers builds but that nobody can mean."""
        from symparams.models.values import oddities

        usual = self.reading.defaults if self.reading else {}  # none of something is not odd where the library has none of it
        odd = oddities(self.architecture, self.values)
        return tuple(oddity for oddity in odd if oddity.kind != "none" or oddity.subject not in usual)

    @cached_property
    def library(self) -> Library | None:
        """The record of the family in transformers; None if transformers does not have the family."""
        from symparams.models.library import library

        return library(self.architecture)

    def key(self, dimension: Dimension) -> str:
        """Return the config key of a dimension in the family's library class; "" if there is none."""
        return self.library.key(dimension) if self.library else ""

    @property
    def choices(self) -> Mapping[str, str | int | None]:
        """The settings of the config, or of the library, that change the data flow: the activation function, the window."""
        from symparams.models.library import Settings

        return self.library.choose(Settings(self.origin.config or {})) if self.library else {}

    @property
    def tree(self) -> Component:
        """The tree of this model: only the parts that its features include."""
        return self.architecture.resolved(self.present).tree

    @property
    def is_family(self) -> bool:
        """True if the model is a whole family and not a published member of it."""
        return self.name == self.architecture.name and not self.values

    @property
    def chosen(self) -> tuple[tuple[str, bool], ...]:
        """The features that differ from the default, and whether the model has them."""
        changed = self.present ^ self.origin.usual
        known = (*self.features.items(), *self.switches.items())
        return tuple((name, present) for name, present in known if name in changed)

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """Every leaf layer with its path and the number of its copies."""
        return self.architecture.resolved(self.present).leaves

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """The dimensions in the parameters of this model, with those of its heads."""
        used = self.architecture.used(self.tree)
        return in_rank((*used, *(other for d in used if d in self.relations for other in self.relations[d].dimensions)))

    @property
    def sizes(self) -> tuple[dict[str, Any], ...]:
        """The dimensions as rows of a data frame: dimension, key (of the library's config), value, None where there is none."""
        return tuple({"dimension": d.name, "key": self.key(d) or None, "value": self.values.get(d)} for d in self.dimensions)

    def leaf(self, path: str) -> Leaf:
        """Return the leaf layer at a path of the tree; KeyError if there is none."""
        return self.architecture.resolved(self.present).by_path[path]

    @property
    def features(self) -> dict[str, bool]:
        """Each feature of the family by name, and whether this model has it."""
        return {name: name in self.present for name in self.architecture.features}

    @property
    def switches(self) -> dict[str, bool]:
        """Each switch of the family that changes the data flow but no count, and whether it is on."""
        return {name: name in self.present for name in self.architecture.switches}

    @cached_property
    def known(self) -> Relations:
        """The relations of the family, replaced by those that were given."""
        return combined(self.architecture.known, self.own_relations, self.name)

    @cached_property
    def relations(self) -> Relations:
        """The relations that a closed form may use: those whose dimension has no value, or one that agrees."""
        return agreeing(self.known, self.values, self.broken)

    def flow(self) -> dict[str, list[Reading]]:
        """Return the inputs of each part of each layer, by the layer's path, in the order of data.

        A reading is (part, names whose sum it takes in), with a third entry for what it reads besides: for a pre-norm layer
        [("attention_norm", ("x",)), ("attention", ("attention_norm",)), …, ("out", ("x", "attention", "feed_forward"))].
        """
        return {path: equations(layer) for path, layer in layers(self.tree)}

    def formula(self, quantity: TensorCount = PARAMETERS) -> Expression:
        """Return a quantity of the whole tree as a written sum; tied tensors count once."""
        if isinstance(quantity, str):
            raise OptionError(f"A formula counts tensors: write model.closed_form({quantity!r}) for another quantity.")
        return self.architecture.resolved(self.present).formula(quantity)

    def polynomial(self, quantity: TensorCount = PARAMETERS) -> Polynomial:
        """Return a quantity multiplied out under the model's relations."""
        return multiply_out(self.formula(quantity), self.relations)

    def closed_form(self, quantity: str | Quantity = PARAMETERS.name, *, form: str = EXPANDED, **inputs: Any) -> sympy.Expr:
        """Return the count in sympy: "expanded", 12·L·h² + 13·L·h + V·h + …, or by "blocks", L·(12·h² + 13·h) + V·h + ….

        Every dimension is a symbol, even if it has a value. A relation such as d_ff = 4·h is applied if the model has no value
        for d_ff, or one that agrees. Another ``quantity`` takes the inputs of ``measure``. Raises OptionError for another
        form.
        """
        return self._calculation(quantity, inputs).closed_form(form)

    def blocks(self, quantity: TensorCount = PARAMETERS, *, names: Mapping[str, Polynomial] | None = None) -> Blocks:
        """Return the closed form of a quantity by blocks, with ``names`` for long parts: 2·V·h + h + L·(N_attention + 2·h)."""
        from symparams.models.blocks import by_blocks

        return by_blocks(self.leaves, self.relations, quantity, names=names)

    def function(
        self, quantity: str | Quantity | TensorCount = PARAMETERS, *, check_relations: bool = True, **inputs: Any
    ) -> Function:
        """Return a quantity as a function of integers or arrays, f(h=…, L=…): see ``Function``.

        Raises UnknownNameError for an unknown quantity. Sizes that ``load`` refuses raise a DimensionError;
        ``check_relations=False`` computes the formula for them.
        """
        from symparams.models.functions import function_of

        return function_of(self, quantity, inputs, check_relations=check_relations)

    def count(self, *, shared: str = OWN, frozen: bool = False, **others: Any) -> int:
        """Return the exact number of trainable parameters; ``measure`` returns the number of another quantity.

        A tied tensor counts once, or at every use with ``shared="each"``. ``frozen=True`` adds parameters that are stored but
        never trained, such as Marian's sinusoidal table. Raises MissingDimensionError, which names what has no value,
        OptionError for another ``shared``, and UnknownNameError for any other keyword.
        """
        if others:
            raise UnknownNameError(_instead_of_count(self, others))
        if shared not in (OWN, EACH):
            raise OptionError(f"Unknown way {quoted(shared)} to count shared tensors: write 'own' or 'each'.")
        return self.evaluate(self.formula(COUNTS[shared, read_switch("frozen", frozen)]))

    def measure(self, quantity: str | Quantity, **inputs: Any) -> int | Fraction:
        """Return the exact number of a quantity, in bytes, FLOPs or parameters.

        measure("kv_cache", b=1, t=2048, dtype="bf16") is one example. Raises UnknownNameError for an unknown quantity or
        input, MissingDimensionError if a value is missing, and OptionError for a model without a cache.
        """
        return self._calculation(quantity, inputs).value()

    def memory(self, context: int | str | None = None, batch: int | str = 1, **options: Any) -> Plan:
        """Return the memory of the weights, with a ``context`` also of the cache, in a ``dtype``; or of ``training=True``.

        ``fits`` is a memory size ("24G"), a board ("h100-sxm"), or "boards": the answer then says what fits. Its ``value`` is
        an integer of bytes; ``render`` writes it.
        """
        from symparams.answers.plans import memory_plan

        return memory_plan(self, context, batch, **options)

    def flops(self, tokens: int | str | None = None, context: int | str | None = None, **options: Any) -> Plan:
        """Return the FLOPs of one token after a ``context``, of a prompt of ``tokens``, or with ``training=True`` of a run.

        ``on="h100-sxm"`` adds the time. The ``value`` of the answer is an integer; ``render`` writes it.
        """
        from symparams.answers.plans import flops_plan

        return flops_plan(self, tokens, context, **options)

    def _calculation(self, quantity: str | Quantity, inputs: Mapping[str, Any]) -> Calculation:
        from symparams.models.inputs import checked_calculation

        return checked_calculation(self, quantity, inputs)

    @property
    def has_experts(self) -> bool:
        """True if one token uses only a part of some tensors."""
        return any(tensor.active not in (None, tensor.shape) for leaf in self.leaves for tensor in leaf.component.tensors)

    def active_closed_form(self) -> sympy.Expr:
        """Return the parameters that one token uses, as a sympy polynomial in the dimensions."""
        return as_sympy(self.polynomial(ACTIVE))

    def active_count(self) -> int:
        """Return the number of parameters that one token uses: n_active of n_experts experts, and everything else.

        Raises MissingDimensionError.
        """
        return self.evaluate(self.formula(ACTIVE))

    def evaluate(self, expression: Expression) -> int:
        """Return the value of an expression in this model's dimensions; MissingDimensionError names those without a value."""
        if any(dimension not in self.values for dimension in expression.dimensions):
            from symparams.models.values import missing

            raise missing(self, expression)
        return evaluate(expression, self.values)

    @cached_property
    def unbound(self) -> tuple[Dimension, ...]:
        """The dimensions that the count needs and that have no value."""
        return tuple(dimension for dimension in self.formula().dimensions if dimension not in self.values)

    def tensors(self, *, names: str = TREE, frozen: bool = False) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield every trained array with its name and shape, every copy of a layer; a tied array once, where it is owned.

        A matrix has the shape inputs × outputs: ("decoder.0.feed_forward.up.weight", (768, 3072)). ``names="hf"`` gives names,
        shapes and order of the ``named_parameters()`` of transformers. ``frozen`` adds arrays that are stored as parameters
        but never trained. Raises MissingDimensionError, and OptionError if the library's names are unknown.
        """
        from symparams.models.tensors import tensors

        yield from tensors(self, names, frozen=read_switch("frozen", frozen))

    def with_features(self, present: frozenset[str]) -> Model:
        """Return the model with other features."""
        return replace(self, present=present)

    def symbolic(self) -> Model:
        """Return the model without values: every dimension is a symbol; a relation that its values contradict stays out."""
        origin = replace(self.origin, given=frozenset(), source=self.architecture.source)
        broken = frozenset(self.known) - frozenset(self.relations)
        return replace(self, values={}, origin=origin, broken=broken)


def _instead_of_count(model: Model, given: Mapping[str, Any]) -> str:
    """That ``count`` takes no such keyword, and what does: another quantity is measured, another size is loaded."""
    written = [f"{name}={value!r}" for name, value in given.items() if name != "quantity"]
    name = "quantity" if "quantity" in given else next(iter(given))
    if name == "quantity":
        instead = f": write model.measure({', '.join([repr(given[name]), *written])})."
    elif any(name in (size["dimension"], size["key"]) for size in model.sizes):
        instead = f": write symparams.load(model, {', '.join(written)}).count()."
    else:
        instead = f". {suggestion(name, ('shared', 'frozen'))}"
    return f"count has no option {quoted(name)}{instead}"
