"""The drawing of an architecture: every part of the tree, in the order of data, nothing over anything else."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from math import dist
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
from symparams.components.tree import Component
from symparams.components.walks import leaves
from symparams.derivations.derivation import derive_expression
from symparams.drawings.architecture import Detail, architecture
from symparams.drawings.context import DrawingContext, Labels, NumberStyle
from symparams.drawings.distances import SHORT_RISE
from symparams.drawings.lettering.faces import TextMeasure
from symparams.drawings.marks import Box, Drawing, Frame, Operation, Pill, Stroke, Text, Tint, Wedge, Wire
from symparams.errors import OptionError
from symparams.expressions.notation import HF, NOTATIONS
from symparams.expressions.symbols import L, V, d_ff, h, n_heads
from symparams.models.model import Model
from symparams.sheets.catalogue import languages
from tests.drawings.clearances import Area, faults, words
from tests.strategies import models

FEW_FAMILIES = ("transformer", "bert", "gpt2", "gptj", "llama", "deepseek_v3", "t5", "jamba", "clip", "deberta_v2")
DETAILS, LABELS = [each.value for each in Detail], [each.value for each in Labels]


def wrong(drawing: Drawing) -> list[str]:
    """What is wrong with a drawing's geometry."""
    page = Area(0, 0, drawing.width, drawing.height, "page")
    return list(faults(drawing.marks, TextMeasure(drawing.letters), page))


def missing(drawing: Drawing, model: Model) -> list[str]:
    """Every leaf with parameters that neither has a box nor stands in a block that has one."""
    drawn = {box.part for box in boxes(drawing)}
    trained = [leaf.path for leaf in leaves(model.tree) if leaf.component.tensors and leaf.component.role is not Role.ABSENT]
    return [path for path in trained if not any(path == part or path.startswith(f"{part}.") for part in drawn)]


def cut(drawing: Drawing) -> list[str]:
    """What did not fit and ends in "…"."""
    lines = [line for mark in drawing.marks for line in getattr(mark, "lines", ())]
    return [each for each in [*said(drawing), *(words((line,)) for line in lines)] if "…" in each]


def boxes(drawing: Drawing) -> list[Box]:
    """The boxes of a drawing from below."""
    return sorted((mark for mark in drawing.marks if isinstance(mark, Box)), key=lambda box: -box.place.bottom)


def parts(drawing: Drawing) -> list[str]:
    """The paths of its boxes from below."""
    return [box.part for box in boxes(drawing)]


def said(drawing: Drawing) -> list[str]:
    """Every line of text."""
    return [words((mark,)) for mark in drawing.marks if isinstance(mark, Text)]


def ties(drawing: Drawing) -> int:
    """How many dashed lines there are, without that of the legend."""
    return sum(isinstance(mark, Wire) and mark.stroke is Stroke.TIED and len(mark.points) > 2 for mark in drawing.marks)


# What to draw, what it says, and in whose letters.
WAYS = (("parts", "both", HF), ("blocks", "formula", "hidden"), ("stacks", "both", "hidden"))


@pytest.mark.parametrize("family", FEW_FAMILIES)
def test_nothing_lies_over_anything_else(family: str) -> None:
    for model in (load(family), load(family, include=list(load(family).architecture.features))):
        for language in languages() if family in ("bert", "deepseek_v3", "t5") else ("en",):
            for detail, labels, notation in WAYS:
                drawing = architecture(model, language, labels, detail, notation=notation)
                assert wrong(drawing) == [], (detail, labels, notation, language)
                assert cut(drawing) == [], (detail, labels, notation, language)
            drawing = architecture(model, language)
            assert wrong(drawing) == cut(drawing) == missing(drawing, model) == [], language


@pytest.mark.sweep
@pytest.mark.parametrize("family", [name for name in architecture_names() if name not in FEW_FAMILIES])
def test_a_family_is_drawn_whole(family: str) -> None:
    model = load(family, include=list(load(family).architecture.features))
    ways = (("en", "hidden", "blocks"), ("en", HF, "stacks"), ("zh", HF, "parts"))
    for language, notation, detail in ways:
        drawing = architecture(model, language, detail=detail, notation=notation)
        assert wrong(drawing) == cut(drawing) == [], (language, notation, detail)
    assert missing(architecture(model), model) == []


@pytest.mark.parametrize(
    ("family", "part", "lines"),
    [
        ("llama", "decoder.feed_forward.gate", ["Gate", "h ×", "intermediate_", "size"]),
        ("gpt_neox", "decoder.attention", ["Masked self-", "attention", "4·hidden_", "size²", "+ 4·hidden_", "size"]),
        ("bert", "embeddings.position_embedding", ["Position", "embedding", "max_position_", "embeddings ×", "h"]),
    ],
)
def test_a_line_ends_within_a_key_where_it_has_to(family: str, part: str, lines: list[str]) -> None:
    # A formula that is not divided is told here by its dimensions, hidden_size as h.
    [box] = [each for each in boxes(architecture(family, notation=HF)) if each.part == part]
    assert [words((line,)) for line in box.lines] == lines


