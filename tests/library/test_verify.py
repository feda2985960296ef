"""``symparams verify`` builds the real model and compares the count, the names and the shapes of its tensors."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from symparams import load, published_models
from symparams.answers.verification import TensorDifference, verify
from tests.library import require

require("torch", "transformers")

from tests.library.oracle import built_families  # noqa: E402 - asked for above

NEEDS_MORE = ("detr",)  # whose published models have a backbone of timm, which is in none of our extras


@pytest.mark.parametrize(
    "name",
    [name for name in published_models() if load(name).family in {*built_families()} - {*NEEDS_MORE}],
)
def test_published_models_are_what_the_library_builds(name):
    assert verify(load(name)).match


@pytest.mark.parametrize("target", ["bert-base-uncased", "falcon-40b"])
def test_a_match_ends_with_0(target, cli):
    result = cli(f"verify {target}")
    assert result.code == 0
    assert result.out.endswith("match: True\n")


@pytest.mark.parametrize(
    ("target", "options", "class_name"),
    [
        ("vit-base-patch16-224", {}, "ViTForImageClassification"),  # its 1,000 labels are not the library's two
        ("bert-base-uncased", {"include": ["classifier"], "n_labels": 7}, "BertForSequenceClassification"),
        ("llama-7b", {"include": ["classifier"], "exclude": ["lm_head"], "n_labels": 5}, "LlamaForSequenceClassification"),
        (
            "llama-7b",
            {"include": ["classifier", "classifier_bias"], "exclude": ["lm_head"], "n_labels": 5},
            "LlamaForTokenClassification",
        ),
        ("albert-base-v2", {"L_stored": 3}, "AlbertModel"),
        ("deberta-v3-base", {"exclude": ["relative_position_norm"], "max_rel": 9}, "DebertaV2Model"),
        ("detr-resnet-50", {"exclude": ["trained_stages"], "L_3": 2}, "DetrForObjectDetection"),
        ("deepseek-v3", {"L_dense": 1, "L_moe": 2}, "DeepseekV3ForCausalLM"),
        ("falcon-7b", {"n_kv_heads": 71}, "FalconForCausalLM"),
        ("mamba-130m", {"d_inner": 1000, "r_dt": 7}, "MambaForCausalLM"),
        ("opt-125m", {"exclude": ["closing_norm"]}, "OPTForCausalLM"),
        ("flan-t5-base", {"include": ["tying"], "L_dec": 3}, "T5ForConditionalGeneration"),
        ("vit-base-patch16-224", {"include": ["pooler"], "exclude": ["classifier"], "d_pool": 9}, "ViTModel"),
        ({"model_type": "bert", "hidden_act": "prelu"}, {"h": 96}, "BertModel"),
        ({"model_type": "clip", "text_config": {"hidden_size": 64}}, {"L_text": 3}, "CLIPModel"),
    ],
)
def test_labels_classes_and_inner_configs_are_what_the_library_builds(target, options, class_name):
    verified = verify(load(target, **options))
    assert verified.class_name == class_name
    assert verified.match


def test_a_difference_is_shown_and_ends_with_1(cli):
    code, out, _ = cli("verify gpt2 --without biases")
    assert code == 1
    assert re.search(r"transformer\.h\.0\.attn\.c_attn\.bias +missing +2,304  and 11 more like it\n", out)
    assert out.endswith("match: False\n")


def test_every_tensor_that_differs_is_data(cli):
    result = cli("verify gpt2 --without biases --json")
    verified = json.loads(result.out)
    assert result.code == 1
    assert verified["parameters"] == {"here": 124_356_864, "library": 124_439_808}
    assert len(verified["differences"]) == 4 * 12
    assert verified["differences"][0] == {"name": "transformer.h.0.attn.c_attn.bias", "here": None, "library": [2304]}


def test_a_matrix_on_its_side_differs():
    verified = verify(load("gpt2"))
    turned = {name: shape[::-1] if name == "transformer.wpe.weight" else shape for name, shape in verified.tensors_here.items()}
    [difference] = replace(verified, tensors_here=turned).differences
    assert difference == TensorDifference("transformer.wpe.weight", (768, 1024), (1024, 768))


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("transformer-base", "Transformer has no class in the transformers library to verify against."),
        ("gpt3", "GPT-3 has no class in the transformers library to verify against."),
    ],
)
def test_what_cannot_be_verified(target, message, mistake):
    assert mistake(f"verify {target}") == message
