"""The drawing of an architecture: every part of the tree, in the order of data, nothing over anything else."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symparams import derive, draw, load
from symparams.architectures import Architecture, architecture_names
from symparams.components import (
    attention,
    block,
    embedding,
    feed_forward,
    gated_feed_forward,
    layer_norm,
    linear,
    parallel,
    residual,
)
from symparams.components.kinds import Role
from symparams.components.walks import leaves
from symparams.derivations.derivation import derive_expression
from symparams.drawings.architecture import Detail, architecture
from symparams.drawings.context import DrawingContext, Labels, NumberStyle
from symparams.drawings.distances import SHORT_RISE
from symparams.drawings.layout.forks import dotted
from symparams.drawings.layout.pen import Layout
from symparams.drawings.lengths import length
from symparams.drawings.lettering.faces import TextMeasure, letter_size
from symparams.drawings.marks import Box, Face, Frame, Operation, Pill, Slot, Stroke, Text, Tint, Wedge, Wire, texts
from symparams.errors import OptionError
from symparams.expressions.notation import HF, NOTATIONS
from symparams.expressions.symbols import L, V, d_ff, h, n_heads
from symparams.expressions.written import evaluate
from symparams.sheets.catalogue import languages
from tests.drawings.clearances import Area, faults, text_area, words
from tests.strategies import models
from tests.sweeps import swept

FEW_FAMILIES = ("transformer", "bert", "gpt2", "gptj", "llama", "deepseek_v3", "t5", "jamba", "clip", "deberta_v2")
DETAILS, LABELS = [detail.value for detail in Detail], [labels.value for labels in Labels]
LAYOUTS = [layout.value for layout in Layout]


def wrong(drawing):
    """What is wrong with a drawing's geometry."""
    page = Area(0, 0, drawing.width, drawing.height, "page")
    return list(faults(drawing.marks, TextMeasure(drawing.letters), page))


def all_of(kind, drawing):
    """The marks of a kind."""
    return [mark for mark in drawing.marks if isinstance(mark, kind)]


def boxes(drawing):
    """The boxes of a drawing by their parts, from below."""
    return {box.part: box for box in sorted(all_of(Box, drawing), key=lambda box: -box.place.bottom)}


def places(drawing):
    """Where the box of each part stands."""
    return {part: box.place for part, box in boxes(drawing).items()}


def box_lines(drawing, part):
    """What a box says, line by line."""
    return [words((line,)) for line in boxes(drawing)[part].lines]


def frames(drawing, part):
    """What the strip of a stack says, line by line."""
    [frame] = [frame for frame in all_of(Frame, drawing) if frame.part == part]
    return [words((line,)) for line in frame.lines]


def pills(drawing):
    """What each pill says."""
    return [words(pill.lines) for pill in all_of(Pill, drawing)]


def shown(drawing):
    """Every line of text beside the boxes."""
    return [words((text,)) for text in all_of(Text, drawing)]


@pytest.mark.parametrize("target", ["llama-3-8b", "t5-small", "deepseek-v3", "jamba-v0.1", "llava-1.5-7b-hf"])
def test_each_number_knows_the_formula_that_it_is_of(target):
    """So that a page can tell another number there; "tied to token embedding: 0" has none to tell."""
    model = load(target)
    for language in languages():
        drawing = architecture(derive(model), language, layout="tall", with_title=False)
        pieces = [piece for mark in drawing.marks for text in texts(mark) for piece in text.pieces]
        slots = [piece.value for piece in pieces if isinstance(piece.value, Slot)]
        exact = [slot for slot in slots if "≈" not in slot]
        assert len(exact) > 15
        assert [int(slot.number.replace(",", "")) for slot in exact] == [evaluate(slot.of, model.values) for slot in exact]
        plain = [str(piece.value) for piece in pieces if piece.face is Face.COUNT and not isinstance(piece.value, Slot)]
        assert [text for text in plain if re.search(r"[1-9]", text)] == []


def missing(drawing, model):
    """Every leaf with parameters that neither has a box nor stands in a block that has one, nor is counted by one."""
    trained = [leaf.path for leaf in leaves(model.tree) if leaf.component.tensors and leaf.component.role is not Role.ABSENT]
    counted = {path for box in all_of(Box, drawing) for path in box.leaves}
    return [
        path
        for path in trained
        if path not in counted and not any(path == part or path.startswith(f"{part}.") for part in boxes(drawing))
    ]


