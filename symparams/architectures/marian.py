"""Marian: an encoder and a decoder for translation, post-norm, with sinusoidal positions (Junczys-Dowmunt et al., 2018,
arXiv:1804.00344).

The library stores the positions of each stack as a parameter that is never trained; source and target share one
vocabulary or have one each.
"""

from dataclasses import replace

from symparams.architectures import Architecture
from symparams.components import LINEAR, Component, block, linear
from symparams.expressions.features import biases, encoder, lm_head, shared_vocabulary, tying
from symparams.expressions.symbols import V, V_dec, h, max_pos
from symparams.models.library import Flag, Library, Settings
from symparams.models.library.encoder_decoders import (
    DECODERS_OWN,
    HEADS,
    TIED,
    sinusoidal_table,
    stacks,
    text_sizes,
    whole_heads,
)

SHARING = Flag("share_encoder_decoder_embeddings", default=True)


def sharing(settings: Settings) -> bool:
    """Whether there is one vocabulary; the decoder alone has an LM head over that of the encoder in any case."""
    names = settings.listed("architectures") or [""]
    return SHARING(settings) or names[0] == "MarianForCausalLM"


def target_vocabulary(settings: Settings) -> int | None:
    """The vocabulary of the decoder; 0 is none, as in the library."""
    return settings.size("decoder_vocab_size", least=0) or None


def head(rows: Component, others: Component) -> Component:
    """The LM head over a shared vocabulary, or over the decoder's own."""
    shared = tuple(replace(tensor, when=(shared_vocabulary,)) for tensor in rows.tensors)
    own = tuple(replace(tensor, when=(~shared_vocabulary,)) for tensor in others.tensors)
    return Component(LINEAR, tensors=(*shared, *own))


parts = stacks({"positions": sinusoidal_table(max_pos, h)}, pre_norm=False, target=V_dec)

MARIAN = Architecture(
    "marian",
    title="Marian",
    source="Junczys-Dowmunt et al., 2018, arXiv:1804.00344",
    tree=block(
        **{**parts, "embeddings": shared_vocabulary * parts["embeddings"]},
        lm_head=lm_head
        * head(linear(h, V, bias=False, tied_to=DECODERS_OWN), linear(h, V_dec, bias=False, tied_to=DECODERS_OWN)),
    ),
    library=Library(
        base="MarianModel",
        classes={"MarianModel": (encoder,), "MarianMTModel": (encoder, lm_head), "MarianForCausalLM": (lm_head,)},
        sizes={**text_sizes(58_101), V_dec: target_vocabulary},
        flags={**TIED, shared_vocabulary: sharing},
        check=whole_heads(),
    ),
    relations={V_dec: V},
    identities=HEADS,
    has=(encoder, lm_head, shared_vocabulary, tying, biases),
)
