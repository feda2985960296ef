"""Answers and outlines are documents as derivations are: every format prints them, in every language."""

from __future__ import annotations

import json
from itertools import product

import pytest

from symparams import compare, derive, load, render
from symparams.answers.checkpoints import verify
from symparams.answers.explanations import explain
from symparams.answers.verification import Verification
from symparams.checkpoints.record import Checkpoint, StoredTensor
from symparams.expressions.symbols import n_labels
from symparams.quantities.memory import read_room
from symparams.sheets.catalogue import languages
from symparams.sheets.checkpoint import checkpoint
from symparams.sheets.comparison import comparison
from symparams.sheets.document import Document, Equation, Item, Table
from symparams.sheets.explanation import explanation
from symparams.sheets.memory import memory
from symparams.sheets.outline import outline
from symparams.sheets.values import Capital, Name
from symparams.sheets.verification import verification
from symparams.sheets.whole import whole

TENSORS = {"query.weight": (4, 8), "key.weight": (4, 8), "bias": (4,), "scale": ()}
THEIRS = {**TENSORS, "key.weight": (8, 4), "layer.0.gain": (4,), "layer.1.gain": (4,)}
SAVED = Checkpoint("bert.safetensors", (StoredTensor("embeddings.word_embeddings.weight", (30_528, 768), "F32", 93_782_016),))


def documents(language: str) -> dict[str, Document]:
    """One document of each kind."""
    model = load("bert-base-uncased")
    return {
        "derivation": whole(derive(model), language),
        "tree": outline(load("deepseek-v3"), language),
        "explanation": explanation(explain(model, 108_891_648), language),
        "verification": verification(Verification(model, "BertModel", 69, 77, TENSORS, THEIRS), language),
        "checkpoint": checkpoint(verify(model, SAVED), language),
        "comparison": comparison(compare("gpt2", "llama-2-7b"), language),
        "memory": memory(derive(model), ["fp16", "int4"], read_room("0.1GiB"), language),
    }


@pytest.mark.parametrize("language", languages())
def test_every_document_has_every_format(language):
    for name, document in documents(language).items():
        assert document.kind == name
        for kind in ("text", "latex", "markdown", "json"):
            assert render(document, kind).endswith("\n"), (name, kind)


def test_every_table_with_a_label_has_a_caption():
    for name, document in documents("en").items():
        for kind, empty in (("latex", r"\caption{}"), ("typst", "caption: [],")):
            assert empty not in render(document, kind, label="eq"), (name, kind)
    assert r"\caption{The parts of gpt2}\label{eq:tree}" in render(outline(load("gpt2")), "latex", label="eq")


def test_a_verification_says_what_differs():
    assert render(documents("en")["verification"]) == (
        "Shape of a tensor  here  BertModel\n"
        "─────────────────  ────  ─────────  ───────\n"
        "8 × 4                 0          1  differs\n"
        "4 × 8                 2          1  differs\n"
        "4                     1          3  differs\n"
        "scalar                1          1\n"
        "parameters           69         77\n"
        "\n"
        "Tensor           here  BertModel\n"
        "────────────  ───────  ─────────  ──────────────────\n"
        "key.weight      4 × 8      8 × 4\n"
        "layer.0.gain  missing          4  and 1 more like it\n"
        "\n"
        "match: False\n"
    )


def test_a_verification_in_chinese():
    lines = render(documents("zh")["verification"]).splitlines()
    assert lines[0].split() == ["张量形状", "本工具", "BertModel"]
    assert lines[3].split() == ["4", "×", "8", "2", "1", "不一致"]
    assert lines[-3].split() == ["layer.0.gain", "缺失", "4", "另有", "1", "个同类张量"]
    assert lines[-1] == "核对结果：不一致"


def test_an_outline_as_data():
    data = json.loads(render(outline(load("gpt2")), "json"))
    [section] = data["document"]["sections"]
    tree, flow, dimensions, features = section["blocks"]
    assert tree["rows"][0][0] == {"level": 0, "name": "gpt2", "copies": None}
    assert next(row for row in tree["rows"] if row[0]["copies"])[0] == {"level": 1, "name": "decoder", "copies": "L"}
    assert flow["lines"][0] == "decoder: x ← x + attention(attention_norm(x))"
    assert dimensions["lines"][0] == "L = 12  (number of layers)"
    assert features["lines"][0].startswith("+ lm_head: ")


@pytest.mark.parametrize(("target", "sizes", "language", "said"), [
    ("gpt2", {"L": 2, "h": 1536}, "en", "With h = 1,536, L = 2."),
    ("gpt2", {"L": 2, "h": 1536}, "zh", "其中 h = 1,536、L = 2。"),
    ("t5-small", {"L_enc": 3, "L_dec": 3}, "en", "With L = 3."),
    ("gpt2", {"L": 12, "d_ff": 3072}, "en", ""),
    ("bert", {"V": 10, "h": 8, "L": 2, "n_heads": 2, "max_pos": 4, "n_types": 2}, "en", ""),
])  # fmt: skip
def test_a_sheet_says_first_which_sizes_are_others_than_the_models_own(target, sizes, language, said):
    preface = render(load(target, **sizes), "text", language=language).split("\n\n")[1]
    assert preface == said if said else preface.lstrip().startswith("N ")


