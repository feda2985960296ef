"""Names of values where they are used: a TeX command has letters alone, a key of YAML and JSON also digits and _."""

from __future__ import annotations

import re
from collections.abc import Iterable

from symparams.errors import OptionError, quoted

DIGITS = dict(zip("0123456789", ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"], strict=True))
PIECES = re.compile(r"[A-Za-z]+|[0-9]|(?<=[0-9])\.(?=[0-9])|[^\x00-\x7f]")
PREFIX = re.compile("[A-Za-z]+")


def check_prefix(prefix: str) -> str:
    """The prefix of TeX commands itself; OptionError where it is not letters alone, or one that LaTeX keeps to itself."""
    if not PREFIX.fullmatch(prefix):
        raise OptionError(f"--prefix {quoted(prefix)} cannot begin a TeX command: write only letters, as in symparams.")
    if prefix.startswith("end"):
        raise OptionError(f"--prefix {quoted(prefix)}: LaTeX reserves commands that begin with \\end: choose another prefix.")
    return prefix


def in_letters(name: str) -> str:
    """A name in letters alone: llama-3-8b is LlamaThreeEightB, opt-1.3b is OptOnePointThreeB.

    A letter that is not ASCII is its number: 模 is USixATwoOne.
    """
    return "".join(_letters(piece) for piece in PIECES.findall(name))


def _letters(piece: str) -> str:
    if piece == ".":
        return "Point"
    if not piece.isascii():
        return "U" + "".join(DIGITS.get(digit, digit) for digit in f"{ord(piece):04X}")
    return DIGITS.get(piece) or piece[0].upper() + piece[1:]


def as_key(name: str) -> str:
    """A name as a key that a dot may follow: llama-3-8b is llama_3_8b."""
    return re.sub(r"[^0-9A-Za-z\u0080-\U0010ffff]+", "_", name).strip("_")


def refuse_clashes(given: Iterable[tuple[str, str]]) -> None:
    """OptionError where two things would have one name, or one has none; ``given`` are pairs of a name and what it is for."""
    taken: dict[str, str] = {}
    for name, what in given:
        if not name:
            raise OptionError(f"{quoted(what)} has no letter or digit for a name: rename it.")
        if name in taken:
            if taken[name] == what:
                raise OptionError(f"{quoted(what)} is named twice: name it once.")
            raise OptionError(
                f"{quoted(name)} would stand for {quoted(taken[name])} and for {quoted(what)}: give each a file of its own, "
                "with a prefix of its own."
            )
        taken[name] = what