def test_a_picture_is_wider_where_the_keys_of_a_config_have_no_room() -> None:
    everything = list(load("bert").architecture.features)
    narrow, wide = (architecture(load("bert", include=everything), detail="stacks", notation=name) for name in ("hidden", HF))
    assert narrow.width < wide.width
    [box] = [box for box in boxes(wide) if box.part == "embeddings.position_embedding"]
    assert words((box.lines[0],)) == "Position"
    assert architecture("llama", notation=HF).width == architecture("llama").width, "only as wide as it has to be"


def test_of_two_tables_side_by_side_the_one_that_needs_it_is_wider() -> None:
    drawing = architecture("vit-base-patch16-224")
    place = {box.part: box.place for box in boxes(drawing)}
    assert place["embeddings.position_embedding"].width > place["embeddings.class_token"].width
    [box] = [each for each in boxes(drawing) if each.part == "embeddings.position_embedding"]
    assert not any(words((line,)).count("(") != words((line,)).count(")") for line in box.lines)
    place = {box.part: box.place for box in boxes(architecture("bert-base-uncased"))}
    assert place["embeddings.position_embedding"].width == place["embeddings.segment_embedding"].width


ANY = (
    st.one_of(models(bound=False), models(), models(most=10**12)),
    st.sampled_from(languages()),
    st.sampled_from(LABELS),
    st.sampled_from(DETAILS),
    st.sampled_from(sorted(NOTATIONS)),
    st.sampled_from(list(NumberStyle)),
)


@settings(max_examples=20)
@given(*ANY)
def test_any_sizes_and_features_have_their_places(
    model: Model, language: str, labels: str, detail: str, notation: str, numbers: str
) -> None:
    assume(model.values or (labels != "count" and numbers != "short"))  # of what has no values there are no counts
    assert wrong(architecture(model, language, labels, detail, notation=notation, numbers=numbers)) == []


def test_a_drawing_follows_the_data_from_below() -> None:
    drawing = architecture("gpt2", detail="blocks")
    assert set(parts(drawing)[:2]) == {"embeddings.token_embedding", "embeddings.position_embedding"}
    assert parts(drawing)[2:] == [
        "decoder.attention_norm",
        "decoder.attention",
        "decoder.feed_forward_norm",
        "decoder.feed_forward",
        "final_layer_norm",
        "lm_head",
    ]
    assert sum(isinstance(mark, Operation) for mark in drawing.marks) == 3
    assert {"tokens", "positions", "next-token logits"} <= set(said(drawing))
    [frame] = [mark for mark in drawing.marks if isinstance(mark, Frame)]
    assert [words((line,)) for line in frame.lines] == ["Decoder layer, L = 12", "12 × 7,087,872 = 85,054,464"]


def test_a_norm_after_its_sum_stands_above_the_circle() -> None:
    drawing = architecture("bert-base-uncased", detail="blocks")
    heights = {box.part: box.place.y for box in boxes(drawing)}
    circles = sorted(mark.y for mark in drawing.marks if isinstance(mark, Operation))
    assert heights["encoder.attention_norm"] < circles[1] < heights["encoder.attention"]


def dots(drawing: Drawing) -> list[tuple[float, float]]:
    """Where there are dots, from below."""
    return sorted((mark.points[0] for mark in drawing.marks if isinstance(mark, Wire) and mark.dot), key=lambda at: -at[1])


def test_every_fork_has_a_dot() -> None:
    drawing = architecture("bert-base-uncased")
    place = {box.part: box.place for box in boxes(drawing)}
    [hidden] = [mark for mark in drawing.marks if isinstance(mark, Text) and words((mark,)) == "hidden states"]
    [away] = [mark for mark in drawing.marks if isinstance(mark, Wire) and mark.points[-1][0] == hidden.x]
    assert away.points[0] in dots(drawing)
    assert away.points[0][0] == place["pooler"].middle
    assert len(dots(drawing)) == 3, "around attention, around the network, away from what is pooled"
    gpt2 = architecture("gpt2")
    assert [x for x, _ in dots(gpt2)] == [place.middle for place in [boxes(gpt2)[0].place]] * 2


def forks(drawing: Drawing) -> set[tuple[float, float]]:
    """Where what arrives goes on in more than one direction."""
    wires = [mark for mark in drawing.marks if isinstance(mark, Wire) and mark.stroke in (Stroke.FLOW, Stroke.RESIDUAL)]
    segments = [pair for wire in wires for pair in pairwise(wire.points)]
    found = set()
    for point in {point for wire in wires for point in wire.points}:
        on = [
            pair
            for pair in segments
            if all(min(ends) - 0.01 <= at <= max(ends) + 0.01 for at, *ends in zip(point, *pair, strict=True))
        ]
        arriving = [start for start, end in on if dist(start, point) > 0.01]
        leaving = {
            tuple(round((b - a) / dist(point, end)) for a, b in zip(point, end, strict=True))
            for _, end in on
            if dist(point, end) > 0.01
        }
        if arriving and len(leaving) > 1:
            found.add((round(point[0], 2), round(point[1], 2)))
    return found


