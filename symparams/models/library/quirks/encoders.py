"""ELECTRA, ALBERT, DistilBERT, XLNet: encoders that each have a quirk or two."""

from __future__ import annotations

from symparams.errors import ConfigError, quoted
from symparams.expressions.symbols import L, d_emb, h, n_heads
from symparams.features import classifier, sequence_summary
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings

ANSWERING = "DistilBertForQuestionAnswering"
START_AND_END = 2


def stored_layers(settings: Settings, library: Library) -> int:
    """ALBERT stores the layers of each group, all of whose other layers are copies, times the groups."""
    return settings.need("num_hidden_groups", default=1) * settings.need("inner_group_num", default=1)


def passes(settings: Settings, library: Library) -> int:
    """ALBERT passes data, at each of its num_hidden_layers steps, through all layers of one group."""
    return library.need(settings, L) * settings.need("inner_group_num", default=1)


def groups(settings: Settings, library: Library) -> tuple[tuple[int, int], ...]:
    """Each layer that ALBERT stores is one of a group: the numbers of the group and of the layer in it."""
    inner = settings.need("inner_group_num", default=1)
    return tuple(divmod(layer, inner) for layer in range(stored_layers(settings, library)))


def projects(settings: Settings, library: Library) -> bool:
    """ELECTRA projects its embeddings where their width is not that of the layers."""
    return library.size(settings, d_emb) != library.size(settings, h)


def has_learned_positions(settings: Settings, library: Library) -> bool:
    """ESM has a table of positions, or turns queries and keys, as position_embedding_type says; with any other word neither."""
    positions = settings.word("position_embedding_type", "absolute")
    if positions not in ("absolute", "rotary"):
        raise ConfigError(
            f'position_embedding_type = {quoted(positions)} in the config: only "absolute" and "rotary" are supported.'
        )
    return positions == "absolute"


def is_unidirectional(settings: Settings, library: Library) -> bool:
    """XLNet says by a word whether a token sees what comes after it: attn_type is "uni" or "bi"."""
    return settings.word("attn_type", "bi") == "uni"


def check_answers(settings: Settings, library: Library) -> None:
    """DistilBERT's class refuses to answer a question by other labels than the start and the end."""
    if ANSWERING in (settings.listed("architectures") or ()) and settings.labels != START_AND_END:
        raise ConfigError(f"num_labels = {settings.labels} in the config: {ANSWERING} must have {START_AND_END}.")


def check_xlnet(settings: Settings, library: Library) -> None:
    """XLNet's config refuses heads of another size, which are h / n_heads."""
    width, heads, head = library.size(settings, h), library.size(settings, n_heads), settings.size("d_head", least=0)
    if head and width and heads and head * heads != width:
        raise ConfigError(f"d_head = {head} in the config: only d_model / n_head is supported, and null, which means the same.")


def check_summary(settings: Settings, library: Library) -> None:
    """The library has no summary by attention, and no tree here has one number for a choice beside several labels."""
    kind = library.classes.get(settings.class_name)
    if kind is None or sequence_summary not in kind.features:
        return
    if classifier in kind.features and kind.n_labels == 1 and settings.flag("summary_proj_to_labels"):
        raise ConfigError("summary_proj_to_labels = true in the config is not supported over choices: only false is.")
    if settings.word("summary_type") == "attn":
        raise ConfigError('summary_type = "attn" in the config is not supported: give "last", "first", "mean" or "cls_index".')
