"""In every sheet each symbol is explained; each name is short, worked out before it is used, and stands for one closed form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from symparams import architectures, derive, load, render
from symparams.derivations import views
from symparams.derivations.layers import FUSED, PER_HEAD
from symparams.derivations.steps import Step, StepKind
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Dimension, Expression, Named, Number
from symparams.expressions.printing.nodes import Remark, Signed, Strong
from symparams.models.stacks import in_common_letters
from symparams.sheets.catalogue import catalogue, is_ideograph, languages
from symparams.sheets.document import Document, Equation, Item, Table
from symparams.sheets.whole import whole
from symparams.sheets.words import DocumentWords
from tests.strategies import models
from tests.sweeps import FAMILIES, swept

ways = st.tuples(st.sampled_from(views.names()), st.sampled_from((FUSED, PER_HEAD)), st.sampled_from(("en", "zh")))


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
    relations = {**subject.relations, **in_common_letters(subject).relations}  # d_head, too, where a sheet has no d_head_dec
    meanings: dict[str, set] = {}
    defined: set[str] = set()
    sections = [section for section in document.sections if section.heading is not None and section.key != "dimensions"]
    for section in sections:
        for formula, defines in formulas(document, section.blocks):
            for quantity in quantities(formula):
                name = words.named(quantity)
                meanings.setdefault(name, set()).add(multiply_out(quantity.definition, relations))
                if defines:
                    defined.add(name)
                assert name in defined, f"{name} is used and has not been worked out"
    assert {name: len(meaning) for name, meaning in meanings.items() if len(meaning) > 1} == {}


ALIKE = ("notes.shapes_alike", "notes.same_shapes")


def is_alike(block) -> bool:
    """Whether a block says that a step is like an earlier one, whose result follows."""
    return isinstance(block, Item) and any(getattr(sentence, "key", "") in ALIKE for sentence in block.sentences)


def check_reading(document: Document) -> None:
    """Each step says what it is and is used by a later one, and no sum is of one term."""
    words = DocumentWords(document)
    worked = [section for section in document.sections if section.key in ("step", "total")]
    blocks = [block for section in worked for block in section.blocks]
    steps = [block for block in blocks if isinstance(block, Equation) and isinstance(block.left, Named) and block.left.label]
    used = {words.named(quantity) for block in blocks if isinstance(block, Equation) for link in block.chain
            for quantity in quantities(link.content)}  # fmt: skip
    counted = {words.named(block.left) for block in steps if block.chain[-1].content != Number(0)}
    assert counted - used == set()
    alike = {words.named(block.left) for block in steps if is_alike(blocks[blocks.index(block) - 1])}
    assert not [block for block in steps if isinstance(block.chain[0].content, Named) and words.named(block.left) not in alike]
    assert not [block.name for block in blocks if isinstance(block, Item) and not block.sentences]


def check_labels(document: Document) -> None:
    """One label stands for one closed form, and in Chinese has at most five characters."""
    words, labels = DocumentWords(document), {}
    for section in document.subject.sections:
        for step in referred_to(section):
            labels.setdefault(words.named(step.quantity), set()).add(step.closed)
    assert [label for label, forms in labels.items() if len(forms) > 1] == []
    used = {words.named(name) for section in document.sections if section.heading is not None
            for formula, _ in formulas(document, section.blocks) for name in quantities(formula)}  # fmt: skip
    assert [name for name in used if sum(map(is_ideograph, name)) > 5] == []


def referred_to(step: Step) -> Iterator[Step]:
    """The steps that are referred to by name."""
    for inner in step.steps:
        yield from referred_to(inner)
    if step.kind != StepKind.GROUP:
        yield step


@pytest.mark.parametrize("family", swept(architectures(), FAMILIES))
def test_a_familys_sheet_explains_its_symbols_and_its_names(family):
    """As the family is, and with all of its features; each view, heads fused and apart and both languages in turn."""
    for choice in ({}, {"include": list(load(family).features)}):
        for view, attention in zip(views.names(), cycle((PER_HEAD, FUSED) if choice else (FUSED, PER_HEAD)), strict=False):
            language = "zh" if (attention == FUSED) == bool(choice) else "en"
            document = sheet_of(load(family, **choice), view, attention, language)
            check_symbols(document)
            check_names(document)
            check_labels(document)
            if attention == FUSED:
                check_reading(document)


ONES = dict.fromkeys(
    ("L_enc", "L_dec", "V", "max_pos", "h", "n_heads_enc", "n_heads_dec", "d_ff_enc", "d_ff_dec"), 1
)  # fmt: skip
DECODER = load("bart", exclude=["biases", "encoder", "lm_head", "tying"], **ONES)  # whose sheet has no letters of a decoder


@settings(max_examples=12)
@example(DECODER, ("module", PER_HEAD, "en"))
@given(models(), ways)
def test_any_sheet_explains_its_symbols_and_its_names(model, way):
    for subject in (model, model.symbolic()):
        document = sheet_of(subject, *way)
        check_symbols(document)
        check_names(document)
    check_reading(sheet_of(model, *way))


def test_names_tell_steps_apart():
    """A step is headed by words, and its quantity has a short subscript, the same wherever it is referred to."""
    for target, language, names in (
        ("whisper", "en", ["N(enc norms) = 2 × 2 × h", "N(dec norms) = 3 × 2 × h", "+ N(enc norms)"]),
        ("bart-base", "en", ["N(emb norm) = 2 × h", "N(enc norms) = 2 × 2 × h"]),  # of both embeddings, and of the layers
        ("t5-small", "en", ["N(norms) = 2 × h"]),  # those of the decoder are told as these and one more
        ("bert-base-chinese", "zh", ["N(嵌入归一化) = 2 × h", "N(编码归一化) = 2 × 2 × h", "\n前馈网络\n", "N(前馈) = "]),
        ("bert-base-uncased", "en", ["N(emb norm) = 2 × h", "N(enc norms) = 2 × 2 × h"]),  # one norm and two are of a kind
        ("clip", "en", ["N(text attn)", "N(image enc layer)", "N(image enc) = "]),
        ("gpt2", "en", ["N(attn) = ", "N(FFN) = "]),  # nothing to tell apart
    ):
        sheet = re.sub(" +", " ", render(derive(load(target)), language=language))  # signs of equality stand below one another
        assert [name for name in names if name not in sheet] == [], target
        assert target != "whisper" or "N(norms)" not in sheet, target


@pytest.mark.parametrize("language", languages())
def test_subscripts_are_short(language):
    """At most five Chinese characters, and two words in the Latin alphabet."""
    entries = catalogue(language).entries
    shorts = {key: text for key, text in entries.items() if key.startswith("subscripts.") and ".patterns." not in key}
    assert all(f"names.{key.removeprefix('subscripts.')}" in entries for key in shorts)
    words = re.compile("[A-Za-z-]+")
    assert [text for text in shorts.values() if sum(map(is_ideograph, text)) > 5 or len(words.findall(text)) > 3] == []


def test_the_terms_of_each_sublayer_have_names_of_their_own():
    """T5's encoder has keys of the same formula as its cross-attention: each is called after its own part."""
    sheet = render(derive("t5-small", quantity="forward_flops"), "text")
    encoder, decoder = sheet.partition("One decoder layer")[::2]
    assert "F(enc K)" in encoder
    assert "cross" not in encoder
    assert "Cross-attention: query, key, value, output" in decoder
    assert "F(cross Q)" in decoder
    rows = render(derive("t5-small", quantity="forward_flops"), "text", brief=True)
    assert {"Query, encoder", "Query, decoder", "Cross-attention: query"} <= {row.split("  ")[0] for row in rows.splitlines()}


def names_in(target, language="en", **asked):
    brief = render(derive(target, **asked), "text", brief=True, language=language)
    return {row.split("  ")[0] for row in brief.splitlines()}


def test_rows_of_a_brief_are_told_apart_by_name():
    """The layers with a window, what nothing reads on the way back, two matrices of one head, the norms of two models."""
    for target, asked, names in (
        ("clip-vit-base-patch32", {"quantity": "forward_flops"}, {"Text projection", "Image projection"}),
        ("qwen2.5-vl-3b", {"quantity": "forward_flops"}, {"Scores, image, with a window", "Scores, image, without a window"}),
        ("llava-1.5-7b-hf", {"quantity": "training_flops"}, {"Up, image", "Up, image, forward pass only"}),
        ("mistral-7b-v0.1", {"quantity": "forward_flops", "b": 1, "s": 8192}, {"Scores", "Weighted sum of values"}),
    ):
        assert names <= names_in(target, **asked), target
    for target, names in (
        ("gemma-3-4b", {"投影器 RMSNorm", "文本 RMSNorm"}),
        ("qwen2-vl-2b", {"图像层归一化", "投影器层归一化"}),
    ):
        assert names <= names_in(target, "zh", quantity="weight_memory"), target
