"""The transformers library: its config keys with their defaults, and the features of its classes, family by family.

They are in the table of a family, ``symparams/architectures/NAME.toml``, under ``[library]``; ``library`` reads it. Rules that
no table can express are functions in ``quirks``.
"""

from symparams.models.library.record import Library, LibraryClass
from symparams.models.library.settings import Flag, FlowSetting, Key, Quirk, Settings
from symparams.models.library.tables import families, is_family, library

__all__ = ["Flag", "FlowSetting", "Key", "Library", "LibraryClass", "Quirk", "Settings", "families", "is_family", "library"]
