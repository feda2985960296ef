"""mT5: T5 1.1 in many languages (Xue et al., 2021, arXiv:2010.11934)."""

from symparams.architectures import Architecture
from symparams.architectures.t5 import encoder_decoder, library
from symparams.expressions.features import classifier, classifier_transform, decoder, gated_feed_forward, lm_head, tying
from symparams.expressions.symbols import L_dec, L_enc, V, d_ff, n_heads

MT5 = Architecture(
    "mt5",
    title="mT5",
    source="Xue et al., 2021, arXiv:2010.11934",
    tree=encoder_decoder,
    library=library("MT5", {V: 250_112, L_enc: 8, n_heads: 6, d_ff: 1_024}, projection="gated-gelu"),
    relations={L_dec: L_enc},
    has=(decoder, lm_head, gated_feed_forward),
    may_have=(tying, classifier, classifier_transform),
)
