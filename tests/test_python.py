"""From Python: a name is taken for its model; what is handed over is taken, or refused in one line of Python's words."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest

import symparams
from symparams import compare, derive, derive_expression, explain, load, render, typeset
from symparams.answers.synonyms import synonyms
from symparams.errors import MissingDimensionError
from tests.refusals import refusal

GPT2 = load("gpt2")


def test_a_name_is_taken_for_the_model():
    sheet = render(derive(GPT2))
    assert render(GPT2) == render(GPT2, "text") == render("gpt2") == render(derive("gpt2"), "text") == sheet
    assert render(derive("gpt2", "kv_cache", dtype="bf16")) == render(derive(GPT2, quantity="kv_cache", dtype="bf16"))
    assert GPT2.closed_form("kv_cache") == GPT2.closed_form(quantity="kv_cache")
    assert explain("gpt2", 163_037_184) == explain(GPT2, 163_037_184)


MISTAKES = {
    "bert is a family, so its sizes have no values: name a model": lambda: load("bert").count(),
    "expression has no value for foo (used in the formula): give foo=….": derive_expression("12*foo").subject.count,
    "Unknown architecture or model 'bret'. Did you mean 'bert'": lambda: derive("bret"),
    "'7', of type int, is not a model: give a model or a name, such as 'gpt2'.": lambda: render(7),
    "Unknown format 'docx'. Known: apkg, csv, html, json, latex, markdown, pdf, png, svg, text, tikz, typst.": lambda: render(
        GPT2, "docx"
    ),
    "Unknown format 'md'. Did you mean 'markdown'?": lambda: render(GPT2, "md"),
    "compare takes its models one by one: write compare(*models).": lambda: compare([GPT2, GPT2]),
    "'svg' is a text, not pages: write draw(…, 'svg'), or typeset to 'pdf' or 'png'.": lambda: typeset(GPT2, "svg"),
    "batch and b are the same input: give one of the two.": lambda: derive(GPT2, quantity="all", batch=1, b=2),
    "Unknown language 'fr'. Known: en, zh.": lambda: render(GPT2, language="fr"),
    "Unknown view 'x': choose one of module, kind, weights.": lambda: derive(GPT2, view="x"),
    "A page has 1 or 2 columns, not '3'.": lambda: render(GPT2, columns=3),
    "language = 'None' is a NoneType, not a text: write language='en'.": lambda: render(GPT2, language=None),
    "notation = '5' is a int, not a text: write notation='hidden'.": lambda: render(GPT2, notation=5),
    "symbols = '{'h': 5}' does not give letters by dimension: write symbols={'h': 'd'}.": lambda: render(
        GPT2, symbols={"h": 5}
    ),
    "width = '80' is not a number of characters: write width=80.": lambda: render(GPT2, width="80"),
    # GPT-NeoX's count has no heads in it; head by head it cannot be written without them.
    "num_attention_heads in the config is null: give a whole number": lambda: load(
        {"model_type": "gpt_neox", "num_attention_heads": None}
    ),
    "count has no option 'quantity': write model.measure('kv_cache', b=1, t=8).": lambda: GPT2.count(
        quantity="kv_cache", b=1, t=8
    ),
    "count has no option 'n_embd': write symparams.load(model, n_embd=64).count().": lambda: GPT2.count(n_embd=64),
    "count has no option 'frozzen'. Did you mean 'frozen'?": lambda: GPT2.count(frozzen=True),
    "'m.png' is a file, not a format: write open('m.png', 'wb').write(symparams.typeset_drawing(…, 'png')[0]).": lambda: (
        symparams.draw(GPT2, "m.png")
    ),
    "'m.tex' is a file, not a format: write open('m.tex', 'w').write(symparams.render(…, 'latex')).": lambda: render(
        GPT2, "m.tex"
    ),
    "This sheet has no section 'shares': choose one of counts, components, kinds, ": lambda: render(
        compare(GPT2, "bloom-560m"), only="shares"
    ),
    "GPT-2 has no dimension 'd_modl'.": lambda: load("gpt2", d_modl=3),
    "The feature 'tying' is both included and excluded": lambda: load("gpt2", include=["tying"], exclude=["tying"]),
}


def test_a_page_of_all_costs_takes_the_longer_names_of_inputs():
    by_letters = render(derive(GPT2, quantity="all", b=2, t=512, dtype="bf16"))
    assert render(derive(GPT2, quantity="all", batch=2, context=512, dtype="bf16")) == by_letters


def test_a_mistake_is_told_in_the_words_of_python():
    for message, call in MISTAKES.items():
        told = refusal(call)
        assert told.startswith(message)
        assert "--" not in told


SWITCHED = [
    (GPT2.memory, "training"), (GPT2.flops, "training"), (GPT2.count, "frozen"), (partial(symparams.load, "gpt2"), "strict"),
    (partial(GPT2.measure, "training_memory", recipe="fp32", b=1, s=8), "checkpoint"),
    (partial(symparams.render, GPT2, "latex"), "standalone"), (partial(symparams.draw, GPT2), "with_legend"),
]  # fmt: skip


def test_a_text_is_no_switch():
    for call, name in SWITCHED:
        told = f"{name} = 'false' is a text, not a switch: write {name}=True or {name}=False."
        assert refusal(call, **{name: "false"}) == told


WISHED = [
    (GPT2, "draw", "Model has no attribute 'draw': write symparams.draw(model)."),
    (GPT2, "compare", "Model has no attribute 'compare': write symparams.compare(model, …)."),
    (GPT2, "shares", "Model has no attribute 'shares': write symparams.derive(model).shares."),
    (GPT2, "to_latex", "Model has no attribute 'to_latex': write symparams.render(model, 'latex')."),
    (GPT2, "parameters", "Model has no attribute 'parameters': write model.count()."),
    (GPT2, "num_parameters", "Model has no attribute 'num_parameters': write model.count()."),
    (GPT2, "kv_cache", "Model has no attribute 'kv_cache': write model.measure('kv_cache', b=1, t=1024, dtype='bf16')."),
    (GPT2, "activations", "Model has no attribute 'activations': write model.measure('activations', b=…, s=…, dtype='bf16')."),
    (GPT2.memory(), "weights", "Plan has no attribute 'weights': write {line.name: line.value for line in plan.lines}."),
    (
        symparams,
        "kv_cache",
        "module 'symparams' has no attribute 'kv_cache': write symparams.load('gpt2').measure('kv_cache', ",
    ),
    (symparams, "from_pretrained", "module 'symparams' has no attribute 'from_pretrained': write symparams.load('gpt2')."),
    (GPT2, "n_embd", "Model has no attribute 'n_embd': write model.sizes."),
    (GPT2, "counts", "Model has no attribute 'counts'. Did you mean 'count'?"),
    (derive(GPT2), "to_pdf", "Derivation has no attribute 'to_pdf': write symparams.typeset(derivation, 'pdf')."),
    (derive(GPT2), "count", "Derivation has no attribute 'count': write derivation.model.count."),
    (symparams, "count", "module 'symparams' has no attribute 'count': write symparams.load('gpt2').count()."),
    (
        symparams,
        "quiz",
        "module 'symparams' has no attribute 'quiz': it is a command, symparams quiz, in a notebook !symparams quiz.",
    ),
    (symparams, "lode", "module 'symparams' has no attribute 'lode'. Did you mean 'load'"),
]


def test_an_attribute_that_there_is_not_says_what_to_write_in_its_place():
    for value, name, message in WISHED:
        with pytest.raises(AttributeError) as error:
            getattr(value, name)
        assert str(error.value).startswith(message)


@pytest.mark.parametrize("kind", ["model", "plan", "derivation", "package"])
def test_what_a_synonym_stands_for_can_be_written(kind):
    value = {"model": GPT2, "plan": GPT2.memory(), "derivation": derive(GPT2), "package": symparams}[kind]
    assert synonyms(kind).keys().isdisjoint(dir(value))
    names = {kind: value, "symparams": symparams, "pandas": SimpleNamespace(DataFrame=list)}
    for meant in dict.fromkeys(synonyms(kind).values()):
        eval(meant, names)  # noqa: S307 - our own


def test_a_keyword_that_there_is_not_says_which_is_meant():
    for call, word, meant in (
        (GPT2.memory, "seq_len", "context"), (GPT2.memory, "gpu", "fits"), (GPT2.memory, "kv_dtype", "cache_dtype"),
        (GPT2.flops, "prompt_len", "tokens"), (GPT2.flops, "mfu", "utilisation"),
    ):  # fmt: skip
        told = f"{call.__name__} has no option '{word}'. Did you mean '{meant}'?"
        assert refusal(call, **{word: 8}) == refusal(call, training=True, **{word: 8}) == told


def test_what_is_missing_is_asked_for_in_the_words_of_who_asked(cli, mistake):
    """Python's in Python, options on the command line."""
    asked = (
        "bloom has no value for V (used in embeddings.token_embedding), L (used in decoder.attention_norm): give {}, or name"
    )
    assert refusal(load("bloom", h=64, n_heads=2).count) == asked.format("V=…, L=…") + " a published model."
    assert mistake("count bloom --set h=64 --set n_heads=2") == asked.format("--set V=… --set L=…") + " a published model."
    assert "give --set h=…" in cli("count --expr 2*h").err


