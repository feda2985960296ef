"""Recognition: each discovered module as the component that its name and its shapes make it.

Sublayers are what ``sublayers`` finds; the rest are tables, norms and dense layers in blocks, of which nobody saw what they
read. Modules that only wrap a sublayer, or the whole model, are not told apart from what they wrap.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from symparams.architectures import Architecture, Certificate
from symparams.components import Component, Gives, Rows, Tokens, alternating, block, classifying, giving, seeing, unordered
from symparams.components.copies import MANY
from symparams.components.facts import Projection
from symparams.components.kinds import EMBEDDING, LAYER_NORM, LINEAR, Role
from symparams.components.laws import Law
from symparams.components.linear import CONVOLUTION, PARAMETER
from symparams.components.walks import leaves
from symparams.discovery.leaves import NORMS, WEIGHT, alone, leaf, same, there
from symparams.discovery.names import Sublayer, Surroundings, excludes, names
from symparams.discovery.parts import ArrayRule, Part
from symparams.discovery.sublayers import own_arrays, sublayers
from symparams.errors import DiscoveryError
from symparams.expressions.nodes import Expression, is_name
from symparams.expressions.written import ONE
from symparams.features import Feature, tying
from symparams.records import frozen

SEQUENTIAL = "Sequential"  # torch's module whose parts read each other in order
OWN = "own_arrays"  # of layers whose parts are counted each by itself
LAYERS, PATCHES = "layers", "patch_embedding"
ROWS: Mapping[str, Rows] = {
    "token_embedding": Rows.TOKENS,
    "position_embedding": Rows.POSITIONS,
    "segment_embedding": Rows.SEGMENTS,
}


def architecture(name: str, whole: Part, laws: Sequence[Law], usual: frozenset[str], certificate: Certificate) -> Architecture:
    """The definition, with its certificate; its usual features are the switches that were on when it was given."""
    tree = recognised(whole, certificate.ranges)
    has = [Feature(switch) for switch in sorted(usual) if switch in whole.features]
    if tying.name in whole.features.difference(usual):
        has.append(~tying)  # which a tree with a tie has by default
    return Architecture(name, tree=tree, laws=laws, has=has, certificate=certificate)


@frozen
class LayerPlaces:
    """Where a kind of layers stands in a model: the modules of each of its parts, and the names of the arrays of one layer."""

    modules: Mapping[str, tuple[str, ...]]
    arrays: frozenset[str]


@dataclass
class Places:
    """Where the modules of a model stand: by path in the tree those beside its layers; of each stack its kinds of layers."""

    whole: dict[str, str] = field(default_factory=dict)
    layers: dict[str, list[LayerPlaces]] = field(default_factory=dict)


def recognised(whole: Part, letters: Iterable[str] = (), places: Places | None = None, *, plain: bool = False) -> Component:
    """Return the tree of a model, each of its modules as the component that it is; ``letters`` are those with a value.

    ``places`` is told where the modules stand. If ``plain``, no sublayers are put together: what they say of each other may not
    hold of a whole model.
    """
    return _Recognition(whole, frozenset(letters), places or Places(), plain).tree()


@dataclass
class _Item:
    """A part of a block: its name, the component, what the model calls it, and where what its modules hold stands in it."""

    name: str
    component: Component
    called: str = ""
    places: dict[str, str] = field(default_factory=dict)
    modules: tuple[str, ...] = ()  # of which it is made, by their whole names
    layer: str = ""  # the name of one layer of a stack
    inner: list[_Item] = field(default_factory=list)  # the parts of a block

    @property
    def is_norm(self) -> bool:
        return self.component.role is Role.NORM

    @property
    def is_made(self) -> bool:
        return self.component.is_sublayer


class _Recognition:
    def __init__(self, whole: Part, letters: frozenset[str], places: Places, plain: bool) -> None:
        self.whole, self.places, self.plain = whole, places, plain
        self.shared = {owner for rule in _rules(whole) for owner in (rule.shares, rule.shares.rpartition(".")[0]) if owner}
        is_causal = whole.of.endswith(tuple(names()["layers"]["causal"]))
        self.in_norm = False  # matrices in a norm are not a network of the layer
        self.around = Surroundings(letters | whole.letters, is_causal)

    def tree(self) -> Component:
        """The whole model; the parts of its base, and of what this only wraps, beside its heads."""
        self.places.layers.clear()
        items, _ = self.items(self.whole, "")
        while True:
            having = [item for item in items if _has_stack(item.component)]
            if len(having) != 1 or not having[0].inner or having[0].component.when or having[0].component.times != ONE:
                break
            [base] = having
            opened = [part for item in items for part in (base.inner if item is base else [item])]
            items = _unique([_as_stack(item, base.name) for item in opened])
        named = _named_outside(items, self.whole.of)
        heads = [item for item in named if any(inner.component.gives for inner in _all([item]))]
        last = [item for item in heads if any(_has_stack(later.component) for later in named[named.index(item) :])]
        made, places = _block(self.whole, [*(item for item in named if item not in last), *last])
        self.places.whole = {path: place for path, place in places.items() if MANY not in path.split(".")}
        return _owned_by_tables(_tied(made, places))

    # modules

    def items(self, part: Part, path: str) -> tuple[list[_Item], list[Sublayer]]:
        """What a module holds, and the sublayers that were put together of it."""
        modules = {name: module for name, module in own_arrays(part) if not _is_shared(f"{path}{name}", module, self.shared)}
        found = [] if self.in_norm or self.plain else sublayers(part, modules, self.around)
        items = _unique(list(self.rest(part, path, "", found, set())))
        return _norms_named(items), found

    def rest(self, part: Part, path: str, within: str, found: Sequence[Sublayer], told: set[frozenset[str]]) -> Iterator[_Item]:
        """The parts in their order, a sublayer where its first module stands."""
        used = {name: made for made in found for name in made.used}
        for name, rules in _by_name(part.arrays):
            whole_name = f"{within}{name}"
            if whole_name in used:
                yield from _once(used[whole_name], told, path)
            else:
                named = _free_name(within, name, part)
                yield from (_array(named, rule, f"{path}{whole_name}") for rule in rules)
        for child in part.parts:
            name = f"{within}{child.name}"
            wraps = [made for other, made in used.items() if other.startswith(f"{name}.")]
            if name in used:
                yield from _once(used[name], told, path)
            elif wraps:
                items = list(self.rest(child, path, f"{name}.", found, told))
                yield from _its_norm(items, wraps[0].name, wraps[0].component)
            else:
                yield from self.whole_of(child, part, f"{path}{name}", within)

    def whole_of(self, child: Part, parent: Part, path: str, within: str) -> Iterator[_Item]:
        """A module as one part of a block, or as several where it only holds a sublayer and what belongs to it."""
        if not child.parts:
            yield self.leaf(child, parent, path, within)
            return
        if all(inner.name == MANY for inner in child.parts) and not child.arrays:
            stack = self.copies(child, path)
            yield replace(stack, component=there(child, stack.component))
            return
        outside, self.in_norm = self.in_norm, self.in_norm or _is_norm(child.of.lower())
        items, found = self.items(child, f"{path}.")
        self.in_norm = outside
        shared: Mapping[str, str] = names()["mixture"]["shared"]
        if child.name in shared and len(items) == 1 and items[0].is_made:
            items = [replace(items[0], name=shared[child.name])]
        if child.times == ONE and _only_wraps(items, found):
            made = next(item for item in items if item.is_made or item.layer or item.name in _names_of(found))
            for item in _its_norm(items, made.name, made.component):
                name = _name(child.name, parent) if item.layer else item.name
                yield replace(item, name=name, called=child.name, component=there(child, item.component))
        elif len(items) == 1 and items[0].is_made:
            yield replace(items[0], called=child.name, component=there(child, items[0].component))
        elif len(items) == 1 and child.times == ONE:
            [only] = items
            name = only.name if only.name in names()["tables"] else _free_name(within, child.name, parent) or OWN
            yield replace(only, name=name, called=child.name, component=there(child, only.component))
        else:
            items = _final(_of_head(items) if child.name in names()["heads"]["called"]["output"] else items)
            component, places = _block(child, items)
            name = _free_name(within, child.name, parent) or OWN
            name = "expert_sublayers" if child.times != ONE and any(item.name == "experts" for item in items) else name
            yield _Item(name, there(child, component), child.name, {path: "", **places}, inner=items)

    def leaf(self, child: Part, parent: Part, path: str, within: str) -> _Item:
        """A module without modules."""
        if len(child.arrays) == 1 and child.arrays[0].name != WEIGHT:
            item = _array("", child.arrays[0], path)
            component = there(child, item.component)
        else:
            component = leaf(child)
        name = _free_name(within, child.name, parent) or OWN
        table = names()["tables"]
        known = next((word for word, spelled in table.items() if child.name in spelled), None)
        if component.kind is EMBEDDING and known is not None:
            name, component = known, replace(component, rows=ROWS[known])
        elif component.kind is CONVOLUTION and known == PATCHES:
            name, component = known, replace(component, makes=(Projection.PATCHES,))
        return _Item(name, component, child.name, {path: ""}, (path,))

    def copies(self, part: Part, path: str) -> _Item:
        """Copies of one module, or of several kinds, which take turns or come one after the other."""
        called = LAYERS if part.name in names()["layers"]["called"] else _name(part.name, part)
        places: dict[str, str] = {}
        made: list[Component] = []
        for kind in part.parts:
            layer, inside = self.layer(kind, f"{path}.{MANY}")
            made.append(layer)
            places |= inside if len(part.parts) == 1 else {}
        layer_name = _layer(part.parts[0])
        if len(made) == 1:
            return _Item(called, replace(made[0], name=layer_name), part.name, places, layer=layer_name)
        kinds = {_plural(name): replace(one, name=name, is_named=True) for name, one in _kinds(part.parts, made)}
        stack = block(**kinds)
        return _Item(called, alternating(stack) if part.turns else stack, part.name, layer=layer_name)

    def layer(self, part: Part, path: str) -> tuple[Component, dict[str, str]]:
        """One layer of a stack, as often as it occurs."""
        if not part.parts:
            is_array = len(part.arrays) == 1 and part.arrays[0].name != WEIGHT
            return (there(part, alone(part.arrays[0])) if is_array else leaf(part)), {}
        items, _ = self.items(part, f"{path}.")
        component, places = _block(part, items)
        if part.times != ONE and path.endswith(f".{MANY}"):
            kind = LayerPlaces({item.name: item.modules for item in items}, frozenset(_named_arrays(part)))
            self.places.layers.setdefault(path.removesuffix(f".{MANY}"), []).append(kind)
        return there(part, component), places


def _named_arrays(part: Part, prefix: str = "") -> Iterator[str]:
    """The names of the arrays that a part always has."""
    yield from (f"{prefix}{rule.name}" for rule in part.arrays if not rule.when)
    for inner in part.parts:
        if not inner.when:
            yield from _named_arrays(inner, f"{prefix}{inner.name}.")


def _array(name: str, rule: ArrayRule, path: str) -> _Item:
    """An array that a module holds itself: a token, positions, anything that is learned."""
    component = alone(rule)
    known = next((word for word, spelled in names()["vectors"].items() if rule.name in spelled), None)
    if known is not None and component.kind is PARAMETER:
        name, component = known, replace(component, kind=EMBEDDING, rows=ROWS.get(known))
    return _Item(name, component, rule.name, {path: ""})


def _once(made: Sublayer, told: set[frozenset[str]], path: str) -> Iterator[_Item]:
    """A sublayer where its first module stands, and nothing where the others do."""
    if made.used not in told:
        told.add(made.used)
        yield _Item(made.name, made.component, made.name, modules=tuple(f"{path}{name}" for name in sorted(made.used)))


def _only_wraps(items: Sequence[_Item], found: Sequence[Sublayer]) -> bool:
    """True if a module is nothing but a sublayer with what belongs to it, or layers."""
    if len(items) == 1:
        return items[0].is_made or bool(items[0].layer) or items[0].name in _names_of(found)
    made = [item for item in items if item.is_made or item.name in _names_of(found)]
    if len(made) == 1 and all(item.is_norm for item in items if item is not made[0]):
        return True
    shared = names()["mixture"]["shared"]
    return bool(found) and all(item.name in _names_of(found) or item.name in shared for item in made)


def _names_of(found: Sequence[Sublayer]) -> set[str]:
    return {made.name for made in found}


def _block(part: Part, items: Sequence[_Item]) -> tuple[Component, dict[str, str]]:
    """A block; torch's Sequential passes data on in order, of the others nobody saw what they read."""
    inner = tuple((item.name, item.component) for item in items)
    places = {path: f"{item.name}.{place}" if place else item.name for item in items for path, place in item.places.items()}
    if part.of == SEQUENTIAL or len(inner) < 2:
        return replace(block(), body=inner), places
    return block(replace(unordered(**dict(inner)), body=inner)), places


