"""Models side by side: what stands for one another at one height, what differs marked and told, and no number but theirs."""

from __future__ import annotations

import re

import pytest

from symparams import compare, derive, draw, load
from symparams.drawings.compared.columns import NumberedContext
from symparams.drawings.compared.picture import arranged, side_by_side
from symparams.drawings.marks import Box, Emphasis, Text, Tint
from symparams.errors import SymparamsError
from symparams.sheets.catalogue import languages
from tests.drawings.clearances import words
from tests.drawings.test_architecture import cut, wrong
from tests.sweeps import swept

PAIRS = [
    "llama-3-8b deepseek-v3",  # experts and latent attention, which the other has not
    "gpt-neox-20b gpt-j-6b",  # branches
    "bert-base-uncased roberta-base gpt2",  # three, of which two are alike
    "t5-small bart-base",  # two stacks
    "jamba-v0.1 bamba-9b",  # layers of several kinds
]
OTHERS = [
    "llama-2-7b llama-3-8b", "gpt2 llama-3-8b", "mistral-7b-v0.1 mixtral-8x7b", "gemma-7b gemma-2-9b",
    "bert-base-uncased roberta-base", "qwen2-7b qwen3-8b", "gpt2 bert-base-uncased", "mamba-130m gpt2",
    "llama-7b llama-2-7b llama-3-8b", "whisper-tiny whisper-base whisper-large-v3",
    "clip-vit-base-patch32 siglip-base-patch16-224",
]  # fmt: skip


def boxes(drawing, emphasis):
    """The paths of blocks with this outline, of all models, from below."""
    found = [mark for mark in drawing.marks if isinstance(mark, Box) and mark.emphasis is emphasis]
    return [box.part for box in sorted(found, key=lambda box: -box.place.bottom)]


def told(drawing):
    """What is told beside the boxes, from above."""
    return [words((text,)) for text in sorted((mark for mark in drawing.marks if isinstance(mark, Text)), key=lambda at: at.y)]


def is_within(block, stack):
    """True if a block stands in a stack of layers, in whichever model has it."""
    column, path = block.has
    return column.stack_of(path) == (stack.path if block.path else stack.partner)


@pytest.mark.parametrize("models", swept([*PAIRS, *OTHERS], PAIRS))
def test_differences_add_up_and_nothing_lies_over_anything_else(models):
    comparison = compare(*models.split())
    for language in languages():
        drawing = side_by_side(comparison, language)
        assert wrong(drawing) == cut(drawing) == []
    comparing = arranged([NumberedContext(derive(model)) for model in comparison.models])
    first, *others = comparing.columns
    for other, model in zip(others, comparison.models[1:], strict=True):
        every = [difference for difference in comparing.every if difference.other is other]
        outermost = [each for each in every if each.is_of_layers or not each.has[0].stack_of(each.has[1])]
        assert sum(each.number for each in outermost) == model.count() - comparison.models[0].count()
        for stack in (each for each in every if each.is_of_layers and not each.is_alone):
            if (layers := first.layers(stack.path)) == other.layers(stack.partner):
                within = [each for each in every if not each.is_of_layers and is_within(each, stack)]
                assert sum(each.number for each in within) * layers == stack.number


def test_what_differs_is_marked_and_what_is_alike_is_grey():
    drawing = side_by_side(compare("llama-2-7b", "llama-3-8b"))
    blocks = ["embeddings.token_embedding", "decoder.attention", "decoder.feed_forward", "lm_head"]
    assert sorted(boxes(drawing, Emphasis.DIFFERS)) == sorted(2 * blocks)
    assert boxes(drawing, Emphasis.ALONE) == []
    grey = {mark.part for mark in drawing.marks if isinstance(mark, Box) and mark.tint is Tint.ALIKE}
    assert grey == {"decoder.attention_norm", "decoder.feed_forward_norm", "final_norm"}
    heights = [mark.place.y for mark in drawing.marks if isinstance(mark, Box)]
    assert all(heights.count(height) == 2 for height in heights), "those that stand for one another are at one height"
    assert {"+1,291,845,632", "19.2% more", "key-value heads: 32 → 8", "+503,316,480", "in 32 layers"} <= {*told(drawing)}
    assert drawing.description.startswith(
        "llama-2-7b has 6,738,415,616 parameters, llama-3-8b 8,030,261,248: +1,291,845,632, 19.2% more. "
        "Token embedding: +394,264,576 (vocabulary: 32,000 → 128,256). "
        "Masked self-attention: −25,165,824 a layer (multi-head → grouped-query (GQA); key-value heads: 32 → 8). "
    )
    assert boxes(side_by_side(compare("gpt2", "gpt2")), Emphasis.DIFFERS) == []


