"""The context of a drawing: the derivation, the words of a language, the letters of formulas, the text of boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import TypeAlias, Union

from symparams.architectures import Architecture
from symparams.components.facts import Stream
from symparams.components.facts import key as key_of
from symparams.components.kinds import PartRole, Role
from symparams.components.tree import Component
from symparams.components.walks import components, leaves
from symparams.derivations.derivation import Derivation
from symparams.derivations.layers import leaf_step
from symparams.derivations.steps import Step, StepKind, step
from symparams.drawings.lettering.faces import TextMeasure
from symparams.drawings.lettering.lettering import MOST_LINES, ROUGHLY, Lettered, label
from symparams.drawings.marks import Box, Facts, Group, Rectangle, Slot, Tint
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Dimension, Expression, Number
from symparams.expressions.notation import Letter, Letters
from symparams.expressions.printing.text import SUPERSCRIPTS, TextPrinter
from symparams.expressions.written import ZERO, evaluate, tight
from symparams.models.model import Model
from symparams.quantities.parameters import PARAMETERS
from symparams.records import frozen
from symparams.sheets.catalogue import Catalogue, catalogue, spaced
from symparams.sheets.values import rounded
from symparams.sheets.whole import is_users, letters_of
from symparams.sheets.words import Run
from symparams.sheets.words import spaced as runs_spaced

Runs: TypeAlias = tuple[Union[str, Expression], ...]


LEAST_ROUNDED = 100_000  # of counts that are said in short: below it all digits take no more room
MOST_SAID = 15  # a power of ten for which there are no words


class Labels(StrEnum):
    """The formula and the count of a box beside its name: both, one of them, or none."""

    BOTH = "both"
    FORMULA = "formula"
    COUNT = "count"
    NONE = "none"


class NumberStyle(StrEnum):
    """The style of a count: all of its digits, or as people say it, 2.36 M."""

    EXACT = "exact"
    SHORT = "short"


@frozen
class DrawingContext:
    """A derivation that is drawn, in a language, with these labels; without values a box has its formula alone."""

    derivation: Derivation
    language: str = "en"
    labels: Labels = Labels.BOTH
    notation: str = "hidden"
    symbols: Mapping[str, str] = field(default_factory=dict)
    numbers: NumberStyle = NumberStyle.EXACT
    widening: float = 1.0  # of the picture and of all boxes, whose letters keep their size
    # the panels that were drawn so far, by what was asked for
    panels: dict[tuple[object, ...], Group | None] = field(default_factory=dict, init=False, repr=False, compare=False)
    facts: Facts = field(default_factory=dict, init=False, repr=False, compare=False)  # on which the picture was found to hang
    # with the components, each of which is the only one of its identity while it is kept
    _steps: dict[tuple[str, int], tuple[Step, Component]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def model(self) -> Model:
        """The model that is drawn."""
        return self.derivation.model

    @cached_property
    def words(self) -> Catalogue:
        """The names and sentences of the language."""
        return catalogue(self.language)

    @cached_property
    def is_users(self) -> bool:
        """True if the tree is a user's own, with names that no catalogue has."""
        return is_users(self.model)

    @cached_property
    def changes(self) -> Runs:
        """The changes of the model against its name: with L = 2, without weight tying; empty if there are none."""
        by_key: dict[str, list[Runs]] = {"sizes": [], "present": [], "absent": []}
        for dimension in self.model.origin.changed(self.model.values, self.model.relations):
            by_key["sizes"].append(self.runs("changed.size", letter=(dimension,), value=dimension))
        for feature, is_present in self.model.chosen:
            by_key["present" if is_present else "absent"].append((self.words.label(feature, is_users=self.is_users),))
        groups = [(key, self._joined(parts, "signs.list", "signs.and")) for key, parts in by_key.items() if parts]
        return self._joined([self.runs(f"changed.{key}", parts=parts) for key, parts in groups], "signs.comma", "signs.comma")

    def _joined(self, parts: Sequence[Runs], between: str, last: str) -> Runs:
        joint, end = (str(self.words.entry(key)) for key in (between, last))
        joined = ((end if i == len(parts) - 1 else joint, *part) for i, part in enumerate(parts))
        return tuple(run for part in joined for run in part)[1:]

    @cached_property
    def called(self) -> str:
        """The model, and what is changed of it: gpt2 with L = 2."""
        changes = "".join(run if isinstance(run, str) else self.plain(run) for run in self.changes)
        return self.sentence("changed.named", name=self.model.name, changes=changes) if changes else self.model.name

    @cached_property
    def letters(self) -> Mapping[Dimension, Letter]:
        """The printed letters of the dimensions."""
        return letters_of(self.model, self.notation, self.symbols)

    @cached_property
    def measure(self) -> TextMeasure:
        """The measure of the width of lines."""
        return _measure(self.model.architecture, tuple(self.letters.items()))

    @cached_property
    def crossing(self) -> frozenset[str]:
        """The paths of the attention in layers that reads another sequence, as a decoder's reads its encoder.

        Of layers that carry two streams the first that reads the second one reads what comes into it.
        """
        crossing = {
            leaf.sublayer[0]: leaf.sublayer[1].reads
            for leaf in self.model.leaves
            if leaf.sublayer and leaf.part.role is PartRole.CROSS_ATTENTION
        }
        carried = [path for path, reads in crossing.items() if reads in (Stream.IMAGE, Stream.TOKENS)]
        return frozenset(crossing.keys() - carried[1:])

    @cached_property
    def layers_read(self) -> tuple[int, int] | None:
        """How many layers of an encoder are read, and of how many, where a choice of the config leaves the last ones unread."""
        for _, part in components(self.model.tree):
            left = self.model.choices.get(part.unread) if isinstance(part.unread, str) else None
            layers = self.value(part.times) if left else None
            if isinstance(left, int) and layers is not None:
                self.fixed(part.times)
                return layers - left, layers
        return None

    def step(self, path: str, component: Component) -> Step:
        """Return the step of a part: a leaf with all of its copies, one copy of a block."""
        if (path, id(component)) not in self._steps:
            name = path.rpartition(".")[2]
            if component.body:
                worked = step(self.model, path, name, PARAMETERS.over(leaves(component, within=True)))
            else:
                worked = leaf_step(self.model, path, name, component)
            self._steps[path, id(component)] = worked, component
        return self._steps[path, id(component)][0]

    def formula(self, path: str, component: Component) -> Expression | None:
        """Return the formula of a box: a matrix as it is written, a norm tight, a block in closed form; or None."""
        worked = self.step(path, component)
        if worked.written == ZERO:
            return None
        if worked.count is not None and self.labels is not Labels.FORMULA and not worked.written.dimensions:
            return None  # 2 = 2
        if component.role is Role.NORM:
            return tight(worked.written)
        return worked.closed if component.body else worked.written

    def name(self, key: str) -> str:
        """Return the name of a part in a drawing, with a capital letter."""
        drawn = self.words.entries.get(f"drawing.names.{key}")
        if drawn is not None:
            return str(drawn)
        name = self.words.name(key, is_users=self.is_users)
        name = name if name.strip() else key  # a user may call a part "_"
        return name[:1].upper() + name[1:]

    def input(self, word: str) -> str:
        """Return an input in a word of the catalogue, or the name of the part that it is; another word stands as it is."""
        known = self.words.entries.get(f"drawing.inputs.{key_of(word)}")
        is_part = known is None and any(path == word for path, _ in components(self.model.tree))
        return self.name(word.rpartition(".")[2]) if is_part else str(word if known is None else known)

    def activation(self, name: str) -> str:
        """An activation as papers call it: GELU, SiLU; one that is not known as the config spells it."""
        return str(self.words.entries.get(f"drawing.activations.{name}", name))

    def sentence(self, key: str, **terms: int | str) -> str:
        """A label of the section [drawing] with words and numbers put in."""
        parts = ((literal, "" if name is None else terms[name]) for literal, name in self.words.sentence(f"drawing.{key}"))
        return spaced(*(self.number(part) if isinstance(part, int) else part for pair in parts for part in pair))

    def runs(self, key: str, **terms: str | Expression | Runs) -> Runs:
        """A label with words and sizes put in: the number of a size, or its letters where it has none."""
        runs: list[list[Run]] = []
        for literal, name in self.words.sentence(f"drawing.{key}"):
            term = () if name is None else terms[name]
            told = self.told(term) or term if isinstance(term, Expression) else term
            runs += [[literal], [told] if isinstance(told, (str, Expression)) else [*told]]
        return tuple(run for run in runs_spaced(runs) if isinstance(run, (str, Expression)) and run != "")

    def told(self, size: Expression) -> Slot | None:
        """The number of a size as a slot; None where a letter of it has no value."""
        value = self.value(size)
        return None if value is None else Slot(self.number(value), size)

    def number(self, value: int) -> str:
        """A number with the language's mark between thousands."""
        return f"{value:,}".replace(",", self.words.head["grouping"])

    def counted(self, value: int, of: Expression) -> Slot:
        """The count of a formula as it is said here: "1,536", or "≈ 1.77 M"."""
        is_short = self.numbers is NumberStyle.SHORT and value >= LEAST_ROUNDED
        return (self._shortly(value, of) if is_short else None) or Slot(self.number(value), of, is_count=True)

    def _shortly(self, value: int, of: Expression) -> Slot | None:
        text = self.short(value)
        return Slot(text.removeprefix(f"{ROUGHLY} "), of, f"{ROUGHLY} ", is_count=True) if text else None

    def short(self, value: int) -> str:
        """A large number as people say it, which is never all of it: "≈ 11.3 B", "≈ 1.23·10³⁰"; "" for a small one."""
        digits, words = len(str(value)), self.words.short_rounding
        for power in (digits - 1, digits):
            if power >= MOST_SAID:
                words = [{"power": power, "word": f"·10{str(power).translate(SUPERSCRIPTS)}"}, *words]
        amount = rounded(value, words)
        return f"{ROUGHLY} {self.plain(amount[0])}" if amount else ""

    def value(self, size: Expression) -> int | None:
        """The number of a size; None where a letter of it has no value."""
        if not all(letter in self.model.values for letter in size.dimensions):
            return None
        return evaluate(size, self.model.values)

    def fixed(self, size: Expression) -> int | None:
        """The number of a size, of which this picture is, and of no other."""
        value = self.value(size)
        if value is not None:
            self.facts[size, Number(value)] = True
        return value

    def equal(self, size: Expression, other: Expression) -> bool:
        """True if two sizes are equal, on which the picture hangs; without values if they are by the relations."""
        one, two = (
            multiply_out(each, self.model.relations) if (value := self.value(each)) is None else value for each in (size, other)
        )
        self.facts[size, other] = one == two
        return one == two

    def plain(self, formula: Expression) -> str:
        """A formula as text."""
        return TextPrinter(self.letters, str, grouping=self.words.head["grouping"])(formula)

    def lettered(self, path: str, component: Component, width: float, name: str = "", most: int = MOST_LINES) -> Lettered:
        """The lines of a part's box, what was asked for as far as there is any; a norm's on one line where there is room.

        A formula takes ``most`` lines, and is left out where that is none.
        """
        is_norm = component.role is Role.NORM
        called = name or self.name(str(component.kind) if is_norm else path.rpartition(".")[2])
        worked, labels = self.step(path, component), self.labels
        if worked.kind is StepKind.TIED:
            return label(called, None, "" if labels is Labels.NONE else self.tied(component), width, self.measure)
        labels = Labels.FORMULA if worked.count is None and labels is not Labels.NONE else labels
        count = (
            self.counted(worked.count, worked.written)
            if worked.count is not None and labels in (Labels.BOTH, Labels.COUNT)
            else ""
        )
        is_written = bool(most or count) and labels in (Labels.BOTH, Labels.FORMULA)
        formula = self.formula(path, component) if is_written else None
        short = self._shortly(worked.count or 0, worked.written) or ""
        asked = (called, formula, count, worked.written, width, is_norm, short, most)
        known = _known_labels(self.measure)
        if asked not in known:
            known[asked] = label(called, formula, count, width, self.measure, in_one_line=is_norm, short=short, most=most)
        return known[asked]

    def tied(self, component: Component) -> str:
        """Return the words for a part that is another's."""
        return self.tied_to(next(tensor.tied_to for tensor in component.tensors if tensor.tied_to))

    def tied_to(self, owner: str) -> str:
        """Return that a matrix is that of another part, which counts it: "tied to token embedding: 0"; or of a layer."""
        leaf = self.model.leaf(owner)
        if leaf.stack:
            return self.sentence("tied_to_layer", layer=self.words.name(dict(leaf.ancestors)[leaf.stack].name))
        return self.sentence("tied", owner=self.owner(owner))

    def owner(self, path: str) -> str:
        """Return the name of a part within a sentence, as of the one that counts a matrix of several."""
        return self.words.name(path.rpartition(".")[2], is_users=self.is_users)

    def title(self, path: str, component: Component, name: str = "") -> str:
        """Return what is read aloud of a box, whatever it shows: "query: h × n_heads·d_head = 16,777,216"."""
        worked, formula = self.step(path, component), self.formula(path, component)
        of = [] if formula is None else [self.plain(formula)]
        told = " = ".join([*of, *([] if worked.count is None else [self.number(worked.count)])])
        told = self.tied(component) if worked.kind is StepKind.TIED else told
        return self.sentence("aloud", part=name or self.owner(path), told=told)

    def box(
        self,
        path: str,
        component: Component,
        tint: Tint,
        place: Rectangle,
        lettered: Lettered,
        *,
        name: str = "",
        cards: int = 1,
        also: Sequence[str] = (),
    ) -> Box:
        """A part's box at its place, its lines in the middle of it; ``also`` are the paths of others that it counts."""
        top = place.y + (place.height - lettered.height) / 2
        title = self.title(path, component, name)
        is_mixture = component.role is Role.PARALLEL  # which has the path of its experts
        around = [one.rpartition(".")[0] if is_mixture else one for one in (path, *also)]
        counted = tuple(f"{one}.{leaf.path}".strip(".") for one in around for leaf in leaves(component, within=True))
        worked, formula = self.step(path, component), self.formula(path, component)
        return Box(
            place, tint, lettered.at(place.middle, top), path, title, cards, counted, count=worked.written, formula=formula
        )


@lru_cache(maxsize=4)
def _measure(architecture: Architecture, letters: tuple[tuple[Dimension, Letter], ...]) -> TextMeasure:
    """The measure in these letters, one for all drawings of a family: most of what they say is alike."""
    return TextMeasure(Letters(letters))


@lru_cache(maxsize=4)
def _known_labels(measure: TextMeasure) -> dict[tuple[object, ...], Lettered]:
    """The lines of boxes that were made so far in this measure."""
    return {}
