"""Windows: the tokens of a sliding window of a model, and the layers in which windows hold and positions act."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Any, cast

from symparams.architectures import architecture, architecture_names
from symparams.components.facts import AttentionFacts
from symparams.components.patterns import Pattern
from symparams.components.tree import Component
from symparams.components.walks import components
from symparams.errors import ConfigError, quoted
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.symbols import L_window, W, n_kv_heads
from symparams.expressions.written import evaluate, total
from symparams.models.library import FlowSetting, Library, Settings, library
from symparams.models.library.settings import MOST_LISTED
from symparams.models.model import Model
from symparams.quantities.setting import Setting
from symparams.quantities.streams import Streams
from symparams.records import frozen

LAYER_TYPES, SLIDING, CHUNKED, FULL = "layer_types", "sliding_attention", "chunked_attention", "full_attention"
REPEATING = "repeats_shared_heads"  # in a library: the switch with which several key-value heads are repeated
USUAL = "num_hidden_layers"
TEXT, WINDOW = "text_config", "window"  # the section of a text model, and the row of a table that reads a window


@frozen
class Layers:
    """The layers of a model that attend in one stream, and the pattern by which a window or positions hold in some of them.

    A config may give the number of the pattern, or list layer by layer what holds: ``kind`` is its word for a layer with a
    window, "" where positions hold.
    """

    model: Model
    pattern: Pattern
    all: Expression
    kind: str = ""

    @cached_property
    def text(self) -> Settings:
        """The config of the text model, which may stand within a composite."""
        config = Settings(config_of(self.model, self.model.library) if self.model.library else {})
        return config.inner(TEXT) if TEXT in config.values else config

    @cached_property
    def configured(self) -> Pattern:
        """The pattern with the step, or the number of layers below which it holds, that the config gives."""
        pattern, library = self.pattern, self.model.library
        if not pattern.keys or library is None:
            return pattern
        is_step = pattern.below is None
        usual = library.extra.get(pattern.keys[0], pattern.step if is_step else pattern.below)
        number = self.text.need(*pattern.keys, default=usual, least=int(is_step))
        return replace(pattern, step=number) if is_step else replace(pattern, below=number)

    @property
    def lists(self) -> list[tuple[Any, ...]]:
        """The keys of lists that say layer by layer what holds, each with the value in question and all others."""
        kinds = [(LAYER_TYPES, self.kind, FULL)] if self.kind else []
        return [*kinds, *([self.pattern.listed] if self.pattern.listed else [])]

    @cached_property
    def listed(self) -> list[bool] | None:
        """Layer by layer, whether it holds, where the config says so: as kinds, as switches, or as kinds that take turns."""
        for key, value, *_ in self.lists:
            if (kinds := self._kinds(key, value)) is not None:
                return [kind == value for kind in kinds]
        return None

    def _kinds(self, key: str, value: Any) -> list[Any] | None:
        """What the config lists under a key, an entry for each layer; pairs of kinds and how often they come, written out."""
        entries = self.text.listed(key)
        if entries is None or key == LAYER_TYPES:
            return entries
        if not isinstance(value, str):
            return [bool(entry) for entry in entries]
        pairs = [tuple(entry) for entry in entries if isinstance(entry, list) and [*map(type, entry)] == [list, int]]
        if len(pairs) < len(entries) or any(often < 0 for _, often in pairs):
            raise ConfigError(
                f"{key} in the config must be a list of pairs: kinds of attention, and how often each is repeated."
            )
        return list(islice((kind for kinds, often in pairs for _ in range(often) for kind in kinds), MOST_LISTED))

    def check(self) -> None:
        """ConfigError for a list of the config that has not one entry for each layer, or one that the library does not know."""
        for key, *known in self.lists:
            kinds = self._kinds(key, known[0])
            if kinds is None:
                continue
            if self.every is not None and len(kinds) != self.every:
                entries = f"{len(kinds):,} {'entry' if len(kinds) == 1 else 'entries'}"
                entries += " or more" if len(kinds) == MOST_LISTED else ""
                number = f"{self.key_of_number[0]} = {self.every}"
                raise ConfigError(f"{key} in the config has {entries}, and {number}: give one for each layer.")
            for layer, kind in enumerate(kinds):
                if kind not in known:
                    words = " or ".join(sorted(known))
                    raise ConfigError(f"{key} in the config: {quoted(kind, 30)} of layer {layer} is unknown: write {words}.")

    @cached_property
    def number_in_config(self) -> int | None:
        """The number of all layers under the family's key of the config; the usual key where kinds are counted."""
        return self.text.size(*self.key_of_number, least=0) if self.model.library else None

    @property
    def key_of_number(self) -> tuple[str, ...]:
        """The spellings of that key."""
        library, letter = self.model.library, self.letter
        keys = library.keys if library else {}
        names = keys[letter].names if letter is not None and letter in keys else (USUAL,)
        return tuple(name.rpartition(".")[2] for name in names)

    @property
    def letter(self) -> Dimension | None:
        """The letter of all layers, where it is one."""
        return self.all if isinstance(self.all, Dimension) else None

    @property
    def is_bound(self) -> bool:
        """True if the number of all layers has a value."""
        return all(letter in self.model.values for letter in self.all.dimensions)

    @cached_property
    def every(self) -> int | None:
        """The number of all layers; None where neither the config nor a value says it."""
        number = self.number_in_config
        return number if number is not None or not self.is_bound else evaluate(self.all, self.model.values)

    @property
    def number(self) -> int | None:
        """In how many of them it holds: as the config lists them, or by the pattern."""
        if self.every is None:
            return None
        is_listed = self.listed is not None and len(self.listed) == self.every
        return sum(self.listed or ()) if is_listed else self.configured.number(self.every)

    @property
    def formula(self) -> Expression | None:
        """In how many of them it holds, as a formula in their letter; None where the config lists others than the pattern."""
        is_usual = all(holds is self.configured.holds(layer) for layer, holds in enumerate(self.listed or ()))
        return self.configured.number(self.letter) if self.letter is not None and is_usual else None


