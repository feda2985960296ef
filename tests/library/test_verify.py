"""``symparams verify`` builds the real model and compares count and tensors."""

from __future__ import annotations

import pytest

from symparams import load
from symparams.answers.verification import compare
from tests.library import require

require("torch", "transformers")
pytestmark = pytest.mark.filterwarnings("ignore")  # what the library warns of is its own


@pytest.mark.parametrize("target", ["bert-base-uncased", "gpt2", "bloom-560m", "llama-3-8b"])
def test_published_models_are_what_the_library_builds(target, cli):
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
        ({"model_type": "clip", "text_config": {"hidden_size": 64}}, {"L_text": 3}, "CLIPModel"),
    ],
)
def test_labels_classes_and_inner_configs_are_what_the_library_builds(target, options, class_name):
    comparison = compare(load(target, **options))
    assert comparison.class_name == class_name
    assert comparison.match


def test_a_difference_is_shown_and_ends_with_1(cli):
    code, out, _ = cli("verify gpt2 --without biases")
    assert code == 1
    assert "differs" in out
    assert out.endswith("match: False\n")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("transformer-base", "Transformer has no class in the transformers library to verify against."),
        ("gpt3", "GPT-3 has no class in the transformers library to verify against."),
    ],
)
def test_what_cannot_be_verified(target, message, mistake):
    assert mistake(f"verify {target}") == message
