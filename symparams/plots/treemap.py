"""Treemap: where the parameters of a model are, as areas; of experts those that one token uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symparams.components.kinds import PartRole
from symparams.components.walks import Leaf
from symparams.derivations.mixtures import experts_of
from symparams.drawings.bars.portions import tints_of
from symparams.drawings.marks import Tint
from symparams.errors import OptionError, quoted, read_switch
from symparams.expressions.nodes import Number
from symparams.expressions.written import evaluate
from symparams.models.model import Model
from symparams.plots.pictures import Plot, Tile, Tiles
from symparams.quantities.parameters import PARAMETERS
from symparams.sheets.values import Capital, Name, Prose, Sentence, Value


def plot(models: Sequence[Model], *, active: bool = False) -> Plot:
    """Plot the parameters of a model as areas; CSV columns: part, parameters.

    ``active`` marks those that one token uses; OptionError for a model in which it uses all.
    """
    [model] = models
    active = read_switch("active", active)
    whole = model.count()
    used = model.active_count() if model.has_experts else None
    if active and used is None:
        raise OptionError(f"One token uses all parameters of {quoted(model.name)}: leave out --active.")
    counted = [(leaf, evaluate(PARAMETERS.over([leaf]), model.values)) for leaf in model.leaves]
    counted = [(leaf, count) for leaf, count in counted if count]
    facts = [] if used is None else [Sentence("plots.treemap.active", {"number": Number(used)})]
    return Plot(
        "treemap",
        Prose(model.name),
        [Sentence("plots.treemap.about" if used is None else "plots.treemap.about_active")],
        Tiles(list(_tiles(model, counted)), whole, used),
        facts,
        [],
        ("part", "parameters"),
        [(leaf.path, count) for leaf, count in counted],
        (model,),
    )


def _tiles(model: Model, counted: Sequence[tuple[Leaf, int]]) -> Iterator[Tile]:
    """Yield an area for each part outside of the layers, and one for each stack, with its sublayers within."""
    tints = tints_of(model)
    stacks = dict.fromkeys(leaf.stack for leaf, _ in counted)
    for stack in stacks:
        those = [(leaf, count) for leaf, count in counted if leaf.stack == stack]
        if not stack:
            yield from (_leaf(leaf, count, tints) for leaf, count in those)
            continue
        inner: dict[str, list[tuple[Leaf, int]]] = {}
        for leaf, count in those:
            inner.setdefault(leaf.sublayer[0] if leaf.sublayer else leaf.path, []).append((leaf, count))
        tiles = [_sublayer(model, part, tints) for part in inner.values()]
        layers = evaluate(those[0][0].layers, model.values)
        block = next(component for path, component in those[0][0].ancestors if path == stack)
        yield Tile(Capital(Name(block.name)), sum(count for _, count in those), Tint.STACK, tiles, copies=layers)


def _sublayer(model: Model, those: Sequence[tuple[Leaf, int]], tints: dict[str, Tint]) -> Tile:
    """The area of a sublayer, with its matrices within; of experts one that all of them share."""
    first = those[0][0]
    if first.sublayer is None or len(those) == 1:
        return _leaf(first, those[0][1], tints)
    experts = experts_of(first.sublayer[1])
    name = Capital(Name(first.part.name))
    tint, inside = tints[first.path], list[Tile]()
    if experts is not None:
        of_experts = [(leaf, count) for leaf, count in those if any(tensor.active for tensor in leaf.component.tensors)]
        number, used = (evaluate(size, model.values) for size in (experts.number, experts.active))
        terms: dict[str, Value] = {"number": Number(number), "used": Number(used)}
        called = Sentence("plots.treemap.experts", terms)
        inside.append(Tile(called, sum(count for _, count in of_experts), tint, pieces=number, used=used))
        those = [pair for pair in those if pair not in of_experts]
    inside += [_leaf(leaf, count, tints) for leaf, count in those]
    return Tile(name, sum(tile.count for tile in inside), tint, inside)


def _leaf(leaf: Leaf, count: int, tints: dict[str, Tint]) -> Tile:
    name = str(leaf.component.kind) if leaf.part.role is PartRole.NORM else leaf.name
    return Tile(Capital(Name(name)), count, tints[leaf.path])