def attention_with(tree: Component, fact: Callable[[AttentionFacts], object]) -> tuple[AttentionFacts, Expression] | None:
    """Return the first attention of a tree that has a fact, and how many layers attend in its stream; None without one."""
    if not any(part.attending and fact(part.attending) for _, part in components(tree)):
        return None
    places = [place for place in Streams(tree, Setting()).mixing if place.component.attending and not place.component.reads]
    attending = ((place.stream, place.component.attending) for place in places)
    stream, facts = next((stream, facts) for stream, facts in attending if facts and fact(facts))
    layers = total([place.passes for place in places if place.stream == stream])
    return facts, as_written(multiply_out(layers, {}))


def has_window(facts: AttentionFacts) -> bool:
    """True if attention has a window, in some of its layers or in all."""
    return facts.window is not None


def layers_with_windows(model: Model) -> Layers | None:
    """Return the layers among which a pattern tells those with a window; None where all have one, or none has."""
    facts, layers = attention_with(tree_of(model), has_window) or (None, None)
    if not facts or not layers or not facts.windowed:
        return None
    return Layers(model, facts.windowed, layers, CHUNKED if facts.chunked else SLIDING)


def tree_of(model: Model) -> Component:
    """Return a model's tree as it is run: with the window that its config gives to a text model within it, as LLaVA's may be
    a Mistral; and, as in Falcon's new architecture, the shared key-value heads repeated before they are kept.

    Without a config several shared heads of a published model are repeated, as they are with that switch alone.
    """
    switch, config = _switch(model), model.origin.config or {}
    if switch and (config.get(switch) if config else model.values.get(n_kv_heads, 1) > 1):
        return _with_attention(model.tree, lambda facts: replace(facts, kv_heads=facts.heads))
    choice = _window_of_text(model, config)
    if choice is None or not config[TEXT].get(choice.names[0], choice.default):
        return model.tree
    return _with_attention(model.tree, lambda facts: replace(facts, window=W) if facts.causal else facts)


def _with_attention(part: Component, changed: Callable[[AttentionFacts], AttentionFacts]) -> Component:
    attending = changed(part.attending) if part.attending else None
    body = tuple((name, _with_attention(child, changed)) for name, child in part.body)
    return replace(part, attending=attending, body=body)


def _window_of_text(model: Model, config: Mapping[str, Any]) -> FlowSetting | None:
    """Return the choice of a window of a text model's own family; None unless only that family has one."""
    text = config.get(TEXT)
    name = text.get("model_type") if isinstance(text, Mapping) else None
    if model.library is None or WINDOW in model.library.choices or name not in architecture_names():
        return None
    table = library(architecture(str(name)))
    return table.choices.get(WINDOW) if table else None


def repeats_several(model: Model) -> bool:
    """True if it is the number of shared heads that decides whether they are repeated, since no config says it."""
    return bool(_switch(model)) and not model.origin.config


def _switch(model: Model) -> str:
    """The key of a config that says whether shared heads are repeated; "" for a family that never does."""
    return str(model.library.extra.get(REPEATING, "")) if model.library else ""


def letters_of_layers(model: Model) -> tuple[Dimension, ...]:
    """Return the letters of the layers among which some have a window."""
    layers = layers_with_windows(model)
    return layers.all.dimensions if layers else ()


