"""Windows: how many tokens a sliding window of a model has, and in how many of its layers it holds, as its config says.

Which layers these are stands in the tree, in words; the counts here are the library's for these words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from symparams.components.tree import Component
from symparams.components.walks import components
from symparams.errors import ConfigError
from symparams.expressions.marks import Minimum
from symparams.expressions.nodes import Dimension, Expression, Number
from symparams.expressions.symbols import L_window, W, n_kv_heads
from symparams.models.library import Library, Settings
from symparams.models.model import Model

SLIDING = "sliding_attention"
REPEATING = "repeats_shared_heads"  # in a library: the switch with which several heads of key and value are repeated
LAYERS = ("L", "L_text", "L_dense", "L_moe")
USUAL = "num_hidden_layers"
Rule = Callable[[Settings, Library, Any], Any]  # of a number of layers, or of the letter for it


def tree_of(model: Model) -> Component:
    """A model's tree as it is run: with the window that its config gives to a text model within it, as LLaVA's may be a
    Mistral; and, as in Falcon's new architecture, the shared heads of key and value repeated before they are kept.
    """
    if _repeats(model):
        return _repeated(model.tree)
    text = (model.origin.config or {}).get("text_config")
    if not isinstance(text, Mapping) or text.get("model_type") != "mistral" or not text.get("sliding_window", 4_096):
        return model.tree
    return _with_window(model.tree)


def repeats_several(model: Model) -> bool:
    """Whether it is the number of shared heads that decides whether they are repeated, since no config says it."""
    return bool(_switch(model)) and not model.origin.config


def _repeats(model: Model) -> bool:
    """As the config says; of a published model, where several heads are shared, as they are with that switch alone."""
    switch, config = _switch(model), model.origin.config
    return bool(switch and (config.get(switch) if config else model.values.get(n_kv_heads, 1) > 1))


def _switch(model: Model) -> str:
    """The key of a config that says whether shared heads are repeated; "" for a family that never does."""
    return str(model.library.extra.get(REPEATING, "")) if model.library else ""


def _repeated(part: Component) -> Component:
    attending = replace(part.attending, kv_heads=part.attending.heads) if part.attending else None
    return replace(part, attending=attending, body=tuple((name, _repeated(child)) for name, child in part.body))


def _with_window(part: Component) -> Component:
    attending = part.attending
    if attending is not None and attending.causal:
        return replace(part, attending=replace(attending, window=W))
    return replace(part, body=tuple((name, _with_window(child)) for name, child in part.body))


def window_values(model: Model) -> dict[Dimension, int]:
    """The window W and the number of its layers, as far as a model's config or its library says; 0 layers without a window.

    Nothing for a whole family, whose letters stay.
    """
    described = [part.attending.windowed for _, part in components(tree_of(model)) if part.attending and part.attending.window]
    if not described or model.library is None or not model.values:
        return {}
    config = config_of(model, model.library)
    window = model.values.get(W) or window_of(model, config)
    if not isinstance(window, int) or not window:
        return {L_window: 0}
    rule = RULES.get(described[0])
    if rule is None:
        return {W: window}
    text = text_of(model)
    return {W: window, L_window: counted(text, model.library, rule, _layers(model, text))}


def window_of(model: Model, config: Mapping[str, Any]) -> Any:
    """The window that a config says, or the library where it says none, of a model that has no value for W; falsy for none."""
    assert model.library is not None
    window = model.library.choose(Settings(dict(config))).get("window", _of_text(config))
    return window if model.origin.config is not None else model.library.extra.get("windows", {}).get(model.name, window)


def window_relation(model: Model) -> dict[Dimension, Expression]:
    """How many layers have the window, as a formula in the number of all, where that follows from it by the library's rule.

    Nothing where a config lists its layers otherwise, or says that none has a window.
    """
    letters = list(dict.fromkeys(d for d in (*model.dimensions, *model.values) if d.name in LAYERS))
    if W not in window_values(model) or L_window not in window_values(model) or len(letters) != 1 or model.library is None:
        return {}
    [described] = {
        part.attending.windowed for _, part in components(tree_of(model)) if part.attending and part.attending.window
    }
    text, rule = text_of(model), RULES[described]
    found, listed = rule(text, model.library, letters[0]), text.listed("layer_types")
    is_usual = listed is None or rule(text, model.library, len(listed)) == sum(kind == SLIDING for kind in listed)
    return {L_window: found} if isinstance(found, Expression) and is_usual else {}


def _of_text(config: Mapping[str, Any]) -> int | None:
    """The window of a text model within a model whose family has none."""
    text = Settings(config).inner("text_config")
    return text.size("sliding_window", default=4_096) if text.values.get("model_type") == "mistral" else None


def config_of(model: Model, library: Library) -> dict[str, Any]:
    """The config of a model with its sizes in it, as they are now; of a published one the sizes alone."""
    config = dict(model.origin.config or {})
    for dimension, key in library.keys.items():
        if dimension in model.values:
            key.write(config, model.values[dimension])
    return config


def text_of(model: Model) -> Settings:
    """What a config says of a model's text model, which may stand within a composite."""
    config = config_of(model, model.library) if model.library else {}
    return Settings(config).inner("text_config") if "text_config" in config else Settings(config)


