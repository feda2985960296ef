"""Training FLOPs: a forward and a backward pass, three times the forward pass (Kaplan et al., 2020, arXiv:2001.08361).

With ``checkpoint`` the layers keep their inputs alone, and each is run forward once more in the backward pass (Chen et al.,
2016, arXiv:1604.06174): four times the layers, three times the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symparams.components.flow import layers
from symparams.components.tree import Component
from symparams.expressions.nodes import Number, Product
from symparams.quantities.backward_flops import LETTERS, read
from symparams.quantities.conventions_of_flops import MASKED, OF_TRAINING, by_layers
from symparams.quantities.in_tokens import in_tokens
from symparams.quantities.matrix_flops import by_parameters
from symparams.quantities.quantity import FLOPS, OF_ONE_TOKEN, Quantity, Term
from symparams.quantities.setting import Setting

# The sentences, by the number of gradients, and by whether the product is recomputed.
TOLD = {
    (2, False): "flops.training",
    (1, False): "flops.training_of_data",
    (0, False): "flops.training_unread",
    (2, True): "flops.training_again",
    (1, True): "flops.training_of_data_again",
    (0, True): "flops.training_unread_again",
}


def terms(tree: Component, setting: Setting) -> Sequence[Term]:
    """Return the FLOPs of each part in a training step on b sequences, or on D tokens in sequences of s."""
    recomputed = tuple(path for path, _ in layers(tree)) if setting.checkpoint else ()
    passes = [
        _passes(term, is_again=any(term.path.startswith(f"{path}.") for path in recomputed)) for term in read(tree, setting)
    ]
    return in_tokens(passes, setting)


def _passes(term: Term, *, is_again: bool) -> Term:
    """The forward pass, its gradients, and the forward pass again where it is recomputed."""
    written = Product((Number(1 + term.gradients + is_again), term.written))
    return replace(term, written=written, note=TOLD[term.gradients, is_again])


QUANTITY = Quantity(
    "training_flops",
    FLOPS,
    terms=terms,
    inputs=LETTERS,
    choices=("causal", "logits", "checkpoint"),
    rules_of_thumb=by_parameters(3),
    alternatives=(*by_layers(3), *MASKED, *OF_TRAINING),
    usual=OF_ONE_TOKEN,
    reads_flow=True,
)
