"""Heads: the names of the parts that give something out of the model."""

from __future__ import annotations

from symparams.quantities.streams import CLASSIFIER

POOLER = "pooler"
ANSWER = "answer"  # what the classifier is called whose classes are where an answer starts and ends
# What reads the end of the layers and gives something out of the model; everything else there is passed in order.
OF_ALL = ("shared_space",)  # heads that read every column
HEADS = frozenset(
    {
        "answer_head",
        CLASSIFIER,
        "discriminator_head",
        "distillation_classifier",
        "image_projection",
        "label_summary",
        "lm_head",
        "mim_head",
        "mlm_head",
        "nsp_head",
        "plain_mlm_head",
        POOLER,
        "sequence_summary",
        "shared_space",
        "sop_head",
        "text_projection",
    }
)
