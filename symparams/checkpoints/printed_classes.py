"""Classes of modules as torch prints them, from ``printed.toml``: what their arguments say of their parameters."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from symparams.checkpoints.record import LARGEST_SIDE, MOST_SIDES
from symparams.errors import quoted
from symparams.records import frozen

INTEGER = re.compile(r"[0-9]{1,19}", re.ASCII)
TUPLE = re.compile(r"\((?:[0-9]{1,19}, ?)*(?:[0-9]{1,19})?\)", re.ASCII)
SIDE = re.compile(r"(?:(?P<factor>[0-9]+) \* )?(?P<several>\*?)(?P<name>\w+)(?: / (?P<divisor>\w+))?", re.ASCII)
TRUTH = {"True": True, "False": False}
FLAG, SIZE, DIVISOR, SIZES = "True or False", "a whole number from 0", "a whole number from 1", "a tuple of whole numbers"
Value = int | bool | tuple[int, ...]
Values = Mapping[str, Value]


class Unread(Exception):  # noqa: N818 - it is the reason of an error, whose line tells the place
    """What is wrong with the arguments of a module, as the rest of a sentence about it."""


@frozen
class Side:
    """A side of an array, factor · name / divisor; of an argument with several numbers all of them."""

    name: str
    factor: int = 1
    divisor: str = ""


@frozen
class Array:
    """An array of a class: its sides, and the arguments that have to be True."""

    name: str
    sides: tuple[Side, ...]
    conditions: tuple[str, ...] = ()
    is_buffer: bool = False


@frozen
class Kind:
    """A class: its arguments by what they are for, the type of each that tells arrays, and the arrays.

    ``gates`` is the number of gates of a recurrent network, whose arrays are those of each layer and direction.
    """

    positions: tuple[str, ...]
    needed: tuple[str, ...]
    left_out: Values
    assumed: Values
    aside: frozenset[str]
    types: Mapping[str, str]
    lengths: Mapping[str, int]
    arrays: tuple[Array, ...]
    gates: int = 0

    def deciding(self, name: str) -> set[str]:
        """The other arguments that have to be True for the arrays that depend on one."""
        return {other for array in self.arrays if name in array.conditions for other in array.conditions} - {name}

    def recurrent(self, values: Values, most: int) -> Iterator[Array]:
        """Yield the arrays of each layer and direction of a recurrent network."""
        layers, projection = values["num_layers"], "proj_size" if values.get("proj_size") else ""
        if not isinstance(layers, int) or layers > most:
            raise Unread(f"prints num_layers={layers}, and at most {most:,} are read")
        both = ("", "_reverse") if values["bidirectional"] else ("",)
        gates, out = Side("hidden_size", self.gates), projection or "hidden_size"
        for layer in range(layers):
            inside = Side(out, len(both)) if layer else Side("input_size")
            for direction in both:
                end = f"l{layer}{direction}"
                yield Array(f"weight_ih_{end}", (gates, inside))
                yield Array(f"weight_hh_{end}", (gates, Side(out)))
                yield Array(f"bias_ih_{end}", (gates,), ("bias",))
                yield Array(f"bias_hh_{end}", (gates,), ("bias",))
                if projection:
                    yield Array(f"weight_hr_{end}", (Side(projection), Side("hidden_size")))


@frozen
class Classes:
    """The classes whose arguments tell their arrays, those without parameters, and those that do not print theirs.

    Of these ``holding`` hold some in any case.
    """

    kinds: Mapping[str, Kind]
    empty: frozenset[str]
    unprinted: frozenset[str]
    holding: frozenset[str]


def value_of(name: str, text: str, kind: Kind) -> Value:
    """Return an argument as its type; ``Unread`` if it is of another."""
    type_of = kind.types[name]
    value: Value | None = None
    if type_of == FLAG:
        value = TRUTH.get(text)
    elif type_of == SIZES and TUPLE.fullmatch(text) and text.count(",") <= MOST_SIDES:
        value = tuple(map(int, INTEGER.findall(text)))
        if len(value) != kind.lengths.get(name, len(value)):
            raise Unread(f"prints {name}={quoted(text, 40)[1:-1]}, and it has {kind.lengths[name]} of these numbers")
    elif type_of in (SIZE, DIVISOR) and INTEGER.fullmatch(text):
        value = int(text)
    if value is None or (type_of == DIVISOR and not value):
        raise Unread(f"prints {name}={quoted(text, 40)[1:-1]}, which is not {type_of}")
    if max(value if isinstance(value, tuple) else (value,), default=0) > LARGEST_SIDE:
        raise Unread(f"prints {name}={text}, and no array has so many numbers")
    return value


@cache
def classes() -> Classes:
    """The classes of the table."""
    with (Path(__file__).parent / "printed.toml").open("rb") as file:
        table = tomllib.load(file)
    written: dict[str, Mapping[str, Any]] = table["class"]
    kinds = {name: _kind({**written.get(entry.get("like", ""), {}), **entry}) for name, entry in written.items()}
    for name, others in table["like"].items():
        kinds |= dict.fromkeys(others, kinds[name])
    empty, unprinted = (frozenset(name for names in table[what].values() for name in names) for what in ("empty", "unprinted"))
    return Classes(kinds, empty, unprinted, frozenset(table["unprinted"]["always"]))


def _kind(entry: Mapping[str, Any]) -> Kind:
    arrays = tuple(
        Array(name, tuple(map(_side, array["sides"])), tuple(array.get("if", ())), is_buffer)
        for is_buffer, what in ((False, "arrays"), (True, "buffers"))
        for name, array in entry.get(what, {}).items()
    )
    written = [side for array in entry.get("arrays", {}).values() for side in array["sides"]]
    left_out, assumed = entry.get("left_out", {}), entry.get("assumed", {})
    types = dict.fromkeys((*entry["needed"], *left_out, *assumed), SIZE)
    types |= {name: FLAG for name, value in {**left_out, **assumed}.items() if isinstance(value, bool)}
    types |= {name: FLAG for array in arrays for name in array.conditions}
    types |= {side.removeprefix("*"): SIZES for side in written if side.startswith("*")}
    types |= {_side(side).divisor: DIVISOR for side in written if _side(side).divisor}
    return Kind(
        tuple(entry["positions"]),
        tuple(entry["needed"]),
        left_out,
        assumed,
        frozenset(entry.get("aside", ())),
        types,
        entry.get("lengths", {}),
        arrays,
        entry.get("gates", 0),
    )


def _side(text: str) -> Side:
    read = SIDE.fullmatch(text)
    assert read is not None, text
    return Side(read["name"], int(read["factor"] or 1), read["divisor"] or "")
