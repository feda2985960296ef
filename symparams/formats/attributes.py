"""Attributes: what to write in place of one that a value has not, since a function or another value gives it."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import Parameter, signature

import symparams
from symparams.answers.synonyms import synonyms
from symparams.derivations.derivation import Derivation
from symparams.errors import OptionError, quoted, suggestion
from symparams.expressions.symbols import e
from symparams.formats import DRAWN, endings, every, find
from symparams.models.calculation import calculate
from symparams.models.model import Model
from symparams.quantities.quantity import PARAMETERS
from symparams.quantities.quantity import names as quantities
from symparams.sheets import composition_of

TO = "to_"  # as data frames name what writes them in a format


def lack(value: object, name: str) -> str:
    """Return that a value has no such attribute, and what to write in its place."""
    kind = type(value).__name__
    other = next(_others(value, kind.lower(), name), "")
    known = [attribute for attribute in dir(value) if not attribute.startswith("_")]
    return f"{kind} has no attribute {quoted(name)}{f': write {other}.' if other else f'. {suggestion(name, known)}'}"


def lack_of_function(name: str) -> str:
    """Return that the package has no such function, and what to write in its place."""
    from symparams.cli.commands import COMMANDS

    lacking = f"module 'symparams' has no attribute {quoted(name)}"
    if meant := synonyms("package").get(name):
        return f"{lacking}: write {meant}."
    if (meant := synonyms("model").get(name, "")).startswith("model."):
        loaded = meant.replace("model", "symparams.load('gpt2')", 1)
        return f"{lacking}: write {loaded}."
    if hasattr(Model, name):
        return f"{lacking}: write symparams.load('gpt2').{name}{'()' if callable(getattr(Model, name)) else ''}."
    if name in COMMANDS:
        return f"{lacking}: it is a command, symparams {name}, in a notebook !symparams {name}."
    return f"{lacking}. {suggestion(name, [known for known in symparams.__all__ if known.islower()])}"


def _others(value: object, here: str, name: str) -> Iterator[str]:
    """Yield what may be meant: a function of the package, a format, a derivation, a model, a quantity, a size."""
    if meant := synonyms(here).get(name):
        yield meant
    is_model = isinstance(value, Model)
    takes = symparams.LAZY if is_model else ("render", "typeset")
    if name in takes and name.islower():
        yield f"symparams.{name}({here}{', …' if _needs_more(name) else ''})"
    wanted = name.removeprefix(TO)
    if wanted != name and (is_model or composition_of(value)):
        for kind in every():
            if wanted == kind or f".{wanted}" in endings(kind):
                verb = "draw" if kind in DRAWN else "render" if find(kind).is_text else "typeset"
                yield f"symparams.{verb}({here}, {kind!r})"
    if is_model and (hasattr(Derivation, name) or name in Derivation.__dataclass_fields__):
        yield f"symparams.derive(model).{name}"
    if not is_model and hasattr(Model, name) and isinstance(getattr(value, "model", None), Model):
        yield f"{here}.model.{name}"
    if isinstance(value, Model) and name in quantities():
        yield "model.count()" if name == PARAMETERS else f"model.measure({', '.join([repr(name), *_inputs(value, name)])})"
    if isinstance(value, Model) and any(name in (size["dimension"], size["key"]) for size in value.sizes):
        yield "model.sizes"


def _inputs(model: Model, quantity: str) -> list[str]:
    """Return the inputs that a quantity of a model lacks, as Python writes them; what they depend on its error says."""
    try:
        lacking = calculate(model, quantity, {}).lacking
    except OptionError:
        return ["…"]
    return ["dtype='bf16'" if letter == e else f"{letter.name}=…" for letter in lacking]


def _needs_more(function: str) -> bool:
    """True if a function takes more than a model."""
    first, *others = signature(getattr(symparams, function)).parameters.values()
    required = [other for other in others if other.default is Parameter.empty and other.kind is not Parameter.VAR_KEYWORD]
    return first.kind is Parameter.VAR_POSITIONAL or bool(required)