@pytest.mark.parametrize("name", ["llama-3-8b", "t5-small", "gpt-j-6b", "jamba-v0.1", "bert-base-uncased"])
def test_what_leaves_a_wire_begins_at_a_dot_and_what_joins_one_has_none(name: str) -> None:
    drawing = architecture(name)
    assert {(round(x, 2), round(y, 2)) for x, y in dots(drawing)} == forks(drawing) != set()
    assert len(dots(drawing)) == len(forks(drawing)), "one at each"


def test_branches_stand_side_by_side() -> None:
    drawing = architecture("gpt-j-6b", detail="blocks")
    place = {box.part: box.place for box in boxes(drawing)}
    one, other = place["decoder.attention"], place["decoder.feed_forward"]
    assert (one.y, one.height) == (other.y, other.height)
    assert one.right < other.x
    assert place["decoder.layer_norm"].y > one.bottom


def test_tied_and_untied_differ_in_the_head_and_the_dashed_line() -> None:
    tied, untied = architecture("gpt2", detail="blocks"), architecture(load("gpt2", exclude=["tying"]), detail="blocks")
    assert parts(tied) == parts(untied)
    assert (ties(tied), ties(untied)) == (1, 0)


def test_an_encoder_stands_beside_its_decoder() -> None:
    drawing = architecture("transformer-base")
    place = {box.part: box.place for box in boxes(drawing)}
    assert place["encoder.attention"].right < place["decoder.cross_attention"].x
    crossing = place["decoder.cross_attention"]
    ends = [mark.points[-1] for mark in drawing.marks if isinstance(mark, Wire)]
    into = [y for x, y in ends if x == crossing.x and crossing.y < y < crossing.bottom]
    assert len(into) == 2, "keys and values"
    assert "keys, values" in said(drawing)
    pills = [mark for mark in drawing.marks if isinstance(mark, Pill)]
    assert [words(pill.lines) for pill in pills] == ["Sinusoidal / positions", "Sinusoidal / positions", "softmax"]
    assert "target tokens, shifted right" in said(drawing)


def pills_above(drawing: Drawing) -> dict[str, str]:
    """What stands in the pill right above a box on the spine, by the part of the box."""
    pills = {round(pill.place.bottom, 3): words(pill.lines) for pill in drawing.marks if isinstance(pill, Pill)}
    return {box.part: pills[y] for box in boxes(drawing) if (y := round(box.place.y - SHORT_RISE, 3)) in pills}


@pytest.mark.parametrize(
    ("target", "include", "above"),
    [
        ("transformer-base", [], {"lm_head": "softmax"}),
        ("bert-base-uncased", ["mlm_head"], {"pooler": "tanh", "mlm_head.transform": "GELU"}),
        ("llava-1.5-7b-hf", [], {"projector.input_projection": "GELU"}),
        ("whisper-tiny", [], {f"encoder_embeddings.{name}_convolution": "GELU" for name in ("first", "second")}),
        ("gpt2", [], {}),
    ],
)
def test_what_a_layer_by_itself_passes_through(target: str, include: list[str], above: dict[str, str]) -> None:
    assert pills_above(architecture(load(target, include=include), detail="blocks")) == above


def test_an_activation_that_learns_is_a_box_and_no_pill() -> None:
    model = load({"model_type": "bert", "hidden_act": "prelu", "architectures": ["BertForMaskedLM"]})
    drawing = architecture(model, detail="blocks")
    assert "mlm_head.transform_activation" in parts(drawing)
    assert "mlm_head.transform" not in pills_above(drawing)


def test_probabilities_go_out_of_a_softmax_and_logits_of_what_has_none() -> None:
    assert "output probabilities" in said(architecture("transformer-base"))
    assert architecture("transformer-base").description.endswith(
        "It gives output probabilities, by the LM head (tied to target embedding), softmax."
    )
    assert "output probabilities" not in said(architecture("t5-small"))


@pytest.mark.parametrize(
    ("features", "model", "head", "below"),
    [
        ({"include": ["mim_head"]}, "vit", "pooler", "final_layer_norm"),
        (
            {"include": ["classifier", "distillation_classifier"], "exclude": ["pooler"]},
            "deit",
            "classifier",
            "final_layer_norm",
        ),
        ({"include": ["mlm_head", "nsp_head"]}, "bert", "mlm_head.transform", "embeddings.layer_norm"),
    ],
)
def test_of_heads_side_by_side_one_stands_straight_above_the_layers(
    features: dict[str, list[str]], model: str, head: str, below: str
) -> None:
    place = {box.part: box.place for box in boxes(architecture(load(model, **features)))}
    assert place[head].middle == pytest.approx(place[below].middle)


def test_what_reads_an_earlier_layer_is_fed_around_the_norm_between() -> None:
    drawing = architecture("llava-1.5-7b-hf")
    place = {box.part: box.place for box in boxes(drawing)}
    projector, norm = place["projector.input_projection"], place["image_encoder.final_layer_norm"]
    [into] = [
        wire for wire in drawing.marks if isinstance(wire, Wire) and wire.points[-1] == (projector.middle, projector.bottom)
    ]
    assert all(x < norm.x for x, y in into.points if norm.y < y)
    assert not any(wire.points[0] == (norm.middle, norm.y) for wire in drawing.marks if isinstance(wire, Wire))
    assert "not used" in said(drawing)
    assert "patches before the last norm" in " ".join(said(drawing)), "without the class token"
    assert (
        "Beside it stands LayerNorm (input: first token), whose output is not used. Then comes input projection (input: "
        "patches before the last norm), GELU, output projection."
    ) in drawing.description


