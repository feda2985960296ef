"""Recognition: a checkpoint by itself as a model, by the names and the shapes of its arrays, or by the config beside it.

The family is one whose arrays have just these names; its letters follow from the sides. What several families have alike, and
what shapes do not tell, is asked for.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from symparams.atlas import kind_of, kinds
from symparams.checkpoints.alignment import align
from symparams.checkpoints.equations import Equation, Solution, Values, solve, to_ask
from symparams.checkpoints.files import read
from symparams.checkpoints.groups import Group
from symparams.checkpoints.metadata import architecture_of, families_of, sizes_of
from symparams.checkpoints.outlines import Outline, OutlinedArray, outline_of, outlines
from symparams.checkpoints.parameters import parameters_of
from symparams.checkpoints.record import Checkpoint, Shape
from symparams.checkpoints.storage import as_loaded, unpacked
from symparams.checkpoints.translation import translated
from symparams.checkpoints.trees import arrays_of, words_of
from symparams.components.copies import MANY, starred
from symparams.errors import (
    CheckpointError,
    MissingDimensionError,
    SymparamsError,
    UnknownNameError,
    listed,
    quoted,
    suggestion,
)
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import by_reading
from symparams.models.library import families, is_family
from symparams.models.load import complete, keys_of
from symparams.models.model import Model, Origin
from symparams.models.sources.config import configured
from symparams.models.sources.config_reading import ConfigReading
from symparams.models.sources.target import CONFIG_FILE, is_folder
from symparams.models.values import by_dimension, needed, read_values
from symparams.records import frozen

MORE_THAN_ANY, LONGEST_SHOWN = 10**9, 80
USUAL_NAME = "model"  # of a file, which then is called as its folder is
PART_OF_SEVERAL = re.compile(r"-[0-9]{5}-of-[0-9]{5}\.safetensors\Z", re.IGNORECASE)


@frozen
class ShapesReading(ConfigReading):
    """What a checkpoint told without a config: the class, the sizes, and the letters that it does not tell.

    ``alike`` are other classes of the family that store the same, ``means`` what told the family: names, or metadata.
    """

    class_name: str = ""
    told: Mapping[Dimension, int] = field(default_factory=dict)
    untold: tuple[Dimension, ...] = ()
    alike: tuple[str, ...] = ()
    means: str = "names"

    def without(self, given: Collection[Dimension]) -> ShapesReading:
        """Return the reading where somebody gave these sizes."""
        return replace(self, untold=tuple(letter for letter in self.untold if letter not in given))

    def _lines(self) -> Iterator[str]:
        sizes = ", ".join(f"{letter.name} = {value}" for letter, value in self.told.items())
        others = f" ({listed(self.alike)} stores the same)" if self.alike else ""
        kind = f", {self.class_name}" if self.class_name else ""
        yield f"read from {self.means} and shapes as {self.family}{kind}{others}: {sizes}"
        if self.untold:
            names = [letter.name for letter in self.untold]
            flags = " ".join(f"--set {name}=…" for name in names)
            yield f"not told by the shapes, and the count does not need it: {listed(names)}; {flags} gives it"

    def refuse(self) -> None:
        """Accept it: nothing is left to a default."""


def recognised(target: str | Path, architecture: str = "", dimensions: Mapping[Any, Any] | None = None) -> Model:
    """Return the model of a file of weights, or of a folder with one: that of the config.json beside it, or of its arrays.

    ``architecture`` is the family where several have the same arrays, ``dimensions`` are sizes for what shapes do not tell.
    Raises CheckpointError for what no family holds or several do, and MissingDimensionError for sizes that shapes do not tell.
    """
    path = Path(target)
    config = (path if is_folder(path) else path.parent) / CONFIG_FILE
    if PART_OF_SEVERAL.search(path.name):
        raise CheckpointError(f"{quoted(path.name)} is one of several files: name their folder.")
    if config.is_file():
        return _as_its_config(config, read(path), architecture)
    checkpoint = read(path)
    own = checkpoint.name.rpartition("/")[2]
    stem = own.rpartition(".")[0] if path.is_file() else own
    name = path.resolve().parent.name if stem == USUAL_NAME else stem
    return _Recognition(checkpoint, name, architecture, dimensions or {}).model()


def _as_its_config(config: Path, checkpoint: Checkpoint, architecture: str) -> Model:
    """The model of a config, if the checkpoint beside it stores just its parameters."""
    model = configured(config, architecture)
    whole = complete(model, {})
    findings = [finding for finding in align(arrays_of(whole), checkpoint, words_of(whole)) if finding.relation.is_difference]
    if findings:
        raise CheckpointError(
            f"{quoted(checkpoint.name)} does not store the model of the config.json beside it: 'symparams verify {config} "
            f"--checkpoint {checkpoint.name}' says where they differ."
        )
    return model


@frozen
class _Fit:
    """A class whose names are those of a file, and what the shapes tell of its letters."""

    outline: Outline
    equations: tuple[Equation, ...]
    solution: Solution


class _Recognition:
    """A checkpoint, what is asked about it, and the classes that hold it."""

    def __init__(self, checkpoint: Checkpoint, name: str, architecture: str, dimensions: Mapping[Any, Any]) -> None:
        self.checkpoint, self.place, self.name = checkpoint, quoted(checkpoint.name), name
        self.architecture = architecture.casefold().replace("-", "_")
        if architecture and not is_family(self.architecture) and kind_of(architecture) is None:
            raise UnknownNameError(
                f"Unknown architecture {quoted(architecture)}. {suggestion(architecture, families(), kinds())}"
            )
        self.dimensions = dimensions
        parameters, _ = parameters_of(checkpoint)
        self.stored = sum(group.size for group in parameters)
        packed = {name: tensor.name for name, (tensor, _) in unpacked(checkpoint.tensors).items()}
        self.shapes = {packed.get(name, name): group.shape for group in parameters for name in group.names}

    def model(self) -> Model:
        """The model; CheckpointError where there is none, or more than one."""
        if architecture_of(self.checkpoint):
            return self._by_metadata()
        nearest: list[tuple[int, Outline, frozenset[str]]] = []
        for shapes in (self.shapes, *as_loaded(self.shapes)):
            patterns = frozenset(map(starred, shapes))
            named = [outline.nearest(patterns) for outline in outlines(patterns, self.architecture)]
            fits = [self._fit(outline, shapes) for outline in named if not outline.difference(patterns)]
            fits = fits or list(self._under_other_modules(named, shapes))
            if fits:
                return self._of_fits(fits)
            nearest += [(outline.difference(patterns), outline, patterns) for outline in named]
        raise self._no_family(min(nearest, key=lambda near: near[0], default=None))

    def _of_fits(self, fits: Sequence[_Fit]) -> Model:
        """The model of the classes that have the names of the file, if it is of one family."""
        sound = sorted((fit for fit in fits if fit.solution.broken is None), key=lambda fit: fit.outline.rank)
        if not sound:
            raise self._contradiction(fits[0])
        sound = [fit for fit in sound if not fit.outline.lacks_usual_parts] or sound
        names = list(dict.fromkeys(fit.outline.family for fit in sound))
        if len(names) > 1:
            raise CheckpointError(
                f"{self.place} has the names and shapes of {len(names)} families: {listed(names)}. Name the one that it is: "
                f"--architecture {names[0]}."
            )
        if sound[0].solution.free:
            free = sound[0].solution.free
            lack = f"{self.place} is {names[0]}, and its shapes do not tell {listed(letter.name for letter in free)}"
            raise MissingDimensionError(lack, [letter.name for letter in to_ask(free, sound[0].equations)])
        same = (fit.outline for fit in sound[1:] if fit.outline.rank[0] <= sound[0].outline.rank[0])
        alike = tuple(dict.fromkeys(outline.class_name for outline in same))
        return self._built(sound[0].outline, sound[0].solution.values, alike)

    def _by_metadata(self) -> Model:
        """The model of the first family that a GGUF file may be of whose arrays are just those of the file."""
        named = (self.architecture,) if self.architecture else families_of(self.checkpoint)
        if not named:
            kind = quoted(architecture_of(self.checkpoint))
            raise CheckpointError(f"{self.place} is {kind}, which no family here is known to be: name it with --architecture.")
        lacking: dict[str, tuple[Dimension, ...]] = {}
        for family in named:
            outline = outline_of(family)
            sizes = sizes_of(self.checkpoint)
            told = {letter: sizes[letter.name] for letter in outline.architecture.dimensions if letter.name in sizes}
            told |= self._given(outline)
            best, least = outline, self._difference(outline, told)
            while least:
                others = [replace(best, present=best.present ^ {feature}) for feature in best.open]
                number, place = min((self._difference(other, told), place) for place, other in enumerate(others))
                if number >= least:
                    break
                best, least = others[place], number
            if not least:
                return self._built(best.of_class(), told)
            lacking[family] = tuple(needed(replace(best.model, values=told), best.letters))
        if all(lacking.values()):
            open_letters = [letter.name for letter in next(iter(lacking.values()))]
            raise MissingDimensionError(f"{self.place} does not tell {listed(open_letters)}", open_letters)
        raise CheckpointError(
            f"{self.place} calls itself {quoted(architecture_of(self.checkpoint))}, and its tensors are not just those of "
            f"{listed(named)} of its sizes: {self._verify} says where a model differs."
        )

    def _difference(self, outline: Outline, values: Values) -> int:
        """The number of findings by which a class of these sizes differs from the file; more than any where it has no sizes."""
        try:
            model = complete(replace(outline.model, values=values), {})
            findings = align(arrays_of(model), self.checkpoint, words_of(model))
        except SymparamsError:
            return MORE_THAN_ANY
        return sum(1 for finding in findings if finding.relation.is_difference)

    def _under_other_modules(self, named: Iterable[Outline], shapes: Mapping[str, Shape]) -> Iterator[_Fit]:
        """The classes that have the names of a file but for what its modules are called, up to a common end."""
        firsts = dict.fromkeys((pattern.replace(MANY, "0") for pattern in frozenset(map(starred, shapes))), ())
        for outline in named:
            tree = [Group(name, (), 1) for name in sorted(outline.names)]
            patterns = frozenset(map(starred, translated(firsts, tree).values()))
            if len(patterns) == len(firsts) and not (again := outline.nearest(patterns)).difference(patterns):
                meant = translated(dict.fromkeys(shapes, ()), tree)
                yield self._fit(again, {meant[name]: shape for name, shape in shapes.items()})

    def _fit(self, outline: Outline, shapes: Mapping[str, Shape]) -> _Fit:
        """The letters of a class, from the sides and the numbers of arrays."""
        equations = tuple(_equations(outline, shapes))
        identities = outline.architecture.identities
        solution = solve(equations, identities, {})
        given = self._given(outline) if solution.free else {}
        return _Fit(outline, equations, solve(equations, identities, given) if given else solution)

    def _given(self, outline: Outline) -> Values:
        """The whole numbers that somebody gave for letters of a class."""
        try:
            given = by_dimension(outline.architecture, self.dimensions, keys_of(outline.architecture))
            return read_values(given, outline.architecture.dimensions)[0]
        except SymparamsError:  # which loading the model says, if this is the one
            return {}

    def _built(self, outline: Outline, told: Values, alike: tuple[str, ...] = ()) -> Model:
        """The model of a class with the sizes that were told, whose count is that of the file."""
        family, start = outline.architecture, outline.model
        values = {letter: told[letter] for letter in family.dimensions if letter in told}
        model = replace(start, values=values)
        bound = complete(model, {})
        if self.stored != bound.count() and self.stored != bound.count(frozen=True):  # files may hold what is never trained
            raise CheckpointError(
                f"{self.place} stores {self.stored:,} parameters, and {outline.family} of its sizes has {bound.count():,}: "
                f"{self._verify} says where a model differs."
            )
        untold = tuple(sorted(needed(bound, bound.dimensions), key=by_reading))
        means = "metadata" if architecture_of(self.checkpoint) else "names"
        reading = ShapesReading(
            outline.family, class_name=outline.class_name, told=values, untold=untold, alike=alike, means=means
        )
        origin = Origin(self.name, self.checkpoint.name, frozenset(values), start.present, outline.class_name, reading=reading)
        return replace(model, origin=origin)

    def _contradiction(self, fit: _Fit) -> CheckpointError:
        broken = fit.solution.broken
        assert broken is not None
        known = [d for d in broken.expression.dimensions if d in fit.solution.values]
        others = f", from which {listed(f'{d.name} = {fit.solution.values[d]}' for d in known)}" if known else ""
        return CheckpointError(
            f"{self.place} has the names of {fit.outline.family}, but {broken.about} does not fit the others{others}: "
            f"{self._verify} says where a model differs."
        )

    @property
    def _verify(self) -> str:
        return f"'symparams verify config.json --checkpoint {self.checkpoint.name}'"

    def _no_family(self, nearest: tuple[int, Outline, frozenset[str]] | None) -> CheckpointError:
        """The error with what the nearest class lacks, and what it has not."""
        who = f"{quoted(self.architecture)} has not" if self.architecture else "No known family has"
        lack = f"{who} just the tensors of {self.place}"
        advice = f"give the config.json beside it, or compare it with a model: {self._verify}"
        _, near, patterns = nearest or (0, None, frozenset[str]())
        if near is None or not near.names & patterns:
            return CheckpointError(f"{lack}: {advice}.")
        missing, more = sorted(near.names - patterns), sorted(patterns - near.names - near.constants)
        pairs = ("lacks", missing), ("has besides", more)
        told = [f"{what} {listed(quoted(name, LONGEST_SHOWN) for name in names)}" for what, names in pairs if names]
        return CheckpointError(f"{lack}; as {near.class_name}, it {' and '.join(told)}: {advice}.")


def _equations(outline: Outline, shapes: Mapping[str, Shape]) -> Iterator[Equation]:
    """The equations of a class and a file: each side of an array, and how many arrays have a name."""
    arrays: dict[str, list[OutlinedArray]] = defaultdict(list)
    for array in outline.arrays:
        if not array.tied:
            arrays[array.name].append(array)
    stored: dict[str, list[str]] = defaultdict(list)
    for name in shapes:
        stored[starred(name)].append(name)
    for called, alike in arrays.items():
        names = [name for name in stored[starred(called)] if called == starred(called) or _is_called(name, called)]
        if not names and not any(array.trained for array in alike):
            continue
        number, *more = (array.number for array in alike)
        for other in more:
            number = number + other
        shown = quoted(called, LONGEST_SHOWN)
        yield Equation(number, len(names), f"{shown}, {len(names)} times,")
        found, kinds = {shapes[name] for name in names}, {array.sides for array in alike}
        if len(kinds) == 1 == len(found):
            [shape], [sides] = found, kinds
            if len(shape) == len(sides):
                about = f"{shown}, {' × '.join(map(str, shape))},"
                yield from (Equation(side, size, about) for side, size in zip(sides, shape, strict=True))


def _is_called(name: str, called: str) -> bool:
    """True if a name is a pattern with numbers for some of its segments."""
    return all(own in (segment, MANY) for segment, own in zip(name.split("."), called.split("."), strict=True))
