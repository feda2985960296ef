"""Gatings: what a feed-forward network with a gate is called after the activation that its config chooses: SwiGLU, GeGLU."""

from __future__ import annotations

from symparams.components.activations import ACTIVATION
from symparams.components.feed_forward import EXPERT_FEED_FORWARD, FUSED_GATED_FEED_FORWARD
from symparams.components.kinds import GATED_FEED_FORWARD
from symparams.components.tree import Component
from symparams.derivations.steps import Note
from symparams.models.model import Model

# The words for the activations of a gate that give a gated feed-forward network its name: SwiGLU, GeGLU (arXiv:2002.05202).
GATINGS = {
    **dict.fromkeys(("silu", "swish"), "silu"),
    **dict.fromkeys(("gelu", "gelu_new", "gelu_fast", "gelu_python", "gelu_pytorch_tanh"), "gelu"),
}
GATED = (GATED_FEED_FORWARD, FUSED_GATED_FEED_FORWARD, EXPERT_FEED_FORWARD)


def gating(model: Model, path: str, sublayer: Component) -> list[Note]:
    """The sentence that names a gated feed-forward network, or an expert of a mixture, after its activation."""
    if sublayer.kind not in GATED:
        return []
    chosen = activation_of(model, path, sublayer)
    return [Note((f"gating.{GATINGS[chosen]}",))] if chosen in GATINGS else []


def activation_of(model: Model, path: str, sublayer: Component) -> str:
    """The activation of a sublayer, as its config spells it, or its definition where none chooses, or says ""; "" for none."""
    choices = model.library.choices.items() if model.library else ()
    chosen = (model.choices[name] for name, each in choices if ACTIVATION.name in name and each.is_of(path, sublayer))
    said = next(chosen, "")
    return sublayer.activation if said == "" else str(said or "")