@pytest.mark.parametrize(
    ("language", "note", "told"),
    [
        (
            "en",
            "first layer's input; added to its output",
            "Then comes convolution (input: first layer's input; added to its output)",
        ),
        ("zh", "首层输入； 加到其输出", "随后是卷积（输入：首层输入；加到其输出）"),
    ],
)
def test_a_convolution_beside_the_first_layer_says_so(language: str, note: str, told: str) -> None:
    drawing = architecture(load("deberta_v2", include=["conv_layer"]), language)
    assert note in " ".join(said(drawing))
    assert told in drawing.description


def test_a_cross_attention_alone_says_what_it_reads_though_a_part_has_the_same_name() -> None:
    assert "and the encoder" in " ".join(said(architecture(load("bert", include=["cross_attention"]))))


def test_into_a_layer_that_is_one_box_three_wires_come_apart_and_cross_nowhere() -> None:
    drawing = architecture("t5-small", detail="stacks")
    [decoder] = [mark for mark in drawing.marks if isinstance(mark, Frame) and mark.part.startswith("decoder")]
    assert decoder.strip == 0, "a header of nothing would be cut off below"
    wires = [mark for mark in drawing.marks if isinstance(mark, Wire) and mark.points[-1][0] == decoder.place.x]
    heights = sorted(wire.points[-1][1] for wire in wires)
    assert [below - above >= 5 for above, below in pairwise(heights)] == [True, True]
    [bias] = [wire for wire in wires if wire.points[0][1] > decoder.place.bottom]
    assert bias.points[-1][1] == heights[-1], "it comes from below, the others from above"


def test_a_pooling_head_whose_output_nothing_reads_is_passed_by() -> None:
    drawing = architecture(load("gemma3", include=["attention_pooling"]))
    place = {box.part: box.place for box in boxes(drawing)}
    norm, pooling, reader = (
        place[part] for part in ("image_encoder.final_layer_norm", "image_encoder.attention_pooling", "projector.rms_norm")
    )
    wires = [wire for wire in drawing.marks if isinstance(wire, Wire)]
    [into] = [wire for wire in wires if wire.points[-1] == (reader.middle, reader.bottom)]
    assert pooling.bottom < into.points[0][1] < norm.y, "it leaves the wire from the last norm to the pooling head"
    assert all(x < pooling.x for x, y in into.points[1:] if y > pooling.y)
    assert not any(wire.points[0] == (pooling.middle, pooling.y) for wire in wires)
    assert said(drawing).count("not used") == 1
    assert (
        "Then comes LayerNorm. Beside it stands attention pooling, whose output is not used. Then comes RMSNorm, projection."
    ) in drawing.description
    without = architecture(load("gemma3", exclude=["attention_pooling"]))
    assert "Then comes LayerNorm, RMSNorm, projection." in without.description
    assert "not used" not in said(without)


def test_words_for_what_goes_out_stand_on_one_line() -> None:
    drawing = architecture("bert-base-uncased")
    heights = {words((mark,)): mark.y for mark in drawing.marks if isinstance(mark, Text)}
    assert heights["pooled output"] == pytest.approx(heights["hidden states"])


def test_wedges_leave_a_stack_below_its_strip_and_show_beside_no_round_corner() -> None:
    marks = architecture("llama-3-8b").marks
    last = max(i for i, mark in enumerate(marks) if isinstance(mark, Wedge))
    [strip] = [i for i, mark in enumerate(marks) if isinstance(mark, Frame) and mark.part == "decoder"]
    [frame] = [i for i, mark in enumerate(marks) if isinstance(mark, Frame) and mark.tint is Tint.STACK and not mark.part]
    assert frame < last < strip
    heights = {y for mark in marks if isinstance(mark, Wedge) for _, y in mark.points}
    panels = [mark.place for mark in marks if isinstance(mark, Frame) and mark.tint is not Tint.STACK]
    assert not heights & {y for place in panels for y in (place.y, place.bottom)}


def test_the_arrow_from_a_box_beside_the_stream_has_a_shaft() -> None:
    drawing = architecture("llava-1.5-7b-hf")
    place = {box.part: box.place for box in boxes(drawing)}
    for part in ("class_token", "position_embedding"):
        spot = place[f"image_encoder.embeddings.{part}"]
        [wire] = [mark for mark in drawing.marks if isinstance(mark, Wire) and mark.points[0][0] == spot.right]
        assert wire.points[-1][0] - wire.points[0][0] >= 6


def test_one_layer_is_no_product() -> None:
    [frame] = [mark for mark in architecture(load("gpt2", L=1), detail="blocks").marks if isinstance(mark, Frame)]
    assert [words((line,)) for line in frame.lines] == ["Decoder layer, L = 1", "7,087,872"]
    assert ". Decoder layer: LayerNorm, " in architecture(load("gpt2", L=1)).description
    assert ". Encoder layer, 12 times: self-attention, " in architecture("albert-base-v2").description, (
        "stored once, passed so often"
    )


