"""CodeGen: GPT-J's architecture with query, key and value in one matrix (Nijkamp et al., 2022, arXiv:2203.13474)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.gptj import parallel_decoder, sizes
from symparams.expressions.features import classifier, classifier_bias, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads
from symparams.models.library import Flag, Library

CODEGEN = Architecture(
    "codegen",
    title="CodeGen",
    source="Nijkamp et al., 2022, arXiv:2203.13474",
    tree=parallel_decoder(fused=True),
    library=Library(
        base="CodeGenModel",
        classes={"CodeGenModel": (), "CodeGenForCausalLM": (lm_head,)},
        sizes=sizes,
        flags={tying: Flag("tie_word_embeddings", default=False)},
    ),
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(lm_head,),
    may_have=(tying, classifier, classifier_bias),
    models={
        "codegen-350m-mono": Published(
            {V: 51_200, h: 1_024, L: 20, n_heads: 16},
            source="https://huggingface.co/Salesforce/codegen-350M-mono/blob/main/config.json",
        ),
    },
)
