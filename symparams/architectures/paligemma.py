"""PaliGemma: Gemma or, in PaliGemma 2, Gemma 2 reads images that SigLIP encodes and one layer projects (Beyer et al., 2024,
arXiv:2407.07726; Steiner et al., 2024, arXiv:2412.03555)."""

from symparams.architectures import Architecture
from symparams.architectures._composites import vision_language
from symparams.architectures._decoders import LOGIT_CAP, NORM, decoder_only, grouped, root_embeddings
from symparams.architectures._images import PATCHES
from symparams.architectures.gemma import feed_forward
from symparams.architectures.gemma2 import attention
from symparams.architectures.gemma3 import pooled
from symparams.components import block, linear, pre_norm, reading, sandwiched, seeing
from symparams.expressions.symbols import L, d_ff_vision, d_proj, h_text, h_vision, n_patches
from symparams.features import attention_bias, biases, lm_head, post_norms, tying, vision

gemma = ~post_norms * block(*pre_norm(NORM, attention=grouped(bias=attention_bias), feed_forward=feed_forward))
gemma2 = post_norms * block(*sandwiched(NORM, attention=attention, feed_forward=feed_forward))
# The library pools the patches, where a config says so, and reads them from below the pooling.
projection = reading(linear(h_vision, d_proj, bias=True), "image_encoder.final_layer_norm")

PALIGEMMA = Architecture(
    "paligemma",
    title="PaliGemma",
    source="Beyer et al., 2024, arXiv:2407.07726",
    tree=vision_language(
        pooled,
        seeing(block(projection=projection), n_patches),
        decoder_only(L * block("decoder_layer", gemma, gemma2), embeddings=root_embeddings, logits=(LOGIT_CAP,)),
        "lm_head",
    ),
    relations={d_ff_vision: 4 * h_vision, d_proj: h_text, **PATCHES},
    has=(vision, lm_head, tying, biases),
)
