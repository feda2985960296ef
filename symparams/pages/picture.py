"""The picture of a page: the outline of a tree as flat entries, which the browser lays out and counts anew.

Entries stand in the order of the tree, which is that of the derivation. Each says what stands around it, from the outermost:
"#path" a frame, a block of the tree or a stack; "~number" stacks whose layers take turns; "+name" a sum with what came in;
"|name" and "&name" branches that read the same, whose results are added or stand in one sequence; "/number" one of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from symparams.components.facts import Stream, key
from symparams.components.kinds import Role
from symparams.components.tree import Component, as_told
from symparams.components.walks import components, is_within, leaves
from symparams.derivations.mixtures import experts_of
from symparams.drawings.outline.chains import in_place
from symparams.drawings.outline.columns import Outline, outline
from symparams.drawings.outline.ends import end_of, reads_a_layer, unread
from symparams.drawings.outline.parts import (
    AlternatingLayers,
    Block,
    Computation,
    Fork,
    LayerStack,
    Part,
    Residual,
    SecondStream,
    SplitSlot,
    begins_anew,
    has_own_input,
    parts_of,
    walk,
)
from symparams.expressions.nodes import Expression
from symparams.expressions.written import ONE, times
from symparams.models.model import Model
from symparams.pages.anchors import Places, nearest
from symparams.pages.writing import Writer
from symparams.quantities.parameters import PARAMETERS
from symparams.sheets.catalogue import USUAL_LANGUAGE, catalogue
from symparams.sheets.values import Name, Prose, Sentence

# A part that does not read what stands before it; one that reads the encoder; one that reads the layers, whatever stands above
# them; one that reads the end of every column; one into whose sequence comes what the column before it gives; one that leads
# nowhere, so that what reads the layers reads what comes into it.
START, READS, LAYERS, EVERY, JOINED, PASSED = (1 << bit for bit in range(6))
BOX, SMALL, PILL = range(3)  # how high a part stands: with a bar of its share, without, with nothing to learn


@dataclass(frozen=True)
class PictureEntry:
    """A part of the picture, with what stands around it."""

    part: Block | Computation
    around: tuple[str, ...]

    @property
    def count(self) -> Expression:
        """The parameters of one copy of its layer."""
        component = self.part.component
        if not component.body:
            return times(component.times, PARAMETERS.of(component))
        return times(component.times, PARAMETERS.over(leaves(component, within=True)))


def entries(tree: Component) -> Iterator[PictureEntry]:
    """Every part of a tree that is drawn, in its order."""
    blocks = {path: component for path, component in components(tree) if path and component.role is Role.BLOCK}
    yield from _entries(parts_of(tree), (), blocks)


def _entries(parts: Iterable[Part], around: tuple[str, ...], blocks: Mapping[str, Component]) -> Iterator[PictureEntry]:
    for part in parts:
        here = (*around, *(frame for path in _prefixes(_place(part), blocks) if (frame := f"#{path}") not in around))
        if isinstance(part, (Block, Computation)):
            yield PictureEntry(part, here)
        elif isinstance(part, LayerStack):
            yield from _entries(part.parts, (*here, f"#{part.path}"), blocks)
        elif isinstance(part, AlternatingLayers):
            for number, group in enumerate(part.groups):
                yield from _entries(group, (*here, f"~{number}"), blocks)
        elif isinstance(part, SecondStream):
            yield from _entries(part.parts, here, blocks)
        elif isinstance(part, Residual):
            yield from _entries(part.parts, (*here, f"+{_name(part)}"), blocks)
        elif isinstance(part, SplitSlot):
            yield from _entries(part.blocks, here, blocks)
        else:
            branches = tuple(enumerate(part.branches))
            for number, branch in as_told(branches) if part.is_sequence else branches:
                fork = f"{'&' if part.is_sequence else '|'}{_name(part)}"
                yield from _entries(branch, (*here, fork, f"/{number}"), blocks)


def _place(part: Part) -> str:
    """The path of what stands around a part: around all of its blocks."""
    if isinstance(part, (Block, Computation, LayerStack)):
        return part.path.rpartition(".")[0]
    paths = [inner.path.split(".")[:-1] for inner in walk((part,)) if isinstance(inner, (Block, Computation, LayerStack))]
    return ".".join(names[0] for names in takewhile(lambda names: len(set(names)) == 1, zip(*paths, strict=False)))


def _name(part: Residual | Fork) -> str:
    """The key that tells it from others beside it: its first block."""
    return next((inner.path.rpartition(".")[2] for inner in walk((part,)) if isinstance(inner, (Block, Computation))), "")


def _prefixes(path: str, blocks: Mapping[str, Component]) -> Iterator[str]:
    """The blocks of a tree around a path, its own with it, from the outermost."""
    names = path.split(".") if path else []
    return (prefix for i in range(len(names)) if (prefix := ".".join(names[: i + 1])) in blocks)


class Picture:
    """The parts of a page that are its picture, for one sheet."""

    def __init__(self, model: Model, writer: Writer, views: Sequence[Places], rank: Callable[[str], int]) -> None:
        self.model, self.writer, self.views, self.rank = model, writer, views, rank
        self.entries = list(entries(model.tree))
        self.applied = {path: component for path, component in components(model.tree) if component.role is Role.BLOCK}

    def parts(self) -> dict[tuple[str, str], int]:
        """Return each entry and each frame around one, as a place in the pool."""
        place, parts = self.writer.pool.parts.place, dict[tuple[str, str], int]()
        columns = outline(self.model.tree)
        swapped = {foot.path for column in columns.columns for foot in in_place(column.feet)}
        starts, joined = _starts(columns, self.entries, swapped), _joined(columns)
        heads = [part.path for head in columns.heads for part in walk(head.parts) if isinstance(part, Block)]
        every = {entry.part.path for entry in self.entries if any(is_within(head, entry.part.path) for head in heads)}
        passed, fed = _passed(columns, self.entries)
        fed |= {entry.part.path for entry in self.entries if reads_a_layer(entry.part)}
        for entry in self.entries:
            path, part = entry.part.path, entry.part
            flow = START * (path in starts) + READS * (part.component.reads is Stream.ENCODER) + LAYERS * (path in fed)
            flow += EVERY * (path in every) + JOINED * (path in joined) + PASSED * (path in passed)
            parts["picture", path] = place(self._entry(entry, flow, is_in_place=path in swapped))
        for path in dict.fromkeys(reading[1:] for entry in self.entries for reading in entry.around if reading[0] == "#"):
            parts["frame", path] = place(self._frame(path, self.applied[path]))
        return parts

    def _entry(self, entry: PictureEntry, flow: int, *, is_in_place: bool) -> tuple[Any, ...]:
        component, path = entry.part.component, entry.part.path
        kind = PILL if isinstance(entry.part, Computation) else SMALL if component.role is Role.NORM else BOX
        is_in_layer = any(_is_stack(self.applied[frame[1:]]) for frame in entry.around if frame[0] == "#")
        name = self.writer.value(_called(path, component, is_in_layer=is_in_layer))
        notes = self.writer.values(_notes(component, is_in_place=is_in_place))
        count = self.writer.place(entry.count) if kind != PILL else -1
        return self.rank(path), entry.around, name, count, kind, notes, self._targets(path, component), flow

    def _frame(self, path: str, component: Component) -> tuple[Any, ...]:
        is_stack = _is_stack(component)
        name = Name(f"one:{component.name or component.kind.name}") if is_stack else Name(path.rpartition(".")[2])
        copies = self.writer.place(component.times) if is_stack else -1
        used = [Sentence("drawing.used", {"times": component.applied})] if component.applied is not None else []
        return (
            self.writer.name(name),
            copies,
            self.writer.values(used),
            self._targets(path, component),
        )

    def _targets(self, path: str, component: Component) -> tuple[str | int, ...]:
        """Return the target of a part, view by view; 0 if it is that of the first view."""
        targets = [nearest(path, component, places) for places in self.views]
        return (targets[0], *(0 if target == targets[0] else target for target in targets[1:]))


def _is_stack(block: Component) -> bool:
    return block.times != ONE or block.name not in ("", block.kind.name)


def _called(path: str, component: Component, *, is_in_layer: bool) -> Sentence | Name:
    """Return the name of a part: of a layer's norm and of computed positions their kind, of another that of its step."""
    entries, kind = catalogue(USUAL_LANGUAGE).entries, component.kind.name
    if component.role is Role.ABSENT and f"drawing.names.{kind}" in entries:
        return Sentence(f"drawing.names.{kind}")
    return Name(kind if is_in_layer and component.role is Role.NORM and f"names.{kind}" in entries else path.rpartition(".")[2])


