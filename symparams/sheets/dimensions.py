"""The table of dimensions: every symbol that a sheet prints, and none that it does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from symparams.expressions.nodes import Dimension, Expression, Named, Negative, Size, Sum, as_expression
from symparams.expressions.notation import HF
from symparams.expressions.printing.nodes import Remark, Signed, Strong
from symparams.expressions.symbols import INPUTS, L, L_dense, L_moe, by_reading, n_labels, s_src
from symparams.models.formula import Formula, Subject
from symparams.models.model import Model
from symparams.models.stacks import COMMON, layers_of_both
from symparams.sheets.catalogue import USUAL_LANGUAGE, catalogue
from symparams.sheets.document import Block, Column, Equation, Section, Table
from symparams.sheets.values import Branch, Capital, Code, Listed, Prose, Sentence, Value

LABELS = ("num_labels", "id2label")  # of every family: their number, or the names of all
REMAINDERS = {L_dense: L_moe, L_moe: L_dense}  # layers of two kinds that are together all layers


def dimensions(model: Subject, printed: Iterable[Dimension], notation: str, given: Subject | None = None) -> Table:
    """These symbols, each with its meaning, its config key and the relation that holds for it, and its value.

    ``given`` is the model as it was given, where a letter stands for a size of both of its stacks, which have a key each.
    """
    both = _layers_of_both(model)
    rows = sorted(closed_under_relations(model, printed), key=by_reading)
    keys = ["symbol", "meaning", "key", *(["value"] if model.values else [])]
    has_keys = bool(model.library or _discovered(model))
    if not has_keys and not model.relations:
        keys.remove("key")
    places = {
        "symbol": Column(Sentence("columns.symbol"), "c", moves=1 if notation == HF else 0),
        "meaning": Column(Sentence("columns.meaning"), is_words=True),
        "key": Column(Sentence("columns.key" if has_keys and notation != HF else "columns.relation"), moves=2),
        "value": Column(Sentence("columns.value"), "r"),
    }
    cells: list[dict[str, Value]] = [
        {
            "symbol": dimension,
            "meaning": Sentence("stacks.both") if dimension == both else meaning(dimension, model),
            "key": _origin(model, dimension, notation, given or model),
            "value": _shown(value(model, dimension)),
        }
        for dimension in rows
    ]
    if all(row["key"] is None for row in cells) and "key" in keys:  # as where each symbol is its key
        keys.remove("key")
    return Table("dimensions", [places[key] for key in keys], [[row[key] for key in keys] for row in cells])


def _shown(number: int | None) -> Value:
    """A value as it stands in a cell: half a byte is a fraction, and no percentage."""
    return as_expression(number) if isinstance(number, Fraction) else number


def _layers_of_both(model: Subject) -> Dimension | None:
    return None if isinstance(model, Formula) else layers_of_both(model)


def meaning(dimension: Dimension, model: Subject | None = None) -> Value:
    """Return the meaning of a dimension, or a user's own letter; with a ``model`` that has it as an input, that meaning."""
    if isinstance(model, Model) and dimension in INPUTS and dimension not in model.architecture.dimensions:
        return Sentence(f"inputs.{dimension.name}")
    known = catalogue(USUAL_LANGUAGE).entries
    base, _, of = dimension.name.rpartition("_")
    if f"dimensions.{dimension.name}" in known:
        return Sentence(f"dimensions.{dimension.name}")
    if f"dimensions.{base}" in known and of.isdecimal():
        return Sentence("dimension_of.place", {"meaning": Sentence(f"dimensions.{base}"), "number": int(of)})
    if f"dimensions.{base}" in known and f"dimension_parts.{of}" in known:
        part = Sentence(f"dimension_parts.{of}")
        return Sentence("dimension_of.part", {"meaning": Sentence(f"dimensions.{base}"), "part": part})
    return Prose(dimension.name.replace("_", " "))


def printed(sections: Sequence[Section]) -> set[Dimension]:
    """The dimensions that stand in sections; what is referred to by a name is not printed there."""
    waiting = [value for section in sections for block in section.blocks for value in (section.heading, *_values(block))]
    letters: set[Dimension] = set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, Dimension):
            letters.add(value)
        elif not isinstance(value, Named):
            waiting += _parts(value)
    return letters


def _values(block: Block) -> Iterator[Value]:
    if isinstance(block, Table):
        yield from (column.heading for column in block.columns)
        yield from (cell for row in block.rows for cell in row)
    elif isinstance(block, Equation):
        yield from (link.content for link in block.chain)
    else:
        yield from block.sentences