def layers_of(model: Model) -> int | None:
    """How many layers the stack has whose windows are counted; None where that has no value."""
    letters = [each for each in model.dimensions if each.name in LAYERS]
    return _layers(model, text_of(model)) if letters and all(each in model.values for each in letters) else None


def _layers(model: Model, settings: Settings) -> int:
    """All layers of the stack: with and without experts alike."""
    kinds = [model.values[each] for each in model.values if each.name in LAYERS]
    number = layers_said(model.library, settings) if model.library else None
    return sum(kinds) if number is None else number


def layers_said(library: Library, settings: Settings) -> int | None:
    """How many layers a config says that a text model has, under its family's key; the usual one where kinds are counted."""
    keys = [key.names for letter, key in library.keys.items() if letter.name in LAYERS]
    names = keys[0] if len(keys) == 1 else (USUAL,)
    return settings.size(*(name.rpartition(".")[2] for name in names), least=0)


def counted(settings: Settings, library: Library, rule: Rule, layers: int) -> int:
    """The layers that a config lists as sliding; where it lists none, those of the rule."""
    listed = settings.listed("layer_types")
    if listed is not None and len(listed) == layers:
        return sum(kind == SLIDING for kind in listed)
    return int(max(0, rule(settings, library, layers)))


def _from_on(settings: Settings, library: Library, layers: Any) -> Any:
    return layers - _least(_first(settings, library.extra.get("max_window_layers", 28)), layers)


def _every_second(settings: Settings, library: Library, layers: Any) -> Any:
    return (layers + 1) // 2


def _every_second_below(settings: Settings, library: Library, layers: Any) -> Any:
    return (_least(_first(settings, 28), layers) + 1) // 2


def _first(settings: Settings, usual: int) -> int:
    return settings.need("max_window_layers", default=usual, least=0)


def _least(first: int, layers: Any) -> Any:
    return Minimum((Number(first), layers)) if isinstance(layers, Expression) else min(first, layers)


def _all_but_every_sixth(settings: Settings, library: Library, layers: Any) -> Any:
    return layers - layers // sixth(settings)


def sixth(settings: Settings) -> int:
    """How far apart the layers are that have no window: every sixth, unless a config says otherwise."""
    return settings.need("sliding_window_pattern", "_sliding_window_pattern", default=6)


def _all_but_the_first_of_three(settings: Settings, library: Library, layers: Any) -> Any:
    every = third(settings)
    return layers - (layers + every - 1) // every


def third(settings: Settings) -> int:
    """How far apart the layers are whose attention is global: every third, unless a config says otherwise."""
    return settings.need("global_attn_every_n_layers", default=3)


def _without_positions(settings: Settings, library: Library, layers: Any) -> Any:
    listed = settings.listed("no_rope_layers")
    if listed is not None:
        return None if isinstance(layers, Expression) else sum(not has_positions for has_positions in listed[:layers])
    return layers // fourth(settings)


def fourth(settings: Settings) -> int:
    """How far apart the layers are that have no positions: every fourth, unless a config says otherwise."""
    return settings.need("no_rope_layer_interval", default=4)


def _local(settings: Settings, library: Library, layers: Any) -> Any:
    patterns = patterns_of(settings)
    return layers // 2 if patterns is None else sum(pattern.count("local") * often for pattern, often in patterns)


def patterns_of(settings: Settings) -> list[tuple[list[Any], int]] | None:
    """Kinds of attention that take turns, and how often, as a config lists them."""
    listed = settings.listed("attention_types")
    if listed is None:
        return None
    pairs = [tuple(each) for each in listed if isinstance(each, list) and [*map(type, each)] == [list, int] and each[1] >= 0]
    if len(pairs) < len(listed):
        raise ConfigError("attention_types in the config must be a list of pairs: kinds of attention, and how often they come.")
    return [(pattern, often) for pattern, often in pairs]


# By the words that a tree has for the layers with a window.
RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "from max_window_layers on": _from_on,
        "every second layer, from the first": _every_second,
        "every second layer, from the second": _local,
        "every second layer below max_window_layers": _every_second_below,
        "five layers of six": _all_but_every_sixth,
        "two layers of three, on either side": _all_but_the_first_of_three,
        "layers without rotary positions": _without_positions,
    }
)