def window_values(model: Model) -> dict[Dimension, int]:
    """The window W and the number of its layers, as far as a model's config or its library says; 0 layers without a window.

    Nothing for a whole family, whose letters stay, and for a user's definition, whose patterns say it.
    """
    if model.library is None or not model.values or attention_with(tree_of(model), has_window) is None:
        return {}
    window = model.values.get(W) or window_of(model, config_of(model, model.library))
    if not isinstance(window, int) or not window:
        return {L_window: 0}
    layers = layers_with_windows(model)
    return {W: window} if layers is None or layers.number is None else {W: window, L_window: layers.number}


def window_of(model: Model, config: Mapping[str, Any]) -> Any:
    """Return the window by a config, or by the library, of a model that has no value for W; a false value for no window."""
    assert model.library is not None
    choice = _window_of_text(model, config)
    usual = Settings(config).inner(TEXT).size(choice.names[0], default=cast(int, choice.default)) if choice else None
    window = model.library.choose(Settings(dict(config))).get(WINDOW, usual)
    return window if model.origin.config is not None else model.library.extra.get("windows", {}).get(model.origin.name, window)


def window_relation(model: Model) -> dict[Dimension, Expression]:
    """Return the number of layers with the window as a formula in the number of all, where the library has a rule for it.

    Nothing where a config lists its layers otherwise, or says that none has a window.
    """
    layers = layers_with_windows(model) if W in window_values(model) else None
    return {} if layers is None or layers.formula is None else {L_window: layers.formula}


def config_of(model: Model, library: Library) -> dict[str, Any]:
    """Return the config of a model with its sizes in it, as they are now; of a published one the sizes alone."""
    config = dict(model.origin.config or {})
    for dimension, key in library.keys.items():
        if dimension in model.values:
            key.write(config, model.values[dimension])
    return config


@frozen
class Extent:
    """In how many of all layers something holds, and in how many of every so many; None where that is not known."""

    counted: tuple[int, int] | None = None
    share: tuple[int, int] | None = None

    @property
    def is_everywhere(self) -> bool:
        """True if it holds in all of them."""
        some, every = self.counted or self.share or (0, 1)
        return some == every

    @property
    def is_nowhere(self) -> bool:
        """True if it holds in none."""
        some, _ = self.counted or self.share or (1, 1)
        return some == 0


EVERYWHERE, NOWHERE = Extent(share=(1, 1)), Extent(share=(0, 1))


def extent_of_window(model: Model, facts: AttentionFacts) -> Extent:
    """Return the layers in which attention has its window; none where a config, or the library for it, switches it off.

    A banded one may be of another length in each layer.
    """
    if facts.window is None:
        return NOWHERE
    if facts.banded:
        return EVERYWHERE
    if _is_without_window(model):
        return NOWHERE
    layers = layers_with_windows(model)
    if facts.windowed is None or layers is None:
        return EVERYWHERE
    return NOWHERE if layers.number == 0 else _extent(layers)


def _is_without_window(model: Model) -> bool:
    """True if a config, or the library for it, switches the window off."""
    return model.library is not None and not (model.values.get(W) or window_of(model, config_of(model, model.library)))


def check_lists(model: Model) -> None:
    """ConfigError where a config lists what holds in its layers, and not one by one or in words that nobody knows."""
    for layers in filter(None, (layers_with_windows(model), _layers_with_positions(model))):
        layers.check()


def _layers_with_positions(model: Model) -> Layers | None:
    """Return the layers among which a pattern tells those with positions; None where all have them."""
    facts, layers = attention_with(tree_of(model), lambda other: other.positioned) or (None, None)
    return Layers(model, facts.positioned, layers) if facts and layers and facts.positioned else None


def extent_of_positions(model: Model, facts: AttentionFacts) -> Extent:
    """Return the layers in which the positions of attention act on it."""
    if facts.positioned_in_windows:
        return EVERYWHERE if _is_without_window(model) else extent_of_window(model, facts)
    if facts.positioned is None:
        return EVERYWHERE
    layers = _layers_with_positions(model)
    return EVERYWHERE if layers is None else _extent(replace(layers, pattern=facts.positioned))


def _extent(layers: Layers) -> Extent:
    """Return the extent by the pattern of the layers; where a config lists others, by their number alone."""
    turns, share, number = layers.listed, layers.configured.share, layers.number
    if turns and not any(turns):
        return NOWHERE
    if turns and all(turns) and len(turns) == layers.number_in_config:
        return EVERYWHERE
    if share is not None and turns is not None:
        some, every = share
        holds = len(turns) >= every and sum(turns[:every]) == some
        share = share if holds and all(here == turns[i % every] for i, here in enumerate(turns)) else None
    is_counted = layers.is_bound and number is not None and layers.every is not None and number <= layers.every
    return Extent((number or 0, layers.every or 0) if is_counted else None, share)
