"""LLaVA, Gemma 3, Qwen2-VL: a text model and an image encoder, each with a config of its own, which may be of any family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symparams.architectures import architecture
from symparams.architectures._decoders import TOKENS
from symparams.errors import ConfigError, quoted
from symparams.expressions.symbols import L_vision, h_vision, n_kv_heads_text
from symparams.features import tying
from symparams.models.library.quirks import decoders
from symparams.models.library.record import Library, find
from symparams.models.library.settings import MOST_LISTED, Flag, Settings, read_whole
from symparams.models.library.tables import library as table_of

TEXT, VISION, AUDIO, MODEL_TYPE = "text_config", "vision_config", "audio_config", "model_type"
TABLE = "embed_tokens"
TYING = "tie_word_embeddings"


def parts(settings: Settings, library: Library) -> dict[str, Any]:
    """The sections alone count, not the older spelling of CLIP's."""
    return {name: value for name, value in settings.values.items() if name not in (f"{TEXT}_dict", f"{VISION}_dict")}


def qwen(settings: Settings, library: Library) -> dict[str, Any]:
    """The keys of the text model stand beside vision_config where there is no text_config, as in the files of the hub."""
    values = parts(settings, library)
    if values.get(TEXT) is None:
        places = (*(key.names[0] for key in library.keys.values()), *(c.names[0] for c in library.choices.values()))
        names = [name for section, _, name in (place.rpartition(".") for place in places) if section == TEXT]
        switches = [choice.switch for choice in library.choices.values() if choice.switch]
        values[TEXT] = {name: values[name] for name in (*names, *switches) if name in values}
    return _tied(values)


def turned_by_rule(settings: Settings, library: Library) -> dict[str, Any]:
    """An empty no_rope_layers of the text model stands for the library's rule."""
    values = parts(settings, library)
    return {**values, TEXT: decoders.turned_by_rule(settings.inner(TEXT), library)} if values.get(TEXT) is not None else values


def sections(settings: Settings, library: Library) -> dict[str, Any]:
    """Without a section its model is the one in the table's extra, whose sizes are not the defaults of its keys; a text model
    of another family than the first, as Mistral is beside LLaMA, has the defaults of its own and no switches but its own."""
    values = parts(settings, library)
    for section in (VISION, TEXT):
        if values.get(section) is None and section in library.extra:
            values[section] = library.extra[section]
    text = Settings(values).inner(TEXT)
    _, *others = library.extra["text_models"]
    if text.values.get(MODEL_TYPE) in others:
        values[TEXT] = _as_in_its_family(text.values, library)
    return values


def filled(settings: Settings, library: Library) -> dict[str, Any]:
    """A section that is not there is that of a certain model, whose sizes are not the defaults of the keys."""
    values = parts(settings, library)
    usual = {section.key: library.extra.get(section.key) for section in library.sections.values()}
    return values | {key: given for key, given in usual.items() if given is not None and values.get(key) is None}


def llava(settings: Settings, library: Library) -> dict[str, Any]:
    """Without a vision_config the tower is the large one; a text model that ties does so for the whole."""
    return _tied(filled(settings, library), _ties(library))


def _as_in_its_family(text: Mapping[str, Any], library: Library) -> dict[str, Any]:
    own = table_of(architecture(text[MODEL_TYPE]))
    assert own is not None
    defaults = {key.names[0]: key.default for key in own.keys.values() if key.default is not None}
    switches = [flag.name.rpartition(".") for flag in library.flags.values() if isinstance(flag, Flag)]
    known = {flag.name for flag in own.flags.values() if isinstance(flag, Flag)}
    return {**defaults, **text, **{name: False for section, _, name in switches if section == TEXT and name not in known}}


def _ties(library: Library) -> bool:
    """True if the family of the text model ties unless its config says otherwise."""
    record = next((section.record for section in library.sections.values() if section.key == TEXT), None)
    flag = record.flags.get(tying) if record else None
    return isinstance(flag, Flag) and flag.default