def test_what_is_missing_outlives_a_process():
    with pytest.raises(MissingDimensionError) as error:
        load("bloom", V=8, h=8).count()
    again = pickle.loads(pickle.dumps(error.value))  # noqa: S301 - our own
    assert (str(again), again.names) == (str(error.value), ("L",)) == (str(error.value), error.value.names)


class Unshowable:
    """It fails when anybody wants to print it."""

    def __repr__(self) -> str:
        raise RuntimeError


def nested(levels: int, wrap: Callable[[object], object]) -> object:
    value: object = []
    for _ in range(levels):
        value = wrap(value)
    return value


ODD = {
    "deep list": nested(100_000, lambda inner: [inner]),
    "deep dict": nested(100_000, lambda inner: {"inner": inner}),
    "digits": 10**5_000,
    "unshowable": Unshowable(),
}


@pytest.mark.parametrize("value", ODD)
def test_a_config_with_an_odd_value_is_refused_unless_it_counts_for_nothing(value):
    config = {"model_type": "gpt2"}
    for key in ("model_type", "n_embd", "architectures", "id2label", "num_labels", "tie_word_embeddings"):
        odd = {**config, "architectures": ["GPT2ForSequenceClassification"], key: ODD[value]}
        assert len(refusal(load, odd)) < 1_000
    assert load({**config, "extra": ODD[value]}).count() == 124_439_808
    assert load({**config, "_name_or_path": ODD[value]}).name.isprintable()


def test_what_comes_to_nothing_is_derived_too():
    for expression in ("h-h", "h*0", "0*h*V + L - L"):
        derivation = derive_expression(expression)
        assert repr(derivation.total.closed) == "0"
        assert all(render(derivation, kind) for kind in ("text", "latex", "markdown", "json"))
