"""The sheet of a comparison: within its line, whole in every format, as data after its schema, in any notation."""

from __future__ import annotations

import json
import random

import pytest
from jsonschema import Draft202012Validator

from symparams import architectures, compare, load, published_models, render
from symparams.expressions.printing.metric import columns
from symparams.formats import find, names
from symparams.sheets.catalogue import catalogue, languages, templates
from symparams.sheets.comparison import labels_of

DRAWN = random.Random(3)  # noqa: S311 - the same models in each run
TWO = [tuple(DRAWN.sample(published_models(), 2)) for _ in range(12)]
FOUR = [tuple(DRAWN.sample(published_models(), 4)) for _ in range(8)]
FAMILIES = [tuple(DRAWN.sample(architectures(), 2)) for _ in range(8)]
SCHEMA = json.loads((templates() / "json" / "comparison.schema.json").read_text(encoding="utf-8"))


def is_wide(line: str) -> bool:
    """Whether a line is too wide for a terminal; a mark that closes hangs by one."""
    return columns(line.rstrip("。，：")) > 80


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("targets", [*TWO, *FOUR, *FAMILIES])
def test_a_terminal_holds_each_line(targets, language):
    assert [line for line in render(compare(*targets), language=language).splitlines() if is_wide(line)] == []


@pytest.mark.parametrize("targets", [*TWO, *FOUR, *FAMILIES])
def test_the_data_follow_their_schema(targets):
    compared = compare(*targets)
    data = json.loads(render(compared, "json"))
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(data)] == []
    assert [model["value"] for model in data["models"]] == [None if each.unbound else each.count() for each in compared.models]
    assert all(model["digits"] == (str(model["value"]) if model["value"] else None) for model in data["models"])


def test_every_kind_and_every_reason_has_its_words():
    """All families side by side, with all of their features and without, say all that can be said."""
    models = [load(name) for name in architectures()]
    models += [load(model.family, include=model.features) for model in models]
    compared = compare(*models)
    said = {f"compare.kinds.{kind}" for trait in compared.traits for kinds in trait.kinds for kind in kinds}
    said |= {f"compare.reasons.{share.reason}" for row in compared.components for share in row.shares if share.reason}
    said |= {f"compare.traits.{trait.name}" for trait in compared.traits}
    said |= {f"names.{row.name}" for row in compared.components}
    for language in languages():
        assert said - catalogue(language).entries.keys() == set()


@pytest.mark.parametrize("kind", [name for name in names() if not find(name).typeset])
def test_every_format_says_what_differs(kind):
    text = render(compare("gpt2", "llama-2-7b"), kind).replace("{", "").replace("}", "")
    assert "6738415616" in text.replace(",", "")


@pytest.mark.parametrize(
    ("targets", "labels"),
    [
        (["gpt2", "llama-2-7b"], ["gpt2", "llama-2-7b"]),
        (["gpt2", "gpt2"], ["A", "B"]),  # one with its head and one without have one name
        (["distilbert-base-multilingual-cased", "bert-base-multilingual-cased"], ["A", "B"]),
    ],
)
def test_long_names_are_letters(targets, labels):
    models = [load(target) for target in targets]
    assert labels_of(models) == labels
    assert all(name in render(compare(*models)) for name in targets)


def test_thirty_models_have_thirty_letters():
    assert labels_of([load("gpt2")] * 30)[24:] == ["Y", "Z", "AA", "AB", "AC", "AD"]


def test_letters_are_those_of_the_notation(cli):
    assert "N(gpt2) = 12·n_layers·d_model² + 13·n_layers·d_model" in " ".join(
        cli("compare gpt2 bloom --notation gpt3").out.split()
    )
    assert "n_embd" in cli("compare gpt2 llama-2-7b --notation hf").out


def test_a_component_stands_under_the_models_that_have_it():
    rows = render(compare("gpt2", "bert-base-uncased"), "text").splitlines()
    assert [row.split()[:2] for row in rows if "h² + h" in row and "=" not in row] == [["Pooler", "bert-base-uncased"]]
    assert [row.split()[2] for row in rows if row.startswith("Pooler")][1:] == ["590,592"]


def test_values_may_be_left_out(cli):
    text = cli("compare gpt2 llama-2-7b --symbolic").out
    assert "124,439,808" not in text
    assert "N(gpt2) − N(llama-2-7b)" in text


def test_the_command_says_what_python_says(cli, tmp_path):
    assert cli("compare gpt2 llama-2-7b --lang zh").out == render(compare("gpt2", "llama-2-7b"), language="zh")
    file = tmp_path / "compared.tex"
    assert cli(f"compare gpt2 llama-2-7b -o {file}").code == 0
    assert file.read_text(encoding="utf-8") == render(compare("gpt2", "llama-2-7b"), "latex")


def test_a_notebook_shows_the_sheet():
    compared = compare("gpt2", "llama-2-7b")
    shown = compared._repr_mimebundle_()
    assert shown["text/plain"] == repr(compared)
    assert shown["text/markdown"] == render(compared, "markdown")