def _tied(made: Component, places: Mapping[str, str]) -> Component:
    """The tree in which each shared array is tied to the part that owns it."""

    def owner(shares: str) -> str:
        place = places.get(shares) or places.get(shares.rpartition(".")[0])
        if place is None:
            raise DiscoveryError(f"{shares} is shared: an array that some of the copies share has no form here.")
        return place

    def walked(component: Component) -> Component:
        tensors = tuple(
            replace(tensor, tied_to=owner(tensor.tied_to)) if tensor.tied_to else tensor for tensor in component.tensors
        )
        return replace(component, tensors=tensors, body=tuple((name, walked(inner)) for name, inner in component.body))

    return walked(made)


def _owned_by_tables(made: Component) -> Component:
    """The tree in which a table of tokens that stands before the part to which it is tied owns their matrix."""
    found = {leaf.path: leaf.component for leaf in leaves(made)}
    order = list(found)
    swapped: dict[str, str] = {}
    for path, component in found.items():
        tied = [tensor for tensor in component.tensors if tensor.tied_to]
        owner = tied[0].tied_to if component.rows is Rows.TOKENS and len(tied) == len(component.tensors) == 1 else ""
        if owner in found and order.index(path) < order.index(owner) and owner not in swapped:
            first = found[owner].tensors[0]
            if not first.tied_to and first.when == tied[0].when:
                swapped[owner] = path

    def walked(component: Component, path: str) -> Component:
        tensors = list(component.tensors)
        for place, tensor in enumerate(tensors):
            if place == 0 and path in swapped:
                tensors[0] = replace(tensor, tied_to=swapped[path])
            elif tensor.tied_to in swapped:
                owner = swapped[tensor.tied_to]
                tensors[place] = replace(tensor, tied_to="" if owner == path else owner)
        body = tuple(
            (name, walked(inner, f"{path}.{name}" if path and name else path or name)) for name, inner in component.body
        )
        return replace(component, tensors=tuple(tensors), body=body)

    return walked(made, "") if swapped else made


