"""Models of torch, discovered from what they build: one of nobody's, and the library's, whose formulas are known by hand."""

import pytest

import symparams
from symparams import discover, load
from tests.library import require

require("torch", "transformers")


def own(V, h, L, n_heads, bias):
    from torch import nn

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = nn.LayerNorm(h)
            self.attention = nn.MultiheadAttention(h, n_heads, bias=bias)
            self.network = nn.Sequential(nn.Linear(h, 4 * h), nn.GELU(), nn.Linear(4 * h, h))

    model = nn.Module()
    model.tokens = nn.Embedding(V, h)
    model.layers = nn.ModuleList(Layer() for _ in range(L))
    model.head = nn.Linear(h, V, bias=False)
    model.head.weight = model.tokens.weight
    return model


def test_a_module_of_ones_own():
    model = load(discover(own, V=100, h=64, L=2, n_heads=4, bias=True))
    assert str(model.closed_form()) == "12*L*h**2 + 11*L*h + V*h"
    assert str(load(model.architecture, exclude=["bias"]).closed_form()) == "12*L*h**2 + 7*L*h + V*h"
    assert "discovered from" in symparams.render(symparams.derive(model), "markdown")


def stages(h, n_first, n_second):
    """Two stages, each with layers of which the first alone has a projection, and some an idle module."""
    from torch import nn

    def stage(number, width):
        layers = nn.ModuleList(nn.ModuleDict({"network": nn.Linear(width, width), "idle": nn.GELU()}) for _ in range(number))
        layers[0]["projection"] = nn.Linear(h, width)
        layers[-1]["idle"] = nn.Identity()
        return layers

    return nn.ModuleDict({"first": stage(n_first, h), "second": stage(n_second, 2 * h)})


def test_modules_without_parameters_tell_no_layers_apart():
    model = load(discover(stages, h=8, n_first=2, n_second=3))
    assert load(model.architecture, h=16, n_first=4, n_second=6).count() == 4 * 272 + 272 + 6 * 1056 + 544


TOKENS = {"bos_token_id": 0, "eos_token_id": 0}  # tokens that every vocabulary has


def gpt2(V, h, L, n_heads, max_pos):
    from transformers import GPT2Config, GPT2LMHeadModel

    return GPT2LMHeadModel(GPT2Config(vocab_size=V, n_embd=h, n_layer=L, n_head=n_heads, n_positions=max_pos, **TOKENS))


def llama(V, h, L, n_heads, n_kv_heads, d_ff):
    from transformers import LlamaConfig, LlamaForCausalLM

    heads = {"num_attention_heads": n_heads, "num_key_value_heads": n_kv_heads, "head_dim": None}
    config = LlamaConfig(vocab_size=V, hidden_size=h, num_hidden_layers=L, intermediate_size=d_ff, **heads, **TOKENS)
    return LlamaForCausalLM(config)


@pytest.mark.parametrize(
    ("build", "sizes", "by_hand"),
    [
        (gpt2, {"V": 100, "h": 64, "L": 2, "n_heads": 4, "max_pos": 50}, load("gpt2")),
        (llama, {"V": 100, "h": 64, "L": 2, "n_heads": 4, "n_kv_heads": 2, "d_ff": 96}, load("llama-3-8b")),
    ],
)
def test_the_same_closed_form_as_by_hand(build, sizes, by_hand):
    discovered = load(discover(build, rows=20, **sizes))
    known = {letter.name for letter in discovered.dimensions}  # of GPT-2 the heads change no shape
    values = {letter.name: value for letter, value in by_hand.values.items() if letter.name in known}
    assert load(discovered.architecture, **values).count() == by_hand.count()