def cut(drawing):
    """What did not fit and ends in "…"."""
    lines = [line for mark in drawing.marks for line in getattr(mark, "lines", ())]
    return [text for text in [*shown(drawing), *(words((line,)) for line in lines)] if "…" in text]


# Geometry -------------------------------------------------------------------------------------------------------------

# What to draw, what it says, and in whose letters.
WAYS = (("parts", "both", HF), ("blocks", "formula", "hidden"), ("stacks", "both", "hidden"))


IN_CHINESE = ("bert zh", "deepseek_v3 zh", "t5 zh")
FEW = ("bert en", "gptj en", "deepseek_v3 zh", "t5 zh", "clip en")


@pytest.mark.parametrize("case", swept([*(f"{family} en" for family in FEW_FAMILIES), *IN_CHINESE], FEW))
def test_nothing_lies_over_anything_else(case):
    family, language = case.split()
    plain, whole = load(family), load(family, include=list(load(family).architecture.features))
    for detail, labels, notation in WAYS:
        drawing = architecture(whole, language, labels, detail, notation=notation)
        assert wrong(drawing) == cut(drawing) == [], (detail, labels, notation)
    for model, layout in product((plain, whole), LAYOUTS):
        drawing = architecture(model, language, layout=layout)
        assert wrong(drawing) == cut(drawing) == missing(drawing, model) == [], layout


@pytest.mark.sweep
@pytest.mark.parametrize("family", [name for name in architecture_names() if name not in FEW_FAMILIES])
def test_a_family_is_drawn_whole(family):
    model = load(family, include=list(load(family).architecture.features))
    for language, notation, detail in (("en", "hidden", "blocks"), ("en", HF, "stacks"), ("zh", HF, "parts")):
        drawing = architecture(model, language, detail=detail, notation=notation)
        assert wrong(drawing) == cut(drawing) == [], (language, notation, detail)
    assert missing(architecture(model), model) == []
    wide = architecture(model, layout="wide")
    assert wrong(wide) == cut(wide) == missing(wide, model) == []


ANY = (
    st.one_of(models(bound=False), models(), models(most=10**12)),
    st.sampled_from(languages()),
    st.sampled_from(LABELS),
    st.sampled_from(DETAILS),
    st.sampled_from(sorted(NOTATIONS)),
    st.sampled_from(list(NumberStyle)),
    st.sampled_from(LAYOUTS),
)


@settings(max_examples=15)
@given(*ANY)
def test_any_sizes_and_features_have_their_places(model, language, labels, detail, notation, numbers, layout):
    assume(model.values or (labels != "count" and numbers != "short"))  # of what has no values there are no counts
    assert wrong(architecture(model, language, labels, detail, notation=notation, numbers=numbers, layout=layout)) == []


def test_a_picture_and_its_tables_are_as_wide_as_what_stands_in_them():
    for family, part, lines in [
        ("llama", "decoder.feed_forward.gate", ["Gate", "h ×", "intermediate_", "size"]),
        ("gpt_neox", "decoder.attention",
         ["Masked self-", "attention", "4·hidden_", "size²", "+ 4·hidden_", "size"]),  # a key ends its line where it has to
        ("bert", "embeddings.position_embedding", ["Position", "embedding", "max_position_", "embeddings ×", "h"]),
    ]:  # fmt: skip
        assert box_lines(architecture(family, notation=HF), part) == lines
    assert architecture("llama", notation=HF).width == architecture("llama").width, "only as wide as it has to be"
    drawing = architecture("vit-base-patch16-224")
    assert places(drawing)["embeddings.position_embedding"].width > places(drawing)["embeddings.class_token"].width
    place = places(architecture("bert-base-uncased"))
    assert place["embeddings.position_embedding"].width == place["embeddings.segment_embedding"].width


