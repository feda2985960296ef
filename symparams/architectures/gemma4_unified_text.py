"""Gemma 4 (unified), its text model: Gemma 4's local and global layers, without inputs of each layer's own and without
experts."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import LOGIT_CAP, NORM, decoder_only, root_embeddings
from symparams.architectures._gemmas import ACTIVATION
from symparams.architectures.gemma4_text import GEMMA4_TEXT, decoder
from symparams.components import Component, block, gated_feed_forward, sandwiched
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import h
from symparams.features import global_layers, lm_head, local_layers, tying


def layer(name: str, attention: Component, width: Dimension) -> Component:
    """Gemma 2's layer."""
    network = gated_feed_forward(h, width, activation=ACTIVATION)
    return block(name, *sandwiched(NORM, attention=attention, feed_forward=network))


GEMMA4_UNIFIED_TEXT = Architecture(
    "gemma4_unified_text",
    title="Gemma 4 (unified)",
    source="Google DeepMind, 2026, https://ai.google.dev/gemma/docs/core/model_card_4",
    tree=decoder_only(decoder(layer), embeddings=root_embeddings, logits=(LOGIT_CAP,)),
    relations=GEMMA4_TEXT.relations,
    has=(lm_head, local_layers, global_layers, tying),
)
