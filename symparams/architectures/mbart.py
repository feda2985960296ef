"""mBART: BART in many languages, pre-norm, with a norm at the end of each stack (Liu et al., 2020, arXiv:2001.08210)."""

from symparams.architectures import Architecture
from symparams.architectures.bart import inputs
from symparams.expressions.features import biases, classifier, classifier_transform, encoder, lm_head, tying
from symparams.models.library import Library
from symparams.models.library.encoder_decoders import HEADS, TIED, encoder_decoder, text_sizes, whole_heads

MBART = Architecture(
    "mbart",
    title="mBART",
    source="Liu et al., 2020, arXiv:2001.08210",
    tree=encoder_decoder(inputs, pre_norm=True),
    library=Library(
        base="MBartModel",
        classes={
            "MBartModel": (encoder,),
            "MBartForConditionalGeneration": (encoder, lm_head),
            "MBartForCausalLM": (lm_head,),
            "MBartForSequenceClassification": (encoder, classifier, classifier_transform),
            "MBartForQuestionAnswering": (encoder, classifier),
        },
        sizes=text_sizes(50_265),
        flags=TIED,
        check=whole_heads(),
    ),
    identities=HEADS,
    has=(encoder, lm_head, tying, biases),
    may_have=(classifier, classifier_transform),
)
