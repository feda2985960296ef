"""The classes of the transformers library, discovered: built at many configs, fitted, checked, and written down."""

from __future__ import annotations

from symparams.architectures import Architecture
from symparams.errors import OptionError


def architecture_of(name: str, *, rows: int, seed: int) -> Architecture:
    """Return the architecture of a type or a class; OptionError, which names the extra, without torch and transformers."""
    refuse_without_library("discover")
    from symparams.atlas.architectures import architecture
    from symparams.discovery.library.chosen import chosen, discovered
    from symparams.discovery.library.files import checkpoint

    of = chosen(name)
    return architecture(discovered(of, rows=rows, seed=seed)).changed(source=checkpoint(of.subject.config))


def refuse_without_library(what: str) -> None:
    """Raise OptionError, which names the extra, if torch or transformers is missing for what needs them."""
    try:
        import torch  # noqa: F401 - whether it can be
        import transformers  # noqa: F401 - as above
    except ImportError:
        raise OptionError(f"{what} needs torch and transformers: pip install 'symparams[hf]'.") from None
