"""Names are others': whatever a file, a family or a letter is called, no sheet holds what a terminal, TeX or Markdown obeys."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from symparams import Architecture, Dimension, Feature, Model, SymparamsError, block, derive, linear, load, render
from symparams.expressions.symbols import h
from symparams.formats import find
from symparams.models.load import read
from symparams.sheets.outline import outline

from .conftest import LANGUAGES, TEXTS
from .test_latex import compile_document, complaints  # noqa: F401 - a fixture

BERT = {"model_type": "bert", "architectures": ["BertModel"]}
CONTROLS = "a\x1b[31mb\x9b2Jc\u202ed\u2066e\x00f\ng\u2028h\udcffi\ufeffj\x07\x08\r\u200f"
MARKS = "50%_#&${}~^\\|*`<b>[x](y)@you$x$\\input{/etc/passwd}``|"
FOREIGN = "模型-😀-café-модель-ñ\N{REPLACEMENT CHARACTER}𝒳"
NAMES = st.one_of(
    st.text(st.sampled_from(CONTROLS + MARKS + FOREIGN), min_size=1, max_size=20),
    st.text(min_size=1, max_size=20),
    st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp", "Zs", "Co"]), min_size=1, max_size=5),
)
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def unseen(text: str) -> set[str]:
    """The characters of a sheet that nobody sees, line ends aside."""
    return {f"U+{ord(c):04X}" for c in text if c != "\n" and unicodedata.category(c) in UNSEEN}


def sheets(model: Model) -> Iterator[tuple[str, str]]:
    """The derivation and the tree of a model in each format and language, a format with each."""
    for kind in TEXTS:
        for language in LANGUAGES:
            yield kind, render(derive(model), kind, language=language)
            yield kind, render(outline(model, language), kind)


def called(place: str, name: str) -> Model:
    """A model in which something is called so; SymparamsError where it may not be."""
    if place == "config":
        return load({**BERT, "_name_or_path": name})
    feature = Feature(name if place == "feature" else "mine")
    size = Dimension(name if place == "letter" else "r", name if place == "latex" else "")
    part = name if place == "part" else "low"
    tree = block(**{part: linear(h, size), "high": feature * linear(h, h)})
    said = {place: name} if place in ("title", "source") else {}
    family = name if place == "architecture" else "own"
    published = name if place == "published" else "small"
    return load(Architecture(family, tree=tree, has=(feature,), models={published: {h: 2, size: 3}}, **said))


PLACES = ["config", "architecture", "title", "source", "published", "part", "feature", "letter", "latex"]


@pytest.mark.parametrize("place", PLACES)
@settings(max_examples=12)
@example(CONTROLS)
@example(MARKS)
@example(FOREIGN)
@example("模型")
@given(NAMES)
def test_a_sheet_holds_nothing_that_nobody_sees(place, name):
    try:
        model = called(place, name)
    except SymparamsError as refusal:
        assert str(refusal).isprintable()  # noqa: PT017 - a name is taken, or it is refused
        return
    for kind, text in sheets(model):
        assert unseen(text) == set(), kind
        text.encode("utf-8")
        if kind == "json":
            json.loads(text)


@example(MARKS)
@given(NAMES)
def test_no_name_is_a_command_of_tex_or_typst_or_a_mark_of_markdown(name):
    """Whether it stands in a sentence or as a program spells it."""
    shown = called("config", name).name
    assert commands(find("latex").escape(shown)) == []
    assert commands(find("latex").code(shown)) == [r"\texttt", "{", "}"]
    assert commands_of_typst(find("typst").escape(shown)) == []
    assert re.fullmatch(r'`[^`\n]+`|#raw\("(?:[^"\\\n]|\\["\\])*"\);', find("typst").code(shown))
    for flavor in find("markdown").flavors.values():
        assert marks(flavor.escape(shown)) == []
        assert re.fullmatch(r"`[^`\n|]*`", flavor.code(shown)) or marks(flavor.code(shown)) == []


def commands(latex: str) -> list[str]:
    """The commands of a document but for those that print a character, and its characters that TeX obeys."""
    characters = r"\\(?:text(?:backslash|asciitilde|asciicircum|less|greater|bar)\{\}|[{}$&#%_]|allowbreak\{\})"
    printing = characters + r"|\$\\(?:leftarrow|times)\$"
    return re.findall(r"\\[A-Za-z]+|[{}$&#%^~]", re.sub(printing, "", latex))


def commands_of_typst(typst: str) -> list[str]:
    """The characters of a text that mean something to Typst, and are not said to be harmless."""
    harmless = re.sub(r"\\[^A-Za-z0-9\s]", "", typst)
    return re.findall(r"^\d+\.|[\\#$*_`<>@\[\]~\"=+/]|--|\.\.", harmless)


def marks(markdown: str) -> list[str]:
    """The characters of a document that mean something to Markdown, and are not said to be harmless."""
    harmless = re.sub(r"\\[\\`*_{}\[\]<>#|~$^]|&(?:amp|#64);", "", markdown)
    return re.findall(r"[*\[\]<>|$@&`]", harmless)


def test_a_name_that_the_fonts_lack_is_written_as_its_numbers():
    derivation = derive(called("config", "模型😀"))
    assert "does U+6A21 U+578B U+1F600 have?" in render(derivation, "latex")
    assert "模型U+1F600" in render(derivation, "latex", language="zh")
    for kind in ("text", "markdown", "json"):
        assert "模型😀" in render(derivation, kind)


FOLDERS = [CONTROLS.replace("\0", ""), MARKS.replace("/", ""), FOREIGN]


@pytest.mark.parametrize("name", FOLDERS, ids=["controls", "marks", "foreign"])
@pytest.mark.parametrize("kind", TEXTS)
def test_a_folder_of_such_a_name_through_the_command_line(name, kind, tmp_path, cli):
    """A name that is no UTF-8 too: its bytes reach Python as lone surrogates."""
    folder = tmp_path / name
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(BERT))
    for command, *rest in (["show"], ["derive"], ["explain", "1000"]):
        code, out, err = cli([command, str(folder), *rest, f"--{kind}"])
        assert (code, err) == (1 if rest else 0, "")
        assert unseen(out) == set()
        out.encode("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [CONTROLS, MARKS, FOREIGN, "[3cm]", "-- ?` ``x''"])
def test_tex_sets_a_name_as_it_is(name, language, compile_document):  # noqa: F811 - a fixture
    for shown in (derive(load({**BERT, "_name_or_path": name})), outline(read({**BERT, "_name_or_path": name}), language)):
        code, log = compile_document(language, render(shown, "latex", language=language))
        assert code == 0, log[-2_000:]
        assert [line for line in complaints(log) if "Overfull" not in line] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_tex_sets_letters_and_parts_of_every_script(language, compile_document):  # noqa: F811 - a fixture
    letters = [Dimension(name) for name in ("秩", "ранг", "größe", "rang_é", "秩_低")]
    family = Architecture("own", **{f"部分{i}": linear(h, letter) for i, letter in enumerate(letters)})
    code, log = compile_document(language, render(derive(load(family)), "latex", language=language))
    assert code == 0, log[-2_000:]
    assert [line for line in complaints(log) if "Overfull" not in line] == []