def test_a_users_tree_with_names_of_its_own():
    name = "a_very_long_name_of_a_block_that_a_user_wrote"
    branches = parallel(attention=attention(h, n_heads), **{name: feed_forward(h, d_ff)})
    layer = block("my_layer", residual(norm=layer_norm(h), both=branches))
    tables = {f"{table}_embedding": embedding(V, h) for table in ("word", "place", "kind", "turn", "speaker")}
    tree = block(tokens=block(parallel(**tables)), layers=L * layer, supercalifragilisticexpialidocious=linear(h, 2))
    family = Architecture("users", tree=tree)
    for model in (load(family), load(family, V=10**9, h=10**6, L=1, n_heads=10, d_ff=10**7)):
        drawing = architecture(model)
        assert wrong(drawing) == cut(drawing) == []
        assert f"layers.{name}" in boxes(drawing)
        assert len(all_of(Operation, drawing)) == 3, "five tables join two by two, and the branches with the stream"
        assert "hidden states" not in shown(drawing), "what goes out of its last matrix nobody says"


HOSTILE = (
    "</script><script>alert(1)</script>",
    "]]>\"'><img src=x onerror=alert(1)> --><!--",
    "\\end{tikzpicture}\\immediate\\write18{id}\\input{/etc/passwd}",
    "100% #1 & ^^M $x$ _ ~ {",
    "\N{GRINNING FACE}" * 40,
    "x" * 300,
    "\u4e2d\u6587" * 50,
)


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_names_that_are_hostile_are_shown_within_their_boxes_and_are_no_markup(name):
    feed = residual(feed_forward=feed_forward(h, d_ff, activation=name), gated=gated_feed_forward(h, d_ff, activation=name))
    layers = L * block(name, residual(norm=layer_norm(h), attention=attention(h, n_heads)), feed)
    tree = block(tokens=embedding(V, h, reads=name), layers=layers, lm_head=linear(h, V, activation=name, reads=name))
    model = load(Architecture("users", title=name, tree=tree))
    drawing = architecture(model, languages()[HOSTILE.index(name) % len(languages())])
    assert wrong(drawing) == []
    tags = {element.tag.rpartition("}")[2] for element in fromstring(draw(drawing)).iter()}  # noqa: S314 - it is our own
    assert tags <= {"svg", "title", "desc", "style", "rect", "g", "text", "tspan", "path", "circle", "polygon"}
    set_by_tex = "\n".join(line.partition("%")[0] for line in draw(drawing, "tikz").replace(r"\%", "").splitlines())
    assert not re.search(r"\\(input|immediate|write)", set_by_tex)
    assert set_by_tex.count(r"\end{tikzpicture}") == 1


# The way of the data --------------------------------------------------------------------------------------------------


def test_a_drawing_follows_the_data_from_below():
    drawing = architecture("gpt2", detail="blocks")
    tables, rest = list(boxes(drawing))[:2], list(boxes(drawing))[2:]
    assert set(tables) == {"embeddings.token_embedding", "embeddings.position_embedding"}
    layer = [f"decoder.{part}" for part in ("attention_norm", "attention", "feed_forward_norm", "feed_forward")]
    assert rest == [*layer, "final_layer_norm", "lm_head"]
    assert len(all_of(Operation, drawing)) == 3
    assert frames(drawing, "decoder") == ["Decoder layer, L = 12", "12 × 7,087,872 = 85,054,464"]
    stacks = architecture("deepseek-v3", detail="stacks")
    assert list(boxes(stacks)) == ["embeddings.token_embedding", "final_norm", "lm_head"]
    assert [frame.part for frame in all_of(Frame, stacks)] == ["decoder.dense_layers", "decoder.moe_layers"]


UP = ((0, 40), (0, 0))
JOINS = [
    ([Wire(UP), Wire(((0, 20), (20, 20), (20, 0)))], [(0, 20)]),  # what leaves a wire on its way
    ([Wire(((0, 40), (0, 20), (x, 20), (x, 0))) for x in (20, -20)], [(0, 20)]),  # to both sides
    ([Wire(UP), Wire(((20, 40), (20, 20), (0, 20)), arrow=False), Wire(((0, 20), (0, 0)))], []),  # what joins one
    ([Wire(UP), Wire(((-20, 20), (20, 20)))], []),  # what crosses one
    ([Wire(((0, 40), (0, 20)), arrow=False), Wire(((0, 20), (20, 20)))], []),  # what goes on
    ([Wire(UP), Wire(((0, 20), (20, 20)), Stroke.TIED)], []),  # what carries nothing
]