def test_models_of_several_columns_stand_side_by_side_where_these_are_of_one_shape():
    drawing = side_by_side(compare("whisper-tiny", "whisper-large-v3"))
    blocks = [mark for mark in drawing.marks if isinstance(mark, Box) and ".attention" in mark.part]
    assert len({mark.place.y for mark in blocks if mark.part == "decoder.attention"}) == 1, "of both models at one height"
    assert {"+1,504,385,920", "41.5 times as many"} <= {*told(drawing)}
    assert "Cross-attention: +5,966,464 a layer (heads: 6 → 20; hidden: 384 → 1,280)." in drawing.description
    hybrids = side_by_side(compare("jamba-v0.1", "bamba-9b"))
    assert "Attention (GQA): ±0 (without RoPE → with RoPE)." in hybrids.description
    assert "Mixture of experts: −2,642,477,056 a layer (a mixture of experts → gated (three matrices)" in hybrids.description


def test_why_models_differ_is_told_of_each_block():
    drawing = side_by_side(compare("gpt2", "llama-3-8b"))
    assert boxes(drawing, Emphasis.ALONE) == ["embeddings.position_embedding"]
    assert {
        "no partner in llama-3-8b", "LayerNorm → RMSNorm", "GELU → SiLU", "with biases → without biases", "layers: 12 → 32",
        "64.5 times as many",
    } <= {*told(drawing)}  # fmt: skip
    assert "LM head: +525,336,576 (the token embedding (tied) → a matrix of its own; " in drawing.description
    same_count = side_by_side(compare("mistral-7b-v0.1", "mixtral-8x7b")).description
    assert "Attention (GQA): ±0 (a window of 4,096 tokens → none)." in same_count
    three = side_by_side(compare("llama-7b", "llama-2-7b", "llama-3-8b"), "zh")
    lines = [words((line,)) for mark in three.marks if isinstance(mark, Box) for line in mark.lines]
    assert {"每层 −25,165,824", "键值头数：32 → 8"} <= {*lines}


REFUSED = [
    (("gpt2", "whisper-tiny"), "whisper-tiny has more than one column of blocks, or layers that take turns, and cannot stand"),
    (("llama-3-8b", "jamba-v0.1"), "jamba-v0.1 has more than one column"),
    (("bert-base-uncased", "vit-base-patch16-224"), "share 4 of their 9 and 9 blocks, too few to stand side by side"),
    (("gpt2", "gpt-j-6b"), "gpt2 and gpt-j-6b have feed forward in another order, so not at one height: draw their bars."),
    (("gpt2", "bloom-560m", "gpt2-xl", "opt-66b"), "At most 3 models stand side by side, not 4: leave out one, or"),
    (("gpt2", load("bert")), "bert is a family, so its sizes have no values"),
]


def test_models_that_cannot_stand_side_by_side_are_refused_and_drawn_as_bars(cli):
    for models, reason in REFUSED:
        with pytest.raises(SymparamsError, match=re.escape(reason)):
            draw(compare(*models), side_by_side=True)
    for option in ({"relative": True}, {"labels": "none"}, {"bars": True}):
        with pytest.raises(SymparamsError, match=next(iter(option))):
            draw(compare("gpt2", "gpt2-xl"), side_by_side=True, **option)
    bars = cli(["compare", "gpt2", "whisper-tiny", "--draw"])
    assert (bars.code, bars.out) == (0, draw(compare("gpt2", "whisper-tiny")))
    assert "cannot stand beside a model without: their bars are drawn instead" in bars.err
