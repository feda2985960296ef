"""Anki takes in a deck, a newer edition of it, and a table of the same notes, as somebody who learns from them would wish."""

from __future__ import annotations

import csv
import io
import re
import sys
import zipfile
from dataclasses import replace

import pytest

import symparams
from symparams import render
from symparams.cards.collected import deck, notes_of
from symparams.cards.csv_table import table
from symparams.cards.deck import deck_id, package
from symparams.cards.note_types import NOTE_TYPES
from symparams.cards.notes import worded
from symparams.cards.questions import question_note
from symparams.cli import run
from symparams.errors import OptionError
from symparams.formats.typesetting import typeset
from symparams.practice.asking import ask
from symparams.practice.kind import kinds

from .conftest import DECKS, notes


def reworded(note):
    """The same note with another text."""
    name = note.type.fields[1]
    return replace(note, fields={**note.fields, name: f"{note.fields[name]} Anew."})


def cards_of(collection):
    return set(collection.find_cards(""))


@pytest.mark.parametrize(
    ("target", "language"), [*DECKS[:2], *(pytest.param(*deck, marks=pytest.mark.sweep) for deck in DECKS[2:])]
)
def test_every_note_is_new_once_and_then_known_and_its_cards_are_whole(target, language, take_in, collection):
    deck = notes(target, language)
    assert take_in(package(deck)).new == len(deck) > 10
    before = cards_of(collection)
    again = take_in(package(deck))
    assert (again.new, again.updated, again.duplicate) == (0, 0, len(deck))
    assert cards_of(collection) == before
    assert collection.fix_integrity()[1], "a sound collection"
    assert collection.note_count() == len(deck)
    for card in map(collection.get_card, before):
        for page in (card.question(), card.answer()):
            shown = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
            assert not re.search(r"{{|}}", shown)
            assert not re.search(r"<(script|img|link|iframe)|@import|url\(|https?://[^<]*['\"]", page)
        assert card.question() != card.answer()


def test_a_newer_edition_updates_the_texts_keeps_the_intervals_and_an_older_one_changes_nothing(take_in, collection):
    deck = notes("gpt2")
    first = package(deck, "2026-11-24")
    take_in(first)
    for card in map(collection.get_card, cards_of(collection)):
        card.type, card.queue, card.ivl, card.due, card.reps = 2, 2, 46, 100, 5
        collection.update_card(card)
    newer = take_in(package([reworded(note) for note in deck], "2027-03-01"))
    assert (newer.new, newer.updated) == (0, len(deck))
    assert {collection.get_card(number).ivl for number in cards_of(collection)} == {46}
    assert len(collection.models.all_names()) == len(NOTE_TYPES) + 6
    older = take_in(first)
    assert (older.new, older.updated, older.duplicate) == (0, 0, len(deck))
    assert all("Anew." in collection.get_note(number).joined_fields() for number in collection.find_notes(""))


def test_what_the_user_edited_later_is_kept(take_in, collection):
    deck = notes("gpt2")
    take_in(package(deck, "2020-01-01"))
    number = collection.find_notes("")[0]
    edited = collection.get_note(number)
    edited["Source"] = "My own words."
    collection.update_note(edited)
    take_in(package([reworded(note) for note in deck], "2020-06-01"))
    assert collection.get_note(number)["Source"] == "My own words."
    assert len(collection.find_notes("Anew")) == len(deck) - 1


def test_decks_of_two_models_lie_beside_one_another(take_in, collection):
    gpt2, bert = notes("gpt2"), notes("bert-base-uncased")
    both = {note.guid: note for note in (*gpt2, *bert)}
    known = {note.guid for note in gpt2}
    shared = len(gpt2) + len(bert) - len(both)
    assert shared == sum(not note.instance and note.guid in known for note in bert), "of no model"
    assert take_in(package(gpt2)).new == len(gpt2)
    second = take_in(package(bert))
    assert (second.new, second.duplicate) == (len(bert) - shared, shared)
    assert collection.note_count() == len(both)
    assert collection.card_count() == sum(max(1, note.fields.get("Text", "").count("{{c")) for note in both.values())