def _notes(component: Component, *, is_in_place: bool) -> Iterator[Sentence]:
    """Yield the notes below the name of a box.

    What it reads of the layers, in whose place it stands, which experts are active, whose matrix it is.
    """
    if component.reads in (Stream.LAYERS, Stream.IMAGE, Stream.TOKENS):
        yield Sentence(f"drawing.reads.{key(component.reads)}")
    if is_in_place:
        yield Sentence("page.picture.in_place", {"of": _input(component.reads)})
    experts = experts_of(component) if component.body else None
    if experts is not None:
        yield Sentence("drawing.experts.active", {"n_active": experts.active, "n_experts": experts.number})
    if experts is not None and component.role is Role.PARALLEL:
        yield from (Sentence("page.picture.beside", {"name": Name(name)}) for name, _ in component.body[1:])
    tied = [tensor.tied_to for tensor in component.tensors if tensor.tied_to]
    if tied:
        yield Sentence("page.picture.tied", {"owner": Name(tied[0].rpartition(".")[2])})


def _starts(drawn: Outline, shown: Sequence[PictureEntry], swapped: set[str]) -> set[str]:
    """The paths of what does not read the part before it: where a column begins, a table by itself, a head beside another."""
    paths = [entry.part.path for entry in shown]
    starts = {foot.path for column in drawn.columns for foot in column.feet if begins_anew(foot)} - swapped
    starts |= {score.path for column in drawn.columns for chain in column.scores for score in chain if begins_anew(score)}
    for column in drawn.columns if drawn.owners else drawn.columns[1:]:
        own = {part.path for part in walk((*column.feet, *column.spine)) if isinstance(part, (Block, Computation))}
        starts |= set() if column.is_joined else set([path for path in paths if path in own][:1])
    flows = [part for column in drawn.columns for part in walk(tuple(column.spine))]
    others = [part.parts for part in flows if isinstance(part, SecondStream)]
    others += [part.parts for part in flows if isinstance(part, Residual) and has_own_input(part.parts)]
    starts |= {next(part.path for part in walk(parts) if isinstance(part, Block)) for parts in others}
    tops = {head.path for head in (*drawn.heads, *(head for column in drawn.columns for head in column.heads))}
    heads = {path.split(".")[0]: path for path in reversed(paths) if path.split(".")[0] in tops}
    return starts | set(sorted(heads.values(), key=paths.index)[1:])


def _joined(drawn: Outline) -> set[str]:
    """The paths with which columns begin into whose sequence comes what the column before gives."""
    feet = (walk((*column.feet, *column.spine)) for column in drawn.columns if column.is_joined)
    return {next(part.path for part in parts if isinstance(part, (Block, Computation))) for parts in feet}


def _passed(drawn: Outline, shown: Sequence[PictureEntry]) -> tuple[set[str], set[str]]:
    """The paths with which parts begin that stand above others and lead nowhere, and of what is fed around them."""
    passed, fed = set(), set()
    for column in drawn.columns:
        end, span = end_of(column), unread(column)
        for part in end[span] if span.start else ():
            assert isinstance(part, Block)
            passed |= set([entry.part.path for entry in shown if is_within(entry.part.path, part.path)][:1])
            fed |= {follower.path for follower in end[span.stop : span.stop + 1] if isinstance(follower, Block)}
    return passed, fed


def _input(reads: str) -> Sentence | Prose:
    """Return the input of a model in a word of the catalogue; a word of a user's own tree stays as it is."""
    word = f"drawing.inputs.{key(reads)}"
    return Sentence(word) if word in catalogue(USUAL_LANGUAGE).entries else Prose(reads)