def _tied(values: dict[str, Any], usual: bool = False) -> dict[str, Any]:
    """A text_config that ties says so for the whole model, as older releases of the library wrote it."""
    text = Settings(values).inner(TEXT)
    if text.flag(TYING, default=usual):
        values |= {TYING: True, TEXT: {name: value for name, value in text.values.items() if name != TYING}}
    return values


def post_norms(settings: Settings, library: Library) -> bool:
    """PaliGemma 2's text model is Gemma 2, which norms after attention and feed-forward too."""
    return settings.inner(TEXT).word(MODEL_TYPE) == "gemma2"


def activation(settings: Settings, library: Library) -> str | int | None:
    """Gemma reads hidden_act, Gemma 2 hidden_activation: the text model's family has the key."""
    text = settings.inner(TEXT)
    own = table_of(architecture(text.word(MODEL_TYPE) or library.extra["text_models"][0]))
    assert own is not None
    return own.choices["activation"].read(text, own)


def check(settings: Settings, library: Library) -> None:
    """Text models and towers of other families have other trees."""
    for section, known in ((TEXT, library.extra.get("text_models")), (VISION, library.extra.get("towers"))):
        given = settings.inner(section).word(MODEL_TYPE)
        if known and given is not None and given not in known:
            only = f"{' and '.join(known)} {'are' if len(known) > 1 else 'is'} supported"
            raise ConfigError(f"{section}.{MODEL_TYPE} = {quoted(given)} in the config: only {only}.")


def has_images(settings: Settings, library: Library) -> bool:
    """A config without a vision_config has no image encoder."""
    return settings.values.get(VISION) is not None


def has_sounds(settings: Settings, library: Library) -> bool:
    """A config without an audio_config has no audio encoder."""
    return settings.values.get(AUDIO) is not None


def check_tie(settings: Settings, library: Library) -> None:
    """The library ties the output to embed_tokens, which is the table of tokens in some text models and not in others."""
    text = next(section.record for section in library.sections.values() if section.key == TEXT)
    assert text is not None
    row = find(text.names.modules, TOKENS)
    if settings.flag(TYING) and (row is None or row[1].names != (TABLE,)):
        known = settings.inner(TEXT).word(MODEL_TYPE)
        raise ConfigError(f"{TYING} in the config: transformers ties no output to the tokens of {known} here. Write false.")


def kv_heads(settings: Settings, library: Library) -> int | None:
    """null under num_key_value_heads gives each query head a key and a value of its own, whatever the default."""
    key = library.keys[n_kv_heads_text]
    return settings.size(*key.names, default=key.default)


def features(settings: Settings, library: Library) -> int | None:
    """The projector reads one layer of the tower, or the outputs of several layers side by side."""
    layers = settings.values.get("vision_feature_layer")
    if not isinstance(layers, list):
        return None
    if not 0 < len(layers) <= MOST_LISTED:
        raise ConfigError(
            f"vision_feature_layer = {quoted(layers, 30)} in the config must be the number of a layer, or a list of them."
        )
    return len(layers) * library.need(settings, h_vision)


def whole_sequence(settings: Settings, library: Library) -> bool:
    """The projector reads the first token, too, that of the class, where a word says so."""
    return settings.word("vision_feature_select_strategy", "default") == "full"


def widened(settings: Settings, library: Library) -> int:
    """The feed-forward size of Qwen2-VL's tower is a multiple of its hidden size, mlp_ratio."""
    ratio = settings.inner(VISION).need("mlp_ratio", default=library.extra["mlp_ratio"])
    return ratio * library.need(settings, h_vision)


def unread_layers(settings: Settings, library: Library) -> int:
    """The image encoder runs all of its layers, of which the last ones give nothing that vision_feature_layer names."""
    layers = library.need(settings, L_vision)
    named = settings.values.get("vision_feature_layer", library.extra["vision_feature_layer"])
    listed = named if isinstance(named, list) else [named]
    indexes = [read_whole("vision_feature_layer", index, -layers - 1) for index in listed]
    deepest = [layers + 1 + index if index < 0 else index for index in indexes]
    return layers - max(deepest, default=layers)
