"""What a part costs follows from what its builder says of it, whatever it is called."""

from __future__ import annotations

from dataclasses import replace

from symparams import Architecture, Vector, load
from symparams.components import (
    attention,
    block,
    channel_mixing,
    embedding,
    every,
    feed_forward,
    first,
    fused_disentangled_attention,
    gated_delta_rule,
    gated_short_convolution,
    indices,
    layer_norm,
    lightning_attention,
    linear,
    pre_norm,
    reading,
    relative_attention,
    seeing,
    selective_state_space,
    time_mixing,
    wide_attention,
)
from symparams.components.kinds import Kind, Role
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import L, L_moe, V, h, n_heads
from tests.refusals import refusal

WAYS = ("expanded", "absorbed")
SIZES = {"h": 64, "L": 2, "V": 1_000, "n_heads": 4}


def decoder(name, head, **more):
    layer = block(
        "layer", *pre_norm(layer_norm(h), attention=attention(h, n_heads, causal=True), feed_forward=feed_forward(h, 4 * h))
    )
    return Architecture("mine", tree=block(table=embedding(V, h), stack=L * layer, **{name: head}, **more))


class TestHeads:
    """A head over the words is a head by what it is."""

    def test_a_head_is_a_product_for_each_token(self):
        model = load(decoder("output", linear(h, V, bias=False, tied_to="table")), **SIZES)
        assert model.measure("forward_flops", b=1, s=8) == 2 * (2 * 8 * 12 * 64**2 + 4 * 8**2 * 64) + 2 * 8 * 64 * 1_000

    def test_the_last_position_alone_can_be_asked_of_it(self):
        model = load(decoder("output", linear(h, V, bias=False, tied_to="table")), **SIZES)
        every, last = (model.measure("forward_flops", b=1, s=8, logits=logits) for logits in ("all", "last"))
        assert every - last == 2 * 7 * 64 * 1_000

    def test_what_reads_one_token_of_a_sequence_sees_no_others(self):
        each, first = (
            load(decoder("top", head), **SIZES) for head in (linear(h, 3), reading(linear(h, 3), Vector.FIRST_TOKEN))
        )
        assert each.measure("forward_flops", b=1, s=8) - first.measure("forward_flops", b=1, s=8) == 2 * 7 * 64 * 3


class TestEncodersAndDecoders:
    def tree(self, memory, encoder="encoder"):
        read = block("reading_layer", *pre_norm(layer_norm(h), attention=attention(h, n_heads)))
        write = block(
            "writing_layer",
            *pre_norm(layer_norm(h), attention=attention(h, n_heads, causal=True), crossed=attention(h, n_heads, reads=memory)),
        )
        return Architecture("mine", tree=block(**{encoder: L * read, "writer": L * write}, top=linear(h, V, bias=False)))

    def test_the_stack_to_which_attention_refers_reads_the_source(self):
        model = load(self.tree("reader", "reader"), **SIZES)
        matrices, source = 64 * 64, 5
        read = 2 * (2 * source * 4 * matrices + 4 * source * source * 64)
        crossed = 2 * (2 * (2 * 8 + 2 * source) * matrices + 4 * 8 * source * 64)
        written = 2 * (2 * 8 * 4 * matrices + 4 * 8 * 8 * 64) + crossed + 2 * 8 * 64 * 1_000
        assert model.measure("forward_flops", b=1, s=8, s_src=source) == read + written

    def test_a_stack_that_says_how_many_tokens_it_sees_is_read_by_any_name(self):
        n = Dimension("n")
        tree = self.tree("its memory", "first").tree
        body = tuple((name, seeing(part, n) if name == "first" else part) for name, part in tree.body)
        model = load(Architecture("mine", tree=replace(tree, body=body)), **SIZES, n=5)
        other = load(self.tree("encoder"), **SIZES)
        assert model.measure("forward_flops", b=1, s=8) == other.measure("forward_flops", b=1, s=8, s_src=5)
        assert model.measure("kv_cache", b=1, t=8, e=2) == other.measure("kv_cache", b=1, t=8, e=2, s_src=5)

    def test_it_is_not_read_again_while_decoding(self):
        model = load(self.tree("encoder"), **SIZES)
        prefill, decode = (model.measure("forward_flops", b=1, s=1, s_src=500, t=t) for t in (0, 1))
        assert prefill > 100 * decode