def test_a_reason_that_is_asked_of_no_model_in_particular_is_one_note() -> None:
    kind = kinds()["embeddings.why-context"]
    general = replace(kind, where={})
    asked = [ask(kind, symparams.load(name)) for kind, name in ((general, "gpt2"), (general, "t5-small"), (kind, "gpt2"))]
    one, same, other = [question_note(question, "en") for question in asked if question is not None]
    assert one.guid == same.guid != other.guid
    assert (one.deck, other.deck) == ("symparams::why::01 Embeddings", "symparams::gpt2::01 Embeddings")


def test_where_the_cards_lie_in_which_order_and_what_a_step_asks(take_in, collection):
    deck = notes("gpt2")
    take_in(package(deck))
    by_due = sorted((collection.get_card(number) for number in cards_of(collection)), key=lambda card: card.due)
    assert list(dict.fromkeys(card.note()["Id"] for card in by_due)) == [note.fields["Id"] for note in deck]
    [number] = collection.find_notes('"Id:derivation.decoder.attention.output*"')
    parts = [r"\(h \times h + h\)", r"\(h^{2} + h\)", r"\(590{,}592\)"]
    for hidden, card in enumerate(sorted(collection.card_ids_of_note(number))):
        page = collection.get_card(card).question()
        assert "[...]" in page
        assert [i for i, part in enumerate(parts) if f">{part}<" not in page] == [hidden]
    take_in(package(notes("llama-3-8b")))
    decks = {deck.name for deck in collection.decks.all_names_and_ids()}
    assert {"symparams::llama-3-8b::03 Heads, GQA and MLA", "symparams::llama-3-8b::Derivation"} <= decks
    [question] = collection.find_notes('"deck:symparams::llama-3-8b::03*" "Id:gqa.saving*"')
    tags = {"symparams::gqa", "level::standard", "form::symbolic", "model::llama-3-8b"}
    assert set(collection.get_note(question).tags) == tags


@pytest.mark.parametrize("language", ["en", pytest.param("zh", marks=pytest.mark.sweep)])
def test_without_a_target_a_card_is_one_fact_and_its_questions_are_an_option(language, take_in):
    facts = notes_of((), language)
    assert len(facts) == 40
    assert len(notes_of((), language, "gqa", with_questions=True)) > 5, "a chapter without facts"
    assert take_in(package(facts)).new == 40
    for note in facts:
        words = [len(re.sub(r"\\(.*?\\)", "x", note.fields[name]).split()) for name in ("Question", "Step")]
        assert words[0] <= 20, note.kind
        assert words[1] <= 25, note.kind
        assert note.fields["Answer"].startswith(r"\(") or language == "zh", note.kind
    [kept] = [note for note in facts if note.kind == "fact.kv-llama-3-8b"]
    assert kept.deck.startswith("symparams::facts::12 ")
    assert kept.guid == {"en": "I(+?ToR]:c", "zh": "iapZ-eIqnQ"}[language]


def test_notes_and_their_types_are_known_again():
    for target, language in DECKS[:2]:
        for note in notes(target, language):
            assert len(re.findall(r"\{\{c\d+::", note.fields.get("Text", ""))) in range(int(note.type.is_cloze), 10), note.kind
    fields = "Id Question Answer Step Mistakes Source Numbers Spare1 Spare2"
    assert {note.name: (note.id, " ".join(note.fields)) for note in NOTE_TYPES.values()} == {
        "symparams question": (1_763_769_601, fields),
        "symparams choice": (1_763_769_602, "Id Question Options Answer Step Source Numbers Spare1 Spare2"),
        "symparams derivation": (1_763_769_603, "Id Place Text Step Reasons Source Numbers Spare1 Spare2"),
    }
    english = {note.kind: note.guid for note in notes("gpt2")}
    assert english["embeddings.token"] == "PCm5[04~(F"
    chinese = {note.kind: note.guid for note in notes("gpt2", "zh")}
    assert english.keys() == chinese.keys()
    assert not set(english.values()) & set(chinese.values())


