"""Loading: from any target to a model; ``sources`` has a file for each type of target that is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unicodedata import category

from symparams.architectures import Architecture, find
from symparams.errors import OptionError, UnknownNameError, quoted, read_switch, suggestion
from symparams.expressions.nodes import Dimension
from symparams.expressions.written import ZERO
from symparams.models.model import LONGEST_NAME, Model
from symparams.models.sources import member
from symparams.models.sources.target import STANDARD_INPUT, is_checkpoint, is_config, is_python, understand
from symparams.models.values import bind, by_dimension, check_sizes, check_sums, check_ties, read_values


def load(
    target: Any,
    /,
    *,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    architecture: str = "",
    name: str = "",
    strict: bool = False,
    **dimensions: Any,
) -> Model:
    """Load a model by its name, config or file.

    ``target`` is an architecture ("bloom"), a published model ("bloom-1b4-zh"), a Hugging Face config.json (its path, its
    folder, the config as a dict, or "hf:OWNER/NAME"), a checkpoint (a .safetensors or .gguf file, or a folder that holds one),
    a Python file with your own architecture, which is executed ("mine.py", "mine.py:NAME"), an Architecture, or a Model,
    whose sizes and features stay unless others are given. ``include`` and ``exclude`` are features by name. ``dimensions`` are
    integers or expressions (d_ff="4*h", sympy), by letter or by config key; an expression is a relation, which holds in every
    closed form, function and solution. ``architecture`` is the family of a config or a checkpoint that does not name one.
    ``name`` is the name of the model in sheets and drawings.
    ``model.reading`` lists the keys of a config that were not read and the sizes that are the library's defaults; with
    ``strict`` they are a ConfigError.

    Raises UnknownNameError if no model has the name, ConfigError if a config is unreadable or has an unsupported option,
    CheckpointError if a checkpoint is unreadable, or of no family or several, DefinitionError if a file or tree is invalid,
    DimensionError if a size is invalid (a fraction, below 1, not divisible by the heads), ExpressionError if a formula does
    not parse, and OptionError if features contradict each other.
    """
    return load_with(target, dimensions, include, exclude, architecture, name, strict=strict)


def load_with(
    target: Any,
    dimensions: Mapping[Any, Any],
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    architecture: str = "",
    name: str = "",
    *,
    strict: bool = False,
) -> Model:
    """Return the same as ``load``, with the dimensions as a mapping, in which a letter may have any name, "include" too."""
    start = read(target, architecture, dimensions)
    if name != "":
        if not isinstance(name, str) or not 0 < len(name.strip()) <= LONGEST_NAME or any(map(_is_unwritten, name)):
            raise OptionError(
                f"{quoted(name)} is not a name of a model: write 1 to {LONGEST_NAME} characters, as in 'Tiny-3B'."
            )
        start = replace(start, origin=replace(start.origin, called=name.strip()))
    model = complete(start, dimensions, include, exclude)
    if read_switch("strict", strict) and model.reading:
        model.reading.refuse()
    return model


def _is_unwritten(character: str) -> bool:
    """True for a byte that is no character, which no file can hold; a character of control is shown as one that is none."""
    return category(character) == "Cs"


def as_model(subject: Any) -> Model:
    """Return a model as it is; anything else is a target that names one."""
    return subject if isinstance(subject, Model) else load_with(subject, {})


def complete(start: Model, dimensions: Mapping[Any, Any], include: Iterable[str] = (), exclude: Iterable[str] = ()) -> Model:
    """Return a model as its target gives it, with what is chosen and what follows from that; what cannot be is an error."""
    architecture = start.architecture
    present = choose_features(architecture, start.present, include, exclude)
    given = by_dimension(architecture, dimensions, keys_of(architecture) if dimensions else {})
    numbers, formulas = read_values(given, architecture.dimensions)
    own = {d: value for d, value in start.own_relations.items() if d not in given} | formulas
    known = {d: value for d, value in start.values.items() if d not in given and d not in own} | numbers
    broken = start.broken - formulas.keys()
    model = replace(start, present=frozenset(present), values={}, broken=broken, own_relations=own)
    bound = bind(architecture, known, model.known, about=None if start.origin.config is None else given.keys())
    reading = start.reading.without(given) if start.reading else None
    origin = replace(start.origin, given=start.given - formulas.keys() | (given.keys() & bound.keys()), reading=reading)
    model = replace(model, values=bound, origin=origin)
    if model.formula() == ZERO:
        left_out = ", ".join(feature for feature in architecture.features if feature not in present)
        raise OptionError(f"{model.name} has no parts without {left_out}: include one of them.")
    check_sizes(model.tree, bound, least=1 if origin.config is None else 0)
    check_sums(architecture.laws, model.tree, bound)
    if given or origin.config is None:  # what a config ties the library ties too, whatever the sizes: Marian's vocabularies
        check_ties(architecture.resolved(model.present).by_path, model.relations)
    return model


def read(target: Any, architecture: str = "", dimensions: Mapping[Any, Any] = MappingProxyType({})) -> Model:
    """Return the model of a target before any choice: its family, its usual features, the sizes that it gives.

    The ``dimensions`` are asked where the shapes of a checkpoint leave a size open.
    """
    if isinstance(target, Model):  # without what follows from its sizes, and will from others
        return replace(target, values={size: value for size, value in target.values.items() if size in target.given})
    meant = understand(target) if isinstance(target, str) else target
    if is_checkpoint(meant):
        from symparams.checkpoints.recognition import recognised

        model = recognised(meant, architecture, dimensions)
    else:
        model = _of_family(meant, architecture) if architecture else _of_source(meant)
    typed = STANDARD_INPUT if isinstance(meant, Mapping) else str(meant) if isinstance(meant, (str, Path)) else ""
    return replace(model, origin=replace(model.origin, target=typed, architecture=architecture, sizes=model.values))


def _of_source(target: Any) -> Model:
    """Return what the first source that knows a target reads from it: an architecture, a Python file, a config, a name."""
    if isinstance(target, Architecture):
        return member(target.name, target, None)
    if isinstance(target, (str, Path)) and is_python(str(target)):
        from symparams.models.sources.python_file import read_file

        return read_file(str(target))
    if is_config(target):
        from symparams.models.sources.config import configured

        return configured(target)
    if isinstance(target, str):
        return _of_name(target)
    raise UnknownNameError(
        f"{quoted(target)}, of type {type(target).__name__}, is not a model: give a model or a name, such as 'gpt2'."
    )


def _of_name(name: str) -> Model:
    """Return a family, a published model, or else a discovered type."""
    try:
        return member(name, *find(name))
    except UnknownNameError:
        from symparams.atlas import kind_of, kinds

        if (kind := kind_of(name)) is None:
            find(name, kinds())  # which suggests these, too
            raise
    from symparams.atlas.named import of_kind

    return of_kind(kind)


def choose_features(
    architecture: Architecture, present: Iterable[str], include: Iterable[str], exclude: Iterable[str]
) -> set[str]:
    """Return the features after ``include`` and ``exclude``; a name that the family does not have is an error."""
    include, exclude = _names(include, "include"), _names(exclude, "exclude")
    for name in (*include, *exclude):
        if name not in {**architecture.features, **architecture.switches}:
            known = suggestion(name, architecture.features)
            raise UnknownNameError(f"{architecture.title} has no feature {quoted(name)}. {known}")
    for name in include:
        if name in exclude:
            raise OptionError(f"The feature {quoted(name)} is both included and excluded: choose one.")
    return (set(present) | set(include)) - set(exclude)


def _of_family(target: Any, architecture: str) -> Model:
    """Return the model of a config read as one of a family; OptionError where the target is not a config."""
    from symparams.models.sources.config import configured

    if not isinstance(architecture, str) or not is_config(target):
        raise OptionError(
            f"--architecture {quoted(architecture)} is for a config, and {quoted(target)} is not one: leave it out."
        )
    return configured(target, architecture)


def keys_of(architecture: Architecture) -> dict[str, Dimension]:
    """Return the dimensions of a family by the keys of the library's configs."""
    from symparams.models.library import library

    table = library(architecture)
    if table is not None:
        return {name: dimension for dimension, key in table.keys.items() for name in key.names}
    if architecture.certificate is None:
        return {}
    from symparams.atlas.named import keys_of as keys_of_discovered

    return keys_of_discovered(architecture)


def _names(features: Iterable[str], option: str) -> list[str]:
    names = list(features) if isinstance(features, Iterable) and not isinstance(features, (str, bytes)) else None
    if names is None or not all(isinstance(name, str) for name in names):
        raise OptionError(f"{option}={quoted(features)} is not a list of names: write {option}=['tying'].")
    return names
