"""Values that a user writes into a config: sizes that go together, and others in place of one that stands there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random
from typing import Any

WIDTH = ("hidden_size", "d_model", "n_embd", "embed_dim", "hidden_dim", "dim", "model_dim", "encoder_hidden_dim", "width")
DEPTH = re.compile(
    r"^(num_|n_)?(hidden_|encoder_|decoder_|text_|vision_)*(layers?|blocks|depth)$|^n_layer$|_num_hidden_layers$"
)
HEADS = re.compile(r"(attention_heads|num_heads|n_heads?|_heads)$")
KV_HEADS = re.compile(r"(key_value_heads|kv_heads?|n_head_kv|num_groups)$")
INNER = re.compile(r"(intermediate_size|ffn_dim|ffn_hidden_size|d_ff|n_inner|mlp_dim|inner_dim|ffn_size|feedforward_dim)$")
STATE_SPACE = {"expand": r"expand$", "heads": r"^(mamba|ssm)_(n|num)_heads$", "size": r"^(mamba|ssm)_(d_head|head_dim)$"}
WIDE = re.compile(r"(hidden_size|hidden_dim|embed_dim|d_model|embedding_size|_dim|_size|width|_rank|d_kv|channels?)$")
VOCABULARY = re.compile(r"(vocab_size|vocabulary_size|n_vocab)$")
POSITIONS = re.compile(r"(max_position_embeddings|n_positions|max_source_positions|max_target_positions|max_length|n_ctx)$")
EXPERTS = re.compile(r"^(num_|n_)?(local_|routed_)?experts$|^moe_num_experts$")
CHOSEN = re.compile(r"experts_per_tok(en)?$|^moe_top_?k$|^top_k$|^num_selected_experts$|^n_group$|^topk_group$")
NO_WIDTH = re.compile(
    r"image|patch|kernel|vocab|window|chunk|chunk_size|batch|group|stride|head_dim|d_kv|pool|max_|type_|label"
)
ACTIVATIONS = ("gelu", "relu", "silu", "gelu_new", "swish", "tanh", "quick_gelu", "relu2", "prelu", "xielu", "nonsense")
FLAGS = ("tie_word_embeddings", "is_decoder", "is_encoder_decoder", "add_cross_attention", "use_cache", "output_attentions")
LADDER = (
    (32, 2),
    (64, 4),
    (96, 6),
    (128, 2),
    (192, 3),
    (256, 4),
    (384, 6),
    (512, 8),
    (768, 12),
    (1024, 16),
    (1280, 20),
    (2560, 32),
)
DEPTHS = (1, 2, 2, 3, 4, 4, 5, 6, 8, 12)
VOCABULARIES = (100, 1000, 5003, 30522, 32000, 32128, 50257, 64001, 128256)


@dataclass
class Roles:
    """Sizes of one model: what is as wide in one place is so in the other, if they were so before."""

    rng: Random
    known: dict[tuple[str, int], int] = field(default_factory=dict)

    def resize(self, section: dict[str, Any]) -> None:
        """Give one config, or a section of it, other sizes that go together."""
        rng = self.rng
        main = next((key for key in WIDTH if _is_size(section.get(key))), None)
        old = section[main] if main else 0
        width, heads = rng.choice(LADDER)
        width = self._same("width", old, width) if main else old
        depth = rng.choice(DEPTHS)
        for key, value in list(section.items()):
            if isinstance(value, list):
                section[key] = self._list(value, section, depth)
            elif _is_size(value):
                section[key] = self._size(key, value, old, width, heads, depth)
        if main:
            self._divide(section, width)
            _expand(section, width)
        _choose(section)
        if rng.random() < 0.4:
            for key in [key for key, value in section.items() if isinstance(value, list)]:
                del section[key]  # so that the library makes it anew

    def _size(self, key: str, value: int, old: int, width: int, heads: int, depth: int) -> int:
        rng = self.rng
        if DEPTH.search(key):
            return self._same("depth", value, depth)
        if KV_HEADS.search(key):
            return rng.choice([number for number in range(1, heads + 1) if heads % number == 0])
        if HEADS.search(key):
            return heads
        if VOCABULARY.search(key):
            return self._same("vocabulary", value, rng.choice(VOCABULARIES))
        if POSITIONS.search(key):
            return self._same("positions", value, rng.choice([64, 128, 512, 514, 1024, 2048]))
        if EXPERTS.search(key):
            return rng.choice([2, 4, 8, 16, 60])
        if INNER.search(key) and width:
            return rng.choice([width, 2 * width, 3 * width, 4 * width, (8 * width // 3 + 63) // 64 * 64, 7 * width // 2])
        if old and WIDE.search(key) and not NO_WIDTH.search(key):
            return self._same("width", value, value * width // old) if value * width % old == 0 else value
        if key in ("head_dim", "d_kv") and width:
            return rng.choice([width // heads, 2 * (width // heads), 16, 64])
        if re.search(r"^(image_size|num_frames|type_vocab_size|num_channels|patch_size)$", key) and rng.random() < 0.3:
            return max(1, rng.choice([value, 2 * value, value // 2, value + 1]))
        return value

    def _list(self, value: list[Any], section: dict[str, Any], depth: int) -> list[Any]:
        lengths = {section[key] for key in section if DEPTH.search(key) and _is_size(section[key])}
        if len(value) in lengths | {old for (role, old) in self.known if role == "depth"} and value:
            return [value[place % len(value)] for place in range(depth)]
        if value and all(map(_is_size, value)) and self.rng.random() < 0.5:
            times = self.rng.choice([1, 2])
            return [max(1, entry // 2) if times == 1 else entry * 2 for entry in value]
        return value

    def _divide(self, section: dict[str, Any], width: int) -> None:
        """Heads that divide what they are heads of, most of the time."""
        for key, value in section.items():
            if HEADS.search(key) and _is_size(value) and width % value and self.rng.random() < 0.95:
                section[key] = next(number for number in range(min(value, width), 0, -1) if width % number == 0)

    def _same(self, role: str, old: int, new: int) -> int:
        return self.known.setdefault((role, old), new)


def _choose(section: dict[str, Any]) -> None:
    """Experts for a token that there are."""
    experts = [value for key, value in section.items() if EXPERTS.search(key) and _is_size(value)]
    for key, value in section.items():
        if experts and CHOSEN.search(key) and _is_size(value):
            section[key] = min(value, *experts, 2)


def _expand(section: dict[str, Any], width: int) -> None:
    """Heads of a state space that are together as wide as its inner vectors."""
    keys = {role: next((key for key in section if re.search(pattern, key)), "") for role, pattern in STATE_SPACE.items()}
    if all(_is_size(section.get(key)) for key in keys.values()):
        inner = int(section[keys["expand"]]) * width
        size = next(number for number in (section[keys["size"]], 64, 16, 8, 2, 1) if inner % number == 0)
        section |= {keys["size"]: size, keys["heads"]: inner // size}


def another(value: Any, key: str, words: list[str], rng: Random) -> Any:
    """A value in place of this one: mostly of its type, sometimes of none that fits."""
    if rng.random() < 0.07:
        return rng.choice([None, [], {}, "foo", -1, 0, 1, 2.5, True, False, "8", [1, 2], ["full_attention"], [None], {"a": 1}])
    if isinstance(value, bool):
        return not value if rng.random() < 0.9 else rng.choice([None, 0, 1, "true"])
    if isinstance(value, int):
        return another_number(value, key, rng)
    if isinstance(value, float):
        return rng.choice(
            [0.0, 0, 1, 1.0, value * 2, value / 2, 0.1, 0.5, 2.5, rng.random(), round(4 * rng.random(), 1), -1.0, None]
        )
    if isinstance(value, str):
        return another_word(value, key, words, rng)
    if isinstance(value, list):
        return another_list(value, key, words, rng)
    if isinstance(value, dict):
        return another_section(value, rng)
    return another_of(key, words, rng)


def another_number(value: int, key: str, rng: Random) -> Any:
    """Another whole number; of layers not too many, so that it is built in a moment."""
    near = [value + 1, value - 1, value + 2, 2 * value, value // 2, 3 * value, value + 8, value - 2]
    small = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 64, 100]
    strange = [None, float(value), value + 0.5, str(value), -value, -1, [value, value], [value], 0, True]
    ways: list[list[Any]] = [near, small, strange]
    chosen = rng.choice(rng.choices(ways, [5, 4, 2])[0])
    if isinstance(chosen, int) and re.search("layer|depth|block|stage", key):
        return min(chosen, 16)
    return chosen


def another_word(value: str, key: str, words: list[str], rng: Random) -> Any:
    """Another word: of those with which the library compares it, or of all for an activation."""
    if re.search(r"act(ivation)?(_fn|_function)?$|_act_|activation|nonlinearity", key):
        return rng.choice(ACTIVATIONS)
    known = [word for word in words if word != value]
    return rng.choice(known) if known and rng.random() < 0.85 else rng.choice([None, "foo", "", value.upper(), value + "s", 1])


def another_list(value: list[Any], key: str, words: list[str], rng: Random) -> Any:
    """A longer list, a shorter one, other entries, another order, none."""
    changed = list(value)
    way = rng.choice(["entry", "entry", "entry", "shorter", "longer", "order", "double", "none", "one"])
    if way == "none" or not changed:
        return rng.choice([[], None, [0], [1], [0, 1], [-1], [2, 2, 9], list(words[:2])])
    if way == "entry":
        for _ in range(rng.choice([1, 1, 2])):
            place = rng.randrange(len(changed))
            changed[place] = rng.choice(changed) if rng.random() < 0.4 else another(changed[place], key, words, rng)
    elif way == "shorter":
        changed.pop(rng.randrange(len(changed)))
    elif way == "longer":
        changed.append(rng.choice(changed))
    elif way == "order":
        rng.shuffle(changed)
    elif way == "double":
        changed = changed + changed
    else:
        return changed[0]
    return changed


def another_section(value: dict[str, Any], rng: Random) -> Any:
    """A section without some keys, or without any."""
    if rng.random() < 0.4:
        return rng.choice([{}, None])
    return {key: inner for key, inner in value.items() if rng.random() < 0.6}


def another_of(key: str, words: list[str], rng: Random) -> Any:
    """A value under a key that had none."""
    if words and rng.random() < 0.5:
        return rng.choice(words)
    if re.search(r"layers$|types$|modules$|_ids$|indices$|indexes$", key) and rng.random() < 0.5:
        return rng.choice([[], [0], [1], [0, 1], [1, 1, 9], [-1]])
    return rng.choice([0, 1, 2, 3, 4, 8, 16, 32, 64, 100, True, True, False, 0.5, None, "foo", [0, 1]])


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
