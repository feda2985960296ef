"""APKG: flash cards as a deck that Anki takes in."""

from __future__ import annotations

from typing import Any

from symparams.formats.format import Format


def pack(deck: Any) -> bytes:
    """The deck as a file; OptionError without the extra ``symparams[practice]``."""
    packed: bytes = deck.package()
    return packed


FORMAT = Format("apkg", pack=pack, media_type="application/octet-stream")
