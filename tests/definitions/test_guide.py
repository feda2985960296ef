"""The tables of building blocks in the guides: every public one stands there, and has as many parameters as its row says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import sympy

import symparams
from symparams import Architecture, Component, components, features, linear, load

ROW = re.compile(r"^\| `(?P<call>\w+\(.*\))` \| .* \| (?P<formula>[^`|]+) \|$", re.MULTILINE)
FIXED = {"L", "V", "h"}


class Letters(dict[str, Any]):
    """The names of a guide: builders, features, and otherwise letters."""

    def __missing__(self, name: str) -> Any:
        return getattr(components, name, features if name == "features" else sympy.Symbol(name))


def evaluated(text: str) -> Any:
    return eval(text, {"__builtins__": {}}, Letters())  # noqa: S307 - of our own guides


def parameters(part: Component, has: tuple[Any, ...]) -> sympy.Expr:
    """The closed form of a part, beside a matrix that no part may be without."""
    model = load(Architecture("x", beside=linear(sympy.Symbol("beside"), 1, bias=False), part=part, has=has))
    return evaluated(str(model.closed_form())) - sympy.Symbol("beside")


@pytest.mark.parametrize("guide", ["docs/research.md", "docs/zh/research.md"])
def test_the_table_has_every_building_block_and_its_parameters(guide):
    text = (Path(__file__).parents[2] / guide).read_text(encoding="utf-8")
    public = {name for name in dir(symparams) if name in components.__all__}
    assert {name for name in public if not re.search(rf"`[^`]*\b{name}\b[^`]*`", text)} == set()
    rows = list(ROW.finditer(text))
    assert len(rows) > 40
    for row in rows:
        has = tuple(getattr(features, name) for name in re.findall(r"features\.(\w+)", row["call"]))
        formula = evaluated(row["formula"].replace("·", "*").replace("²", "**2"))
        assert sympy.expand(parameters(evaluated(row["call"]), has) - formula) == 0, row["call"]


# Models of somebody's own, written from the guide alone, and their counts by hand: layers, then what stands around them.
BEGIN = """
from sympy import symbols
from symparams import *
V, h, L, n_heads, n_kv_heads, d_head, d_ff = symbols("V h L n_heads n_kv_heads d_head d_ff")
d_expert, n_experts, n_active, n_shared = symbols("d_expert n_experts n_active n_shared")
L_attn, L_mamba, d_inner, d_state, d_conv, r_dt = symbols("L_attn L_mamba d_inner d_state d_conv r_dt")
L_enc, L_dec, n_channels, patch, n_patches, n_registers, n_labels = symbols(
    "L_enc L_dec n_channels patch n_patches n_registers n_labels")
head = linear(h, V, bias=False)
tied = linear(h, V, bias=False, tied_to="embeddings")
"""
OWN = {
    "LLaMA with a bias in the query alone": (
        """
attn = attention(h, n_heads, n_kv_heads, d_head, bias=Biases(query=True), positions="rotary", causal=True)
layer = block(*pre_norm(rms_norm(h), attention=attn, feed_forward=gated_feed_forward(h, d_ff)))
A = Architecture("own", embeddings=embedding(V, h), decoder=L * layer, final_norm=rms_norm(h), lm_head=head,
    models={"tiny": {V: 32_000, h: 512, L: 4, n_heads: 8, n_kv_heads: 2, d_head: 64, d_ff: 1_376}})
""",
        4 * ((512 * 512 + 512) + 2 * 512 * 128 + 512 * 512 + 3 * 512 * 1_376 + 2 * 512) + 2 * 32_000 * 512 + 512,
    ),
    "a mixture with two shared experts": (
        """
moe = parallel(experts=mixture_of_experts(h, n_experts, n_active, d_expert), shared=n_shared * gated_feed_forward(h, d_expert))
layer = block(residual(attention_norm=rms_norm(h), attention=attention(h, n_heads, bias=False, causal=True)),
    residual(block(norm=rms_norm(h)), moe))
A = Architecture("own", embeddings=embedding(V, h), decoder=L * layer, final_norm=rms_norm(h), lm_head=head,
    models={"tiny": {V: 32_000, h: 512, L: 4, n_heads: 8, d_expert: 256, n_experts: 16, n_active: 2, n_shared: 2}})
""",
        4 * (4 * 512**2 + (16 + 2) * 3 * 512 * 256 + 512 * 16 + 2 * 512) + 2 * 32_000 * 512 + 512,
    ),
    "a hybrid of attention and Mamba": (
        """
