"""Excerpts: a part of a sheet by itself, for a paper that has its own title and headings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from symparams.errors import OptionError, UnknownNameError, quoted, suggestion
from symparams.sheets.document import Document

# What may stand alone, by the keys of its sections; the closed form is the answer of the sheet.
PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "closed-form": (),
        "dimensions": ("dimensions",),
        "derivation": ("step", "total"),
        "active": ("active",),
        "shares": ("shares",),
        "conventions": ("conventions",),
        "rule": ("rule",),
    }
)


def excerpt(document: Document, part: str) -> Document:
    """Return one part of a sheet, without the title; without its heading if it is one section.

    Raises UnknownNameError for no part, and OptionError for one that the sheet has not.
    """
    if part not in PARTS:
        raise UnknownNameError(f"Unknown section {quoted(part)}. {suggestion(part, PARTS)}")
    kept = [section for section in document.sections if section.key in PARTS[part] and section.heading is not None]
    if len(kept) == 1:
        kept = [replace(kept[0], heading=None)]
    if not kept and part != "closed-form":
        raise OptionError(f"This sheet has no section {quoted(part)}: choose another, or leave it out.")
    answer = document.answer if part == "closed-form" else None
    return replace(document, title=None, preface=(), answer=answer, sections=kept)


def untitled(document: Document) -> Document:
    """A sheet without its title."""
    return replace(document, title=None)