def test_where_wires_fork_is_a_dot_and_no_round_corner():
    for wires, at in JOINS:
        assert [wire.points[0] for wire in dotted(wires) if wire.dot] == at, wires
    turned = Wire(((0, 40), (0, 20), (20, 20), (20, 0)))
    _, below, above = (mark for mark in dotted([Wire(UP), turned]) if isinstance(mark, Wire))
    assert (below.points, below.arrow) == (((0, 40), (0, 20)), False)
    assert (above.points, above.arrow, above.dot) == (((0, 20), (20, 20), (20, 0)), True, True)
    for name in ("llama-3-8b", "t5-small", "jamba-v0.1"):
        wires = all_of(Wire, architecture(name))
        assert [wire for wire in dotted(wires) if wire.dot] == [wire for wire in wires if wire.dot] != [], name


def test_where_the_parts_stand():
    bert = architecture("bert-base-uncased")
    heights = {words((text,)): text.y for text in all_of(Text, bert)}
    assert heights["pooled output"] == pytest.approx(heights["hidden states"]), "what goes out stands on one line"
    place = places(architecture("gpt-j-6b", detail="blocks"))
    one, other = place["decoder.attention"], place["decoder.feed_forward"]
    assert (one.y, one.height) == (other.y, other.height), "branches side by side"
    assert one.right < other.x
    assert place["decoder.layer_norm"].y > one.bottom
    place = places(architecture(load("clip", include=["classifier"])))
    assert place["shared_space.logit_scale"].right < place["classifier"].x, "a head over both towers and one beside it"
    assert place["text_encoder.final_layer_norm"].y > place["shared_space.text_projection"].bottom, "the norm comes first"


def test_an_encoder_stands_beside_its_decoder():
    drawing = architecture("transformer-base", layout="tall")
    crossing = places(drawing)["decoder.cross_attention"]
    assert places(drawing)["encoder.attention"].right < crossing.x
    ends = [wire.points[-1] for wire in all_of(Wire, drawing)]
    assert sum(x == crossing.x and crossing.y < y < crossing.bottom for x, y in ends) == 2, "keys and values"
    assert pills(drawing) == [*2 * ["× √h", "Sinusoidal / positions"], "softmax"]


def test_no_word_decides_that_attention_reads_the_column_beside_it():
    def renamed(part, other):
        """A part in which cross-attention says by another word what it reads."""
        body = tuple((name, renamed(child, other)) for name, child in part.body)
        return replace(part, body=body, reads=other if part.reads == "encoder" else part.reads)

    trees = [renamed(load("transformer").tree, reads) for reads in ("encoder", "source states")]
    usual, other = (architecture(load(Architecture("mine", tree=tree)), detail="blocks") for tree in trees)
    assert [wire.points for wire in all_of(Wire, other)] == [wire.points for wire in all_of(Wire, usual)]
    assert "keys and values from the source states" in other.description


def test_tied_and_untied_differ_in_the_head_and_the_dashed_line():
    tied, untied = architecture("gpt2", detail="blocks"), architecture(load("gpt2", exclude=["tying"]), detail="blocks")
    assert list(boxes(tied)) == list(boxes(untied))
    dashed = [[wire for wire in all_of(Wire, drawing) if wire.stroke is Stroke.TIED] for drawing in (tied, untied)]
    # That of the legend has two points.
    assert [sum(len(wire.points) > 2 for wire in wires) for wires in dashed] == [1, 0]


def test_a_learned_query_does_not_read_the_patches_which_pass_it_by():
    drawing = architecture("siglip_vision_model", layout="tall")
    query, attention = (places(drawing)[f"attention_pooling.{name}"] for name in ("probe", "attention"))
    ends = [wire.points[-1] for wire in all_of(Wire, drawing)]
    assert not [x for x, y in ends if y == query.bottom], "nothing goes into the query"
    assert (query.middle, attention.bottom) in ends, "it goes into attention from below, the patches from the side"
    assert (attention.x, attention.level) in ends


def test_what_numbers_do_to_an_output_is_as_a_config_says():
    bart = {"model_type": "bart", "scale_embedding": True, "architectures": ["BartForConditionalGeneration"]}
    assert pills(architecture(load(bart))).count("× √h") == 2
    assert "× √h" not in pills(architecture("bart-base"))
    assert pills(architecture(load({"model_type": "granite", "residual_multiplier": 0.22}))).count("× 0.22") == 2
    assert ("÷ √h" in pills(architecture("t5-small")), "÷ √h" in pills(architecture("flan-t5-small"))) == (True, False)


