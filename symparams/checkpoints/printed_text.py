"""The text of ``print(model)``: the modules in it, each with its class and its arguments as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from symparams.checkpoints.printed_classes import classes
from symparams.components.copies import MANY
from symparams.errors import CheckpointError, quoted

LARGEST = 4 * 2**20  # characters of a text
LONGEST_LINE = 4_000
MOST_MODULES = 100_000  # that a text prints
MOST_COPIES = 100_000  # of a module
DEEPEST = 60  # modules inside one another
MODULE = re.compile(
    r"(?:\((?P<key>[^().]+)\): )?(?:(?P<many>[0-9]{1,19}) x )?(?P<kind>[A-Za-z_][\w.]*)\((?P<rest>.*)", re.ASCII
)
COPIES = re.compile(r"(?P<first>[0-9]{1,19})-(?P<last>[0-9]{1,19})", re.ASCII)


@dataclass(slots=True)
class Module:
    """A module of a text: its name or the numbers of its copies, its class, its arguments, and the modules that it prints.

    ``arguments`` is None where they do not stand on its own line; then ``prints_lines`` says that lines of another kind than
    modules stand below it.
    """

    name: str
    copies: range | None
    kind: str
    line: int
    arguments: str | None = None
    prints_lines: bool = False
    parts: list[Module] = field(default_factory=list)
    by_name: dict[str, Module] = field(default_factory=dict)

    @property
    def names(self) -> Sequence[str]:
        """Its name, or those of its copies."""
        return [self.name] if self.copies is None else [str(number) for number in self.copies]

    @property
    def is_told(self) -> bool:
        """True if its class and its arguments tell every array that it holds itself.

        Classes that print their arguments today printed none in older versions.
        """
        known = classes()
        if kind := known.kinds.get(self.kind):
            return self.arguments is not None and (self.arguments != "" or not kind.needed)
        return self.kind in known.empty

    @property
    def holds_arrays(self) -> bool:
        """True if it holds arrays itself, or may be nothing else: it is not told, and is no mere container."""
        return not self.is_told and (self.kind in classes().holding or not self.is_container)

    @property
    def is_container(self) -> bool:
        """True if nothing but the modules inside it is printed of it."""
        return self.arguments is None and not self.prints_lines and self.kind not in classes().kinds

    def named(self, name: str) -> Iterator[Module]:
        """Yield the module inside it of a name; of * those of numbers."""
        if name in self.by_name:
            yield self.by_name[name]
        elif name == MANY:
            yield from (part for part in self.parts if part.copies is not None or part.name.isdecimal())
        elif name.isdecimal():
            yield from (part for part in self.parts if part.copies is not None and int(name) in part.copies)


def parsed(text: str, place: str) -> Module:
    """Return the outermost module of a text; CheckpointError names the line that torch did not print."""
    if len(text) > LARGEST:
        raise CheckpointError(f"{quoted(place)} has more than {LARGEST:,} characters: that is not a printed module.")
    reading = _Reading(place)
    for number, written in enumerate(text.split("\n"), 1):
        if line := written.strip():
            reading.take(line, number)
    return reading.end()


class _Reading:
    """The modules of the lines so far, and those that are still open."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.root: Module | None = None
        self.opened: list[Module] = []
        self.number = 0

    def take(self, line: str, number: int) -> None:
        """Read a line: a module, the end of one, or arguments that a class prints above its modules."""
        if len(line) > LONGEST_LINE:
            raise CheckpointError(f"{quoted(self.place)}, line {number}, has more than {LONGEST_LINE:,} characters.")
        read = MODULE.fullmatch(line)
        if line == ")" and self.opened:
            self.opened.pop()
        elif read and (not self.opened or read["key"]):
            self._add(read, number)
        elif self.opened and not line.startswith(("(", ")")):
            self.opened[-1].prints_lines = True
        else:
            raise self.unread(number, line)

    def _add(self, read: re.Match[str], number: int) -> None:
        """Take the module of a line into the one that is open."""
        self.number += 1
        if self.number > MOST_MODULES:
            raise CheckpointError(f"{quoted(self.place)} prints more than {MOST_MODULES:,} modules.")
        module = Module(*self._name(read, number), read["kind"], number)
        if self.opened:
            self.opened[-1].parts.append(module)
            self.opened[-1].by_name.setdefault(module.name, module)
        elif self.root is not None:
            raise CheckpointError(f"{quoted(self.place)}, line {number}, begins a second module: keep the first alone.")
        else:
            self.root = module
        if not read["rest"]:
            self.opened.append(module)
        elif read["rest"].endswith(")"):
            module.arguments = read["rest"][:-1]
        else:
            raise self.unread(number, read[0])
        if len(self.opened) > DEEPEST:
            raise CheckpointError(f"{quoted(self.place)}, line {number}, is inside more than {DEEPEST} modules.")

    def _name(self, read: re.Match[str], number: int) -> tuple[str, range | None]:
        """Return the name of a module, or the numbers of its copies: (0-11) of 12."""
        key, many = read["key"] or "", read["many"]
        if many is None:
            return key, None
        copies = COPIES.fullmatch(key)
        if not copies or not int(many) or int(copies["last"]) - int(copies["first"]) + 1 != int(many):
            raise self.unread(number, read[0])
        if int(many) > MOST_COPIES:
            raise CheckpointError(
                f"{quoted(self.place)}, line {number}, has {int(many):,} copies, and at most {MOST_COPIES:,} are read."
            )
        return "", range(int(copies["first"]), int(copies["last"]) + 1)

    def unread(self, number: int, line: str) -> CheckpointError:
        """The error for a line that is none of torch."""
        return CheckpointError(f"{quoted(self.place)}, line {number}, is not a module as torch prints it: {quoted(line, 60)}.")

    def end(self) -> Module:
        """Return the outermost module; CheckpointError where it does not end."""
        if self.root is not None and not self.opened:
            return self.root
        what = "is empty"
        if self.opened:
            what = f"ends before {quoted(self.opened[-1].kind)[1:-1]} of line {self.opened[-1].line} does"
        raise CheckpointError(f"{quoted(self.place)} {what}: paste all that print(model) writes.")
