"""Other figures for activations: Korthikanti's formula, a checkpoint a layer, attention in a fused kernel or step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symparams.components.tree import Component
from symparams.components.walks import components
from symparams.expressions.nodes import Number
from symparams.expressions.symbols import b
from symparams.expressions.written import total
from symparams.quantities.kept_by_layers import EAGER, FLASH, Stream, pairs
from symparams.quantities.kept_tensors import product
from symparams.quantities.quantity import Alternative, Term
from symparams.quantities.setting import Setting

LINEAR_PART, SCORES_PART = Number(34), Number(5)  # bytes for each b·s·h, and for each b·n_heads·s²


def korthikanti(layer: Component, path: str, stream: Stream, setting: Setting) -> Iterator[Alternative]:
    """34·s·b·h + 5·a·s²·b bytes a layer, in two bytes and with masks of one; without the second where it is recomputed.

    Korthikanti et al., 2022, arXiv:2205.05198, equations 1 and 6: a layer with attention whose d_ff is 4·h, with exact GELU.
    """
    heads = next((part.attending.heads for _, part in components(layer) if part.attending), None)
    if heads is None:
        return
    parts = [product(LINEAR_PART, b, stream.tokens, stream.width)]
    if setting.attention != FLASH:
        parts.append(product(SCORES_PART, b, *pairs(stream.tokens, stream.tokens), heads.number))
    formula = total(parts)
    yield Alternative("convention.korthikanti", (Term(path, "korthikanti", formula, layer.times),), {"formula": formula})


def others(setting: Setting) -> Iterator[tuple[str, Setting]]:
    """The same tensors under another choice: the key of its sentence, and the setting."""
    if not setting.checkpoint:
        yield "convention.checkpointed", replace(setting, checkpoint=True)
        if setting.attention == FLASH:
            yield "convention.eager", replace(setting, attention=EAGER)
        else:
            yield "convention.flash", replace(setting, attention=FLASH)
