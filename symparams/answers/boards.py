"""Boards: a table of accelerators with sources, and the memory to fit into, of a board or given as a size."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

from symparams.errors import OptionError, UnknownNameError, quoted, suggestion
from symparams.expressions.amounts import CAPACITY, FLOPS, Words, read
from symparams.quantities.memory import SEVERAL, Room, read_room
from symparams.records import frozen

MOST_DIGITS = 6  # of a number of boards
ALL = "boards"  # what names every board of the table


@frozen
class Board:
    """An accelerator: its bytes, bytes a second, and dense FLOPs a second by number type; where that stands.

    ``link`` are the bytes a second that it sends to other boards, one way; 0 where no source says so.
    """

    key: str
    name: str
    memory: Fraction
    bandwidth: Fraction
    peak: Mapping[str, Fraction]
    source: str
    link: Fraction = Fraction(0)


@frozen
class Card:
    """A memory to fit into, the board that has it, if one was named, and how many of them there are."""

    room: Room
    board: Board | None = None
    number: int = 1


def boards() -> list[str]:
    """Return the names of the boards."""
    return list(_table())


def named() -> list[str]:
    """Return what may be named in place of a size: each board, and all of them."""
    return [*boards(), ALL]


def board(name: str) -> Board:
    """Return the board of a name: RTX 4090 and rtx4090 are rtx-4090; UnknownNameError lists those that there are."""
    key = re.sub(r"[\s_]+", "-", str(name).strip()).lower()
    for known, one in _table().items():
        if known.replace("-", "") == key.replace("-", ""):
            return one
    raise UnknownNameError(f"Unknown board {quoted(name)}. {suggestion(key, _table())}")


def cards(fits: str) -> tuple[Card, ...]:
    """Return the memories that a text names: 24G, 80 GB, 32GiB, a board, or "boards", all of the table; or 8 of one, 8x80GB.

    Raises OptionError for what is neither.
    """
    name = str(fits).strip().lower()
    if several := SEVERAL.fullmatch(str(fits).strip()):
        if not 0 < len(several[1].lstrip("0")) <= MOST_DIGITS:
            raise OptionError(f"{quoted(fits)} does not name 1 to {10**MOST_DIGITS - 1:,} boards: write 8x{several[2]}.")
        return tuple(replace(card, number=int(several[1])) for card in cards(several[2]))
    if name == ALL:
        return tuple(Card(_room(one), one) for one in _table().values())
    called = [one for key, one in _table().items() if name in key.split("-")]
    if name[:1].isdigit() and not (name.isdigit() and called):  # 80GB is a size, of whatever board; 4090 is a board
        return (Card(read_room(fits)),)
    if len({one.memory for one in called}) == 1:  # an H100, PCIe or SXM, has 80 GB; an A100 has 40 or 80
        return (Card(_room(called[0]), called[0] if len(called) == 1 else None),)
    try:
        one = board(fits)
    except UnknownNameError as error:
        _, _, known = str(error).partition(". ")
        raise OptionError(
            f"{quoted(fits)} is not a memory size: write a number and a unit, 12GB (10^9 bytes) or 12GiB (2^30), "
            f"{ALL} for all of the table, or one of them. {known}"
        ) from None
    return (Card(_room(one), one),)


def _room(one: Board) -> Room:
    return Room(one.memory, 10**9, "GB")


@cache
def _table() -> Mapping[str, Board]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {key: _board(key, **entry) for key, entry in table.items()}


def _board(key: str, name: str, memory: str, bandwidth: str, peak: Mapping[str, str], source: str, link: str = "0") -> Board:
    rates = {dtype: _exact(rate, FLOPS) for dtype, rate in peak.items()}
    read_bytes, sent = _exact(bandwidth, CAPACITY), _exact(link, CAPACITY) if link != "0" else Fraction(0)
    return Board(key, name, _exact(memory, CAPACITY), read_bytes, rates, source, sent)


def _exact(text: str, words: Words) -> Fraction:
    amount = read(text, words)
    assert amount is not None, text
    return amount.value
