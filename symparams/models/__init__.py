"""Models: an architecture with values; ``load`` makes one from a name, a config, the hub, or your own file."""

from symparams.models.load import load, load_with
from symparams.models.model import Model

__all__ = ["Model", "load", "load_with"]