class TestWindows:
    """A window of 4 tokens in the layers of a pattern, after a cache of 10 tokens of two numbers each."""

    def test_a_pattern_says_in_which_layers_there_is_one(self):
        for pattern, windowed in (
            (None, 7),
            (every(3), 3),  # layers 0, 3 and 6
            (every(3, offset=1), 2),
            (every(3, offset=-1, but=True), 5),
            (first(2), 2),
            (first(2, but=True), 5),
            (first(9, but=True), 0),
            (indices(0, 5, 8), 2),
        ):
            mixer = wide_attention(h, 1, h, causal=True, window=4, windowed=pattern)
            model = load(Architecture("mine", tree=block(stack=L * block("layer", mixer=mixer))), h=1, L=7)
            assert model.measure("kv_cache", b=1, t=10, e=1) == 2 * (3 * windowed + 10 * (7 - windowed)), pattern
            met = 4 * (4 * windowed + 11 * (7 - windowed))
            assert model.measure("forward_flops", b=1, s=1, t=10) == 7 * 4 * 2 + met, pattern

    def test_layers_are_counted_on_from_stack_to_stack(self):
        mixer = wide_attention(h, 1, h, causal=True, window=4, windowed=every(3))
        stacks = {"dense": L * block("layer", mixer=mixer), "sparse": L_moe * block("layer", mixer=mixer)}
        model = load(Architecture("mine", tree=block(**stacks)), h=1, L=2, L_moe=3)
        assert model.measure("kv_cache", b=1, t=10, e=1) == 2 * (2 * 3 + 3 * 10)  # layers 0 and 3 have the window

    def test_in_chunks_a_token_sees_none_before_its_own_chunk(self):
        mixer = wide_attention(h, 1, h, causal=True, window=4, chunked=True)
        model = load(Architecture("mine", tree=block(stack=L * block("layer", mixer=mixer))), h=1, L=1)
        for t, s in ((0, 1), (0, 4), (0, 11), (3, 1), (3, 2), (4, 9), (10, 3)):
            seen = sum(position % 4 + 1 for position in range(t, t + s))
            context = {"t": t} if t else {}
            assert model.measure("forward_flops", b=1, s=s, causal="exact", **context) == 4 * 2 * s + 4 * seen, (t, s)

    def test_a_sentence_is_not_a_pattern(self):
        told = refusal(attention, h, 1, window=4, windowed="every third layer")
        assert told.startswith("'every third layer' is not a pattern of layers: write every")


class TestLatentAttention:
    """A token of DeepSeek-V3 after 4,095 others, in each of its 61 layers."""

    def test_keys_and_values_are_expanded_again_or_their_matrices_are_absorbed(self):
        heads, r_kv, d_rope, d_nope, d_v, keys = 128, 512, 64, 128, 128, 4_096
        expanded = 2 * keys * r_kv * heads * (d_nope + d_v) + 2 * keys * heads * (d_nope + d_rope + d_v)
        absorbed = 2 * r_kv * heads * (d_nope + d_v) + 2 * keys * heads * (r_kv + d_rope + r_kv)
        each = [load("deepseek-v3").measure("forward_flops", b=1, s=1, t=keys - 1, latent_attention=way) for way in WAYS]
        assert each[0] - each[1] == 61 * (expanded - absorbed)

    def test_an_indexer_scores_every_key_and_picks_2048_of_them(self):
        """The same token of DeepSeek-V3.2, whose indexer has 64 heads of 128 numbers."""
        keys, picked = 4_096, 2_048
        with_indexer, without = load("deepseek-v3.2"), load("deepseek-v3")
        projected, scored = 2 * (1_536 * 64 * 128 + 7_168 * 128 + 7_168 * 64), 2 * keys * (64 * 128 + 64)
        fewer = 2 * (keys - picked) * 128 * (128 + 64 + 128)
        for causal, more in (("full", projected + scored), ("exact", projected + scored - fewer)):
            flops = [model.measure("forward_flops", b=1, s=1, t=keys - 1, causal=causal) for model in (with_indexer, without)]
            assert flops[0] - flops[1] == 61 * more, causal
        kept = [model.measure("kv_cache", b=1, t=1, e=1) for model in (with_indexer, without)]
        assert kept == [61 * (512 + 64 + 128), 61 * (512 + 64)]


