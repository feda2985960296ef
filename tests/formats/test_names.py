"""Names are data: whatever a file, family or letter is called, no sheet holds what a terminal, TeX, Typst or Markdown obeys."""

from __future__ import annotations

import json
import re
import unicodedata

from hypothesis import example, given, settings
from hypothesis import strategies as st

from symparams import Architecture, Dimension, Feature, Model, SymparamsError, block, derive, linear, load, render
from symparams.expressions.symbols import h
from symparams.formats import find, names
from symparams.formats.latex import writer as latex
from symparams.formats.markdown import writer as markdown
from symparams.formats.typst import writer as typst
from symparams.sheets.outline import outline

TEXTS = tuple(name for name in names() if not find(name).typeset)
BERT = {"model_type": "bert", "architectures": ["BertModel"], "vocab_size": 30_522, "hidden_size": 768,
        "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3_072, "max_position_embeddings": 512,
        "type_vocab_size": 2}  # fmt: skip
CONTROLS = "a\x1b[31mb\x9b2Jc\u202ed\u2066e\x00f\ng\u2028h\udcffi\ufeffj\x07\x08\r\u200f"
MARKS = "50%_#&${}~^\\|*`<b>[x](y)@you$x$\\input{/etc/passwd}``|"
FOREIGN = "模型-😀-café-модель-ñ\N{REPLACEMENT CHARACTER}𝒳"
NAMES = st.one_of(
    st.text(st.sampled_from(CONTROLS + MARKS + FOREIGN), min_size=1, max_size=20),
    st.text(min_size=1, max_size=20),
    st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp", "Zs", "Co"]), min_size=1, max_size=5),
)
INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
PLACES = ["config", "architecture", "title", "source", "published", "part", "feature", "letter", "latex"]


def invisible(text: str) -> set[str]:
    """Return the characters of a sheet that nobody sees, line ends aside."""
    return {f"U+{ord(c):04X}" for c in text if c != "\n" and unicodedata.category(c) in INVISIBLE}


def called(place: str, name: str) -> Model:
    """Return a model in which something has this name; raise SymparamsError where it may not."""
    if place == "config":
        return load({**BERT, "_name_or_path": name})
    feature = Feature(name if place == "feature" else "mine")
    size = Dimension(name if place == "letter" else "r", name if place == "latex" else "")
    part = name if place == "part" else "low"
    tree = block(**{part: linear(h, size), "high": feature * linear(h, h)})
    titles = {place: name} if place in ("title", "source") else {}
    family = name if place == "architecture" else "own"
    published = name if place == "published" else "small"
    return load(Architecture(family, tree=tree, has=(feature,), models={published: {h: 2, size: 3}}, **titles))


@settings(max_examples=40)
@example(CONTROLS, "config")
@example(MARKS, "part")
@example(FOREIGN, "letter")
@example("模型", "feature")
@given(NAMES, st.sampled_from(PLACES))
def test_no_sheet_holds_an_invisible_character(name, place):
    """A name is escaped, or refused with a line that can be printed."""
    try:
        model = called(place, name)
    except SymparamsError as refusal:
        assert str(refusal).isprintable()  # noqa: PT017 - a name is taken, or it is refused
        return
    for kind, language in [*((kind, "en") for kind in TEXTS), ("text", "zh"), ("latex", "zh")]:
        for sheet in (render(derive(model), kind, language=language), render(outline(model, language), kind)):
            assert invisible(sheet) == set(), kind
            sheet.encode("utf-8")
            if kind == "json":
                json.loads(sheet)


@example(MARKS)
@example("0/.")
@given(NAMES)
def test_no_name_is_a_command_of_tex_or_typst_or_a_mark_of_markdown(name):
    """This holds in a sentence, and for a name in a fixed-width font."""
    shown = called("config", name).name
    assert commands(latex.MARKUP.escape(shown)) == []
    assert commands(latex.MARKUP.code(shown)) == [r"\texttt", "{", "}"]
    assert commands_of_typst(typst.MARKUP.escape(shown)) == []
    assert re.fullmatch(r'`[^`\n]+`|#raw\("(?:[^"\\\n]|\\["\\])*"\);', typst.MARKUP.code(shown))
    for markup in (markdown.MARKUP, markdown.ON_GITHUB):
        assert marks(markup.escape(shown)) == []
        assert re.fullmatch(r"`[^`\n|]*`", markup.code(shown)) or marks(markup.code(shown)) == []


def commands(latex: str) -> list[str]:
    """Return the commands that print more than a character, and the characters that TeX obeys."""
    characters = r"\\(?:text(?:backslash|asciitilde|asciicircum|less|greater|bar)\{\}|[{}$&#%_]|allowbreak\{\})"
    printing = characters + r"|\$\\(?:leftarrow|times|approx)\$"
    return re.findall(r"\\[A-Za-z]+|[{}$&#%^~]", re.sub(printing, "", latex))


def commands_of_typst(typst: str) -> list[str]:
    """Return the characters that mean something to Typst and are not escaped."""
    harmless = re.sub(r"\\[^A-Za-z0-9\s]", "x", typst)
    return re.findall(r"^\d+\.|[\\#$*_`<>@\[\]~\"=+/]|--|\.\.", harmless)


def marks(markdown: str) -> list[str]:
    """Return the characters that mean something to Markdown and are not escaped."""
    harmless = re.sub(r"\\[\\`*_{}\[\]<>#|~$^]|&(?:amp|#64);", "", markdown)
    return re.findall(r"[*\[\]<>|$@&`]", harmless)


def test_a_name_that_the_fonts_lack_is_written_as_its_numbers():
    derivation = derive(called("config", "模型😀"))
    assert "does U+6A21 U+578B U+1F600 have?" in render(derivation, "latex")
    assert "模型U+1F600" in render(derivation, "latex", language="zh")
    for kind in ("text", "markdown", "json"):
        assert "模型😀" in render(derivation, kind)
