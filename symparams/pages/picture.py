"""The pictures of a page: the drawings that ``draw`` makes, in each language, of the settings that are nearest to the model's.

Sizes change in the slots of a drawing, as long as the facts hold that it was drawn by. Of features there is a drawing with each
one switched, with those of each class that the library has of the model, and with those of each published model; of sizes there
is one for each fact about two of them. What drawings have in common is kept once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Any

from symparams.components.walks import components, is_within
from symparams.derivations.derivation import derive
from symparams.drawings.architecture import Detail, architecture
from symparams.drawings.bars.portions import tints_by_name, tints_of
from symparams.drawings.lengths import Length
from symparams.drawings.lettering.faces import LEAST_LETTER, letter_size
from symparams.drawings.marks import Anchor, Box, Drawing, Face, Facts, Frame, Mark, Pill, Slot, Text, TextPiece, Tint, texts
from symparams.errors import SymparamsError
from symparams.expressions.nodes import Dimension, Expression, Labelled, Named
from symparams.expressions.printing.form import PRODUCT
from symparams.expressions.printing.runs import RunPrinter, Runs, upright
from symparams.expressions.written import ZERO, Values
from symparams.formats.svg.elements import elements
from symparams.formats.svg.lines import SvgLines
from symparams.models.classes import tree_as_read
from symparams.models.library import Settings
from symparams.models.model import Model
from symparams.pages.anchors import nearest
from symparams.pages.pool import Formulas, PlaceTable
from symparams.pages.presets import published
from symparams.pages.sheets import Sheets
from symparams.quantities.parameters import PARAMETERS
from symparams.sheets.catalogue import catalogue, languages
from symparams.sheets.whole import is_users

WIDE = Length(285, "pt")  # of the column in which a picture stands
MOST_ALIKE, MOST_OF_FACTS = 4, 3  # features without which a drawing is the same; drawings of one setting
ATTRIBUTES = {"rect": ("class", "x", "y", "width", "height", "rx"), "circle": ("class", "cx", "cy", "r"),
              "path": ("class", "d"), "polygon": ("class", "points")}  # fmt: skip
FACES = {face: str(i) for i, face in enumerate(Face)}  # in which a run of a text is set
FORMULA_RUN = "f"  # in place of a face
# What the browser asks of a run; "counted" are those of a line that tells what a part counts.
RUNS = {
    "formula": FORMULA_RUN, "sign": FACES[Face.FORMULA], "count": FACES[Face.COUNT], "note": FACES[Face.NOTE],
    "counted": FACES[Face.NAME] + FACES[Face.FORMULA] + FACES[Face.COUNT] + FORMULA_RUN,
}  # fmt: skip
NOTHING = -1


class _Template(RunPrinter):
    """Formulas with the names of their letters in braces, and an invisible sign between factors side by side."""

    def dimension(self, dimension: Dimension) -> Runs:
        return upright(f"{{{dimension.name}}}")

    def juxtapose(self, factors: tuple[Expression, ...]) -> Runs:
        written = [self.write(factor, PRODUCT) for factor in factors]
        return self.join([upright("\u2062" if i else "") + factor for i, factor in enumerate(written)])


class _Unnamed(Formulas):
    """The formulas of a page, without the names that a sheet has for parts of them."""

    def place(self, expression: Expression) -> int:
        match expression:
            case Labelled(inner, _):
                return self.place(inner)
            case Named(_, definition):
                return self.place(definition)
        return super().place(expression)


@dataclass
class Pictures:
    """The drawings of a model's page; ``sheets`` have the sections and steps to which their parts lead."""

    model: Model
    sheets: Sheets
    notation: str = "hidden"
    symbols: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        table = self.sheets.pool.formulas
        self.formulas = _Unnamed(table, lambda _: NOTHING, lambda _: NOTHING)
        self.shapes, self.elements, self.steps, self.parts, self.marks = (PlaceTable() for _ in range(5))
        self.features, self.detail = self.sheets.features, Detail.PARTS

    def data(self) -> dict[str, Any] | None:
        """Return the data for the browser; None for a model that cannot be drawn."""
        drawn = list(self._drawn())
        if not drawn:
            return None
        return {
            "drawings": drawn,
            "marks": self.marks.entries,
            "elements": self.elements.entries,
            "shapes": self.shapes.entries,
            "steps": self.steps.entries,
            "parts": self.parts.entries,
            "own": self._is_own(),
            "attributes": ATTRIBUTES,
            "faces": [f"t-{face}" for face in Face],
            "runs": RUNS,
        }

    def kinds(self, rows: Mapping[str, str]) -> dict[str, Any]:
        """The kind of each part by its path, and of each row of shares by the place of its name: the name of a colour.

        ``rows`` are the paths of what other quantities have, by name.
        """
        models = [replace(self.model, present=self.model.present | {*self.model.features}), self.model]
        parts = {path: tint.value for model in models for path, tint in tints_of(model).items()}
        named = {name: parts[path] for name, path in rows.items() if path in parts}
        named |= {name: tint.value for model in models for name, tint in tints_by_name(model).items()}
        place = self.sheets.pool.names.place
        return {"parts": parts, "rows": {str(place((name, ""))): kind for name, kind in named.items()}}

    def _is_own(self) -> bool:
        """True if the model's config chooses what other models of its family do not have so, such as another activation."""
        model = self.model
        return bool(model.origin.config and model.library and model.library.choose(Settings({})) != model.choices)

    @cached_property
    def _shown(self) -> Model:
        """The model, in the sizes of the first published one where it has none."""
        first = None if self.model.values else next(published(self.model), None)
        return replace(first, present=self.model.present) if first is not None else self.model

    def _drawn(self) -> Iterator[list[Any]]:
        """Each drawing: its language, its features, those that change nothing of it, its size, its facts, its marks."""
        own, trees = self._shown.present, list[Any]()
        for present in self._settings(own):
            model = replace(self._shown, present=present)
            tree = tree_as_read(model)
            if tree in trees or model.formula() == ZERO:
                continue
            trees.append(tree)
            try:
                setting, alike = self.features.setting(present), self.features.mask(self._alike(model, tree))
                yield from self._of(model, setting, alike, is_own=present == own)
            except SymparamsError:
                if present == own:
                    return

    def _settings(self, own: frozenset[str]) -> Iterator[frozenset[str]]:
        """The features of which there is a drawing: the model's own, with each switched, those of the library's classes, and
        those of the family's published models.
        """
        yield own
        yield from (own ^ {feature} for feature in self.features.ticked)
        if (library := self.model.library) is not None:
            heads = ({feature.name for feature in kind.features} for kind in library.classes.values())
            yield from (own - library.by_class | head for head in heads)
        yield from (other.present for other in published(self.model))

    def _alike(self, model: Model, tree: Any) -> tuple[str, ...]:
        """The features of which each choice leaves the tree as it is."""
        alike: tuple[str, ...] = ()
        for feature in self.features.ticked:
            others = chain.from_iterable(combinations(alike, number) for number in range(len(alike) + 1))
            if len(alike) < MOST_ALIKE and all(
                tree_as_read(replace(model, present=model.present ^ {feature, *other})) == tree for other in others
            ):
                alike = (*alike, feature)
        return alike

    def _of(self, model: Model, mask: int, alike: int, *, is_own: bool) -> Iterator[list[Any]]:
        """The drawings of a setting in each language, of the model itself also those of the facts about its sizes."""
        known: list[Facts] = []
        waiting = [model]
        while waiting and len(known) < MOST_OF_FACTS:
            model = waiting.pop(0)
            derivation = derive(model)
            for number, language in enumerate(languages()):
                drawing = self._drawing(derivation, language)
                if number == 0:
                    if drawing.facts in known:
                        break
                    known.append(drawing.facts)
                    waiting += _others(model, drawing.facts) if is_own else []
                size = [_rounded(drawing.width), _rounded(drawing.height)]
                facts = [[*map(self.formulas.place, pair), int(held)] for pair, held in drawing.facts.items()]
                yield [number, mask, alike, *size, facts, _in_ranges(self._marks(model, drawing))]

    def _drawing(self, derivation: Any, language: str) -> Drawing:
        """The drawing of a column; without what is inside the blocks where one was too small to read."""
        given: dict[str, Any] = {"with_title": False, "notation": self.notation, "symbols": self.symbols, "layout": "tall"}
        drawing = architecture(derivation, language, width=WIDE, detail=self.detail, **given)
        if self.detail is Detail.PARTS and letter_size(drawing) < LEAST_LETTER:
            self.detail = Detail.BLOCKS
            return self._drawing(derivation, language)
        return drawing

    def _marks(self, model: Model, drawing: Drawing) -> list[int]:
        print_ = _Template(drawing.letters, str, str, catalogue(drawing.language).head["grouping"])
        lines, about = SvgLines(drawing), _Parts(model, self, drawing.language)
        marks = []
        for mark in drawing.marks:
            x, y = _place(mark)
            element = self._element(mark.moved(-x, -y), lines, print_)
            part = about.place(mark)
            placed = (element, _rounded(x), _rounded(y - drawing.height), *([part] if part != NOTHING else []))
            marks.append(self.marks.place(placed))
        return marks

    def _element(self, mark: Mark, lines: SvgLines, print_: _Template) -> int:
        """The place of the shapes of a mark and its texts."""
        emptied: Any = {name: value for name, value in (("lines", ()), ("part", ""), ("title", "")) if hasattr(mark, name)}
        bare = replace(mark, **emptied)
        shapes = [] if isinstance(mark, Text) else [_shape(element) for element in elements(bare, lines)]
        written = tuple(self._text(text, print_) for text in texts(mark) if text.pieces)
        return self.elements.place((tuple(map(self.shapes.place, shapes)), written))

    def _text(self, text: Text, print_: _Template) -> tuple[Any, ...]:
        """A text: its place, its runs, each on a line with its face before it, its scale and its anchor where it has any."""
        runs: list[str] = []
        for face, run in (self._run(piece, print_) for piece in text.pieces):
            if runs and runs[-1][0] == face:
                runs[-1] += run
            else:
                runs.append(face + run)
        told = [_rounded(text.x), _rounded(text.y), "\n".join(runs), round(text.scale, 3), str(text.anchor)]
        return tuple(told[: 5 if text.anchor is not Anchor.MIDDLE else 4 if text.scale != 1 else 3])

    def _run(self, piece: TextPiece, print_: _Template) -> tuple[str, str]:
        match piece.value:
            case Slot() as slot:
                sign = "=" if slot.is_count else "#"
                return FACES[
                    piece.face
                ], f"{_literal(slot.before)}{{{sign}{self.formulas.place(slot.of)}}}{_literal(slot.after)}"
            case str() as text:
                return FACES[piece.face], _literal(text)
            case formula:
                is_formula = piece.face is Face.FORMULA or formula.dimensions
                return FORMULA_RUN if is_formula else FACES[piece.face], "".join(run.text for run in print_(formula).runs)