def test_a_number_without_a_word_is_a_power_of_ten() -> None:
    drawing = architecture(load("gpt2", V=10**23), numbers="short")
    told = words([mark for mark in drawing.marks if isinstance(mark, Text)])
    assert "≈ 7.68·10²⁵" in told
    assert DrawingContext(derive("gpt2")).short(10**25 - 1) == "≈ 1.00·10²⁵", "and not 10.00·10²⁴"
    assert "e25" not in " ".join(words(box.lines) for box in boxes(drawing)) + told


def test_numbers_in_short_are_never_said_to_be_equal() -> None:
    drawing = architecture("gpt2", numbers="short")
    told = {box.part: words(box.lines) for box in boxes(drawing)}
    assert told["decoder.feed_forward"] == "Feed-forward / 8*h**2 + 5*h ≈ 4.72 M"
    assert told["lm_head"] == "LM head / tied to token embedding: 0"
    [frame] = [mark for mark in drawing.marks if isinstance(mark, Frame) and mark.part == "decoder"]
    assert words(frame.lines[1:]) == "12 × 7.09 M ≈ 85.1 M"
    assert "≈ 124 M parameters" in said(drawing)
    assert drawing.title == "gpt2: 124,439,808 parameters"
    small = {box.part: words(box.lines) for box in boxes(architecture(load("gpt2", V=10, h=12, n_heads=2), numbers="short"))}
    assert small["embeddings.token_embedding"].endswith("= 120"), "all of it is said"


def test_a_table_that_both_streams_read_is_counted_once() -> None:
    drawing = architecture("t5-small")
    tables = [box for box in boxes(drawing) if box.part == "embeddings.token_embedding"]
    told = sorted(words(box.lines).partition(" / ")[2].replace(" / ", " ") for box in tables)
    assert told == ["V*h = 16,449,536", "tied to token embedding: 0"], "as the head says it"


def test_a_head_over_both_towers_and_one_beside_it() -> None:
    drawing = architecture(load("clip", include=["classifier"]))
    place = {box.part: box.place for box in boxes(drawing)}
    assert place["shared_space"].right < place["classifier"].x
    assert "similarities" in said(drawing)


def test_layers_of_one_stack_that_are_used_again_say_so() -> None:
    drawing = architecture(load("albert", **{"h": 768, "L": 12, "L_stored": 1, "n_heads": 12, "V": 30_000, "d_emb": 128}))
    [frame] = [mark for mark in drawing.marks if isinstance(mark, Frame) and mark.part == "encoder"]
    assert "used 12 times, counted once" in words(frame.lines)


def test_layers_that_take_turns_stand_side_by_side_in_one_frame_and_others_do_not() -> None:
    drawing = architecture("jamba-v0.1")
    pills = [words(mark.lines) for mark in drawing.marks if isinstance(mark, Pill)]
    assert [each for each in pills if "in turn" in each] == ["in turn, 1 : 7", "in turn, 1 : 1"]
    frames = [mark for mark in drawing.marks if isinstance(mark, Frame)]  # of a stack, the frame and its strip
    wholes = {(mark.place.x, mark.place.y): mark.place for mark in sorted(frames, key=lambda mark: mark.place.height)}
    frame = {mark.part.rpartition(".")[2]: wholes[mark.place.x, mark.place.y] for mark in frames}
    pairs = [("attention_sublayers", "mamba_sublayers"), ("feed_forward_sublayers", "expert_sublayers")]
    assert all(frame[one].right < frame[other].x and frame[one].bottom == frame[other].bottom for one, other in pairs)
    assert all(frame["decoder"].y < frame[name].y < frame["decoder"].bottom for pair in pairs for name in pair)
    [strip] = [words(mark.lines) for mark in drawing.marks if isinstance(mark, Frame) and mark.part == "decoder"]
    assert strip == "32 layers / 51,033,448,320"
    assert "Each of the 32 layers: attention sublayer (4 of them: RMSNorm," in drawing.description
    assert ") or Mamba sublayer (28 of them: " in drawing.description
    assert "came in), in turn; then feed-forward sublayer (16 of them: " in drawing.description
    assert "in turn" not in architecture("deepseek-v3").description


def test_layers_of_one_kind_alone_take_no_turns() -> None:
    assert "in turn" not in architecture("qwen2_moe").description
    both = architecture(load("qwen2_moe", include=["dense_layers"]))
    assert "L_dense + L_moe layers: dense layer (L_dense of them: " in both.description
    without = architecture(load("jamba", exclude=["moe_layers"]))
    assert "; then feed-forward sublayer (RMSNorm, SwiGLU, " in without.description


def test_what_one_token_uses_of_experts_stands_below_the_total() -> None:
    assert "37,552,282,624 for one token" in said(architecture("deepseek-v3"))
    assert "for one token" not in " ".join(said(architecture("gpt2")))


def test_stacks_alone() -> None:
    drawing = architecture("deepseek-v3", detail="stacks")
    assert parts(drawing) == ["embeddings.token_embedding", "final_norm", "lm_head"]
    assert [mark.part for mark in drawing.marks if isinstance(mark, Frame)] == ["decoder.dense_layers", "decoder.moe_layers"]


