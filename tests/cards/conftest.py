"""Anki itself, which takes in the decks; where it is not installed these proofs are skipped, and fail where CI is set."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

import symparams
from symparams.cards.collected import notes_of
from symparams.cards.notes import AnkiNote

if TYPE_CHECKING:
    from anki.collection import Collection

DECKS = (("gpt2", "en"), ("bert-base-uncased", "zh"), ("deepseek-v3", "en"), ("t5-small", "zh"))


TakeIn = Callable[[bytes], SimpleNamespace]
TakeInTable = Callable[[str], SimpleNamespace]


@cache
def notes(target: str, language: str = "en") -> tuple[AnkiNote, ...]:
    """The notes of a target, made once."""
    return tuple(notes_of([symparams.load(target)], language))


@pytest.fixture(scope="session", autouse=True)
def _anki() -> None:
    if not all(map(find_spec, ("anki", "genanki"))):
        missing = "Anki is not installed: pip install -e '.[test-anki]'"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(missing)


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    """An empty collection of Anki."""
    from anki.collection import Collection

    opened = Collection(str(tmp_path / "collection.anki2"))
    yield opened
    opened.close()


@pytest.fixture
def take_in(collection: Collection, tmp_path: Path) -> TakeIn:
    """``take_in(package)`` imports a deck as Anki does, and tells how many notes were new, updated, kept …"""
    from anki.collection import ImportAnkiPackageOptions, ImportAnkiPackageRequest

    def imported(package: bytes) -> SimpleNamespace:
        path = tmp_path / "deck.apkg"
        path.write_bytes(package)
        options = ImportAnkiPackageOptions(merge_notetypes=False, with_scheduling=False)
        return counted(collection.import_anki_package(ImportAnkiPackageRequest(package_path=str(path), options=options)).log)

    return imported


@pytest.fixture
def take_in_table(collection: Collection, tmp_path: Path) -> TakeInTable:
    """``take_in_table(text)`` imports a table as Anki does, as the lines at its head say."""
    from anki.collection import ImportCsvRequest

    def imported(text: str) -> SimpleNamespace:
        path = tmp_path / "table.csv"
        path.write_text(text, encoding="utf-8")
        metadata = collection.get_csv_metadata(str(path), None)
        return counted(collection.import_csv(ImportCsvRequest(path=str(path), metadata=metadata)).log)

    return imported


def counted(log: object) -> SimpleNamespace:
    """How many notes stand under each heading of an import's log."""
    names = ("new", "updated", "duplicate", "conflicting", "missing_notetype", "missing_deck", "empty_first_field")
    return SimpleNamespace(**{name: len(getattr(log, name)) for name in names})