def test_what_a_layer_by_itself_passes_through_stands_in_a_pill_above_it():
    def above(model):
        drawing = architecture(model, detail="blocks")
        by_height = {round(pill.place.bottom, 3): words(pill.lines) for pill in all_of(Pill, drawing)}
        heights = {part: round(place.y - SHORT_RISE, 3) for part, place in places(drawing).items()}
        return {part: by_height[y] for part, y in heights.items() if y in by_height}

    tables = {f"embeddings.{name}_embedding": "× √h" for name in ("source", "target")}
    assert above("transformer-base") == {**tables, "lm_head": "softmax"}
    assert above(load("bert-base-uncased", include=["mlm_head"])) == {"pooler": "tanh", "mlm_head.transform": "GELU"}
    assert above("llava-1.5-7b-hf") == {"projector.input_projection": "GELU"}
    assert above("whisper-tiny") == {f"encoder_embeddings.{name}_convolution": "GELU" for name in ("first", "second")}
    assert above("gpt2") == {}
    learning = load({"model_type": "bert", "hidden_act": "prelu", "architectures": ["BertForMaskedLM"]})
    assert "mlm_head.transform" not in above(learning), "what learns is a box"
    assert "mlm_head.transform_activation" in boxes(architecture(learning, detail="blocks"))


def test_of_heads_side_by_side_one_stands_straight_above_the_layers():
    for model, features, head, below in [
        ("vit", {"include": ["mim_head"]}, "pooler", "final_layer_norm"),
        ("deit", {"include": ["classifier", "distillation_classifier"], "exclude": ["pooler"]}, "classifier",
         "final_layer_norm"),
        ("bert", {"include": ["mlm_head", "nsp_head"]}, "mlm_head.transform", "embeddings.layer_norm"),
    ]:  # fmt: skip
        place = places(architecture(load(model, **features)))
        assert place[head].middle == pytest.approx(place[below].middle)


def test_what_reads_an_earlier_layer_is_fed_around_what_is_not_used():
    for model, unused, start, reader in (
        ("llava-1.5-7b-hf", "final_layer_norm", None, "input_projection"),
        (load("gemma3", include=["attention_pooling"]), "attention_pooling", "final_layer_norm", "rms_norm"),
    ):
        drawing = architecture(model)
        passed, reading = places(drawing)[f"image_encoder.{unused}"], places(drawing)[f"projector.{reader}"]
        wires = all_of(Wire, drawing)
        [into] = [wire for wire in wires if wire.points[-1] == (reading.middle, reading.bottom)]
        assert all(x < passed.x for x, y in into.points[1:] if y > passed.y)
        assert not any(wire.points[0] == (passed.middle, passed.y) for wire in wires)
        assert shown(drawing).count("not used") == 1
        if start:
            norm = places(drawing)[f"image_encoder.{start}"]
            assert passed.bottom < into.points[0][1] < norm.y, "it leaves the wire from the last norm to the pooling head"


def test_into_a_layer_that_is_one_box_three_wires_come_apart_and_cross_nowhere():
    drawing = architecture("t5-small", detail="stacks")
    [decoder] = [frame for frame in all_of(Frame, drawing) if frame.part.startswith("decoder")]
    assert decoder.strip == 0, "a header of nothing would be cut off below"
    wires = [wire for wire in all_of(Wire, drawing) if wire.points[-1][0] == decoder.place.x]
    heights = sorted(wire.points[-1][1] for wire in wires)
    assert [below - above >= 5 for above, below in pairwise(heights)] == [True, True]
    [bias] = [wire for wire in wires if wire.points[0][1] > decoder.place.bottom]
    assert bias.points[-1][1] == heights[-1], "it comes from below, the others from above"


def test_what_comes_into_the_stream_from_beside():
    for model, mask, language, word in [("xlnet", "mask_embedding", "en", "or"), ("vit", "mask_token", "zh", "或")]:
        drawing = architecture(load(model, include=["mim_head"] if model == "vit" else []), language)
        [pill] = [pill.place for pill in all_of(Pill, drawing) if words(pill.lines) == word]
        place = places(drawing)[f"embeddings.{mask}"]
        [way] = [wire.points for wire in all_of(Wire, drawing) if wire.points[0] == pytest.approx((place.middle, place.y))]
        assert way[-1][0] == pytest.approx(pill.right)
        assert pill.y < way[-1][1] < pill.bottom


