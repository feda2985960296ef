"""The languages say the same: the same keys, the same placeholders, a name for everything, and no words of another."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import symparams
from symparams import architectures, derive, load, render
from symparams.architectures import Architecture, architecture
from symparams.components import block, embedding, linear
from symparams.derivations import views
from symparams.derivations.derivation import Derivation
from symparams.errors import UnknownNameError
from symparams.expressions.notation import KEYS
from symparams.expressions.printing.metric import is_wide
from symparams.expressions.symbols import DIMENSIONS, L, V, d_ff, h
from symparams.formats.format import Options
from symparams.formats.sheet import Sheet
from symparams.formats.text.writer import MARKUP
from symparams.quantities.parameters import SOURCES
from symparams.sheets.catalogue import Catalogue, Entries, catalogue, templates
from symparams.sheets.dimensions import LABELS
from symparams.sheets.document import Document
from symparams.sheets.values import Name, Prose, Sentence

from .conftest import ATTENTIONS, IN_CHINESE, LANGUAGES, WAYS, derivation, variants

EVERY = pytest.param(architectures(), marks=pytest.mark.sweep)

# Names that Chinese papers leave in English.
ENGLISH_NAMES = frozenset(
    re.findall(
        r"\w+",
        """
    AdamW ALiBi AMSGrad attn Chowdhery Conformer conv CPU delta Dropout dwconv enc
    FFN FlashAttention FlopCounterMode FLOPs Former gate GeGLU GELU GiB GLU GPT GQA head
    hooks III Kaplan Korthikanti LayerNorm logits LoRA LSE MAC Mamba meta MiB MIM MLA MLM MoE MQA MTP Narayanan nn norm NSP PEFT
    PReLU QA QKV quick Rajbhandari ReLU RMS RMSNorm RoPE saved SGD sigmoid SiLU sink softmax softplus SOP SwiGLU symparams tanh
    tensors timm torch Transformer transformers xIELU ZeRO
    CTC kHz
    BERT DeepSeek LLaMA MIT
    AltUp Attention DeepStack Gaussian IoU LAuReL Lightning RWKV WKV top down exp merge receptance
    """,
    )
)
WORD = re.compile(r"[A-Za-z]{3,}")


def flat(tables: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """{"notes": {"linear": "…"}} by whole keys: {"notes.linear": "…"}."""
    entries = {}
    for key, value in tables.items():
        entries |= flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
    return entries


@cache
def entries(language: str) -> dict[str, Any]:
    return {key: entry for text in texts_of(language) for key, entry in flat(tomllib.loads(text)).items()}


def texts_of(language: str) -> tuple[str, str]:
    """The catalogue of what is alike in every language, and the language's own."""
    files = (templates() / "alike.toml", templates() / "languages" / f"{language}.toml")
    return tuple(file.read_text(encoding="utf-8") for file in files)


def sentences(language: str) -> dict[str, str]:
    return {key: text for key, text in entries(language).items() if isinstance(text, str) and not key.startswith("head.")}


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def entries_of(name: str) -> set[str]:
    """What the catalogue must hold to say a name: its patterns, and the names that they join."""
    if name.startswith("part:"):
        part = name.removeprefix("part:")
        return {f"parts.{part}"} if f"parts.{part}" in entries("en") else {f"names.{part}"}
    *patterns, joined = name.split(":")
    return {f"patterns.{pattern}" for pattern in patterns} | {f"names.{part}" for part in joined.split("/")}


def english_words(text: str) -> set[str]:
    """The English words of a sentence, its placeholders, addresses and the names that stay English aside."""
    return set(WORD.findall(re.sub(r"\{\w+\}|https?://[\w./-]+", "", text))) - ENGLISH_NAMES


@cache
def derivations(family: str) -> list[Derivation]:
    """Return the derivations of a family in every view, with attention either way, and with other features."""
    ways = [derive(load(family), view=view, attention=attention) for view, attention in product(views.names(), ATTENTIONS)]
    return [*ways, *map(derive, variants(family))]


def test_the_catalogues_say_the_same():
    assert list(entries("zh")) == list(entries("en"))
    english, chinese = sentences("en"), sentences("zh")
    assert {key: placeholders(chinese[key]) for key in english} == {key: placeholders(english[key]) for key in english}
    assert {key: words for key, chinese in sentences("zh").items() if (words := english_words(chinese))} == {}
    assert {key: english for key, english in sentences("en").items() if any(map(is_wide, english))} == {}


def test_what_is_alike_in_every_language_stands_once():
    english, chinese = (flat(tomllib.loads(texts_of(language)[1])) for language in ("en", "zh"))
    assert {key for key in english if english[key] == chinese[key] and not key.startswith("head.")} == set()
    own = Entries('[names]\nlora = "LoRA"\nrms_norm = "RMSNorm"\n', '[names]\nrms_norm = "RMS-Norm"\n')
    assert dict(own) == {"names.lora": "LoRA", "names.rms_norm": "RMS-Norm"}


def test_a_catalogue_read_table_by_table_is_the_whole():
    for language in LANGUAGES:
        texts = texts_of(language)
        whole, read = dict(Entries(*texts)), Entries(*texts)  # to list the entries parses the file whole
        assert read.within("head") == {
            key.removeprefix("head."): entry for key, entry in whole.items() if key.startswith("head.")
        }
        assert {key: read[key] for key in reversed(whole)} == whole
        assert "notes.attention" not in read
        assert list(Entries(*texts)) == list(read) == list(whole)


