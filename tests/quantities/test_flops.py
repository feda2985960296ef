"""FLOPs: what every forward and backward pass has in common, and the formulas of the literature, each with its source."""

from __future__ import annotations

import re
from functools import cache

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import derive, load, render
from symparams.components.facts import Stream
from symparams.components.walks import components
from tests.refusals import refusal

SIZES = st.integers(1, 5_000)
DECODERS = ("gpt2", "llama-3-8b", "mistral-7b-v0.1", "gemma-2-2b", "mixtral-8x7b")
b, s, t, D, L, h, V = sympy.symbols("b s t D L h V")


@cache
def model_of(name):
    return load(name)


def flops(model, quantity="forward_flops", **inputs):
    return model_of(model).measure(quantity, **inputs)


class TestWhatHoldsForAll:
    @settings(max_examples=25)
    @given(st.sampled_from(DECODERS), SIZES)
    def test_a_prompt_and_one_token_after_it_are_a_prompt_of_one_token_more(self, model, length):
        prompt = flops(model, b=1, s=length, causal="exact")
        assert prompt + flops(model, b=1, s=1, t=length, causal="exact") == flops(model, b=1, s=length + 1, causal="exact")

    @settings(max_examples=25)
    @given(st.sampled_from(DECODERS), SIZES)
    def test_recomputed_layers_run_forward_once_more(self, model, length):
        once = flops(model, "training_flops", b=1, s=length)
        head = flops(model, b=1, s=length) - flops(model, b=1, s=length, logits=0)
        again = flops(model, b=1, s=length) - head
        assert flops(model, "training_flops", b=1, s=length, checkpoint=True) == once + again

    def test_what_reads_pixels_has_no_gradient_of_its_input(self):
        """The patch embedding multiplies 196 patches of 3·16² numbers by 768."""
        forward, backward = (flops("vit-base-patch16-224", f"{way}_flops", b=1) for way in ("forward", "backward"))
        assert 2 * forward - backward == 2 * 196 * 3 * 16**2 * 768

    @settings(max_examples=25)
    @given(st.sampled_from(DECODERS), st.integers(1, 100), st.integers(1, 4_096))
    def test_tokens_are_sequences_times_their_length(self, model, sequences, length):
        tokens = flops(model, "training_flops", D=sequences * length, s=length)
        assert tokens == flops(model, "training_flops", b=sequences, s=length)