@dataclass
class _Parts:
    """What a page knows of the parts of one drawing: what they are called, where they lead, what they count."""

    model: Model
    pictures: Pictures
    language: str

    def __post_init__(self) -> None:
        self.components = dict(components(self.model.tree))
        self.views = self.pictures.sheets.places(self.model.present)

    def place(self, mark: Mark) -> int:
        """The place of what a mark is about; of a panel, and of what is no part, -1."""
        path = getattr(mark, "part", "")
        is_part = isinstance(mark, (Box, Pill)) or (isinstance(mark, Frame) and mark.tint is Tint.STACK)
        is_of_one = isinstance(mark, Box) and mark.count is not None and not mark.leaves  # within one expert
        if not path or not is_part or is_of_one or path not in self.components:
            return NOTHING
        component = self.components[path]
        name = catalogue(self.language).name(path.rpartition(".")[2], is_users=is_users(self.model))
        targets = [nearest(path, component, places) for places in self.views]
        then = (0 if target == targets[0] else target for target in targets[1:])
        step = self.pictures.steps.place((path, targets[0], *then))
        return self.pictures.parts.place((step, name, *self._counts(mark, path)))

    def _counts(self, mark: Mark, path: str) -> tuple[Any, ...]:
        """Return the formulas of one, of all copies, and the one that is shown."""
        place = self.pictures.formulas.place
        if isinstance(mark, Box) and mark.count is not None:
            counted = {*mark.leaves}
            one, shown = place(mark.count), NOTHING if mark.formula is None else place(mark.formula)
        else:
            counted = {leaf.path for leaf in self.model.leaves if is_within(leaf.path, path)}
            one = shown = NOTHING
        leaves = [leaf for leaf in self.model.leaves if leaf.path in counted]
        every = place(PARAMETERS.over(leaves)) if leaves else NOTHING
        return one, every, shown


