"""In every sheet each symbol is explained, and each name is worked out before it is used and stands for one value."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparams import architectures, derive, load
from symparams.derivations import views
from symparams.derivations.layers import FUSED, PER_HEAD
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.marks import Named
from symparams.expressions.nodes import Dimension, Expression, Number
from symparams.expressions.printing.nodes import Remark, Signed, Strong
from symparams.sheets.catalogue import is_ideograph
from symparams.sheets.document import Document, Equation, Item, Lead, Table
from symparams.sheets.whole import whole
from symparams.sheets.words import DocumentWords
from tests.strategies import models

ways = st.tuples(st.sampled_from(views.names()), st.sampled_from((FUSED, PER_HEAD)), st.sampled_from(("en", "zh")))
every_way = pytest.mark.parametrize("view", views.names())
every_family = pytest.mark.parametrize("family", architectures())


def sheet_of(model, view, attention=FUSED, language="en") -> Document:
    return whole(derive(model, view=view, attention=attention), language)


def formulas(document: Document, blocks) -> Iterator[tuple[Expression, bool]]:
    """Every formula that blocks print, in reading order, and whether it is what a block defines."""
    words = DocumentWords(document)
    for block in blocks:
        if isinstance(block, Equation):
            yield from ([(block.left, True)] if block.left is not None else [])
            yield from ((link.content, False) for link in block.chain)
        else:
            cells = [cell for row in block.rows for cell in row] if isinstance(block, Table) else block.sentences
            runs = (run for cell in cells for run in words.runs(cell))
            yield from ((run, not isinstance(block, Table)) for run in runs if isinstance(run, Expression))


def quantities(expression: Expression) -> Iterator[Named]:
    """The results that a formula refers to by name."""
    if isinstance(expression, Named):
        yield expression
    else:
        for part in parts_of(expression):
            yield from quantities(part)


def parts_of(expression: Expression) -> tuple[Expression, ...]:
    return (expression.inner,) if isinstance(expression, (Signed, Strong, Remark)) else expression.operands


def symbols(expression: Expression) -> Iterator[Dimension]:
    """The letters that are printed: what is referred to by name is not."""
    if isinstance(expression, Dimension):
        yield expression
    elif not isinstance(expression, Named):
        for part in parts_of(expression):
            yield from symbols(part)


def check_symbols(document: Document) -> None:
    """The table of dimensions has a row for each symbol that is printed, and each row is of one that is."""
    tables = [section for section in document.sections if section.key == "dimensions"]
    rows = [row for section in tables for row in section.blocks[0].rows]
    worked = [block for section in document.sections if section.key != "dimensions" for block in section.blocks]
    printed = {letter for formula, _ in formulas(document, [document.answer, *worked]) for letter in symbols(formula)}
    explained = {row[0]: {run for cell in row[2:] for run in DocumentWords(document).runs(cell)} for row in rows}
    waiting, needed = list(printed), set(printed)
    while waiting:
        for formula in explained.get(waiting.pop(), ()):
            new = set(symbols(formula)) - needed if isinstance(formula, Expression) else set()
            needed |= new
            waiting += new
    assert needed == explained.keys()


def check_names(document: Document) -> None:
    """A name is defined, by an equation or a sentence, before a formula uses it; and it stands for one closed form."""
    words, subject = DocumentWords(document), document.subject.subject
    meanings: dict[str, set] = {}
    defined: set[str] = set()
    sections = [section for section in document.sections if section.heading is not None and section.key != "dimensions"]
    for section in sections:
        for formula, defines in formulas(document, section.blocks):
            for quantity in quantities(formula):
                name = words.named(quantity)
                meanings.setdefault(name, set()).add(multiply_out(quantity.definition, subject.relations))
                if defines:
                    defined.add(name)
                assert name in defined, f"{name} is used and has not been worked out"
    assert {name: len(meaning) for name, meaning in meanings.items() if len(meaning) > 1} == {}


@every_family
@every_way
def test_a_familys_sheet_explains_its_symbols_and_its_names(family, view):
    for choice in ({}, {"include": list(load(family).features)}):
        document = sheet_of(load(family, **choice), view)
        check_symbols(document)
        check_names(document)


@given(models(), ways)
def test_every_symbol_of_a_sheet_is_in_the_table_of_dimensions(model, way):
    for subject in (model, model.symbolic()):
        check_symbols(sheet_of(subject, *way))


@given(models(), ways)
def test_every_name_of_a_sheet_is_worked_out_first_and_has_one_value(model, way):
    for subject in (model, model.symbolic()):
        check_names(sheet_of(subject, *way))


ALIKE = ("steps.alike", "notes.same_shapes")


def is_alike(block) -> bool:
    """Whether a block says that a step is like an earlier one, whose result follows."""
    return isinstance(block, Item) and any(getattr(said, "key", "") in ALIKE for said in block.sentences)


def check_reading(document: Document) -> None:
    """Each step says what it is and is used by a later one; no sum is of one term, and none is introduced twice running."""
    words = DocumentWords(document)
    worked = [section for section in document.sections if section.key in ("step", "total")]
    blocks = [block for section in worked for block in section.blocks]
    steps = [block for block in blocks if isinstance(block, Equation) and isinstance(block.left, Named) and block.left.label]
    used = {words.named(each) for block in blocks if isinstance(block, Equation) for link in block.chain
            for each in quantities(link.content)}  # fmt: skip
    counted = {words.named(block.left) for block in steps if block.chain[-1].content != Number(0)}
    assert counted - used == set()
    alike = {words.named(block.left) for block in steps if is_alike(blocks[blocks.index(block) - 1])}
    assert not [block for block in steps if isinstance(block.chain[0].content, Named) and words.named(block.left) not in alike]
    assert not [block.name for block in blocks if isinstance(block, Item) and not block.sentences]
    for section in worked:
        leads = [block.sentences[-1].key if isinstance(block, Lead) else "" for block in section.blocks]
        assert not [key for key, after in zip(leads, leads[2:], strict=False) if key == after == "sums.together"]


@every_family
@every_way
def test_a_familys_steps_are_said_and_used(family, view):
    for choice in ({}, {"include": list(load(family).features)}):
        check_reading(sheet_of(load(family, **choice), view))


@given(models(), ways)
def test_every_step_of_a_sheet_is_said_and_used(model, way):
    check_reading(sheet_of(model, *way))


def subscripts(document: Document) -> set[str]:
    """Every subscript of a sheet."""
    words, worked = DocumentWords(document), [section for section in document.sections if section.heading is not None]
    found = (formula for section in worked for formula, _ in formulas(document, section.blocks))
    return {words.named(quantity) for formula in found for quantity in quantities(formula)}


@every_family
@every_way
def test_a_chinese_subscript_is_at_most_five_characters(family, view):
    for choice, attention in product(({}, {"include": list(load(family).features)}), (FUSED, PER_HEAD)):
        found = subscripts(sheet_of(load(family, **choice), view, attention, "zh"))
        assert [each for each in found if sum(map(is_ideograph, each)) > 5] == []
