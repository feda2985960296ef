"""The sheets of a page: for each setting of its switches the sections, what adds up to the total, and what is checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Any

from symparams.components.laws import Binding
from symparams.components.walks import components, leaves
from symparams.derivations import views
from symparams.derivations.layers import FUSED
from symparams.derivations.mixtures import ALL_EXPERTS
from symparams.derivations.shares import component_of
from symparams.derivations.steps import Step, StepKind
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.marks import Named
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.written import ZERO
from symparams.models.blocks import ONE_EXPERT
from symparams.models.model import Model
from symparams.pages.composing import Chain, Copies, PageComposer, Since
from symparams.pages.pool import Formulas, Table
from symparams.quantities.parameters import ACTIVE, PARAMETERS
from symparams.quantities.quantity import Quantity
from symparams.sheets.catalogue import catalogue, languages
from symparams.sheets.document import Block
from symparams.sheets.naming import Names, told_apart
from symparams.sheets.values import Capital, Code, Listed, Name, Phrase, Prose, Sentence, Value
from symparams.sheets.whole import is_users

Entry = tuple[Any, ...]


class Sheets:
    """All sheets of a model, in one pool."""

    def __init__(self, model: Model) -> None:
        self.model, self.symbolic = model, model.symbolic()
        self.is_users = is_users(model)
        self.formulas, self.names, self.steps, self.blocks, self.parts = Table(), Table(), Table(), Table(), Table()
        self.sentences: dict[str, None] = {}
        self._formulas: dict[str, Formulas] = {}
        self.features = tuple(model.features)
        self.relations = tuple(self._deciding())

    @property
    def switches(self) -> int:
        """How many switches there are: the features, and the relations on which the text of a sheet depends."""
        return len(self.features) + len(self.relations)

    @property
    def usual(self) -> int:
        """The setting of the model as it was given."""
        held = [*(each in self.model.present for each in self.features), *(d in self.model.relations for d in self.relations)]
        return sum(is_on << switch for switch, is_on in enumerate(held))

    def at(self, setting: int) -> dict[Any, int]:
        """The parts of a setting, each as a place in the pool, in their order."""
        present = {feature for switch, feature in enumerate(self.features) if setting >> switch & 1}
        broken = {d for switch, d in enumerate(self.relations, len(self.features)) if not setting >> switch & 1}
        return self.of(self._model(frozenset(present), frozenset(broken)))

    def _model(self, present: frozenset[str], broken: frozenset[Dimension]) -> Model:
        switched = frozenset(self.model.switches) & self.model.present
        return replace(self.symbolic, present=present | switched, broken=broken)

    def _deciding(self) -> Iterator[Dimension]:
        """The relations that change more of a sheet than its closed forms."""
        all_features = frozenset(self.features)
        for dimension in self.model.architecture.relations:
            for present in dict.fromkeys((self.model.present & all_features, all_features, frozenset[str]())):
                if self.of(self._model(present, frozenset())) != self.of(self._model(present, frozenset({dimension}))):
                    yield dimension
                    break

    def of(self, model: Model) -> dict[Any, int]:
        """The parts of the sheet of a model without values."""
        if model.formula() == ZERO:
            return {}
        sections, addends = views.find(views.FIRST)(model, FUSED)
        writer = self._writer(sections)
        composer = PageComposer(catalogue("en"), is_users=self.is_users)
        found: dict[Any, int] = {}
        for section in sections:
            blocks = tuple(map(self.blocks.place, writer.blocks(composer.blocks(section))))
            within = {id(each) for each in section.walk()}
            added = tuple(writer.place(each.quantity) for each in addends if id(each) in within and each.written != ZERO)
            found[self._key(found, "section", str(section.name))] = self.parts.place((writer.heading(section), blocks, added))
        found |= dict.fromkeys(sorted(self._checked(model, writer), key=repr), 0)
        for kind, quantity in (("share", PARAMETERS), *([("active", ACTIVE)] if model.has_experts else [])):
            for name, first, formula in sorted(_shares(model, quantity), key=lambda share: share[:2]):  # in an order that no setting changes
                place = (writer.name(Name(name)), writer.place(formula), self.order.get(first, len(self.order)))
                found[kind, name] = self.parts.place(place)
        return found

    @cached_property
    def order(self) -> dict[str, int]:
        """Where each leaf of the tree stands, whatever features there are."""
        return {path: place for place, path in enumerate(dict.fromkeys(leaf.path for leaf in leaves(self.model.architecture.tree)))}

    @staticmethod
    def _key(found: Mapping[Any, int], kind: str, name: str) -> tuple[str, str]:
        often = sum(key[0] == kind and key[1].split("#")[0] == name for key in found)
        return kind, f"{name}#{often}" if often else name

    def _writer(self, sections: Sequence[Step]) -> Writer:
        names = told_apart(
            sections, lambda name: catalogue("en").called(name.key, name.qualifier, is_users=self.is_users, is_short=True)
        )
        return Writer(self, names)

    def _checked(self, model: Model, writer: Writer) -> Iterator[tuple[Any, ...]]:
        """What values must not make of the tree: a side below 1, sums that differ, tied matrices of two sizes."""
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
                    owner = here_at[tensor.tied_to].component.tensors[0]
                    if multiply_out(owner.count, {}) != multiply_out(tensor.count, {}):
                        yield "tie", path, writer.place(tensor.count), tensor.tied_to, writer.place(owner.count)


class Writer:
    """Writes the parts of one sheet into the pool: what is called how there."""

    def __init__(self, sheets: Sheets, names: Names) -> None:
        self.sheets, self.names = sheets, names
        key = repr(sorted((label, sorted(map(repr, told.items()))) for label, told in names.items()))
        known = sheets._formulas.setdefault(key, Formulas(sheets.formulas, self._named, self._label))
        known.named, known.label = self._named, self._label
        self.place = known.place

    def _named(self, quantity: Named) -> int:
        plain, told = Name(str(quantity.label)), self.names.get(str(quantity.label))
        return self.name(told.get(quantity.definition, plain) if told else plain)

    def _label(self, label: str) -> int:
        return self.name(Name(str(label)))

    def name(self, name: Name) -> int:
        """The place of a name."""
        return self.sheets.names.place((name.key, name.qualifier))

    def heading(self, step: Step) -> Entry:
        """What a section is called, as on the sheet."""
        name = Name(f"one:{step.steps[0].name}") if step.kind == StepKind.STACK else Name(str(step.name))
        return self.value(Capital(name))

    def step(self, step: Step) -> int:
        """The place of a step: its name, its formula, what follows from its kind, its parts, its own closed form."""
        in_names = step.name in (ALL_EXPERTS, "shared_experts") or any(each.name == ONE_EXPERT for each in step.steps)
        flags = (
            step.kind.closes
            | bool(step.steps) << 1
            | (in_names and any(isinstance(part, Named) for part in step.written.operands)) << 2
            | any(each.form for each in step.walk()) << 3
        )
        form = self.place(step.form) if step.form is not None else -1
        parts = tuple(self.place(part.written) for part in step.parts)
        return self.sheets.steps.place((self.place(step.quantity), int(flags), form, parts, step.path))

    def blocks(self, blocks: Iterable[Block]) -> Iterator[Entry]:
        """Blocks as entries."""
        for block in blocks:
            if isinstance(block, Chain):
                instead = self.place(block.instead) if block.instead is not None else -1
                yield ("chain", self.step(block.step), instead, int(block.is_closed))
            elif block.kind == "item":
                yield ("item", self.value(block.name), self.values(block.sentences))  # type: ignore[union-attr]
            else:
                yield ("text", self.values(block.sentences))  # type: ignore[union-attr]

    def values(self, values: Iterable[Value]) -> Entry:
        """Values as entries; what says nothing is left out."""
        return tuple(self.value(value) for value in values if value is not None)

    def value(self, value: Any) -> Entry:
        """A value as an entry."""
        match value:
            case Sentence(key, terms):
                self.sheets.sentences[key] = None
                said = {name: term for name, term in terms.items() if term is not None and name in _places(key)}
                return self._heads(key, value) or ("s", key, tuple((name, self.value(term)) for name, term in said.items()))
            case Name():
                return ("n", self.name(value))
            case Capital(inner):
                return ("C", self.value(inner))
            case Listed(values, mark):
                self.sheets.sentences[mark] = None
                return ("l", mark, tuple(map(self.value, values)))
            case Phrase(parts):
                return ("p", tuple(("t", part) if isinstance(part, str) else self.value(part) for part in parts))
            case Prose(text):
                return ("t", text)
            case Code(text):
                return ("c", text)
            case Since(step, said):
                self.sheets.sentences.update(dict.fromkeys(("steps.since", "steps.and")))
                return ("since", self.step(step), tuple(d.name for d in said))
            case Copies(step, times, is_sole):
                key = "sums.stack" if is_sole else "sums.stack_beside"
                self.sheets.sentences.update(dict.fromkeys((key, f"{key}_since", "steps.and")))
                return ("copies", self.step(step), key, self.place(times), self.name(Name(str(step.name))))
            case Expression():
                return ("x", self.place(value))
        raise TypeError(f"no entry of a page for {type(value).__name__}")

    def _heads(self, key: str, sentence: Sentence) -> Entry | None:
        """The sentence on heads that are shared: one of three, which the browser chooses by the values."""
        if key not in ("notes.heads.grouped", "notes.heads.one_each"):
            return None
        manners = ("notes.heads.multi_query", "notes.heads.one_each", "notes.heads.grouped")
        self.sheets.sentences.update(dict.fromkeys(manners))
        terms = tuple((name, self.value(term)) for name, term in sentence.terms.items())
        return ("heads", manners, terms)


@cache
def _places(key: str) -> frozenset[str | None]:
    """The placeholders of a sentence in any language."""
    return frozenset(place for language in languages() for _, place in catalogue(language).sentence(key))


def _sides(tensors: Iterable[Any]) -> Iterator[Dimension]:
    for tensor in tensors:
        for side in tensor.sides:
            yield from side.dimensions


def _shares(model: Model, quantity: Quantity) -> Iterator[tuple[str, str, Expression]]:
    """What each component has of the whole, and where the first of its leaves stands."""
    gathered: dict[str, list[Any]] = {}
    for leaf in model.leaves:
        if PARAMETERS.of(leaf.component) != ZERO:
            gathered.setdefault(component_of(leaf), []).append(leaf)
    for name, found in gathered.items():
        yield name, found[0].path, quantity.over(found)
