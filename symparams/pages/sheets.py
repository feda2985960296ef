"""The sheets of a page: for each setting of its switches the sections, what adds up to the total, and what is checked."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import Any, NamedTuple, TypeAlias

from symparams.components.laws import Binding
from symparams.components.tree import Component
from symparams.components.walks import Leaf, components, leaves
from symparams.derivations import views
from symparams.derivations.layers import FUSED, PER_HEAD
from symparams.derivations.shares import by_part
from symparams.derivations.steps import Step
from symparams.errors import OptionError
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Dimension, Expression, Named
from symparams.expressions.written import ZERO, total
from symparams.models.calculation import calculate
from symparams.models.classes import class_of
from symparams.models.model import Model
from symparams.pages.anchors import Anchors, Places
from symparams.pages.beginnings import Beginning
from symparams.pages.besides import Besides
from symparams.pages.closings import Closings
from symparams.pages.composing import PageComposer
from symparams.pages.features import FeatureSwitches
from symparams.pages.pool import Pool
from symparams.pages.writing import Writer
from symparams.quantities.parameters import ACTIVE, PARAMETERS
from symparams.quantities.quantity import TensorCount
from symparams.sheets.catalogue import USUAL_LANGUAGE, Catalogue, catalogue
from symparams.sheets.chosen import told_apart
from symparams.sheets.values import Name
from symparams.sheets.whole import is_users

BESIDES = "besides"  # the views: shares, checks, other ways to count
Key: TypeAlias = tuple[frozenset[str], frozenset[Dimension]]  # features, and the relations that are broken


class WrittenView(NamedTuple):
    """A view of a tree: its parts, who wrote them, and its addends."""

    parts: dict[Any, int]
    writer: Writer
    addends: Sequence[Step]


class Sheets:
    """All sheets of a model, in one pool."""

    def __init__(self, model: Model) -> None:
        self.model, self.symbolic = model, model.symbolic()
        self.is_users = is_users(model)
        self.pool = Pool()
        self.closings = Closings(model.architecture.known, model.architecture.identities)
        self.features = FeatureSwitches.of(model)
        self.besides = Besides(PageComposer(catalogue(USUAL_LANGUAGE), is_users=self.is_users))
        self.models: dict[Key, Model] = {}
        self.written: dict[tuple[Key, str], WrittenView] = {}
        self.beginnings: dict[Hashable, Beginning] = {}
        self.beside: dict[Key, dict[Any, int]] = {}
        self.met: dict[tuple[Component, str], frozenset[str]] = {}  # the first features met of a tree
        self.alike: dict[frozenset[str], frozenset[str]] = {}
        self.cached: dict[frozenset[str], bool] = {}
        self.in_words = cache(partial(_short_name, catalogue(USUAL_LANGUAGE), is_users=self.is_users))
        self.relations = tuple(self._deciding())

    @property
    def switches(self) -> int:
        """The number of switches: the features, and the relations on which the text of a sheet depends."""
        return self.features.number + len(self.relations)

    @property
    def usual(self) -> int:
        """The setting of the model as it was given."""
        held = sum((d in self.model.relations) << switch for switch, d in enumerate(self.relations))
        return self.features.setting(self.model.present) | held << self.features.number

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of what is worked out by itself: each view, and what stands besides."""
        return (*(name for name, _, _ in self.views), BESIDES)

    def at(self, setting: int, groups: Sequence[str] = ()) -> dict[Any, int]:
        """The parts of a setting, or those of some groups, each as a place in the pool, in their order."""
        broken = {d for switch, d in enumerate(self.relations, self.features.number) if not setting >> switch & 1}
        return self.of(self._model(self.features.present(setting), frozenset(broken)), groups or self.groups)

    def _model(self, present: frozenset[str], broken: frozenset[Dimension]) -> Model:
        if (present, broken) not in self.models:
            switched = frozenset(self.model.switches) & self.model.present
            self.models[present, broken] = replace(self.symbolic, present=present | switched, broken=broken)
        return self.models[present, broken]

    def places(self, present: frozenset[str]) -> Sequence[Places]:
        """The sections and steps of the sheet of a model with these features, view by view."""
        model = self.model_with(present)
        return [self._view(model, name).writer.anchors.places for name, _, _ in self.views]

    def model_with(self, present: frozenset[str]) -> Model:
        """The model without values, with these features."""
        return self._model(present, frozenset())

    def first(self, present: frozenset[str]) -> frozenset[str]:
        """The first features met that make the same tree and class of the library as these: features without effect differ."""
        if present not in self.alike:
            model = self._model(present, frozenset())
            self.alike[present] = self.met.setdefault((model.tree, class_of(model)), present)
        return self.alike[present]

    def has_cache(self, present: frozenset[str]) -> bool:
        """True if a model with these features keeps anything of the tokens before."""
        first = self.first(present)
        if first not in self.cached:
            try:
                self.cached[first] = bool(calculate(self.model_with(first), "kv_cache", {}).terms)
            except OptionError:
                self.cached[first] = False
        return self.cached[first]

    def _deciding(self) -> Iterator[Dimension]:
        """The relations that change more of a sheet than its closed forms."""
        settings = self.features.setting(self.model.present), (1 << self.features.number) - 1, 0
        held = [self.model_with(present) for present in dict.fromkeys(map(self.features.present, settings))]
        for dimension in self.model.architecture.relations:
            pairs = [(model, self._model(model.present, frozenset({dimension}))) for model in held]
            if any(self.of(model, [name]) != self.of(other, [name]) for model, other in pairs for name in self.groups):
                yield dimension

    def of(self, model: Model, groups: Sequence[str]) -> dict[Any, int]:
        """The parts of these groups of the sheet of a model without values."""
        if model.formula() == ZERO:
            return {}
        parts: dict[Any, int] = {}
        for group in groups:
            parts |= self._besides(model) if group == BESIDES else self._view(model, group).parts
        return parts

    def _view(self, model: Model, name: str) -> WrittenView:
        """A view, which follows from the tree alone: of the models that have one, the first met is derived."""
        key = self.first(model.present), model.broken
        if (key, name) not in self.written:
            first, parts = self._model(*key), dict[Any, int]()
            view, attention = next((view, attention) for called, view, attention in self.views if called == name)
            worked = views.find(view)(first, attention)
            writer = self.sections(f"section {name}", worked, parts, first.leaves)
            self.written[key, name] = WrittenView(parts, writer, worked[1])
        return self.written[key, name]

    def _besides(self, model: Model) -> dict[Any, int]:
        """What stands besides the views, in the names of the first."""
        _, writer, addends = self._view(model, views.FIRST)
        key = self.first(model.present), model.broken
        if key not in self.beside:
            self.beside[key] = self._of_tree(self._model(*key), writer)
        whole = total([addend.quantity for addend in addends if addend.written != ZERO])
        named = [addend for addend in (*whole.operands, whole) if isinstance(addend, Named)]
        besides = self.besides.of(model, writer, named)
        return self.beside[key] | {key: self.pool.parts.place(entry) for key, entry in besides.items()}

    def _of_tree(self, model: Model, writer: Writer) -> dict[Any, int]:
        """What is checked of a tree, and the shares of its parts."""
        parts: dict[Any, int] = dict.fromkeys(sorted(self._checked(model, writer), key=repr), 0)
        for kind, quantity in (("share", PARAMETERS), *([("active", ACTIVE)] if model.has_experts else [])):
            for name, first, formula in sorted(
                _shares(model, quantity), key=lambda share: share[:2]
            ):  # in an order that no setting changes
                rank = self.order.get(first, len(self.order))
                place = (writer.name(Name(name)), writer.place(formula), rank, writer.closed(formula))
                parts[kind, name] = self.pool.parts.place(place)
        return parts

    def sections(
        self,
        kind: str,
        worked: tuple[Sequence[Step], Sequence[Step]],
        parts: dict[Any, int],
        leaves: Sequence[Leaf] = (),
        *,
        is_cost: bool = False,
    ) -> Writer:
        """The sections of a view, or of a quantity, each with what it adds to the total."""
        sections, addends = worked
        writer = self._writer(sections, is_cost=is_cost)
        beginning = self._begun(sections, writer)
        for section in sections:
            beginning = beginning.then(section, writer)
            within = {id(step) for step in section.walk()}
            added = tuple(
                writer.addend(addend, leaves) for addend in addends if id(addend) in within and addend.written != ZERO
            )
            place = 0 if self.is_ordered((kind, "")) else self._first(section)
            entry = (writer.heading(section), beginning.blocks, place, added)
            parts[_key(parts, kind, str(section.name))] = self.pool.parts.place(entry)
        return writer

    def _begun(self, sections: Sequence[Step], writer: Writer) -> Beginning:
        """The beginning of all sheets that have these names, anchors and relations."""
        relations = tuple(sections[0].subject.relations.items()) if sections else ()
        key = writer.names, writer.is_cost, tuple(writer.anchors.sections.items()), relations
        if key not in self.beginnings:
            composer = PageComposer(catalogue(USUAL_LANGUAGE), is_users=self.is_users)
            self.beginnings[key] = Beginning(composer, writer.anchors)
        return self.beginnings[key]

    @staticmethod
    def is_ordered(key: Any) -> bool:
        """True if parts of this kind stand in the order of the tree, whatever features there are."""
        return key[0] == "missed" or (str(key[0]).startswith("section ") and key[0] != "section kind")

    def _first(self, section: Step) -> int:
        """Return the index of the first leaf of a section; a section without leaves is last."""
        return next((self.order[step.path] for step in section.walk() if step.path in self.order), len(self.order))

    @cached_property
    def views(self) -> tuple[tuple[str, str, str], ...]:
        """The names and the views of a page: the usual one, attention head by head, and the others."""
        has_heads = any(component.attending for _, component in components(self.model.architecture.tree))
        heads = ((PER_HEAD, views.FIRST, PER_HEAD),) if has_heads else ()
        return ((views.FIRST, views.FIRST, FUSED), *heads, *((name, name, FUSED) for name in views.names()[1:]))

    @cached_property
    def order(self) -> dict[str, int]:
        """The place of each leaf in the tree, whatever features there are."""
        return {
            path: place for place, path in enumerate(dict.fromkeys(leaf.path for leaf in leaves(self.model.architecture.tree)))
        }

    def _writer(self, sections: Sequence[Step], *, is_cost: bool) -> Writer:
        """Return a writer that puts the steps of a sheet into the pool, their names told apart."""
        anchors = Anchors({str(section.name): _about(section) for section in sections})
        return Writer(self.pool, self.closings, told_apart(sections, self.in_words), anchors, is_cost=is_cost)

    def _checked(self, model: Model, writer: Writer) -> Iterator[tuple[Any, ...]]:
        """Return the conditions that values must keep: no side below 1, equal sums, tied matrices of one size."""
        for path, component in components(model.tree):
            sides = (side for tensor in component.tensors for side in tensor.sides)
            for size, least in ((component.times, 0), *((side, 1) for side in sides)):
                if size.dimensions and not isinstance(size, Dimension):
                    yield "size", path, writer.place(size), least
        here = {d for leaf in model.leaves for d in (*leaf.times.dimensions, *_sides(leaf.component.tensors))}
        for law in model.architecture.laws:
            if law.binding is Binding.EQUALS and here.issuperset((*law.subject.dimensions, *law.value.dimensions)):
                yield "sum", writer.place(law.subject), writer.place(law.value)
        here_at = {leaf.path: leaf for leaf in model.leaves}
        for path, leaf in here_at.items():
            for tensor in leaf.component.tensors:
                if tensor.tied_to:
                    owner = here_at[tensor.tied_to].component.shared_as(tensor.name)
                    if multiply_out(owner.count, {}) != multiply_out(tensor.count, {}):
                        yield "tie", path, writer.place(tensor.count), tensor.tied_to, writer.place(owner.count)


def _key(parts: Mapping[Any, int], kind: str, name: str) -> tuple[str, str]:
    """The key of a part: one more of a name is told apart by its number."""
    often = sum(key[0] == kind and key[1].split("#")[0] == name for key in parts)
    return kind, f"{name}#{often}" if often else name


def _short_name(words: Catalogue, name: Name, *, is_users: bool) -> str:
    return words.called(name.key, name.qualifier, is_users=is_users, is_short=True)


def _about(section: Step) -> str:
    """The path of what a section is about: its own, or that of its one step."""
    return section.path or (section.steps[0].path if len(section.steps) == 1 else "")


def _sides(tensors: Iterable[Any]) -> Iterator[Dimension]:
    for tensor in tensors:
        for side in tensor.sides:
            yield from side.dimensions


def _shares(model: Model, quantity: TensorCount) -> Iterator[tuple[str, str, Expression]]:
    """Yield the share of each component, and the index of its first leaf."""
    for name, of_part in by_part(model).items():
        yield name, of_part[0].path, quantity.over(of_part)
