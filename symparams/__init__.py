"""symparams derives the parameter count of a transformer as a person would by hand, and gets it exactly right."""

from typing import TYPE_CHECKING

from symparams.architectures import architecture_names as architectures
from symparams.architectures import published_names as published_models
from symparams.derivations.derivation import derive, derive_expression
from symparams.errors import SymparamsError
from symparams.models.model import Model, load
from symparams.sheets import render

if TYPE_CHECKING:
    from symparams.answers.explanations import explain

__version__ = "0.1.0"
__all__ = [
    "Model",
    "SymparamsError",
    "architectures",
    "derive",
    "derive_expression",
    "explain",
    "load",
    "published_models",
    "render",
]


def __getattr__(name: str) -> object:
    """What only few programs use is imported when they do."""
    if name == "explain":
        from symparams.answers.explanations import explain

        return explain
    raise AttributeError(f"module 'symparams' has no attribute {name!r}")