def test_one_edition_is_one_file_and_no_two_decks_have_one_id():
    first, second = package(notes("gpt2")), package(notes("gpt2"))
    assert first == second
    assert package(notes("gpt2"), "2027-03-01") != first
    with zipfile.ZipFile(io.BytesIO(first)) as zipped:
        assert [(note.filename, note.date_time) for note in zipped.infolist()] == [
            ("collection.anki2", (2026, 11, 28, 9, 0, 0)), ("media", (2026, 11, 28, 9, 0, 0)),
        ]  # fmt: skip
    titles = {note.deck.rpartition("::")[2] for language in ("en", "zh") for note in notes("gpt2", language)}
    decks = {f"symparams::{worded(name)}::{title}" for name in symparams.published_models() for title in titles}
    assert len({deck_id(deck) for deck in decks}) == len(decks)


def test_the_command_writes_a_deck_that_anki_takes_in(tmp_path, take_in):
    assert run(["cards", "gpt2", "--lang", "zh", "-o", str(tmp_path / "deck.apkg")]) == 0
    assert take_in((tmp_path / "deck.apkg").read_bytes()).new > 20


def test_without_genanki_the_extra_is_named(monkeypatch, mistake, tmp_path):
    monkeypatch.setitem(sys.modules, "genanki", None)
    for name in ("deck.apkg", "deck.csv"):
        told = mistake(["cards", "gpt2", "--chapter", "attention", "-o", str(tmp_path / name)])
        assert told == "Anki cards need genanki: pip install 'symparams[practice]'."
        assert not (tmp_path / name).exists()


HEAD = ["#separator:Comma", "#html:true", "#guid column:1", "#notetype column:2", "#deck column:3", "#tags column:10"]


def test_a_row_is_a_note():
    for target, language in DECKS[:2]:
        text = table(notes(target, language))
        assert text.splitlines()[:6] == HEAD
        rows = list(csv.reader(text.splitlines()[6:]))
        assert [row[0] for row in rows] == [note.guid for note in notes(target, language)]
        assert {len(row) for row in rows} == {11}
        assert all("model::" in row[9] or "::why::" in row[2] for row in rows)


def test_anki_takes_a_table_into_the_notes_of_a_deck(take_in, take_in_table, collection):
    take_in(package(notes("bert-base-uncased")))  # which brings the types of note
    known = {note.guid for note in notes("bert-base-uncased")}
    deck = notes("gpt2")
    first = take_in_table(table(deck))
    assert first.new == sum(note.guid not in known for note in deck) > 10
    assert (first.missing_notetype, first.missing_deck, first.empty_first_field) == (0, 0, 0)
    before = contents(collection)
    take_in_table(table(deck))
    assert contents(collection) == before
    by_id = {note.fields["Id"]: note for note in deck}
    for fields, tags in before.values():
        if (note := by_id.get(fields[0])) is not None:
            assert fields == list(note.contents)
            assert set(tags) == set(note.tags)


def contents(collection):
    """Return the fields and the tags of each note of a collection."""
    notes = map(collection.get_note, collection.find_notes(""))
    return {note.id: (note.fields, sorted(note.tags)) for note in notes}


def test_a_deck_is_written_as_a_package_or_a_table_and_these_are_of_decks_alone():
    cards = deck([symparams.load("gpt2")], "en", "attention")
    assert typeset(cards, "apkg") == [package(cards.notes)]
    assert render(cards, "csv") == render(cards, "csv", language="en") == table(cards.notes)
    for asked, told in (
        (lambda: render(cards, "text"), "A deck of cards is not written as text: choose apkg or csv."),
        (lambda: render(cards, "csv", language="zh"), "The deck of cards is in the language en: leave out language."),
        (lambda: render(cards, "csv", notation="hf"), "A deck of cards cannot use notation: leave out notation."),
        (lambda: render(cards, "apkg"), "'apkg' is not text: write typeset(…, 'apkg')."),
        (lambda: render("gpt2", "csv"), "'csv' is for a deck of cards, not for this: choose another format."),
        (lambda: typeset("gpt2", "apkg"), "'apkg' is for a deck of cards, not for this: choose another format."),
    ):
        with pytest.raises(OptionError) as error:
            asked()
        assert str(error.value) == told