def test_without_values_formulas_stand_alone() -> None:
    drawing = architecture("llama", detail="blocks")
    [frame] = [mark for mark in drawing.marks if isinstance(mark, Frame)]
    assert words(frame.lines[:1]) == "Decoder layer × L"
    assert all("=" not in words(box.lines) for box in boxes(drawing))


def test_a_drawing_is_read_aloud_in_the_order_of_data() -> None:
    drawing = architecture("gpt2")
    assert drawing.title == "gpt2: 124,439,808 parameters"
    assert drawing.description == (
        "It begins with the sum of token embedding and position embedding. Decoder layer, 12 times: LayerNorm, masked "
        "self-attention, added to what came in; LayerNorm, feed-forward, added to what came in. Then comes LayerNorm. It gives "
        "next-token logits, by the LM head (tied to token embedding)."
    )


def test_a_class_that_is_assumed_is_read_aloud_first() -> None:
    assert architecture(load({"model_type": "gpt2"})).description.startswith(
        "The config names no class, so this is the base model, GPT2Model. It begins with"
    )
    assert architecture(load({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]})).description.startswith("It begins")


@pytest.mark.parametrize(
    ("model", "mask", "language", "word", "aloud"),
    [
        ("xlnet", "mask_embedding", "en", "or", "token embedding, mask embedding in place of tokens to be predicted."),
        ("vit", "mask_token", "en", "or", "class token and (patch embedding, mask token in place of masked patches))"),
        ("vit", "mask_token", "zh", "或", "（图像块嵌入，被掩盖的图像块处改用掩码词元）拼成的序列"),
    ],
)
def test_what_takes_the_place_of_an_input_comes_into_its_stream(
    model: str, mask: str, language: str, word: str, aloud: str
) -> None:
    drawing = architecture(load(model, include=[] if model == "xlnet" else ["mim_head"]), language)
    [pill] = [each for each in drawing.marks if isinstance(each, Pill) and words(each.lines) == word]
    [box] = [box for box in boxes(drawing) if box.part == f"embeddings.{mask}"]
    ways = [mark.points for mark in drawing.marks if isinstance(mark, Wire)]
    [way] = [points for points in ways if points[0] == pytest.approx((box.place.middle, box.place.y))]
    assert way[-1][0] == pytest.approx(pill.place.right)
    assert pill.place.y < way[-1][1] < pill.place.bottom
    assert aloud in drawing.description


@pytest.mark.parametrize(
    ("language", "lines", "aloud"),
    [
        (
            "en",
            ["with QK norm and", "a window of 1,024", "tokens in 5 of every", "6 layers (29 of 34)"],
            "attention (GQA) with QK norm and a window of 1,024 tokens in 5 of every 6 layers (29 of 34), RMSNorm",
        ),
        (
            "zh",
            ["QK 归一化、", "1,024 词元滑动窗口", "（每 6 层中有 5 层，", "34 层中共 29 层）"],
            "带 QK 归一化、1,024 词元滑动窗口（每 6 层中有 5 层，34 层中共 29 层）的注意力（GQA）",
        ),
    ],
)
def test_a_block_without_a_panel_says_itself_how_it_attends(language: str, lines: list[str], aloud: str) -> None:
    drawing = architecture("gemma-3-4b", language)
    [box] = [each for each in boxes(drawing) if each.part == "text_model.decoder.attention"]
    assert [words((line,)) for line in box.lines][2:] == lines
    assert aloud in drawing.description
    [box] = [each for each in boxes(architecture("gemma-3-4b", language, detail="blocks")) if each.part == box.part]
    assert len(box.lines) == 2


@pytest.mark.parametrize(
    ("target", "values", "features", "language", "called"),
    [
        ("gpt2", {"L": 2}, {}, "en", "gpt2 with L = 2"),
        ("gpt2", {"L": 2}, {}, "zh", "gpt2（L = 2）"),
        ("gpt2", {"h": 1536, "L": 2}, {"exclude": ["tying"]}, "en", "gpt2 with h = 1,536 and L = 2, without weight tying"),
        ("bert-base-uncased", {}, {"include": ["mlm_head"]}, "en", "bert-base-uncased with MLM head"),
        ("gpt2", {"h": 1536, "L": 2}, {"exclude": ["tying"]}, "zh", "gpt2（h = 1,536、L = 2，不含权重共享）"),
        ("t5-small", {"L_enc": 2, "L_dec": 2}, {}, "en", "t5-small with L = 2"),
    ],
)
def test_a_changed_model_says_that_it_is(target: str, values: dict, features: dict, language: str, called: str) -> None:  # type: ignore[type-arg]
    model = load(target, **features, **values)
    drawing = architecture(model, language)
    assert re.split(": |：", drawing.title)[0] == called
    changes = re.split("（|）| (?=with)", called, maxsplit=1)[1:]
    assert [change.rstrip("）") in " ".join(said(drawing)).replace("  ", " ") for change in changes] == [True] * len(changes)
    assert wrong(drawing) == []


