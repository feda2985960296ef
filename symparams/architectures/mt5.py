"""mT5: T5 1.1 in many languages."""

from symparams.architectures import Architecture
from symparams.architectures.t5 import T5
from symparams.expressions.symbols import L_dec, L_enc
from symparams.features import decoder, gated_feed_forward, lm_head, tying

MT5 = Architecture(
    "mt5",
    title="mT5",
    source="Xue et al., 2021, arXiv:2010.11934",
    tree=T5.tree,
    relations={L_dec: L_enc},
    has=(decoder, lm_head, gated_feed_forward, ~tying),
)
