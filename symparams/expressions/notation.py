"""Notations: the letters that a field or a paper uses for the dimensions; ``hidden`` (V, h, L) is the default.

A letter is what is printed: a dimension keeps its name wherever it is given or read by a program (``--set image=384``, JSON).
Of config keys these are the ones that libraries commonly give the field's letters; a family's own table comes before them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from symparams.errors import OptionError, UnknownNameError, quoted, suggestion
from symparams.expressions import symbols
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.symbols import (
    BY_NAME,
    L,
    V,
    by_reading,
    expand,
    frames,
    grid,
    h,
    image,
    max_pos,
    merge,
    mlp_ratio,
    n_heads,
    patch,
    stride,
    window,
)
from symparams.records import frozen

KEYS: Mapping[Dimension, tuple[str, ...]] = MappingProxyType(
    {
        symbols.L: ("num_hidden_layers", "n_layer", "num_layers", "n_layers"),
        symbols.L_enc: ("encoder_layers",),
        symbols.L_dec: ("decoder_layers", "num_decoder_layers"),
        symbols.L_text: ("text_config.num_hidden_layers",),
        symbols.L_vision: ("vision_config.num_hidden_layers",),
        symbols.n_experts: ("num_local_experts", "num_experts", "n_routed_experts"),
        symbols.n_active: ("num_experts_per_tok",),
        symbols.n_shared: ("n_shared_experts",),
        symbols.V: ("vocab_size", "n_vocab"),
        symbols.V_dec: ("decoder_vocab_size",),
        symbols.max_pos: ("max_position_embeddings", "n_positions", "n_ctx"),
        symbols.max_source: ("max_source_positions",),
        symbols.max_target: ("max_target_positions",),
        symbols.max_rel: ("position_buckets", "max_relative_positions"),
        symbols.n_buckets: ("relative_attention_num_buckets",),
        symbols.n_mels: ("num_mel_bins",),
        symbols.n_types: ("type_vocab_size",),
        symbols.h: ("hidden_size", "n_embd", "d_model"),
        symbols.h_text: ("text_config.hidden_size",),
        symbols.h_vision: ("vision_config.hidden_size",),
        symbols.d_emb: ("embedding_size",),
        symbols.n_heads: ("num_attention_heads", "n_head", "num_heads"),
        symbols.n_heads_enc: ("encoder_attention_heads",),
        symbols.n_heads_dec: ("decoder_attention_heads",),
        symbols.n_kv_heads: ("num_key_value_heads",),
        symbols.d_head: ("head_dim", "d_kv"),
        symbols.d_ff: ("intermediate_size", "n_inner", "ffn_dim"),
        symbols.d_ff_enc: ("encoder_ffn_dim",),
        symbols.d_ff_dec: ("decoder_ffn_dim",),
        symbols.n_heads_text: ("text_config.num_attention_heads",),
        symbols.n_heads_vision: ("vision_config.num_attention_heads",),
        symbols.n_kv_heads_text: ("text_config.num_key_value_heads",),
        symbols.d_head_text: ("text_config.head_dim",),
        symbols.W: ("sliding_window",),
        symbols.n_labels: ("num_labels",),
        symbols.d_expert: ("moe_intermediate_size",),
        symbols.d_shared: ("shared_expert_intermediate_size",),
        symbols.r_q: ("q_lora_rank",),
        symbols.r_kv: ("kv_lora_rank",),
        symbols.d_nope: ("qk_nope_head_dim",),
        symbols.d_rope: ("qk_rope_head_dim",),
        symbols.d_v: ("v_head_dim",),
        symbols.d_ff_text: ("text_config.intermediate_size",),
        symbols.d_ff_vision: ("vision_config.intermediate_size",),
        symbols.d_proj: ("projection_dim",),
        symbols.d_pool: ("pooler_output_size",),
        symbols.n_channels: ("num_channels",),
        symbols.image: ("image_size",),
        symbols.patch: ("patch_size",),
        symbols.window: ("window_size",),
        symbols.mlp_ratio: ("mlp_ratio",),
        symbols.frames: ("temporal_patch_size",),
        symbols.merge: ("spatial_merge_size",),
        symbols.stride: ("encoder_stride",),
        symbols.d_state: ("state_size",),
        symbols.d_conv: ("conv_kernel",),
        symbols.r_dt: ("time_step_rank",),
        symbols.d_classifier: ("classifier_proj_size",),
    }
)

# Every name that a common letter goes by: its own, and its keys; the letters that a reader meets first have the say.
BY_KEY: Mapping[str, Dimension] = MappingProxyType(
    {key: letter for letter in symbols.READING_ORDER for key in (letter.name, *KEYS.get(letter, ()))}
)


@frozen
class Letter:
    """The spelling of a dimension in text and in LaTeX."""

    text: str
    latex: str


def indexed(base: str, index: str) -> Letter:
    """A letter with a word as its index: d_model."""
    return Letter(f"{base}_{index}", rf"{base}_{{\text{{{index}}}}}")


def word(name: str) -> Letter:
    """A whole word, upright: hidden_size."""
    escaped = name.replace("_", r"\_")
    return Letter(name, rf"\mathrm{{{escaped}}}")


HF = "hf"
COUNT = "N"
LETTER = re.compile(r"(?:(?P<letter>[A-Za-z])_(?P<index>[A-Za-z0-9]{1,20}))|[A-Za-z][A-Za-z0-9_]{0,40}")


class Letters(dict[Dimension, Letter]):
    """The letters of a notation: those that it has of its own, and for any other dimension the dimension's.

    ``sums`` are sums that have a letter: L, where the layers are L_dense + L_moe. ``count`` is what results are called: N, of
    bytes M, of operations F.
    """

    sums: Mapping[Expression, Dimension] = MappingProxyType({})
    count: str = COUNT

    def with_sums(self, sums: Mapping[Expression, Dimension]) -> Letters:
        """The same letters, and these for sums."""
        letters = Letters(self)
        letters.sums, letters.count = sums, self.count
        return letters

    def counting(self, count: str) -> Letters:
        """The same letters, with another one for results."""
        letters = Letters(self)
        letters.sums, letters.count = self.sums, count
        return letters

    def __missing__(self, dimension: Dimension) -> Letter:
        return Letter(dimension.name, dimension.latex)


# Dimensions whose names are words: a formula has a letter for each, as any other variable.
WORDS: Mapping[Dimension, Letter] = MappingProxyType(
    {
        dimension: Letter(letter, letter)
        for dimension, letter in (
            (image, "I"),
            (patch, "P"),
            (frames, "F"),
            (window, "M"),
            (grid, "G"),
            (merge, "M"),
            (stride, "S"),
            (expand, "E"),
            (mlp_ratio, "R"),
        )
    }
)

NOTATIONS: Mapping[str, Letters] = MappingProxyType(
    {
        "hidden": Letters(WORDS),
        "bert": Letters({**WORDS, h: Letter("H", "H"), n_heads: Letter("A", "A")}),
        "gpt3": Letters(
            {
                **WORDS,
                L: indexed("n", "layers"),
                V: indexed("n", "vocab"),
                max_pos: indexed("n", "ctx"),
                h: indexed("d", "model"),
            }
        ),
        "megatron": Letters(
            {**WORDS, L: Letter("l", "l"), V: Letter("v", "v"), max_pos: Letter("s", "s"), n_heads: Letter("a", "a")}
        ),
        HF: Letters({dimension: word(keys[0]) for dimension, keys in KEYS.items()}),
    }
)


def letters(name: str, own: Mapping[str, str], dimensions: Sequence[Dimension], keys: Mapping[Dimension, str]) -> Letters:
    """The letters of a notation with one's ``own`` put over them, for a sheet that uses these dimensions.

    ``keys`` are the config keys that a family has in place of the usual ones: GPT-2's n_embd in the notation hf. Raises
    UnknownNameError, and OptionError where a letter is none or two dimensions would share one.
    """
    if name not in NOTATIONS:
        raise UnknownNameError(f"Unknown notation {quoted(name)}. {suggestion(name, NOTATIONS)}")
    chosen = Letters(NOTATIONS[name])
    if name == HF:
        chosen.update({dimension: word(key) for dimension, key in keys.items() if key})
    renamed: set[Dimension] = set()
    by_name = {dimension.name: dimension for dimension in sorted(dimensions, key=by_reading)}
    for dimension_name, letter in own.items():
        dimension = by_name.get(dimension_name) or BY_KEY.get(dimension_name)
        if dimension is None:
            known = {**by_name, **BY_NAME}
            raise UnknownNameError(f"No dimension {quoted(dimension_name)} to rename. {suggestion(dimension_name, known)}")
        if dimension in renamed:
            raise OptionError(f"{dimension.name} is given twice, once as {quoted(dimension_name)}: give it once.")
        renamed.add(dimension)
        chosen[dimension] = read_letter(letter)
    _refuse_clashes(chosen, dimensions)
    return chosen


def read_letter(text: str) -> Letter:
    """A letter as a user writes it: d, d_model, hidden_size."""
    match = LETTER.fullmatch(text)
    if match is None:
        raise OptionError(f"{quoted(text)} is not a symbol: write a letter, a letter with an index (d_model) or a word.")
    if len(text) == 1:
        return Letter(text, text)
    return indexed(match["letter"], match["index"]) if match["letter"] else word(text)


def _refuse_clashes(chosen: Mapping[Dimension, Letter], dimensions: Sequence[Dimension]) -> None:
    taken: dict[str, str] = {COUNT: "the number of parameters"}
    for dimension in dimensions:
        text = chosen[dimension].text
        if text in taken and dimension.name != COUNT:
            raise OptionError(f"The symbol {quoted(text)} would stand for {taken[text]} and for {dimension.name}: rename one.")
        taken[text] = dimension.name