attn = pre_norm(rms_norm(h), attention=attention(h, n_heads, bias=False, causal=True), feed_forward=gated_feed_forward(h, d_ff))
mamba = pre_norm(rms_norm(h), mixer=selective_state_space(h, d_inner, d_state, d_conv, r_dt))
stacks = block(attention=L_attn * block("attention_layer", *attn), mamba=L_mamba * block("mamba_layer", *mamba))
A = Architecture("own", embeddings=embedding(V, h), decoder=alternating(stacks), final_norm=rms_norm(h), lm_head=tied,
    relations={d_inner: 2 * h, r_dt: h / 16},
    models={"tiny": {V: 32_000, h: 512, L_attn: 2, L_mamba: 6, n_heads: 8, d_ff: 1_376, d_state: 16, d_conv: 4}})
""",
        2 * (4 * 512**2 + 3 * 512 * 1_376 + 2 * 512)
        + 6 * (512 * 2_048 + (4 + 1) * 1_024 + 1_024 * (32 + 2 * 16) + (32 + 1) * 1_024 + 1_024 * 17 + 1_024 * 512 + 512)
        + 32_000 * 512 + 512,
    ),
    "an encoder and a decoder": (
        """
ffn = feed_forward(h, d_ff, activation="relu")
enc = block(*post_norm(layer_norm(h), attention=attention(h, n_heads), feed_forward=ffn))
dec = block(*post_norm(layer_norm(h), attention=attention(h, n_heads, causal=True),
    cross_attention=attention(h, n_heads, reads="encoder"), feed_forward=ffn))
A = Architecture("own", embeddings=embedding(V, h), encoder=L_enc * enc, decoder=L_dec * dec, lm_head=tied,
    models={"tiny": {V: 32_000, h: 512, L_enc: 6, L_dec: 4, n_heads: 8, d_ff: 2_048}})
""",
        (6 + 2 * 4) * 4 * (512**2 + 512) + (6 + 4) * (2 * 512 * 2_048 + 2_048 + 512) + (6 * 2 + 4 * 3) * 2 * 512 + 32_000 * 512,
    ),
    "a ViT with registers": (
        """
layer = block(*pre_norm(layer_norm(h), attention=attention(h, n_heads), feed_forward=feed_forward(h, d_ff)))
A = Architecture("own", embeddings=prepended(class_token=token(h), registers=n_registers * token(h),
        patches=patch_embedding(h, n_channels, patch)), positions=position_table(n_patches + 1, h),
    encoder=L * layer, final_norm=layer_norm(h), classifier=giving(linear(h, n_labels), Gives.LABELS),
    models={"tiny": {h: 384, L: 12, n_heads: 6, d_ff: 1_536, n_channels: 3, patch: 16, n_patches: 196, n_registers: 4,
        n_labels: 1_000}})
""",
        12 * (4 * (384**2 + 384) + 2 * 384 * 1_536 + 1_536 + 384 + 4 * 384)
        + 384 * 3 * 16**2 + 384 + (1 + 4) * 384 + 197 * 384 + 2 * 384 + 384 * 1_000 + 1_000,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OWN)
def test_a_model_that_is_written_from_the_guide_alone_has_the_count_by_hand(name, tmp_path, cli):
    definition, by_hand = OWN[name]
    file = tmp_path / "mine.py"
    file.write_text(BEGIN + definition, encoding="utf-8")
    assert load(f"{file}:tiny").count() == by_hand
    assert cli(["derive", f"{file}:tiny"]).code == 0


# What somebody types, and what they are told.
TYPED = {
    "from symparams import grouped_query_attention": "write attention(h, n_heads, n_kv_heads, d_head).",
    "from symparams import SwiGLU": "symparams has no 'SwiGLU': write gated_feed_forward(h, d_ff).",
    "from symparams import every": "write from symparams.components import every.",
    "from symparams import atention": "Did you mean 'attention'",
    "from symparams import attention; attention('h', 4, kv_heads=2)": "has no argument 'kv_heads'. Did you mean 'n_kv_heads'?",
    "from symparams import *; attention(64, 4, positions=rotary())": "is not a kind of positions: write 'rotary' or 'alibi'",
    "from symparams import *; block(pre_norm(rms_norm(64), attention=attention(64, 4)))": "write block(*parts).",
    "from symparams import *; attention(64, 4, fused=True, bias=Biases(query=True))": "leave out fused, or query of Biases.",
    "from symparams import *; residual(rms_norm(64), attention=attention(64, 4))": "write name=rms_norm(…).",
}


@pytest.mark.parametrize(("line", "said"), TYPED.items())
def test_another_name_is_told_with_the_one_that_is_meant(line, said, tmp_path, mistake):
    file = tmp_path / "mine.py"
    file.write_text(f"{line}\n", encoding="utf-8")
    assert said in mistake(["count", str(file)])
