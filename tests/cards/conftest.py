"""Anki itself, which takes in the decks; where it is not installed these proofs are skipped, and fail where CI is set."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

import symparams
from symparams.cards.collected import notes_of

DECKS = (("gpt2", "en"), ("bert-base-uncased", "zh"), ("deepseek-v3", "en"), ("t5-small", "zh"))


@cache
def notes(target, language="en"):
    """The notes of a target, made once."""
    return tuple(notes_of([symparams.load(target)], language))


@pytest.fixture(scope="session", autouse=True)
def _anki():
    if not all(map(find_spec, ("anki", "genanki"))):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("Anki is not installed: pip install -e '.[test-anki]'")


@pytest.fixture
def collection(tmp_path):
    """An empty collection of Anki."""
    from anki.collection import Collection

    opened = Collection(str(tmp_path / "collection.anki2"))
    yield opened
    opened.close()


@pytest.fixture
def take_in(collection, tmp_path):
    """``take_in(package)`` imports a deck as Anki does, and tells how many notes were new, updated, kept …"""
    from anki.collection import ImportAnkiPackageOptions, ImportAnkiPackageRequest

    def imported(package):
        path = tmp_path / "deck.apkg"
        path.write_bytes(package)
        options = ImportAnkiPackageOptions(merge_notetypes=False, with_scheduling=False)
        return counted(collection.import_anki_package(ImportAnkiPackageRequest(package_path=str(path), options=options)).log)

    return imported


@pytest.fixture
def take_in_table(collection, tmp_path):
    """``take_in_table(text)`` imports a table as Anki does, as the lines at its head say."""
    from anki.collection import ImportCsvRequest

    def imported(text):
        path = tmp_path / "table.csv"
        path.write_text(text, encoding="utf-8")
        metadata = collection.get_csv_metadata(str(path), None)
        return counted(collection.import_csv(ImportCsvRequest(path=str(path), metadata=metadata)).log)

    return imported


def counted(log):
    """How many notes stand under each heading of an import's log."""
    names = ("new", "updated", "duplicate", "conflicting", "missing_notetype", "missing_deck", "empty_first_field")
    return SimpleNamespace(**{name: len(getattr(log, name)) for name in names})
