"""Builders as somebody else may call them, and their arguments: what to write where a definition has another name."""

from __future__ import annotations

import re
from inspect import signature
from pathlib import Path

from symparams import components
from symparams.architectures._tables import read
from symparams.errors import quoted, suggestion

UNKNOWN = re.compile(r"cannot import name '(?P<name>\w+)' from 'symparams'")
UNEXPECTED = re.compile(r"(?P<builder>\w+?)(?:\.__init__)?\(\) got an unexpected keyword argument '(?P<name>\w+)'")


def instead(error: str) -> str:
    """Return what an import or a call has to be in place of the one that Python refused; "" if it is not of a builder."""
    if match := UNKNOWN.match(error):
        return f"symparams has no {quoted(match['name'])}{_builder(match['name'])}"
    match = UNEXPECTED.match(error)
    builder = getattr(components, match["builder"], None) if match else None
    if match is None or builder is None:
        return ""
    arguments = list(signature(builder).parameters)
    near = suggestion(match["name"], arguments)
    return f"{match['builder']} has no argument {quoted(match['name'])}. {near}".removesuffix(".")


def _builder(name: str) -> str:
    """Return the builder that the field calls so, or those with a name that is near."""
    called = read(Path(__file__).with_suffix(".toml")).table("called")
    if call := called.word(name.casefold().replace("_", "")):
        return f": write {call}"
    if name in components.__all__:
        return f": write from symparams.components import {name}"
    return f". {suggestion(name, filter(str.islower, components.__all__))}".removesuffix(".")