def test_layers_that_take_turns_stand_side_by_side_in_one_frame():
    drawing = architecture("jamba-v0.1")
    assert [pill for pill in pills(drawing) if "in turn" in pill] == ["in turn, 1 : 7", "in turn, 1 : 1"]
    ordered = sorted(all_of(Frame, drawing), key=lambda frame: frame.place.height)  # of a stack, the frame and its strip
    wholes = {(frame.place.x, frame.place.y): frame.place for frame in ordered}
    frame = {frame.part.rpartition(".")[2]: wholes[frame.place.x, frame.place.y] for frame in ordered}
    for one, other in (("attention_sublayers", "mamba_sublayers"), ("feed_forward_sublayers", "expert_sublayers")):
        assert frame[one].right < frame[other].x
        assert frame[one].bottom == frame[other].bottom
        assert frame["decoder"].y < min(frame[one].y, frame[other].y) < frame[one].bottom < frame["decoder"].bottom
    assert frames(drawing, "decoder") == ["32 layers", "51,033,448,320"]


def test_a_wide_drawing_has_attention_at_the_left_and_the_network_at_the_right():
    drawing = architecture("llama-3-8b", layout="wide")
    assert drawing.width == pytest.approx(450, abs=1)
    boxes = {mark.part: mark.place for mark in drawing.marks if isinstance(mark, Box)}
    assert boxes["decoder.attention.query"].right < boxes["decoder.attention"].x
    assert boxes["decoder.feed_forward.up"].x > boxes["decoder.feed_forward"].right


def test_a_wide_drawing_of_an_encoder_and_a_decoder_has_what_is_inside_their_blocks():
    boxes = {mark.part: mark.place for mark in architecture("transformer-base").marks if isinstance(mark, Box)}
    assert boxes["encoder.attention.output"].right < boxes["encoder.attention"].x
    for sublayer in ("attention", "cross_attention"):
        assert boxes[f"decoder.{sublayer}.output"].x > boxes[f"decoder.{sublayer}"].right
    assert "encoder.feed_forward.up" not in boxes  # it is the decoder's, which is at the right
    assert "decoder.feed_forward.up" in boxes


HYBRIDS = (
    "jamba-v0.1", "nemotron-3-nano-30b-a3b", "granite-4.0-h-tiny", "bamba-9b", "falcon-h1-7b", "zamba2-1.2b",
    "qwen3-next-80b-a3b", "lfm2-8b-a1b", "minimax-text-01",
)  # fmt: skip


@pytest.mark.parametrize("name", HYBRIDS)
def test_a_wide_drawing_of_layers_of_several_kinds_is_low_and_says_which_panel_is_whose(name):
    drawing = architecture(name, layout="wide")
    assert wrong(drawing) == cut(drawing) == missing(drawing, load(name)) == []
    assert drawing.height < 0.85 * drawing.width
    assert letter_size(replace(drawing, printed=length("17.8cm"))) >= 5, "across a page"
    badges = [pill for pill in all_of(Pill, drawing) if pill.place.width == pill.place.height]
    numbers = {words(pill.lines) for pill in badges}
    panels = [frame for frame in all_of(Frame, drawing) if frame.strip and frame.tint is not Tint.STACK]
    assert len(numbers) == len(panels) > 2
    assert all(sum(words(pill.lines) == number for pill in badges) > 1 for number in numbers), "on a block, too"


def test_layers_that_differ_in_one_slot_are_one_stack_in_a_wide_drawing():
    drawing = architecture("deepseek-v3", layout="wide")
    assert frames(drawing, "decoder") == ["61 layers", "3 × 583,483,392 + 58 × 11,507,286,016", "= 669,173,039,104"]
    assert drawing.height < 0.8 * drawing.width
    dense = places(drawing)["decoder.dense_layers.feed_forward"]
    beside = [box.place for box in all_of(Box, drawing) if (box.place.y, box.place.bottom) == (dense.y, dense.bottom)]
    assert [place.x > dense.right for place in beside] == [False, True], "the mixture of experts"
    assert {"in the first 3", "in the other 58"} <= {*shown(drawing)}
    either = "SwiGLU in the first 3 or mixture of experts with a sigmoid router in the other 58"
    assert f"RMSNorm, {either}, added to what came in" in drawing.description
    assert "in the first L_dense" in architecture(load("deepseek-v3").symbolic(), layout="wide").description
    assert len(frames(architecture("deepseek-v3", layout="wide", detail="stacks"), "decoder.dense_layers")) == 2


