"""What the transformers library calls a family's things: its config keys with their defaults, and what its classes have.

The table of a family, ``symparams/architectures/NAME.toml``, says it under ``[library]``; ``library`` reads it. What no
table can say is code, a function a quirk, in ``quirks``.
"""

from symparams.models.library.record import Library, LibraryClass
from symparams.models.library.settings import Derived, Flag, FlowSetting, Key, Settings
from symparams.models.library.tables import families, library

__all__ = ["Derived", "Flag", "FlowSetting", "Key", "Library", "LibraryClass", "Settings", "families", "library"]