def test_an_unknown_key_is_an_error() -> None:
    for language in LANGUAGES:
        with pytest.raises(UnknownNameError, match=r"names\.atention"):
            catalogue(language).name("atention")
        with pytest.raises(UnknownNameError, match=r"notes\.linaer"):
            catalogue(language).sentence("notes.linaer")


def test_a_users_own_names_are_shown_by_their_words() -> None:
    parts = {"token_table": embedding(V, h), "my_mixer": block(some_matrix=linear(h, d_ff, bias=False))}
    tree = block(**parts, pooler=linear(h, h, bias=False))
    model = load(Architecture("mine", title="Mine", source="", tree=tree), V=10, h=4, d_ff=8)
    for language, known in (("en", "pool"), ("zh", "池化")):
        sheet = render(derive(model), language=language)
        assert ["Token table\n" in sheet, "N(some matrix)" in sheet, f"N({known})" in sheet] == [True, True, True]


def test_where_chinese_meets_a_formula_stands_a_space():
    for value, said in [
    (Sentence("sums.stack", {"times": L}), "各部分合计，再乘以层数 L："),
    (Sentence("notes.bias", {"width": h}), "一个长度为 h 的偏置。"),  # no space before the full stop
    (Sentence("notes.linear.unbiased", {"shape": h}), "权重矩阵的形状为 h，没有偏置。"),
    (Sentence("costs.parameters.title", {"model": Prose("gpt2")}), "gpt2 有多少参数？"),
    (Sentence("choice.without", {"part": Name("part:biases")}), "不含线性层偏置。"),
    (Name("one:rms_norm"), "单个 RMSNorm"),
    (Name("rms_norms", "decoder"), "解码 RMSNorm"),
    (Fraction(1695, 10_000), "16.95%"),
]:  # fmt: skip
        document = Document("derivation", "zh", None, None, ())
        assert Sheet(document, MARKUP, Options()).text(value) == said


def names_missing(family: str) -> set[str]:
    """Return the entries that a family's steps, and all names that its sheets print, need and the catalogue lacks."""
    asked: set[str] = set()
    name = Catalogue.name
    with mock.patch.object(Catalogue, "name", lambda self, key, **known: (asked.add(key), name(self, key, **known))[1]):
        for derived in derivations(family):
            render(derived, "text")
    assert asked
    asked |= {step.name for derived in derivations(family) for step in derived.walk()}
    return {entry for key in asked for entry in entries_of(key)} - set(entries("en"))


@pytest.mark.parametrize("families", [["bert", "transformer", "mamba"], EVERY], ids=["few", "all"])
def test_every_name_of_a_family_is_in_the_catalogue(families: Iterable[str]) -> None:
    assert {family: missing for family in families if (missing := names_missing(family))} == {}


def test_every_dimension_feature_and_source_is_described():
    for language in LANGUAGES:
        families = map(architecture, architectures())
        features = {f"features.{name}" for family in families for name in (*family.features, *family.switches)}
        needed = features | {f"dimensions.{d.name}" for d in DIMENSIONS} | {f"rule.{source}" for source in SOURCES}
        assert needed - set(entries(language)) == set()


@pytest.mark.parametrize("targets", [IN_CHINESE, EVERY], ids=["few", "all"])
def test_a_chinese_sheet_has_no_english_sentence(targets: Iterable[str]) -> None:
    symbols = " ".join([*(d.name for d in DIMENSIONS), *(key for keys in KEYS.values() for key in keys)])
    for target in targets:
        model = load(target)
        read_from = model.library.read_from.values() if model.library else ()
        keys = [*LABELS, *(model.key(dimension) for dimension in model.architecture.dimensions), *chain(*read_from)]
        spelt_by_programs = set(WORD.findall(f"{target} {model.architecture.title} {symbols} {' '.join(keys)}"))
        for view, attention in WAYS:
            text = render(derivation(target, attention, view), "text", language="zh")
            assert english_words(text) - spelt_by_programs == set(), (target, view, attention)


def assembled():
    """The texts of the code that are put together, by where they stand, with {} for what is put in."""
    for file in sorted(Path(symparams.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                text = "".join(piece.value if isinstance(piece, ast.Constant) else "{}" for piece in node.values)
                if any(part and "{}" not in part for part in text.split(".")):
                    yield f"{file.name}:{node.lineno}", text


def test_a_key_is_written_out_but_for_one_part_that_is_the_name_of_a_fact():
    """So that a search for a sentence's section finds where it is said: quiz.too_large_by, budget.recipes.{name}."""
    keys = {key.removeprefix(room) for key in catalogue("en").entries for room in ("", "notes.", "drawing.")}
    whole = "\n".join(key for key in keys if "." in key)
    torn = {
        place: text
        for place, text in assembled()
        if any("{}" in part and part != "{}" for part in text.split("."))
        and re.search(f"^{re.escape(text)}$".replace(r"\{\}", "[a-z0-9_]+"), whole, re.MULTILINE)
    }
    assert torn == {}
