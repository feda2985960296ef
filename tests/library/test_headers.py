"""The headers of 90 checkpoints: each is verified, and faults that are planted in it are named as what they are.

Most are written by the library itself, of classes as unlike one another as there are. Others are as older releases, other
programs and quantisers write them: the same arrays under other names, in another order, packed. Two matrices of one shape that
are swapped are no fault here: no header shows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import pytest

from symparams import load
from symparams.answers.checkpoints import verify
from symparams.checkpoints.findings import Finding, Relation
from symparams.checkpoints.reading import read
from symparams.checkpoints.record import Checkpoint, StoredTensor
from symparams.checkpoints.trees import arrays_of
from symparams.components.copies import MANY
from symparams.models.model import Model
from tests.library import require
from tests.library.test_checkpoints import CLASSES, GROUPED, LATENT, SHORT, TINY, TOWER, TWO_STACKS

require("torch", "transformers")
pytestmark = pytest.mark.filterwarnings("ignore")  # what the library warns of is its own

WORDS = 101  # a prime, which no other side is
T5 = {"d_model": 16, "d_ff": 24, "d_kv": 8, "num_layers": 2, "num_heads": 2}
TEXT = {**TOWER, "vocab_size": WORDS, "max_position_embeddings": 32}
IMAGES = {"image_size": 8, "patch_size": 4}
EXPERTS = {**GROUPED, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 8}
OTHERS: Mapping[str, Mapping[str, object]] = {
    "ApertusForCausalLM": GROUPED,
    "ArceeForCausalLM": GROUPED,
    "ASTForAudioClassification": {"max_length": 32, "num_mel_bins": 16},
    "BambaForCausalLM": {**GROUPED, "mamba_n_heads": 4, "mamba_d_state": 4, "mamba_n_groups": 1},
    "BeitModel": IMAGES,
    "BertForPreTraining": {},
    "BertForSequenceClassification": {},
    "BertModel": {},
    "BigBirdForMaskedLM": {"attention_type": "original_full"},
    "BlenderbotForConditionalGeneration": TWO_STACKS,
    "BlipForConditionalGeneration": {
        "text_config": {**TEXT, "encoder_hidden_size": 16, "projection_dim": 16},
        "vision_config": {**TOWER, **IMAGES},
    },
    "CamembertForMaskedLM": {},
    "CLIPTextModel": {},
    "CLIPVisionModel": IMAGES,
    "CodeGenForCausalLM": {**SHORT, "n_head": 4, "rotary_dim": 4},
    "CohereForCausalLM": GROUPED,
    "CTRLLMHeadModel": {**SHORT, "dff": 24},
    "DebertaV2ForMaskedLM": {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_biased_input": False},
    "DeepseekV2ForCausalLM": LATENT,
    "DeiTForImageClassification": IMAGES,
    "Dinov2Model": IMAGES,
    "ElectraForPreTraining": {"embedding_size": 8},
    "ErnieModel": {},
    "FalconMambaForCausalLM": {"state_size": 4},
    "FNetForMaskedLM": {},
    "Gemma3ForCausalLM": {**GROUPED, "head_dim": 8},
    "GemmaForCausalLM": {**GROUPED, "head_dim": 8},
    "GitForCausalLM": {"vision_config": {**TOWER, **IMAGES}},
    "Glm4ForCausalLM": {**GROUPED, "head_dim": 8},
    "GPT2ForSequenceClassification": SHORT,
    "GPTBigCodeForCausalLM": SHORT,
    "GPTNeoForCausalLM": {"num_layers": 2, "num_heads": 2, "attention_types": [[["global", "local"], 1]]},
    "GraniteForCausalLM": GROUPED,
    "LayoutLMForMaskedLM": {},
    "LlamaForSequenceClassification": GROUPED,
    "LongformerForMaskedLM": {"attention_window": 4},
    "M2M100ForConditionalGeneration": TWO_STACKS,
    "Mamba2ForCausalLM": {"state_size": 4, "num_heads": 4, "head_dim": 8, "n_groups": 1, "expand": 2},
    "MBartForConditionalGeneration": TWO_STACKS,
    "MistralForCausalLM": GROUPED,
    "ModernBertForMaskedLM": {},
    "MptForCausalLM": {"d_model": 16, "n_layers": 2, "n_heads": 2, "max_seq_len": 32},
    "MT5ForConditionalGeneration": T5,
    "NystromformerForMaskedLM": {},
    "Olmo2ForCausalLM": {},
    "OlmoeForCausalLM": {"num_experts": 4, "num_experts_per_tok": 2},
    "OpenAIGPTLMHeadModel": SHORT,
    "PegasusForConditionalGeneration": TWO_STACKS,
    "PersimmonForCausalLM": {},
    "PhiForCausalLM": {},
    "PhimoeForCausalLM": {**GROUPED, "num_local_experts": 4},
    "Qwen2MoeForCausalLM": {**EXPERTS, "shared_expert_intermediate_size": 12},
    "Qwen3ForCausalLM": {**GROUPED, "head_dim": 8},
    "RecurrentGemmaForCausalLM": GROUPED,
    "RobertaForMaskedLM": {},
    "RwkvForCausalLM": {"context_length": 32},
    "SiglipModel": {
        "text_config": {**TEXT, "projection_size": 16},
        "vision_config": {**TOWER, **IMAGES},
    },
    "SmolLM3ForCausalLM": GROUPED,
    "StableLmForCausalLM": GROUPED,
    "Starcoder2ForCausalLM": GROUPED,
    "T5EncoderModel": T5,
    "ViltModel": IMAGES,
    "XLMRobertaModel": {},
}  # fmt: skip
SAVED = {**CLASSES, **OTHERS}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """``saved(class)`` is the model and the checkpoint of a class of the library, as it saves it."""
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()

    def of(name: str) -> tuple[Model, Checkpoint]:
        folder = tmp_path_factory.mktemp(name)
        kind = getattr(transformers, name)
        kind(kind.config_class(**{**TINY, "vocab_size": WORDS, **SAVED[name]})).save_pretrained(folder)
        return load(str(folder)), read(folder)

    return of


Change = Callable[[tuple[StoredTensor, ...]], tuple[StoredTensor, ...]]


@dataclass(frozen=True)
class Fault:
    """What is changed about the arrays of a file, and the findings that name it: their relation, and the arrays in the file."""

    tensors: tuple[StoredTensor, ...]
    relation: Relation
    names: frozenset[str]
    exclude: tuple[str, ...] = ()

    def found(self, differences: tuple[Finding, ...]) -> bool:
        """True if the differences name it, and nothing else."""
        named = {
            name for finding in differences for group in (finding.there or finding.here) for name in (*group.own, *group.names)
        }
        return {finding.relation for finding in differences} == {self.relation} and self.names <= named


def faults(model: Model, checkpoint: Checkpoint) -> Iterator[tuple[str, Fault]]:
    """Each fault that a checkpoint of this model can have."""
    tensors = checkpoint.tensors
    own = {array.name for array in arrays_of(model) if not array.owner}
    named = [tensor for tensor in tensors if tensor.name in own]
    biases = [tensor for tensor in named if tensor.name.endswith(".bias") and ".0." in tensor.name]
    if biases:
        lost = biases[-1]
        rest = tuple(tensor for tensor in tensors if tensor is not lost)
        yield "a bias lost", Fault(rest, Relation.MISSING, frozenset({lost.name}))
    pairs = [
        (one, other)
        for one in named
        for other in named
        if ".0." in one.name and len(one.shape) == len(other.shape) == 2 and one.shape[0] > other.shape[0]
        and one.name.rpartition(".0.")[0] == other.name.rpartition(".0.")[0] and sorted(one.shape) != sorted(other.shape)
    ]  # fmt: skip
    if pairs:
        one, other = pairs[0]
        shapes = {one.name: other.shape, other.name: one.shape}
        swapped = tuple(tensor._replace(shape=shapes.get(tensor.name, tensor.shape)) for tensor in tensors)
        yield "two matrices swapped", Fault(swapped, Relation.SWAPPED, frozenset(shapes))
    words = [tensor for tensor in named if WORDS in tensor.shape]
    if words:
        less = tuple(t._replace(shape=tuple(WORDS - 1 if side == WORDS else side for side in t.shape)) for t in tensors)
        yield "a word less", Fault(less, Relation.OTHER_SHAPE, frozenset(tensor.name for tensor in words))
    stacks = Counter(tensor.name.partition(".1.")[0] for tensor in tensors if ".1." in tensor.name)
    for stack, _ in stacks.most_common(1):
        rest = tuple(tensor for tensor in tensors if not tensor.name.startswith(f"{stack}.1."))
        kinds = any(MANY in name for name in own)  # take turns, and which layer is of which is not known
        yield "a layer missing", Fault(rest, Relation.MISSING if kinds else Relation.MISSING_COPIES, frozenset())
    if any(array.owner for array in arrays_of(model)) and model.features.get("tying"):
        yield "a tie broken", Fault(tensors, Relation.UNSTORED_HEAD, frozenset(), exclude=("tying",))


def check(model: Model, checkpoint: Checkpoint) -> list[str]:
    """Return the planted faults that are not named as what they are; the checkpoint as it is has none."""
    assert verify(model, checkpoint).match, verify(model, checkpoint).differences
    wrong = []
    for what, fault in faults(model, checkpoint):
        told = load(model, exclude=fault.exclude) if fault.exclude else model
        differences = verify(told, replace(checkpoint, tensors=fault.tensors)).differences
        if not fault.found(differences):
            wrong.append(f"{what}: {[(d.relation.value, [g.label for g in (*d.here, *d.there)]) for d in differences][:4]}")
    return wrong


@pytest.mark.parametrize("name", SAVED)
def test_what_the_library_saves(name, saved):
    assert check(*saved(name)) == []