# names


def _unique(items: list[_Item]) -> list[_Item]:
    """The parts of a block, each with a name of its own, or that of one that no model has beside it."""
    named: list[_Item] = []
    for item in items:
        name, number = item.name, 2
        while any(other.name == name and not excludes(other.component, item.component) for other in named):
            name = f"{item.name}_{number}"
            number += 1
        named.append(replace(item, name=name))
    return named


def _norms_named(items: list[_Item]) -> list[_Item]:
    """The parts of a layer, its norms called by the sublayer to which they belong, where all of their names are known."""
    norms = [item.name for item in items if item.is_norm]
    if not norms or not any(item.is_made for item in items):
        return items
    rows = [row for row in names()["norms"] if set(row["needs"]) <= set(norms)]
    row = next((row for row in rows if set(norms) <= row.keys()), None) or max(
        rows, key=lambda row: len(row.keys() & set(norms))
    )
    called = {norm: row[norm].replace("attention", _mixer(items), 1) if norm in row else norm for norm in norms}
    if len(set(called.values())) < len(norms):
        return items
    return [replace(item, name=called[item.name]) if item.is_norm else item for item in items]


def _its_norm(items: Sequence[_Item], name: str, made: Component) -> Iterator[_Item]:
    """What stands around a sublayer; the only norm, if it is as wide as what the sublayer gives, is the sublayer's."""
    norms = [item for item in items if item.is_norm]
    ends = {Projection.OUTPUT, Projection.DOWN}
    widths = [leaf.component.tensors[0].shape[-1] for leaf in leaves(made) if ends.intersection(leaf.component.makes)]
    for item in items:
        is_its = item.is_norm and len(norms) == 1 and any(same(item.component.tensors[0].shape[0], width) for width in widths)
        yield replace(item, name=f"{name}_norm") if is_its else item