# What is read aloud of a target in a language: what each part reads, and what goes out.
ALOUD = [
    ("clip-vit-base-patch32", "en",
     "Then comes LayerNorm (input: end token). A second stream beside it begins with the sum of (one sequence of class token "
     "and patch embedding) and position embedding, LayerNorm."),
    ("clip-vit-base-patch32", "en", "LayerNorm (input: first token). Over both, the shared space gives similarities."),
    ("clip_vision_model", "en", "It gives pooled output, by the LayerNorm (input: first token). It gives hidden states."),
    ("clip_text_model", "en", "Then comes LayerNorm. It gives hidden states."),
    ("pythia-6.9b", "en", "the sum of (LayerNorm, masked self-attention) and (LayerNorm, feed-forward), added to what"),
    ("bert-base-uncased", "en",
     "It gives pooled output, by the pooler (input: first token), tanh. It gives hidden states."),
    ("bert-base-uncased", "en",
     "12 times: self-attention, added to what came in; LayerNorm; feed-forward, added to what came in; LayerNorm. It"),
    ("bert", "en", "the sum of token embedding, segment embedding and position embedding, LayerNorm."),
    (load("bert", include=["mlm_head"]), "en", "by the transform, GELU, LayerNorm, output (matrix tied). It gives pooled"),
    ("t5-small", "en",
     "It begins with token embedding. The attention scores also depend on relative position bias. Encoder layer,"),
    ("t5-small", "en", "A second stream beside it begins with the same token embedding. The attention scores"),
    ("t5-small", "en", "RMSNorm, cross-attention (keys and values from the encoder), added to what came in;"),
    ("modernbert-base", "en",
     "It begins with token embedding, LayerNorm. The attention has rotary positions. First encoder layer:"),
    ("modernbert-base", "en", "self-attention with a window of 128 tokens in 2 of every 3 layers (14 of 22), added"),
    ("modernbert-base", "zh", "带 128 词元滑动窗口（每 3 层中有 2 层，22 层中共 14 层）的自注意力"),
    ("gemma2", "en", "attention (GQA) with a window of W tokens in every second layer, RMSNorm"),
    ("bert", "zh", "起点是词嵌入、句段嵌入与位置嵌入之和，"),
    ("bert", "zh", "经池化层（输入：首个词元），tanh，得到池化输出。"),
    ("jamba-v0.1", "zh", "共 32 层，每层为：注意力子层（4 层：RMS 归一化，"),
    ("jamba-v0.1", "zh", "），交替出现；再接前馈子层（16 层："),
]  # fmt: skip


def test_what_is_read_aloud() -> None:
    for target, language, told in ALOUD:
        assert told in architecture(target, language).description, told


@pytest.mark.parametrize(
    ("family", "library_class", "language", "gives", "reads"),
    [
        ("mistral", "MistralForSequenceClassification", "en", "class logits", "last token"),
        ("mistral", "MistralForSequenceClassification", "zh", "类别 logits", "末个词元"),
        ("gpt2", "GPT2ForTokenClassification", "zh", "类别 logits", ""),
        ("gpt2", "GPT2ForQuestionAnswering", "zh", "起点与终点的 logits", ""),
        ("bart", "BartForSequenceClassification", "en", "class logits", "end token"),
        ("mt5", "MT5ForSequenceClassification", "zh", "类别 logits", "结束词元"),
        ("t5", "T5ForQuestionAnswering", "en", "start and end logits", ""),
    ],
)
def test_a_classifier_reads_what_that_of_its_class_does(
    family: str, library_class: str, language: str, gives: str, reads: str
) -> None:
    drawing = architecture({"model_type": family, "architectures": [library_class]}, language)
    shown = said(drawing)
    assert gives in shown
    assert gives in drawing.description
    for known in ("last token", "末个词元", "end token", "结束词元"):
        assert (known in shown, known in drawing.description) == (known == reads, known == reads)
    assert wrong(drawing) == []


def test_no_two_brackets_follow_one_another() -> None:
    drawing = architecture(load("gptj", include=["tying"]), "zh")
    [head] = [words(box.lines) for box in boxes(drawing) if box.part == "lm_head"]
    assert head.replace(" / ", "").startswith("矩阵共享的输出层（LM head）")


def test_patches_have_one_name_in_chinese() -> None:
    alone = load("clip", include=["classifier"], exclude=["text_encoder", "projection"])
    told = "".join(architecture(each, "zh").description for each in (alone, load("llava-1.5-7b-hf")))
    assert "图像块" in told
    assert "图块" not in told


def test_a_norm_of_one_token_alone_gives_what_is_pooled_beside_the_hidden_states() -> None:
    assert {"pooled output", "hidden states", "first token"} <= set(said(architecture("clip_vision_model")))
    with_head = said(architecture(load("clip_vision_model", include=["projection"])))
    assert "image vector" in with_head
    assert "pooled output" not in with_head
    classifying = architecture(load("clip", include=["classifier"], exclude=["text_encoder", "projection"]))
    assert {"not used", "mean of", "class logits"} <= set(said(classifying)), "the patches pass the norm of the first token by"
    assert "LayerNorm (input: first token), whose output is not used. It gives class logits, by" in classifying.description
    assert "not used" not in said(architecture(load("clip", include=["classifier"])))
    assert "end token" in said(architecture("clip-vit-base-patch32"))
    assert "end token" in said(architecture(load("clip_text_model", include=["projection"])))


