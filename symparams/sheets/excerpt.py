"""Excerpts: a part of a sheet by itself, for a paper that has its own title and headings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from symparams.derivations.derivation import Derivation, as_printed
from symparams.errors import OptionError, UnknownNameError, listed, quoted, suggestion
from symparams.expressions.nodes import Expression, Named
from symparams.expressions.written import number
from symparams.sheets.document import Document, Equation, Link, Section, Table

# What may stand alone, by the keys of its sections; the closed form of a derivation is the answer of its sheet.
CLOSED_FORM = "closed-form"
OF_A_DERIVATION: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        CLOSED_FORM: (),
        "dimensions": ("dimensions",),
        "derivation": ("step", "total"),
        "active": ("active",),
        "shares": ("shares",),
        "conventions": ("conventions",),
        "rule": ("rule",),
    }
)
OF_A_COMPARISON: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "counts": ("counts",),
        "components": ("components",),
        "kinds": ("traits",),
        "dimensions": ("sizes",),
        CLOSED_FORM: ("forms",),
        "component-forms": ("component_forms",),
        "difference": ("difference",),
    }
)
PARTS = tuple(dict.fromkeys((*OF_A_DERIVATION, *OF_A_COMPARISON)))


def excerpt(document: Document, part: str) -> Document:
    """Return one part of a sheet, without the title; without its heading if it is one section.

    Raises UnknownNameError for no part, and OptionError for one that the sheet has not.
    """
    if part not in PARTS:
        raise UnknownNameError(f"Unknown section {quoted(part)}. {suggestion(part, PARTS)}")
    parts = OF_A_COMPARISON if document.kind == "comparison" else OF_A_DERIVATION
    kept = [section for section in document.sections if section.key in parts.get(part, ())]
    if len(kept) == 1:
        kept = [replace(kept[0], heading=None, caption=kept[0].heading or document.title)]
    answer = document.answer if part == CLOSED_FORM else None
    if not kept and answer is None:
        there = {section.key for section in document.sections}
        others = [name for name, keys in parts.items() if there & {*keys} or (name == CLOSED_FORM and document.answer)]
        raise OptionError(f"This sheet has no section {quoted(part)}: choose one of {listed(others)}.")
    if part == "shares":
        kept = [replace(section, blocks=[*section.blocks, *_defined(document.subject, section)]) for section in kept]
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