def _of_head(items: list[_Item]) -> list[_Item]:
    """The parts of a head over words: the transform before its output."""
    inside: Mapping[str, str] = names()["heads"]["inside"]
    return _unique(
        [replace(item, name=inside.get(item.name, item.name)) if item.component.kind is LINEAR else item for item in items]
    )


def _mixer(items: Sequence[_Item]) -> str:
    """The name of what mixes tokens in a layer: attention, or a state space where there is none."""
    mixers = [item.name for item in items if item.component.role is Role.MIXER]
    return mixers[0] if mixers and all(item.name != "attention" for item in items) else "attention"


def _final(items: list[_Item]) -> list[_Item]:
    """The parts of a block of layers, the only norm beside them called the final one."""
    norms = [item for item in items if item.is_norm]
    if len(norms) != 1 or not any(item.layer for item in items):
        return items
    name = "final_layer_norm" if norms[0].component.kind is LAYER_NORM else "final_norm"
    return _unique([replace(item, name=name) if item is norms[0] else item for item in items])


def _as_stack(item: _Item, around: str) -> _Item:
    """A stack of what is opened, called as what it was in: the layers of an encoder are the encoder."""
    ends = names()["layers"]["ends"].values()
    return replace(item, name=around) if item.layer and item.name == LAYERS and around in ends else item


