"""BART: an encoder and a decoder, post-norm, over one embedding and learned positions (Lewis et al., 2020,
arXiv:1910.13461).

The library's position tables have two rows more than there are positions.
"""

from symparams.architectures import Architecture, Published
from symparams.components import embedding, layer_norm
from symparams.expressions.features import biases, classifier, classifier_transform, encoder, lm_head, tying
from symparams.expressions.symbols import L_dec, L_enc, V, d_ff_dec, d_ff_enc, h, max_pos, n_heads_dec, n_heads_enc
from symparams.models.library import Library, Settings
from symparams.models.library.decoders import outputs
from symparams.models.library.encoder_decoders import HEADS, TIED, encoder_decoder, text_sizes, whole_heads

inputs = {"position_embedding": embedding(max_pos + 2, h), "layer_norm": layer_norm(h)}

LABELS = 3  # of natural language inference, which the library's class has by default


def labels(settings: Settings) -> int:
    """The outputs of a classifier, with the default of this family."""
    if "num_labels" in settings.values or "_num_labels" in settings.values or settings.has("id2label"):
        return outputs(settings)
    return outputs(Settings({**settings.values, "num_labels": LABELS}))


BART = Architecture(
    "bart",
    title="BART",
    source="Lewis et al., 2020, arXiv:1910.13461",
    tree=encoder_decoder(inputs, pre_norm=False),
    library=Library(
        base="BartModel",
        classes={
            "BartModel": (encoder,),
            "BartForConditionalGeneration": (encoder, lm_head),
            "BartForCausalLM": (lm_head,),
            "BartForSequenceClassification": (encoder, classifier, classifier_transform),
            "BartForQuestionAnswering": (encoder, classifier),
        },
        sizes=text_sizes(50_265, labels),
        flags=TIED,
        check=whole_heads(),
    ),
    identities=HEADS,
    has=(encoder, lm_head, tying, biases),
    may_have=(classifier, classifier_transform),
    models={
        "bart-base": Published(
            {
                V: 50_265,
                h: 768,
                L_enc: 6,
                L_dec: 6,
                n_heads_enc: 12,
                n_heads_dec: 12,
                d_ff_enc: 3_072,
                d_ff_dec: 3_072,
                max_pos: 1_024,
            },
            source="https://huggingface.co/facebook/bart-base/blob/main/config.json",
        ),
    },
)
