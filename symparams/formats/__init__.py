"""The formats, one folder each: the folder is the registry, its ``writer`` is imported when the format is used."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from symparams.errors import OptionError, quoted, suggestion

if TYPE_CHECKING:
    from symparams.formats.format import Format

DRAWN = ("svg", "tikz")  # what drawings are written in
NOT_OF_SHEETS = (*DRAWN, "html", "apkg", "csv")  # pages of live numbers and flash cards; all others are for sheets
PRINTED = ("typst", "pdf", "png")  # those of the others that may hold a drawing alone, a page of its size
OF_THE_DOCUMENT = frozenset({"language", "notation", "symbols"})  # what a document is composed with: no format refuses it


def names() -> list[str]:
    """The formats of sheets that there are."""
    return list(_folders(tuple(__path__)))


def every() -> list[str]:
    """All formats that there are, those of sheets first."""
    return [*names(), *NOT_OF_SHEETS]


@cache
def _folders(paths: tuple[str, ...]) -> list[str]:
    return sorted(module.name for module in iter_modules(paths) if module.ispkg and module.name not in NOT_OF_SHEETS)


def endings(name: str) -> tuple[str, ...]:
    """Return the endings of a format's files, without loading what writes it."""
    listed: tuple[str, ...] = import_module(f"symparams.formats.{name}").ENDINGS
    return listed


def flavors(name: str) -> tuple[str, ...]:
    """Return the flavors of a format, the usual one first; most have none."""
    return getattr(import_module(f"symparams.formats.{name}"), "FLAVORS", ())


def all_flavors() -> list[str]:
    """Return the flavors of all formats."""
    return list(dict.fromkeys(flavor for name in names() for flavor in flavors(name)))


def file_instead(name: str, verb: str, verb_of_pages: str, kinds: Iterable[str]) -> str:
    """Return how to write a file, where its name stands in place of a format; "" for what is not a file of these kinds."""
    kind = next((kind for kind in kinds if name.endswith(endings(kind))), "")
    if not kind or f".{name}" in endings(kind):
        return ""
    if find(kind).typeset:
        written = f"open({name!r}, 'wb').write(symparams.{verb_of_pages}(…, {kind!r})[0])"
    else:
        written = f"open({name!r}, 'w').write(symparams.{verb}(…, {kind!r}))"
    return f"{quoted(name)} is a file, not a format: write {written}."


@cache
def find(name: str, flavor: str = "") -> Format:
    """The format of a name, in one of its flavors if it has any; OptionError lists those that there are."""
    if name not in (known := sorted(every())):
        if instead := file_instead(name, "render", "typeset", every()):
            raise OptionError(instead)
        ending = [kind for kind in known if f".{name}" in endings(kind)]
        raise OptionError(f"Unknown format {quoted(name)}. {suggestion(ending[0] if ending else name, known)}")
    writer = import_module(f"symparams.formats.{name}.writer")
    if flavor and flavors(name) and flavor not in flavors(name):
        raise OptionError(f"Unknown flavor {quoted(flavor)}: choose {' or '.join(flavors(name))}.")
    found: Format = writer.FLAVORED[flavor] if flavor and flavors(name) else writer.FORMAT
    return found
