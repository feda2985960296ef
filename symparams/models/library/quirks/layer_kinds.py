"""Kinds of layers: a config has a word for each layer, or a letter in a pattern; a table says which words mean which kind.

In ``extra`` of the table, ``listed`` are the keys of the list, ``pattern`` is that of the pattern, ``kinds`` are the words of
each kind, and ``usual`` are the words of a config without a list, repeated as often as it takes. ``interval`` is the key of how
many layers are repeated: the last is as in ``usual``, the others are like the first.
"""

from __future__ import annotations

from collections.abc import Sequence

from symparams.errors import ConfigError, quoted, suggestion
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import L, L_attn, L_dense, L_mamba, L_moe, L_text
from symparams.models.library.record import Library
from symparams.models.library.settings import Quirk, Settings

LISTED, FULL, LINEAR = "layer_types", "full_attention", "linear_attention"  # as the library writes them


def words(settings: Settings, library: Library) -> Sequence[str]:
    """Return the word of each layer; ConfigError for an unknown word, or for more words or fewer than there are layers."""
    extra = library.extra
    where, names = settings.place(extra["listed"])
    name, _ = where.find(names)
    known = [word for kind in extra["kinds"].values() for word in kind]
    letter = next((letter for letter in (L, L_text) if letter in library.keys), None)
    number = None if letter is None else library.need(settings, letter)
    given = where.listed(name)
    if given is None and "pattern" in extra and settings.word(extra["pattern"]) is not None:
        name = extra["pattern"]
        given = [*(settings.word(name) or "")]
    if given is None:
        usual = _usual(settings, library)
        return usual if number is None else [usual[layer % len(usual)] for layer in range(number)]
    for word in given:
        if word not in known:
            raise ConfigError(f"{name} in the config names {quoted(word, 30)}. {suggestion(str(word), known)}")
    if letter is not None and number != len(given):
        key = library.key(letter).rpartition(".")[2]
        raise ConfigError(f"{name} in the config has {len(given):,} entries for {key} = {number:,}: give one for each.")
    return given


def _usual(settings: Settings, library: Library) -> list[str]:
    usual: list[str] = library.extra["usual"]
    if "interval" not in library.extra:
        return usual
    every = settings.need(library.extra["interval"], default=len(usual))
    return [*usual[:1] * (every - 1), usual[-1]]


def _of_kind(kind: Dimension) -> Quirk:
    def layers(settings: Settings, library: Library) -> tuple[int, ...]:
        """The layers whose words mean this kind."""
        of_kind = library.extra["kinds"][kind.name]
        return tuple(layer for layer, word in enumerate(words(settings, library)) if word in of_kind)

    return layers


attending, recurring, dense, sparse = map(_of_kind, (L_attn, L_mamba, L_dense, L_moe))