def test_an_explanation_in_latex():
    sheet = render(documents("en")["explanation"], "latex", standalone=False)
    assert r"Without the pooler ($-h^{2} - h$):" in sheet
    assert r"109{,}482{,}240 - 590{,}592 = 108{,}891{,}648" in sheet


def test_a_chain_says_each_link_once():
    for target, view in product(("bert-base-uncased", "mixtral-8x7b"), ("module", "kind", "weights")):
        document = whole(derive(load(target), view=view))
        for section in document.sections:
            for block in section.blocks:
                if isinstance(block, Equation):
                    contents = [link.content for link in block.chain]
                    assert len(set(contents)) == len(contents)


@pytest.mark.parametrize(("target", "section", "names"), [
    ("gpt2", "embeddings", "token_embedding position_embedding embeddings"),
    ("gpt2", "one:decoder_layer", "attention feed_forward layer_norms decoder_layer"),
    ("t5-small", "one:encoder_layer", "attention feed_forward rms_norms encoder_layer position_bias encoder"),
    ("deepseek-v3", "one:moe_layer", "one_expert all_experts router experts shared_experts moe_layer"),
])  # fmt: skip
def test_a_sum_has_a_name_of_its_own_below_the_parts_that_it_adds_up(target, section, names):
    [blocks] = [each.blocks for each in whole(derive(target)).sections if each.heading == Capital(Name(section))]
    assert [block.name.key for block in blocks if isinstance(block, Item)] == names.split()


def test_a_part_by_itself_is_complete():
    """The steps end with the total, and the shares say what they name."""
    assert render("gpt2", only="derivation").endswith("      = 39,383,808 + 85,054,464 + 1,536 = 124,439,808\n")
    assert render("llama-3-8b", only="shares").endswith("\n    N(attn) = 2·h² + 2·h·n_kv_heads·d_head = 41,943,040\n")
    assert "N(" not in render("gpt2", only="shares")


def test_models_side_by_side_have_sections_of_their_own():
    beside = compare("gpt2", "bloom-560m")
    for part, begins in {
        "counts": "Model", "components": "The difference is gpt2 minus bloom-560m.", "kinds": "Component",
        "dimensions": "Symbol", "closed-form": "A symbol stands", "component-forms": "Component",
        "difference": "Subscript 1 marks",
    }.items():  # fmt: skip
        assert render(beside, only=part).startswith(begins)


def test_a_table_alone_has_the_heading_of_its_section_for_a_caption():
    assert r"\caption{Where the parameters are}" in render("gpt2", "latex", only="shares", label="gpt")
    beside = compare("gpt2", "bloom-560m")
    assert r"\caption{Where they differ}" in render(beside, "latex", only="components", label="beside")
    assert r"\caption{How do the parameter counts of gpt2" in render(beside, "latex", only="counts", label="beside")


def test_patches_are_explained_before_what_stands_in_front_of_them():
    sheet = render("vit-base-patch16-224", "markdown")
    assert sheet.index("**Patch embedding.**") < sheet.index("**Class token.**")
    assert "there is a bias of length $h$" in sheet
    first, *_ = load("vit-base-patch16-224").tensors(names="hf")
    assert first[0] == "vit.embeddings.cls_token"  # the library's order


@pytest.mark.parametrize(("model", "key"), [
    ({"model_type": "vit", "architectures": ["ViTForImageClassification"]}, ["num_labels", "id2label"]),
    ({"model_type": "bert", "architectures": ["BertForMultipleChoice"]}, []),  # one, whatever the config says
])  # fmt: skip
def test_the_number_of_labels_has_its_keys(model, key):
    blocks = [block for section in whole(derive(load(model))).sections for block in section.blocks]
    [table] = [block for block in blocks if isinstance(block, Table) and block.key == "dimensions"]
    [origin] = [row[2] for row in table.rows if row[0] == n_labels] or [None]
    assert [code.text for code in origin.values] == key if key else origin is None


def test_a_size_that_is_made_of_several_keys_names_them(cli):
    sheet = cli("derive jamba-v0.1 --markdown").out
    assert "`attn_layer_period`, `attn_layer_offset`" in sheet
    assert "`expert_layer_period`, `expert_layer_offset`" in sheet
    assert "| $L - L_{\\text{attn}}$ |" in sheet
    assert "`num_hidden_groups`, `inner_group_num`" in cli("derive albert-base-v2 --markdown").out
