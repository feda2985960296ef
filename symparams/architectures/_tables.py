"""The tables of the families, NAME.toml beside NAME.py: read when a family is asked for, each key held against what is allowed.

``[models.NAME]`` is a published model; ``[library]`` is what the transformers library calls the family's things, which
``symparams.models.library`` reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from symparams.architectures._definition import FEATURES, ActiveCount, Claimed, Published
from symparams.errors import TableError, quoted, suggestion
from symparams.expressions.symbols import BY_NAME
from symparams.features import Feature
from symparams.quantities.memory import DTYPES
from symparams.records import frozen

FOLDER = Path(__file__).parent
HUB = "https://huggingface.co/{}/blob/main/config.json"
HUB_ID = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
HEADER = re.compile(r"^\[models\.(?:\"([^\"\n]+)\"|([\w-]+))\]", re.MULTILINE)
KEY = re.compile(r"""\s*(["']?)([\w.-]+)\1\s*=""")
NOT_LETTERS = ("source", "include", "exclude", "published", "published_active", "claims", "dtype", "of", "context")
CLAIM = ("claimed", "why", "source")
ACTIVE = ("claimed", "source")
ROUNDED = re.compile(r"[1-9]\d*(\.\d+)?[MBT]", re.ASCII)


@frozen
class TomlTable:
    """A table of a file, and the way to it: what is read from it is checked, and an error names file, line and key."""

    file: Path
    path: tuple[str, ...]
    values: Mapping[str, Any]

    def error(self, key: str, what: str) -> TableError:
        """An error about a key of this table."""
        line = _line(self.file, (*self.path, key))
        return TableError(f"{self.file.name}, line {line}: {'.'.join((*self.path, key))} {what}")

    def allow(self, known: Iterable[str]) -> None:
        """Refuse keys that are not known."""
        names = list(known)
        for key in self.values:
            if key not in names:
                raise self.error(key, f"is not a known key. {suggestion(key, names)}")

    def table(self, key: str) -> TomlTable:
        """The table under a key; an empty one where there is none."""
        value = self.values.get(key, {})
        if not isinstance(value, Mapping):
            raise self.error(key, "must be a table.")
        return TomlTable(self.file, (*self.path, key), value)

    def tables(self, key: str) -> tuple[TomlTable, ...]:
        """The tables under a key, [[…]] one after another; none where there is none."""
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(row, Mapping) for row in value):
            raise self.error(key, f"must be a list of tables: [[{'.'.join((*self.path, key))}]].")
        return tuple(TomlTable(self.file, (*self.path, key), row) for row in value)

    def word(self, key: str, default: str = "") -> str:
        """The word under a key."""
        value = self.values.get(key, default)
        if not isinstance(value, str):
            raise self.error(key, f"= {quoted(value, 30)} must be a word.")
        return value

    def words(self, key: str) -> tuple[str, ...]:
        """The words under a key: one, or a list of them."""
        value = self.values.get(key, [])
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
            raise self.error(key, f"= {quoted(value, 30)} must be a list of words.")
        return tuple(listed)

    def whole(self, key: str, least: int = 0) -> int:
        """The whole number under a key."""
        value = self.values[key]
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self.error(key, f"= {quoted(value, 30)} must be a whole number of at least {least}.")
        return value

    def switch(self, key: str, default: bool) -> bool:
        """The true or false under a key."""
        value = self.values.get(key, default)
        if not isinstance(value, bool):
            raise self.error(key, f"= {quoted(value, 30)} must be true or false.")
        return value

    def features(self, key: str) -> tuple[Feature, ...]:
        """The features that are listed under a key."""
        for name in self.words(key):
            if name not in FEATURES:
                raise self.error(key, f"names an unknown feature: {quoted(name)}. {suggestion(name, FEATURES)}")
        return tuple(FEATURES[name] for name in self.words(key))


@cache
def read(file: Path) -> TomlTable:
    """The table in a file; TableError where it is not TOML."""
    import tomllib

    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise TableError(f"{file.name} is not TOML: {error}") from None
    return TomlTable(file, (), values)