def test_the_layout_that_suits_a_model_and_a_width():
    widths = {
        "gpt2": 240,
        "mixtral-8x7b": 450,
        "bert-base-uncased": 240,
        "jamba-v0.1": 573,
        "t5-small": 529,
        "deepseek-v3": 509,
    }
    for name, width in widths.items():
        assert architecture(name, layout="auto").width == pytest.approx(width, abs=1), name
    for name, printed, layout, is_wide in (
        ("llama-3-8b", "8.5cm", None, False), ("llama-3-8b", "17cm", None, True), ("llama-3-8b", "17cm", "tall", False),
        ("llama-3-8b", "8.5cm", "wide", True), ("llama-3-8b", "11.9cm", None, False), ("llama-3-8b", "4.8in", None, True),
    ):  # fmt: skip
        drawing = architecture(name, layout=layout, width=length(printed))
        assert (drawing.width > 400) == is_wide, (printed, layout)
        assert str(drawing.printed) == printed


@pytest.mark.parametrize("name", ["transformer-base", "whisper-tiny", "clip-vit-base-patch32"])
def test_the_layers_of_two_towers_begin_on_one_line(name):
    frames = all_of(Frame, architecture(name, layout="tall"))
    stacks = [frame.place.bottom for frame in frames if frame.tint is Tint.STACK]
    assert len(set(stacks)) == 1, stacks


def test_the_sizes_stand_below_the_name():
    lines = [words((mark,)) for mark in architecture("gpt2").marks if isinstance(mark, Text)]
    assert any(line.startswith("V = 50,257 · h = 768 · L = 12") for line in lines), lines
    assert not any(" · " in words((mark,)) for mark in architecture(load("gpt2").symbolic()).marks if isinstance(mark, Text))


def test_panels_of_left_layers_stand_left_where_there_are_many():
    drawing = architecture("jamba-v0.1")
    [layers] = [frame.place for frame in all_of(Frame, drawing) if frame.part == "decoder"]
    panels = {words(frame.lines): frame.place for frame in all_of(Frame, drawing) if frame.tint is not Tint.STACK}
    left = {title for title, place in panels.items() if place.right < layers.x}
    assert left == {"Grouped-query attention", "SwiGLU"}
    assert {title for title, place in panels.items() if place.x > layers.right} == panels.keys() - left
    assert drawing.height < 630, "which a page holds"


# Panels beside the layers ---------------------------------------------------------------------------------------------


def covers(wedge, x, y):
    """Whether a point lies within a wedge: a ray from it to the right crosses its outline an odd number of times."""
    corners = list(zip(wedge.points, (*wedge.points[1:], wedge.points[0]), strict=True))
    return sum((b > y) != (d > y) and x < a + (c - a) * (y - b) / (d - b) for (a, b), (c, d) in corners) % 2 == 1


def test_a_wedge_leaves_the_lines_of_a_layer_free():
    for name in ["gpt2", "deepseek-v3", "gpt-j-6b", "falcon-40b", "jamba-v0.1"]:
        drawing = architecture(name)
        layers = [frame for frame in all_of(Frame, drawing) if frame.tint is Tint.STACK]
        lines = [text_area(line, TextMeasure(drawing.letters)) for layer in layers for line in layer.lines]
        assert lines
        assert all_of(Wedge, drawing)
        for wedge in all_of(Wedge, drawing):
            for line in lines:
                assert not any(covers(wedge, x, y) for x in (line.left, line.right) for y in (line.top, line.bottom)), line.what


def test_wedges_leave_a_stack_below_its_strip():
    marks = architecture("llama-3-8b").marks
    last = max(i for i, mark in enumerate(marks) if isinstance(mark, Wedge))
    [strip] = [i for i, mark in enumerate(marks) if isinstance(mark, Frame) and mark.part == "decoder"]
    [frame] = [i for i, mark in enumerate(marks) if isinstance(mark, Frame) and mark.tint is Tint.STACK and not mark.part]
    assert frame < last < strip