@pytest.mark.parametrize(
    ("target", "language", "title"),
    [
        ("gpt2", "en", "Decoder layer, L = 12: 12 × 7,087,872 = 85,054,464"),
        ("llama", "en", "Decoder layer × L: 4·h² + 3·h·d_ff + 2·h"),
        ("albert-base-v2", "en", "Encoder layer, L_stored = 1: 7,087,872, used 12 times, counted once"),
        ("gpt2", "zh", "解码器层，L = 12：12 × 7,087,872 = 85,054,464"),
        ("jamba-v0.1", "en", "32 layers: 51,033,448,320"),
    ],
)
def test_a_stack_is_read_aloud_with_a_pause_before_its_count(target: str, language: str, title: str) -> None:
    drawing = architecture(target, language)
    assert title in [mark.title for mark in drawing.marks if isinstance(mark, Frame)]


def test_five_tables_join_two_by_two() -> None:
    tables = {f"{name}_embedding": embedding(V, h) for name in ("word", "place", "kind", "turn", "speaker")}
    drawing = architecture(load(Architecture("users", tree=block(embeddings=block(parallel(**tables)), head=linear(h, V)))))
    assert wrong(drawing) == []
    assert sum(isinstance(mark, Operation) for mark in drawing.marks) == 2
    assert all("…" not in words(box.lines) for box in boxes(drawing))


def test_a_users_tree_with_names_of_its_own() -> None:
    name = "a_very_long_name_of_a_block_that_a_user_wrote"
    layer = block(
        "my_layer",
        residual(norm=layer_norm(h), both=parallel(attention=attention(h, n_heads), **{name: feed_forward(h, d_ff)})),
    )
    family = Architecture(
        "users", tree=block(tokens=embedding(V, h), layers=L * layer, supercalifragilisticexpialidocious=linear(h, 2))
    )
    for model in (load(family), load(family, V=10**9, h=10**6, L=1, n_heads=10, d_ff=10**7)):
        drawing = architecture(model)
        assert wrong(drawing) == []
        assert f"layers.{name}" in parts(drawing)
        assert "hidden states" not in said(drawing), "what goes out of its last matrix nobody says"


HOSTILE = (
    "</script><script>alert(1)</script>",
    "]]>",
    "\"'><img src=x onerror=alert(1)>",
    "\\input{/etc/passwd}",
    "\\end{tikzpicture}\\immediate\\write18{id}",
    "100% #1 & ^^M $x$ _ ~ {",
    "--><!--",
    "\N{GRINNING FACE}" * 40,
    "x" * 300,
    "\u4e2d\u6587" * 150,
)


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_names_that_are_hostile_are_shown_within_their_boxes_and_are_no_markup(name: str) -> None:
    feed = residual(feed_forward=feed_forward(h, d_ff, activation=name), gated=gated_feed_forward(h, d_ff, activation=name))
    layers = L * block(name, residual(norm=layer_norm(h), attention=attention(h, n_heads)), feed)
    head = linear(h, V, activation=name, reads=name)
    model = load(Architecture("users", title=name, tree=block(tokens=embedding(V, h, reads=name), layers=layers, lm_head=head)))
    for language in languages():
        drawing = architecture(model, language)
        assert wrong(drawing) == []
        tags = {element.tag.rpartition("}")[2] for element in fromstring(draw(drawing)).iter()}  # noqa: S314 - it is our own
        assert tags <= {"svg", "title", "desc", "style", "rect", "g", "text", "tspan", "path", "circle", "polygon"}
        set_by_tex = "\n".join(line.partition("%")[0] for line in draw(drawing, "tikz").replace(r"\%", "").splitlines())
        assert not re.search(r"\\(input|immediate|write)", set_by_tex)
        assert set_by_tex.count(r"\end{tikzpicture}") == 1


@pytest.mark.parametrize("choice", [{"labels": "all"}, {"detail": "everything"}, {"numbers": "rough"}, {"language": "tlh"}])
def test_a_choice_that_there_is_not(choice: dict[str, str]) -> None:
    with pytest.raises(OptionError, match="Unknown"):
        architecture("gpt2", **choice)


def test_a_bare_formula_has_no_drawing() -> None:
    with pytest.raises(OptionError, match="no model"):
        architecture(derive_expression("12*L*h**2"))


def renamed_reading(part: Component, other: str) -> Component:
    """A part in which cross-attention says by another word what it reads."""
    body = tuple((name, renamed_reading(child, other)) for name, child in part.body)
    return replace(part, body=body, reads=other if part.reads == "encoder" else part.reads)


def test_no_word_decides_that_attention_reads_the_column_beside_it() -> None:
    trees = [renamed_reading(load("transformer").tree, reads) for reads in ("encoder", "source states")]
    usual, other = (architecture(load(Architecture("mine", tree=tree)), detail="blocks") for tree in trees)
    usual_wires, wires = ([mark.points for mark in drawing.marks if isinstance(mark, Wire)] for drawing in (usual, other))
    assert wires == usual_wires
    assert "keys and values from the source states" in other.description