def _named_outside(items: list[_Item], of: str) -> list[_Item]:
    """The parts of the whole model: its layers, its heads, and the norm after its layers."""
    ends = names()["layers"]["ends"]
    rows = {item.component.tensors[0].shape[0] for item in _all(items) if item.component.rows is Rows.TOKENS}
    named = []
    for item in _final(items):
        if item.layer and item.name == LAYERS:
            named.append(replace(item, name=ends.get(item.layer, item.name)))
        else:
            named.append(_head(item, rows, of) if item.inner or item.component.kind is LINEAR else item)
    return _unique(named)


def _head(item: _Item, rows: Collection[Expression], of: str) -> _Item:
    """A head by its name: over the rows of the table of tokens, or over labels."""
    heads = names()["heads"]
    known = next((word for word, spelled in heads["called"].items() if item.called in spelled), "")
    if not item.inner and known == "classifier":
        return replace(item, name=known, component=classifying(item.component))
    if not item.inner and known == "answer":
        return replace(item, name=known, component=giving(item.component, Gives.ANSWER))
    is_output = any(inner.component.kind is LINEAR and inner.component.tensors[0].shape[-1] in rows for inner in _all([item]))
    if known != "output" or not is_output:
        return item
    if of.endswith(tuple(heads["masked"])):
        made = giving(seeing(item.component, Tokens.EACH), Gives.MASKED_TOKEN)
        return replace(item, name=Gives.MASKED_TOKEN.value, component=made)
    return replace(item, name="lm_head", component=giving(seeing(item.component, Tokens.LOGITS), Gives.NEXT_TOKEN))


def _all(items: Iterable[_Item]) -> Iterator[_Item]:
    """These parts and those within them."""
    for item in items:
        yield item
        yield from _all(item.inner)


def _layer(part: Part) -> str:
    """The name of one layer of a stack: the end of its class, where it is one of the field's."""
    snake = _snake(part.of)
    known = names()["layers"]
    return next((end for end in (*known["ends"], *known["other"]) if snake.endswith(end)), snake or "layer")


def _kinds(kinds: Sequence[Part], made: Sequence[Component]) -> Iterator[tuple[str, Component]]:
    """Kinds of layers, called by what only they have: experts, attention; else by their number."""
    inside = [{name for name, _ in component.children} for component in made]
    marks: Mapping[str, str] = names()["layers"]["kinds"]
    called: list[str] = []
    for place, (kind, component) in enumerate(zip(kinds, made, strict=True)):
        others = set().union(*(parts for other, parts in enumerate(inside) if other != place))
        own = [mark for mark in marks if mark in inside[place] and mark not in others]
        base = _layer(kind)
        name = f"{marks[own[0]]}_layer" if own else base
        if name in called:
            name = f"{base}_{place + 1}"
        called.append(name)
        yield name, component


def _plural(layer: str) -> str:
    """The name of several layers of one kind: decoder_layers_2 of decoder_layer_2."""
    return re.sub(r"(_\d+)?$", r"s\1", layer, count=1)


def _free_name(within: str, segment: str, parent: Part) -> str:
    """The name of a part that stands in modules that are gone."""
    name = re.sub(r"\W", "_", f"{within}{segment}")
    return _snake(name) if within and is_name(name) else _name(segment, parent)


def _name(segment: str, parent: Part) -> str:
    """The name of a part: that of the module, or that of what it stands in with its number."""
    if segment == MANY:
        return LAYERS
    if segment.isdecimal():
        around = parent.name if is_name(parent.name) else _snake(parent.of) or "part"
        return f"{around}_{segment}"
    return _snake(re.sub(r"\W", "_", segment))


def _snake(name: str) -> str:
    """A class's name as one of a part: DecoderLayer is decoder_layer."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


# walks


def _is_norm(of: str) -> bool:
    """True of the class of a norm, and not of attention with its norms."""
    return of.endswith(NORMS) and not any(word in of for word in names()["attention"]["inside"])


def _by_name(rules: Iterable[ArrayRule]) -> list[tuple[str, list[ArrayRule]]]:
    together: dict[str, list[ArrayRule]] = {}
    for rule in rules:
        together.setdefault(rule.name, []).append(rule)
    return list(together.items())


def _rules(part: Part) -> Iterator[ArrayRule]:
    yield from part.arrays
    for inner in part.parts:
        yield from _rules(inner)


def _is_shared(path: str, module: Part, shared: set[str]) -> bool:
    return path in shared or any(rule.shares for rule in module.arrays)


def _has_stack(component: Component) -> bool:
    """True if layers stand in a block."""
    if component.role is not Role.BLOCK and not component.role.is_flow:
        return False
    return (component.role is Role.BLOCK and component.times != ONE) or any(_has_stack(inner) for _, inner in component.body)