def _parts(value: Value) -> Iterable[Value]:
    """Yield the expressions of a value."""
    match value:
        case Signed() | Strong() | Remark():
            return (value.inner,)
        case Expression():
            return value.operands
        case Sentence():
            return value.terms.values()
        case Listed():
            return value.values
        case Capital():
            return (value.value,)
        case Branch():
            return (value.copies,)
    return ()


def closed_under_relations(model: Subject, printed: Iterable[Dimension]) -> set[Dimension]:
    """These, and what the relations in the table speak of in their turn."""
    closed, waiting = set(), list(printed)
    while waiting:
        dimension = waiting.pop()
        if dimension not in closed:
            closed.add(dimension)
            waiting += model.relations[dimension].dimensions if dimension in model.relations else ()
            waiting += rest.dimensions if (rest := remainder(model, dimension) or _fixed(model, dimension)) else ()
    return closed


def _fixed(model: Subject, dimension: Dimension) -> Expression | None:
    """What the sizes of a model make of an input: the tokens of Whisper's source are max_source."""
    if dimension != s_src or not isinstance(model, Model):
        return None
    from symparams.quantities.streams import fixed_inputs

    return fixed_inputs(model.tree).get(dimension)


def _origin(model: Subject, dimension: Dimension, notation: str, given: Subject) -> Value:
    """The config key, the relation, or both where the config gives what the relation says."""
    code = _codes(given, dimension) if notation != HF else None  # in this notation the symbol is the key
    if code is None and (rest := remainder(model, dimension) or _fixed(model, dimension)):
        return rest
    relation = Size(model.relations[dimension]) if dimension in model.relations else None
    if dimension not in model.given or relation is None:
        return relation or code
    return Sentence("columns.key_and_relation", {"key": code, "relation": relation}) if code else relation


def _codes(given: Subject, dimension: Dimension) -> Value:
    """The key of a dimension; of a letter for both stacks the keys that the config has of theirs."""
    parts = COMMON.get(dimension, ()) if dimension not in given.dimensions else ()
    keys = [given.key(part) for part in parts if part in given.given or not given.values] or [_key(given, dimension)]
    if dimension == n_labels and isinstance(given, Model) and not _are_of_the_class(given):
        keys = [given.key(dimension), *LABELS]
    if not any(keys) and isinstance(given, Model) and given.library:
        keys = [*given.library.read_from.get(dimension, ())]
    codes = tuple(Code(key) for key in dict.fromkeys(keys) if key)
    return Listed(codes, "signs.list") if len(codes) > 1 else codes[0] if codes else None


def _are_of_the_class(model: Model) -> bool:
    """True if no config changes the number of labels, as where an answer has a start and an end; or no library has any."""
    known = model.library.classes.get(model.origin.class_name) if model.library else None
    return model.library is None or (known is not None and known.n_labels is not None)


def _key(model: Subject, dimension: Dimension) -> str:
    """The key that a dimension is read from, or that a size which follows from it is: expand, for d_inner.

    Where all layers are of one kind, their number is that of all layers.
    """
    extra = model.library.extra if model.library else {}
    is_only_kind = dimension in REMAINDERS and not {L, REMAINDERS[dimension]} & {*model.dimensions}
    own = model.key(dimension) or _discovered(model).get(dimension, "")
    return own or (model.key(L) if is_only_kind else dimension.name if dimension.name in extra else "")


def _discovered(model: Subject) -> Mapping[Dimension, str]:
    """The keys of a discovered class."""
    if not isinstance(model, Model) or model.architecture.certificate is None:
        return {}
    from symparams.atlas.named import sources_of

    return sources_of(model.architecture)


def remainder(model: Subject, dimension: Dimension) -> Expression | None:
    """Layers of one kind as those that are left of all, where a config counts all layers: L_moe = L − L_dense."""
    rest = model.library.rest if model.library else {}
    other = rest.get(dimension) or REMAINDERS.get(dimension)
    if other is None or not model.key(L) or L in model.dimensions or other not in model.dimensions or model.key(dimension):
        return None
    return Sum((L, Negative(other))) if dimension == L_dense or dimension in rest or model.key(other) else None


def all_layers(model: Subject) -> Mapping[Expression, Dimension]:
    """The sum of layers of two kinds that a config counts as all layers, with its letter: L_dense + L_moe is L."""
    return {Sum((first, other)): L for first, other in REMAINDERS.items() if remainder(model, first) or remainder(model, other)}


def value(model: Subject, dimension: Dimension) -> int | None:
    """The value of a dimension; that of all layers is the sum of those of its kinds."""
    if dimension == L and L not in model.values:
        rest = model.library.rest if model.library else {}
        for pair in (REMAINDERS, *rest.items()):
            kinds = [model.values.get(kind) for kind in pair if kind in model.dimensions]
            if kinds:
                return sum(number for number in kinds if number is not None) if None not in kinds else None
        return None
    return model.values.get(dimension)
