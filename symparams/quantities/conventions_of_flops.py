"""Other ways to count FLOPs: rules of thumb by parameters, formulas of papers, a causal mask in full or by what it lets by.

They are those of a model that reads one sequence of tokens; an encoder beside a decoder, or an image, has tokens of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from symparams.components.checks import letters
from symparams.components.flow import layers
from symparams.components.tree import Component
from symparams.components.walks import leaves
from symparams.expressions.nodes import Expression, Number, Product, Quotient, Sum
from symparams.expressions.symbols import D, L, N, N_active, V, b, h, s, t
from symparams.expressions.written import ONE, times, total
from symparams.quantities import forward_flops
from symparams.quantities.attention_flops import EXACT
from symparams.quantities.cost import Alternative
from symparams.quantities.in_tokens import in_tokens
from symparams.quantities.parameters import ACTIVE, PARAMETERS
from symparams.quantities.setting import Setting
from symparams.quantities.streams import IMAGES, Place, Streams
from symparams.quantities.term import Term

FORWARD, BACKWARD, TRAINING = 1, 2, 3  # so many times a forward pass
BY_PARAMETERS = {FORWARD: "flops.forward_by_parameters", BACKWARD: "flops.backward_by_parameters",
                 TRAINING: "flops.training_by_parameters"}  # fmt: skip
BY_ALL_EXPERTS = "flops.by_all_experts"  # of a mixture, those that lie idle among them
BY_ACTIVE = {FORWARD: "flops.forward_by_active", BACKWARD: "flops.backward_by_active", TRAINING: "flops.training_by_active"}


def of_forward(tree: Component, setting: Setting) -> Sequence[Alternative]:
    """Those of a forward pass."""
    return list(_conventions(tree, setting, FORWARD))


def of_backward(tree: Component, setting: Setting) -> Sequence[Alternative]:
    """Those of a backward pass."""
    return list(_conventions(tree, setting, BACKWARD))


def of_training(tree: Component, setting: Setting) -> Sequence[Alternative]:
    """Those of training: 6·N·D, PaLM's with attention, Megatron's of GPT."""
    found = list(_conventions(tree, setting, TRAINING))
    if found and t not in setting.given:
        found += _of_papers(tree, setting)
    return found


def _conventions(tree: Component, setting: Setting, passes: int) -> Iterator[Alternative]:
    streams = Streams(tree, setting)
    if streams.length("") != s or streams.has_encoder or IMAGES in streams.parts:
        return
    tokens, each = _tokens(setting), Number(2 * passes)
    every = PARAMETERS.over(leaves(tree))
    active = ACTIVE.over(leaves(tree))
    name = BY_ALL_EXPERTS if active != every else BY_PARAMETERS[passes]
    yield _alternative(name, Product((each, tokens, every)), Product((each, N, tokens)))
    if active != every:
        rule = Product((each, N_active, tokens))
        yield _alternative(BY_ACTIVE[passes], Product((each, tokens, active)), rule, active=N_active)
    if t not in setting.given and _met(tree) != Number(0):
        inner = PARAMETERS.over(leaf for leaf in leaves(tree) if _is_in_layers(leaf.path, tree))
        met = Product((each, s, _met(tree)))
        rule = Product((Sum((Product((each, N)), met)), tokens))
        yield _alternative("flops.of_kaplan", Product((Sum((Product((each, inner)), met)), tokens)), rule)
    yield _masked_otherwise(tree, setting, passes)


def _masked_otherwise(tree: Component, setting: Setting, passes: int) -> Alternative:
    """The mask in full where what it lets through is counted, and the other way round."""
    other, key = ("full", "flops.causal_full") if setting.causal == EXACT else (EXACT, "flops.causal_exact")
    found = forward_flops.terms(tree, replace(setting, causal=other))
    every = [replace(term, written=Product((Number(passes), term.written))) for term in found]
    return Alternative(key, in_tokens(every, setting))


def _of_papers(tree: Component, setting: Setting) -> Iterator[Alternative]:
    """PaLM's 6N + 12·L·H·d·s a token, and Megatron's of a GPT, with recomputation or without."""
    tokens = _tokens(setting)
    if _met(tree) != Number(0):
        met = Product((Number(12), s, _met(tree)))
        rule = Product((Sum((Product((Number(6), N)), met)), tokens))
        every = PARAMETERS.over(leaves(tree))
        yield _alternative("flops.of_palm", Product((Sum((Product((Number(6), every)), met)), tokens)), rule)
    if {L, h, V} <= set(letters(tree)):
        number, share = (96, 16) if setting.checkpoint else (72, 12)
        parts = Sum((ONE, Quotient(s, Product((Number(6), h))), Quotient(V, Product((Number(share), L, h)))))
        key = "flops.of_megatron_recomputed" if setting.checkpoint else "flops.of_megatron"
        rule = Product((Number(number), tokens, L, h**2, parts))
        yield _alternative(key, rule, rule, factor=Number(4))


def _tokens(setting: Setting) -> Expression:
    return D if D in setting.given else Product((b, s))


def _alternative(key: str, written: Expression, formula: Expression, **about: Expression) -> Alternative:
    return Alternative(key, [Term("", key, written)], {"formula": formula, **about})


def _is_in_layers(path: str, tree: Component) -> bool:
    return any(path.startswith(f"{layer}.") for layer, _ in layers(tree))


def _met(tree: Component) -> Expression:
    """The widths of all layers of attention together: L·n_heads·d_head."""
    found, pending = [], [Place("", tree)]
    while pending:
        place = pending.pop(0)
        attending = place.component.attending
        if attending and not place.component.reads:
            found.append(times(place.passes, Product((attending.heads.number, attending.heads.width))))
        else:
            pending += place.parts()
    return total(found)
