"""APKG: flash cards as a deck that Anki takes in."""

from __future__ import annotations

from operator import methodcaller

from symparams.formats.format import Format

FORMAT = Format("apkg", pack=methodcaller("package"), media_type="application/octet-stream")  # of a deck