class TestLiterature:
    def test_megatrons_formula_is_that_of_a_gpt_with_its_layers_recomputed(self):
        """96·B·s·l·h²·(1 + s/(6h) + V/(16·l·h)) (Narayanan et al., 2021, arXiv:2104.04473, section 5.1)."""
        ours = load("gpt2").symbolic().closed_form(quantity="training_flops", checkpoint=True)
        theirs = 96 * b * s * L * h**2 * (1 + s / (6 * h) + V / (16 * L * h))
        assert sympy.expand(ours - theirs) == 0

    def test_palms_formula_counts_the_tables_biases_and_norms_besides(self):
        """6N + 12·L·H·Q·T a token, in sequences of T tokens (Chowdhery et al., 2022, arXiv:2204.02311, appendix B)."""
        model = load("llama-7b")
        token = sympy.Rational(model.measure("training_flops", b=1, s=2_048), 2_048)
        palm = 6 * model.count() + 12 * 32 * 32 * 128 * 2_048
        assert palm - token == 6 * (32_000 * 4_096 + (2 * 32 + 1) * 4_096)

    def test_chinchillas_table_of_terms_is_ours_but_for_what_multiplies_no_matrices(self):
        """Hoffmann et al., 2022, arXiv:2203.15556, appendix F; embeddings and softmax are 0 here."""
        length, width, heads, d_head, d_ff, layers, words = 2_048, 12_288, 96, 128, 49_152, 96, 50_257
        attention = 2 * 3 * length * width * heads * d_head  # queries, keys and values
        attention += 2 * length * length * heads * d_head  # logits
        attention += 2 * length * length * heads * d_head  # reduction of the values
        attention += 2 * length * heads * d_head * width  # final linear
        dense = 2 * length * (width * d_ff + width * d_ff)
        total = layers * (attention + dense) + 2 * length * width * words
        assert flops("gpt3-175b", b=1, s=length) == total
        assert flops("gpt3-175b", "training_flops", b=1, s=length) == 3 * total

    def test_gpt3s_figure_is_six_flops_for_each_parameter_and_token(self):
        """3.14·10²³ for 174.6 billion parameters and 300 billion tokens (Brown et al., 2020, arXiv:2005.14165, table D.1).

        It leaves out attention, 12·D·s·L·h, and counts tables, biases and norms, which multiply no matrices.
        """
        tokens, model = 300 * 10**9, load("gpt3-175b")
        by_rule = 6 * model.count() * tokens
        assert f"{by_rule:.2e}" == "3.14e+23"
        exact = model.measure("training_flops", D=tokens, s=2_048)
        assert f"{exact:.2e}" == "3.23e+23"
        attention, others = 12 * tokens * 2_048 * 96 * 12_288, 6 * tokens * (2_048 * 12_288 + (13 * 96 + 2) * 12_288)
        assert exact - by_rule == attention - others

    def test_kaplans_rule_is_twice_the_parameters_of_the_layers_and_half_of_attention(self):
        """C_forward = 2N + 2·n_layer·n_ctx·d_attn a token (Kaplan et al., 2020, arXiv:2001.08361, table 1)."""
        found = derive("gpt2", quantity="forward_flops", b=1, s=1_024)
        [kaplan] = [each for each in found.conventions if each.note.keys == ("flops.of_kaplan",)]
        assert kaplan.result.value == (2 * (12 * (12 * 768**2 + 13 * 768)) + 2 * 12 * 1_024 * 768) * 1_024

    @pytest.mark.parametrize("chosen", [{}, {"checkpoint": True}, {"D": 1_024}])
    def test_a_mask_hides_pairs_in_every_pass(self, chosen):
        """s · (s − 1) / 2 pairs of scores and of values, 2·h each, are hidden in the forward pass and in each later one."""
        inputs = {"s": 1_024, **({} if "D" in chosen else {"b": 1}), **chosen}
        found = derive("gpt2", quantity="training_flops", **inputs)
        [exact] = [convention for convention in found.conventions if convention.note.keys == ("flops.causal_exact",)]
        hidden = 12 * (1_024 * 1_023 // 2) * 2 * 2 * 768
        assert exact.difference.value == -(4 if chosen.get("checkpoint") else 3) * hidden

    @pytest.mark.parametrize(("model", "chosen"), [("bert", {"checkpoint": True}), ("xlnet", {})])
    def test_what_has_no_causal_mask_is_not_counted_with_one(self, model, chosen):
        keys = [convention.note.keys for convention in derive(model, quantity="training_flops", **chosen).conventions]
        assert keys
        assert ("flops.causal_exact",) not in keys


class TestWhatIsAsked:
    def test_a_token_of_llama_3_8b_with_8191_before_it(self):
        assert flops("llama-3-8b", b=1, s=1, t=8_191) == 19_304_284_160
        sheet = render(derive("llama-3-8b", quantity="forward_flops", b=1, s=1, t=8_191))
        assert "F(scores) = 2 × b·s × (t + s) × " in re.sub(" +", " ", sheet)  # what is cached comes before what is new

    def test_the_head_of_a_prompt_is_asked_for_its_last_token_alone(self):
        every, last = (flops("llama-3-8b", b=1, s=10, logits=logits) for logits in ("all", "last"))
        assert every - last == 2 * 9 * 128_256 * 4_096

    def test_what_cannot_be_is_said(self):
        for model, quantity, inputs, message in (
            ("bert-base-uncased", "forward_flops", {"b": 1, "s": 4, "t": 3}, "has no cache: leave out t"),
            ("gpt2", "forward_flops", {"b": 1}, "has no value for s"),
            ("gpt2", "training_flops", {"b": 1, "D": 10**6, "s": 8}, "give only one of them"),
        ):
            assert message in refusal(flops, model, quantity, **inputs)


class TestMixtures:
    """Of a mixture, rules of thumb are said by all parameters and by those that one token uses."""

    def test_a_rule_by_the_active_parameters_stands_beside_that_by_all(self):
        model = load("mixtral-8x7b")
        for way, times in {"forward": 2, "backward": 4, "training": 6}.items():
            found = derive(model, quantity=f"{way}_flops", b=2, s=16)
            by_key = {convention.note.keys[0]: convention for convention in found.conventions}
            by_all, by_active = by_key["flops.by_all_experts"], by_key["flops.by_active"]
            assert by_all.result.value == times * 32 * model.count()
            assert by_active.result.value == times * 32 * model.active_count()
            assert by_active.difference.value == by_active.result.value - model.measure(f"{way}_flops", b=2, s=16)

    def test_without_experts_there_is_no_second_rule(self):
        found = derive("gpt2", quantity="forward_flops", b=2, s=16)
        assert not [each for each in found.conventions if "active" in each.note.keys[0]]


def test_a_decoder_without_its_encoder_still_attends_to_one():
    """The library's BartForCausalLM has no encoder: its cross-attention still reads the states of one, and takes no FLOPs."""
    decoder = load({"model_type": "bart", "architectures": ["BartForCausalLM"]})
    crossed = [part for path, part in components(decoder.tree) if path.endswith("cross_attention")]
    assert [part.reads for part in crossed] == [Stream.ENCODER]
    layer = 4 * 1_024**2 + 8 * 1_024**2  # self-attention and the feed-forward network, of 4·h
    assert decoder.measure("forward_flops", b=1, s=1) == 2 * (12 * layer + 50_265 * 1_024) + 12 * 4 * 1_024