def table(name: str) -> TomlTable:
    """The table of a family; an empty one where it has none."""
    file = FOLDER / f"{name}.toml"
    own = read(file) if file.is_file() else TomlTable(file, (), {})
    own.allow(("library", "models"))
    return own


def published(name: str) -> dict[str, Published]:
    """The published models in the table of a family."""
    models = table(name).table("models")
    listed = model_names(name)
    for model in models.values:
        if model not in listed:
            raise models.error(model, f"needs a section of its own: [models.{model}].")
    return {model: member(models.table(model)) for model in models.values}


@cache
def model_names(name: str) -> tuple[str, ...]:
    """The names of the published models in a family's table, found by the headings of their sections."""
    file = FOLDER / f"{name}.toml"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return tuple(in_quotes or bare for in_quotes, bare in HEADER.findall(text))


def member(model: TomlTable) -> Published:
    """The published model that a section ``[models.NAME]`` describes; TableError where it holds what it may not."""
    model.allow((*BY_NAME, *NOT_LETTERS))
    if "source" not in model.values:
        raise model.error("source", "is missing: give the id of the model on the Hugging Face hub, or a URL.")
    source = model.word("source")
    if HUB_ID.fullmatch(source):
        source = HUB.format(source)
    elif not source.startswith("https://"):
        raise model.error("source", f"= {quoted(source)} is neither an id on the Hugging Face hub nor a URL.")
    dtype = model.word("dtype")
    if dtype and dtype not in DTYPES:
        raise model.error("dtype", f"= {quoted(dtype)} is not a number type. {suggestion(dtype, DTYPES)}")
    return Published(
        {BY_NAME[letter]: model.whole(letter, least=1) for letter in model.values if letter not in NOT_LETTERS},
        source,
        model.features("include"),
        model.features("exclude"),
        model.whole("published", least=1) if "published" in model.values else None,
        tuple(_claimed(claim) for claim in model.tables("claims")),
        _active(model.table("published_active")) if "published_active" in model.values else None,
        dtype,
        model.words("of"),
        model.whole("context", least=1) if "context" in model.values else 0,
    )


def _claimed(claim: TomlTable) -> Claimed:
    """A figure that ``[[models.NAME.claims]]`` gives: every key is needed."""
    _all_there(claim, CLAIM, "a claim has claimed, why and source")
    return Claimed(claim.whole("claimed", least=1), claim.word("why"), claim.word("source"))


def _active(active: TomlTable) -> ActiveCount:
    """The count of what one token uses that ``published_active`` gives, as it is written there: 37B."""
    _all_there(active, ACTIVE, "an active count has claimed and source")
    if not ROUNDED.fullmatch(active.word("claimed")):
        raise active.error("claimed", f"= {quoted(active.word('claimed'))} must be a count as people write it, such as '37B'.")
    return ActiveCount(active.word("claimed"), active.word("source"))


def _all_there(figure: TomlTable, keys: tuple[str, ...], has: str) -> None:
    """Refuse a published figure without one of these keys, or with another, or whose source is not a URL."""
    figure.allow(keys)
    for key in keys:
        if key not in figure.values:
            raise figure.error(key, f"is missing: {has}.")
    if not figure.word("source").startswith("https://"):
        raise figure.error("source", f"= {quoted(figure.word('source'))} is not a URL.")


def _line(file: Path, path: tuple[str, ...]) -> int:
    """The line on which a key stands, or the table in which it should stand."""
    best, depth, section = 1, 0, ()
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("["):
            section = tuple(word.strip("\"' ") for word in re.findall(r"\"[^\"]*\"|[^.\[\]]+", line.partition("]")[0]))
            here = section
        elif key := KEY.match(line):
            here = (*section, *key[2].split("."))
        else:
            continue
        if len(here) > depth and path[: len(here)] == here:
            best, depth = number, len(here)
    return best