# Numbers --------------------------------------------------------------------------------------------------------------


def test_numbers_in_short_are_never_said_to_be_equal():
    drawing = architecture("gpt2", numbers="short")
    assert box_lines(drawing, "decoder.feed_forward")[1:] == ["8*h**2 + 5*h ≈ 4.72 M"]
    assert box_lines(drawing, "lm_head")[1:] == ["tied to token embedding: 0"]
    assert frames(drawing, "decoder")[1:] == ["12 × 7.09 M ≈ 85.1 M"]
    assert "≈ 124 M parameters" in shown(drawing)
    assert drawing.title == "gpt2: 124,439,808 parameters"
    small = architecture(load("gpt2", V=10, h=12, n_heads=2), numbers="short")
    assert box_lines(small, "embeddings.token_embedding")[-1].endswith("= 120"), "all of it is said"
    assert "≈ 7.68·10²⁵" in " ".join(shown(architecture(load("gpt2", V=10**23), numbers="short"))), "no word for it"
    assert DrawingContext(derive("gpt2")).short(10**25 - 1) == "≈ 1.00·10²⁵", "and not 10.00·10²⁴"


# What is read aloud ---------------------------------------------------------------------------------------------------


def of_class(family, name):
    return {"model_type": family, "architectures": [name]}


GOLDEN = Path(__file__).parent / "golden"
# Each has what no other has: a class that the config leaves open, tied tables, towers, what is not used, what stands in place
# of what, layers in turn, windows, experts, layers that are used again, classifiers and which token they read; other sizes.
TOLD = [
    "gpt2", load("gpt2", L=1), "transformer-base", "t5-small", {"model_type": "gpt2"}, "clip-vit-base-patch32",
    load("clip", include=["classifier"]), load("clip", include=["classifier"], exclude=["text_encoder", "projection"]),
    "clip_vision_model", load("clip_text_model", include=["projection"]), "pythia-6.9b", "bert-base-uncased",
    load("bert", include=["mlm_head"]), load("bert", include=["cross_attention"]), "llava-1.5-7b-hf",
    load("gemma3", include=["attention_pooling"]), load("deberta_v2", include=["conv_layer"]), "xlnet",
    load("vit", include=["mim_head"]), "modernbert-base", "gemma-3-4b", "albert-base-v2", "deepseek-v3", "jamba-v0.1",
    load("jamba", exclude=["moe_layers"]), load("qwen2_moe", include=["dense_layers"]), load("gptj", include=["tying"]),
    of_class("mistral", "MistralForSequenceClassification"), of_class("gpt2", "GPT2ForQuestionAnswering"),
    of_class("bart", "BartForSequenceClassification"), of_class("mt5", "MT5ForSequenceClassification"),
    "llama", load("gpt2", h=1_536, L=2, exclude=["tying"]), load("t5-small", L_enc=2, L_dec=2),
]  # fmt: skip


@pytest.mark.parametrize("language", swept(languages(), ("en",)))
def test_what_is_read_aloud_and_what_is_written(language, golden):
    """A title, what is read aloud, the frames, the boxes from below, and all texts beside them: read a change as prose."""

    def told(drawing):
        titles = dict.fromkeys(frame.title for frame in all_of(Frame, drawing))
        in_order = sorted(all_of(Box, drawing), key=lambda box: (round(-box.place.bottom, 3), box.place.x))
        written = [words(box.lines) for box in in_order]
        lines = (titles, written, dict.fromkeys(shown(drawing)))
        return "\n".join([drawing.title, drawing.description, *("    " + " | ".join(line) for line in lines), ""])

    golden(GOLDEN / f"drawings.{language}.txt", "\n".join(told(architecture(target, language)) for target in TOLD))


def test_a_choice_that_there_is_not():
    for choice in ({"labels": "all"}, {"detail": "everything"}, {"numbers": "rough"}, {"language": "tlh"}):
        with pytest.raises(OptionError, match="Unknown"):
            architecture("gpt2", **choice)
    with pytest.raises(OptionError, match="not a model"):
        architecture(derive_expression("12*L*h**2"))
