"""The roles of sizes by their keys: they say which values are tried of a size, and what a number that is null may be."""

from __future__ import annotations

from symparams.atlas.facts import Facts
from symparams.atlas.keys import has_role, section

WIDE, MOST_LAYERS = 32, 200


def role(key: str, value: int) -> str:
    """The role of a size by its name and its value: of heads, of groups of heads, of layers, a width or another number."""
    if has_role("heads", key):
        return "groups" if has_role("groups", key) else "heads"
    if has_role("layers", key) and value <= MOST_LAYERS:
        return "layers"
    return "width" if value >= WIDE else "count"


def completion(key: str, facts: Facts) -> tuple[str, ...]:
    """Return the keys that give a number which is null: that of the heads gives the number of groups, and the width and that of
    the heads give the width of one head. Of any other number nothing is known.
    """
    own = {other: size for other, size in facts.sizes.items() if section(other) == section(key)}
    heads = next((other for other, size in own.items() if role(other, size) == "heads" and size), "")
    width = next((other for other in own if has_role("width", other)), "")
    if heads and has_role("groups", key) and has_role("heads", key):
        return (heads,)
    return (width, heads) if width and heads and has_role("head_width", key) else ()
