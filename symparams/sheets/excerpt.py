"""Excerpts: a part of a sheet by itself, for a paper that has its own title and headings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from symparams.derivations.derivation import Derivation, as_printed
from symparams.errors import OptionError, UnknownNameError, quoted, suggestion
from symparams.expressions.nodes import Expression, Named
from symparams.expressions.written import number
from symparams.sheets.document import Document, Equation, Link, Section, Table

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
    if part == "shares":
        kept = [replace(section, blocks=[*section.blocks, *_defined(document.subject, section)]) for section in kept]
    answer = document.answer if part == "closed-form" else None
    return replace(document, title=None, preface=(), answer=answer, sections=kept)


def _defined(derivation: Derivation, section: Section) -> Iterator[Equation]:
    """Yield what each result stands for that a table names, as N_attn, and that the steps of the sheet work out."""
    cells = [cell for table in section.blocks if isinstance(table, Table) for row in table.rows for cell in row]
    named = {str(part.label) for cell in cells if isinstance(cell, Expression) for part in _named(cell)}
    for step in (step for section in as_printed(derivation).sections for step in section.walk()):
        if str(step.name) in named:
            named.remove(str(step.name))
            value = [Link(number(step.value))] if step.value is not None else []
            yield Equation(step.quantity, [Link(step.closed), *value], in_a_row=True)


def _named(expression: Expression) -> Iterator[Named]:
    if isinstance(expression, Named):
        yield expression
    else:
        for operand in expression.operands:
            yield from _named(operand)


def untitled(document: Document) -> Document:
    """A sheet without its title."""
    return replace(document, title=None)