class TestParts:
    def test_relative_positions_reach_back_to_the_first_key_and_on_to_the_last_query(self):
        """s + 1 distances where a mask hides what follows, else 2·s: each is projected, and met by each query."""
        sizes = {"h": 4, "L": 1, "n_heads": 2, "r": 3}
        masked, open_ = (
            load(Architecture("mine", tree=block(stack=L * block("layer", mixer=mixer))), **sizes).measure(
                "forward_flops", b=1, s=8
            )
            for mixer in (relative_attention(h, n_heads, Dimension("r"), causal=causal) for causal in (True, False))
        )
        assert open_ - masked == (2 * 8 - (8 + 1)) * (2 * 4 * 6 + 2 * 8 * 6)

    def test_of_a_table_of_distances_those_of_the_sequence_alone_are_projected(self):
        """2·min(s, max_rel) distances, projected once for all sequences, and met by each query and each key."""
        has = ("relative_positions", "content_to_position", "position_to_content")
        sizes = {"h": 6, "L": 1, "n_heads": 2, "max_rel": 5}
        definition = Architecture("mine", tree=block(stack=L * block("layer", mixer=fused_disentangled_attention(h, n_heads))))
        model = load(definition, include=has, **sizes)
        for tokens, distances in ((3, 2 * 3), (8, 2 * 5)):
            content = 2 * 2 * tokens * (4 * 6 * 6 + 2 * tokens * 6)
            positions = 2 * (2 * distances * 6 * 6 + 2 * 2 * tokens * distances * 6)
            assert model.measure("forward_flops", b=2, s=tokens) == content + positions

    def test_a_sequence_fills_whole_windows_and_its_chunks_overlap_by_half(self):
        """Of 5 tokens and windows of 4 the library computes 8, in 3 chunks of 4 × 4 scores and 6 values for each token."""
        model = load("longformer", V=9, h=6, L=1, n_heads=2, d_ff=7, max_pos=20, W=4, exclude=["pooler"])
        matrices, nearby = 8 * (4 * 6 * 6 + 2 * 6 * 7), (3 * 4 * 4 + 8 * 6) * 6
        assert model.measure("forward_flops", b=1, s=5) == 2 * (matrices + nearby)
        of_global = 3 * 6 * 6 + 2 * 8 * 6 * 6 + 4 * 3 * 8 * 6
        assert model.measure("forward_flops", b=1, s=5, n_global=3) == 2 * (matrices + nearby + of_global)
        several = load({"model_type": "longformer", "num_hidden_layers": 2, "attention_window": [4, 8]})
        assert "whose layers have windows of several lengths" in refusal(several.measure, "forward_flops", b=1, s=5)

    def test_a_state_space_in_letters_of_ones_own(self):
        inner, state, kernel, rank = map(Dimension, ("E_i", "S", "K_w", "R"))
        sizes = {"h": 30, "L": 1, "E_i": 60, "S": 8, "K_w": 2, "R": 2}
        mixer = selective_state_space(h, inner, state, kernel, rank)
        model = load(Architecture("mine", tree=block(stack=L * block("layer", part=mixer))), **sizes)
        assert model.measure("kv_cache", b=2, t=5, e=4) == 4 * 2 * 60 * (2 + 8)
        matrices = 30 * 120 + 60 * 2 + 60 * 18 + 2 * 60 + 60 * 30
        assert model.measure("forward_flops", b=2, s=5) == 2 * 10 * (matrices + 60 * 8)

    def test_the_library_keeps_the_state_in_fp32_and_papers_in_the_number_type(self):
        model = load("mamba", expand=2, h=30, d_state=8, d_conv=2, L=1, V=11)
        assert model.measure("kv_cache", b=2, dtype="bf16") == 480 + 3_840
        assert model.measure("kv_cache", b=2, dtype="bf16", state="paper") == 480 + 1_920

    def test_a_short_convolution_keeps_its_last_inputs_alone(self):
        mixer = gated_short_convolution(h, 3)
        model = load(Architecture("mine", tree=block(stack=L * block("layer", part=mixer))), h=4, L=1)
        assert model.count() == 4 * 12 + 4 * 3 + 4 * 4
        assert model.measure("forward_flops", b=2, s=5) == 2 * 10 * model.count()
        assert model.measure("kv_cache", b=2, t=5, e=2) == 2 * 4 * 3 * 2

    def test_lightning_attention_multiplies_in_chunks_and_keeps_a_state_in_the_number_type(self):
        mixer = lightning_attention(h, 2, 3, chunk=4)
        model = load(Architecture("mine", tree=block(stack=L * block("layer", part=mixer))), h=5, L=1)
        assert model.count() == 5 * 18 + 5 * 6 + 6 + 6 * 5
        matrices, pairs, states = 10 * 150, (4 * 4 + 4 * 4 + 2 * 2) * 2 * (3 + 3), 10 * 2 * (3 * 3 + 3 * 3)
        assert model.measure("forward_flops", b=1, s=10) == 2 * (matrices + pairs + states)
        assert model.measure("kv_cache", b=2, t=5, e=2) == 2 * 2 * 3 * 3 * 2

    def test_the_delta_rule_corrects_within_chunks_and_reads_its_state_twice_for_each_token(self):
        mixer = gated_delta_rule(h, 1, 2, 3, 4, 2, chunk=4)
        model = load(Architecture("mine", tree=block(stack=L * block("layer", part=mixer))), h=5, L=1)
        matrices = 5 * 14 + 5 * 8 + 2 * 5 * 2 + 14 * 2 + 8 * 5
        assert model.count() == matrices + 2 * 2 + 4
        pairs, states = 2 * 2 * (4 * 4) * (3 * 3 + 2 * 4), 3 * (2 * 4) * 8 * 3
        assert model.measure("forward_flops", b=1, s=6) == 2 * (6 * matrices + pairs + states)
        assert model.measure("training_flops", b=1, s=6) == 2 * (18 * matrices + 3 * pairs + (5 + 5 + 4) * 4 * 8 * 3)
        assert model.measure("forward_flops", b=1, s=1, t=6) == 2 * (matrices + 2 * 8 * 3)
        assert model.measure("kv_cache", b=2, t=6, e=2) == 2 * (14 * 2 * 2 + 8 * 3 * 4)

    def test_time_and_channel_mixing_keep_the_last_token_and_a_mean_of_three_numbers(self):
        layer = block("layer", time=time_mixing(h, 3), channel=channel_mixing(h, 7))
        model = load(Architecture("mine", tree=block(stack=L * layer)), h=5, L=1)
        matrices = (3 * 5 * 3 + 3 * 5) + (5 * 7 + 5 * 5 + 7 * 5)
        assert model.count() == matrices + 3 * 5 + 2 * 3 + 2 * 5
        assert model.measure("forward_flops", b=2, s=4) == 2 * 8 * matrices
        assert model.measure("kv_cache", b=2, t=4, e=2) == 2 * (5 * 2 + 3 * 3 * 4 + 5 * 2)

    def test_a_mixer_that_does_not_say_how_it_mixes_is_refused(self):
        mixer = replace(block(up=linear(h, h)), kind=Kind("mixer", Role.MIXER))
        model = load(Architecture("mine", tree=block(stack=L * block("layer", mixer=mixer))), h=4, L=1)
        assert "stack.mixer mixes tokens but does not say how" in refusal(model.measure, "forward_flops", b=1, s=2)
        kept = refusal(model.measure, "kv_cache", b=1, t=2, e=2)
        assert "stack.mixer mixes tokens but does not say what it caches" in kept


def test_a_text_that_only_spells_a_vector_is_refused():
    assert "write Vector.FIRST_TOKEN" in refusal(reading, linear(h, 3), "first token")
    assert reading(linear(h, 3), "first tokens").tokens is None
