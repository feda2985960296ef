"""Derive the exact parameter count of a transformer, step by step.

The main functions::

    model = symparams.load("bert-base-uncased", exclude=["pooler"])   # a name, a config.json, mine.py, an Architecture
    model.count()                                                     # 108891648
    model.closed_form()                                               # a sympy expression in V, h, L, …
    derivation = symparams.derive(model, view="kind")                 # the steps of the count
    print(symparams.render(derivation, "latex", language="en"))       # text, latex, typst, markdown or json; en or zh
    symparams.typeset(derivation, "pdf")                              # the same as pages, without TeX: pdf or png
    symparams.explain(model, 109_482_240)                             # why another source has another number
    symparams.solve(model, "7B", "h")                                 # the hidden size that gives 7 billion parameters
    symparams.worksheet(model, level="warm-up", seed=7)               # the derivation with blanks, for render and typeset

``architectures()`` and ``published_models()`` list the known names. Your own family is an ``Architecture``, a tree made by
``block``, ``residual``, ``linear``, ``attention`` and similar functions, whose docstrings give their formulas: h × h + h is a
matrix and a bias. Sizes are sympy expressions, or letters of ``symparams.symbols``; multiply a part that a model may lack by
one of ``symparams.features``. Every mistake of a user is a ``SymparamsError`` with a message of one line.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from symparams import _program, features  # noqa: F401 - the first of all, since it looks after what the others take
from symparams.architectures import Architecture, Certificate, Published
from symparams.architectures import architecture_names as architectures
from symparams.architectures import published_names as published_models
from symparams.components import (
    Biases,
    Blocks,
    Component,
    Gives,
    Projection,
    Rows,
    Tensor,
    Tokens,
    Vector,
    adapter,
    alibi,
    alternating,
    altup_correction,
    altup_prediction,
    always,
    at_most,
    attention,
    axis_attention,
    axis_positions,
    bias,
    block,
    block_attention,
    channel_mixing,
    class_vector,
    classifying,
    codebooks,
    concatenation,
    convolution,
    default,
    depthwise_convolution,
    disentangled_attention,
    divides,
    dual_state_space,
    embedding,
    equals,
    experts,
    feed_forward,
    fourier_positions,
    fused_disentangled_attention,
    fused_gated_feed_forward,
    gated_delta_rule,
    gated_feed_forward,
    gated_short_convolution,
    giving,
    group_norm,
    heads_layer_norm,
    keyless_bias_attention,
    latent_attention,
    laurel,
    layer_norm,
    layer_scale,
    light_convolution,
    lightning_attention,
    linear,
    local_global_attention,
    mask_embedding,
    mixture_of_experts,
    non_parametric_layer_norm,
    non_parametric_rms_norm,
    normed_after,
    normed_mixture_of_experts,
    output_head,
    pair_similarity,
    parallel,
    parameter,
    patch_embedding,
    patch_pooling,
    per_layer_embeddings,
    per_layer_gate,
    perceptron,
    pixel_decoder,
    plain_mixture_of_experts,
    plane_sinusoidal,
    position_grid,
    position_table,
    post_norm,
    pre_norm,
    prepended,
    reading,
    reading_only,
    rectified,
    relative_attention,
    residual,
    reused,
    rms_norm,
    rotary,
    sandwiched,
    scaled_pre_norm,
    second_stream,
    seeing,
    selective_state_space,
    shared_expert,
    shared_space,
    sharing,
    side_by_side,
    sinusoidal,
    sinusoidal_table,
    stream_merging,
    stream_projection,
    then,
    tied,
    time_mixing,
    token,
    tokens,
    transposed_convolution,
    unordered,
    vectors,
    weight_normed_convolution,
    wide_attention,
    window_attention,
    with_adapters,
    with_balancing_bias,
    with_one_key_value,
    with_output_gate,
    with_output_width,
    with_query_key_norms,
    with_selection_norms,
    with_sinks,
    with_sparse_gate,
    with_value_norm,
    zeros,
)  # fmt: skip
from symparams.errors import SymparamsError
from symparams.expressions import symbols  # noqa: F401 - not for import *, where sympy has a symbols too
from symparams.expressions.nodes import Dimension
from symparams.features import Feature
from symparams.models import Model, load

if TYPE_CHECKING:
    from symparams.answers.comparison import Comparison, compare
    from symparams.answers.explained import Explanations
    from symparams.answers.explanations import explain
    from symparams.answers.plans import Plan
    from symparams.answers.solutions import Solutions, solve
    from symparams.derivations.budget import Budget
    from symparams.derivations.derivation import Derivation, derive, derive_expression
    from symparams.discovery import discover
    from symparams.discovery.source import definition
    from symparams.display import RenderedText, TypesetPages
    from symparams.formats.drawing import draw
    from symparams.formats.rendering import render
    from symparams.formats.typesetting import typeset, typeset_drawing
    from symparams.plots import plot
    from symparams.practice.worksheet import Worksheet, worksheet
    from symparams.quantities.quantity import Quantity, Term

# What a program that only counts does not need is imported when it is used.
LAZY = {
    "Budget": "derivations.budget", "Comparison": "answers.comparison", "Derivation": "derivations.derivation",
    "Explanations": "answers.explained", "Plan": "answers.plans", "Quantity": "quantities.quantity", "RenderedText": "display",
    "Solutions": "answers.solutions", "Term": "quantities.quantity", "TypesetPages": "display",
    "Worksheet": "practice.worksheet", "compare": "answers.comparison", "definition": "discovery.source",
    "derive": "derivations.derivation", "derive_expression": "derivations.derivation", "discover": "discovery",
    "draw": "formats.drawing", "explain": "answers.explanations", "plot": "plots", "render": "formats.rendering",
    "solve": "answers.solutions", "typeset": "formats.typesetting", "typeset_drawing": "formats.typesetting",
    "worksheet": "practice.worksheet",
}  # fmt: skip

__version__ = "0.3.0"
__all__ = [
    "Architecture", "Biases", "Blocks", "Budget", "Certificate", "Comparison", "Component", "Derivation", "Dimension",
    "Explanations", "Feature", "Gives", "Model", "Plan", "Projection", "Published", "Quantity", "RenderedText", "Rows",
    "Solutions", "SymparamsError", "Tensor", "Term", "Tokens", "TypesetPages", "Vector", "Worksheet", "adapter", "alibi",
    "alternating", "altup_correction", "altup_prediction", "always", "architectures", "at_most", "attention", "axis_attention",
    "axis_positions", "bias", "block", "block_attention", "channel_mixing", "class_vector", "classifying", "codebooks",
    "compare", "concatenation", "convolution", "default", "definition", "depthwise_convolution", "derive", "derive_expression",
    "discover", "disentangled_attention", "divides", "draw", "dual_state_space", "embedding", "equals", "experts", "explain",
    "features", "feed_forward", "fourier_positions", "fused_disentangled_attention", "fused_gated_feed_forward",
    "gated_delta_rule", "gated_feed_forward", "gated_short_convolution", "giving", "group_norm", "heads_layer_norm",
    "keyless_bias_attention", "latent_attention", "laurel", "layer_norm", "layer_scale", "light_convolution",
    "lightning_attention", "linear", "load", "local_global_attention", "mask_embedding", "mixture_of_experts",
    "non_parametric_layer_norm", "non_parametric_rms_norm", "normed_after", "normed_mixture_of_experts", "output_head",
    "pair_similarity", "parallel", "parameter", "patch_embedding", "patch_pooling", "per_layer_embeddings", "per_layer_gate",
    "perceptron", "pixel_decoder", "plain_mixture_of_experts", "plane_sinusoidal", "plot", "position_grid", "position_table",
    "post_norm", "pre_norm", "prepended", "published_models", "reading", "reading_only", "rectified", "relative_attention",
    "render", "residual", "reused", "rms_norm", "rotary", "sandwiched", "scaled_pre_norm", "second_stream", "seeing",
    "selective_state_space", "shared_expert", "shared_space", "sharing", "side_by_side", "sinusoidal", "sinusoidal_table",
    "solve", "stream_merging", "stream_projection", "then", "tied", "time_mixing", "token", "tokens", "transposed_convolution",
    "typeset", "typeset_drawing", "unordered", "vectors", "weight_normed_convolution", "wide_attention", "window_attention",
    "with_adapters", "with_balancing_bias", "with_one_key_value", "with_output_gate", "with_output_width",
    "with_query_key_norms", "with_selection_norms", "with_sinks", "with_sparse_gate", "with_value_norm", "worksheet", "zeros",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    """Import what is imported when it is used."""
    if name not in LAZY:
        if name.startswith("_") or find_spec(f"symparams.{name}"):  # Python and its tools ask so, and for modules within
            raise AttributeError(f"module 'symparams' has no attribute {name!r}")
        from symparams.formats.attributes import lack_of_function

        raise AttributeError(lack_of_function(name))
    return getattr(import_module(f"symparams.{LAZY[name]}"), name)