def _others(model: Model, facts: Facts) -> Iterator[Model]:
    """The model with other sizes, for each fact about two of them."""
    for (size, other), held in facts.items():
        values = _otherwise(model.values, size, other, is_equal=held)
        if values:
            yield replace(model, values={**model.values, **values})


def _otherwise(values: Values, size: Expression, other: Expression, *, is_equal: bool) -> Values:
    """A value with which two sizes are no longer equal, or are; none for a size that the drawing is of alone."""
    if size == other or size not in values or (is_equal and other not in values):
        return {}
    if is_equal:
        half, rest = divmod(int(values[other]), 2)  # type: ignore[index] # a dimension, which has a value
        return {} if rest else {other: half}  # type: ignore[dict-item]
    known = values.get(other)  # type: ignore[call-overload]
    return {size: int(other.value)} if known is None else {other: values[size]}  # type: ignore


def _in_ranges(places: list[int]) -> list[int]:
    """Places of which one that follows the one before it is left out: −n says that so many of them follow."""
    ranged: list[int] = []
    for before, place in zip([NOTHING - 1, *places], places, strict=False):
        if place != before + 1:
            ranged.append(place)
        elif ranged[-1] < 0:
            ranged[-1] -= 1
        else:
            ranged.append(-1)
    return ranged


def _rounded(length: float) -> float:
    """A length to a tenth of a point."""
    tenths = round(length, 1)
    return int(tenths) if tenths == int(tenths) else tenths


def _place(mark: Any) -> tuple[float, float]:
    """The point from which a mark is drawn."""
    if hasattr(mark, "points"):
        x, y = mark.points[0]
        return x, y
    at = getattr(mark, "place", mark)
    return at.x, at.y


def _shape(element: Any) -> str:
    """An element as a text: its name and its attributes; what is 0 is left out."""
    values = (element.get(name, "") for name in ATTRIBUTES[element.tag])
    return "|".join([element.tag, *("" if value == "0" else value for value in values)]).rstrip("|")


def _literal(text: str) -> str:
    """Text in which a brace is none of a slot."""
    return text.replace("{", "{{}")
