"""Kinds of layers: a config has a word for each layer, or a letter in a pattern; a table says which words mean which kind."""

from __future__ import annotations

from collections.abc import Sequence

from symparams.errors import ConfigError, quoted, suggestion
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import L, L_attn, L_dense, L_mamba, L_moe
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings


def attention_layers(settings: Settings, library: Library) -> int:
    """The layers that attend, by their words."""
    return len(which_attend(settings, library))


def which_attend(settings: Settings, library: Library) -> tuple[tuple[int], ...]:
    """Their indices, from 0."""
    return _which(settings, library, L_attn)


def mamba_layers(settings: Settings, library: Library) -> int:
    """The layers with a state space, by their words."""
    return len(which_recur(settings, library))


def which_recur(settings: Settings, library: Library) -> tuple[tuple[int], ...]:
    """Their indices, from 0."""
    return _which(settings, library, L_mamba)


def dense_layers(settings: Settings, library: Library) -> int:
    """The layers with a single network, by their words."""
    return len(which_are_dense(settings, library))


def which_are_dense(settings: Settings, library: Library) -> tuple[tuple[int], ...]:
    """Their indices, from 0."""
    return _which(settings, library, L_dense)


def moe_layers(settings: Settings, library: Library) -> int:
    """The layers with experts, by their words."""
    return len(which_have_experts(settings, library))


def which_have_experts(settings: Settings, library: Library) -> tuple[tuple[int], ...]:
    """Their indices, from 0."""
    return _which(settings, library, L_moe)


def words(settings: Settings, library: Library) -> Sequence[str]:
    """Return the word of each layer; ConfigError for an unknown word, or for more words or fewer than there are layers."""
    extra = library.extra
    name, _ = settings.find(extra["listed"])
    known = [word for kind in extra["kinds"].values() for word in kind]
    number = library.need(settings, L) if L in library.keys else None
    given = settings.listed(name)
    if given is None and "pattern" in extra and settings.word(extra["pattern"]) is not None:
        name = extra["pattern"]
        given = [*(settings.word(name) or "")]
    if given is None:
        usual: list[str] = extra["usual"]
        return usual if number is None else usual * number
    for word in given:
        if word not in known:
            raise ConfigError(f"{name} in the config names {quoted(word, 30)}. {suggestion(str(word), known)}")
    if number not in (None, len(given)):
        raise ConfigError(f"{name} in the config has {len(given)} entries for {library.key(L)} = {number}: give one for each.")
    return given


def _which(settings: Settings, library: Library, kind: Dimension) -> tuple[tuple[int], ...]:
    of_kind = library.extra["kinds"][kind.name]
    return tuple((layer,) for layer, word in enumerate(words(settings, library)) if word in of_kind)
