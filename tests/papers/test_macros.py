"""Commands, YAML and JSON with the values of models, parameters and other quantities, for papers that quote them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from symparams import load, published_models
from symparams.architectures import Architecture
from symparams.components import block, linear
from symparams.errors import OptionError
from symparams.expressions.symbols import h
from symparams.papers.macros import macros
from symparams.papers.names import as_key, in_letters
from symparams.papers.values import QuotedValue, Values, values
from symparams.papers.variables import as_json
from symparams.papers.variables import yaml as as_yaml

DEFINED = re.compile(r"\\newcommand\{\\([A-Za-z]+)\}\{(.*)\}")


def test_names():
    for name, spelled, key in [
    ("llama-3-8b", "LlamaThreeEightB", "llama_3_8b"),
    ("opt-1.3b", "OptOnePointThreeB", "opt_1_3b"),
    ("opt-13b", "OptOneThreeB", "opt_13b"),
    ("mistral-7b-v0.1", "MistralSevenBVZeroPointOne", "mistral_7b_v0_1"),
    ("token_embedding", "TokenEmbedding", "token_embedding"),
    ("MyModel", "MyModel", "MyModel"),
    ("模", "USixATwoOne", "模"),
    ("--", "", ""),
]:  # fmt: skip
        assert (in_letters(name), as_key(name)) == (spelled, key)


@pytest.mark.sweep
def test_no_two_published_models_have_one_name():
    """All of them are in one file, each value under a name of its own."""
    names = published_models()
    found = [values(load(name)) for name in names]
    commands = [name for name, _ in DEFINED.findall(macros(found))]
    assert len(commands) == len(set(commands)) == sum(len(model.entries) for model in found)
    assert len(json.loads(as_json(found))) == len(names)


def test_a_name_of_ones_own(cli, tmp_path, monkeypatch):
    """For a folder that is called paper; what is known of a published model by its name stays known."""
    monkeypatch.chdir(tmp_path)
    Path("paper").mkdir()
    Path("paper/config.json").write_text('{"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}')
    for line, said in [
        ("derive paper", "How many parameters does paper have?"),
        ("derive paper --name 'Our model'", "How many parameters does Our model have?"),
        ("macros paper --name ours", r"\symparamsOursCount"),
        ("macros paper gpt2 --name ours --name theirs", r"\symparamsTheirsCount"),
        ("compare paper paper --name A1 --name B1", "How do the parameter counts of A1 and B1 differ?"),
        ("derive gpt2 --name base", "How many parameters does base have?"),
    ]:
        assert said in cli(line).out, line
    for line, said in [
        ("macros gpt2 --name a --name b", "Targets: 1, names: 2. Give --name once for each target, in their order."),
        ("derive gpt2 --name ' '", "' ' is not a name of a model"),
        ("derive --expr h --set h=2 --name x", "A bare formula has no name: leave out --name beside --expr."),
        ("memory 7B --name x", "A number of parameters is not a model: leave out --name beside '7B'."),
    ]:
        assert said in cli(line).err, line
    window = {"quantity": "kv_cache", "b": 1, "t": 10_000, "dtype": "bf16"}
    assert load("mistral-nemo-12b", name="x").measure(**window) == load("mistral-nemo-12b").measure(**window)


def test_what_is_defined_and_described():
    defined = dict(DEFINED.findall(macros([values(load("gpt2"))])))
    assert defined["symparamsGptTwoCount"] == "124{,}439{,}808"
    assert defined["symparamsGptTwoDigits"] == "124439808"
    assert defined["symparamsGptTwoRounded"] == "124 million"
    assert defined["symparamsGptTwoAttentionCount"] == "28{,}348{,}416"
    assert defined["symparamsGptTwoAttentionShare"] == r"22.78\%"
    assert defined["symparamsGptTwoAttentionClosedForm"] == r"\ensuremath{4Lh^{2} + 4Lh}"
    assert defined["symparamsGptTwoClosedFormBlocks"].endswith(r"2h + L\,(12h^{2} + 13h)}")
    text = macros([values(load("gpt2")), values(load("mixtral-8x7b"))])
    comments = [line for line in text.splitlines() if line.startswith("%")]
    for name, _ in DEFINED.findall(text):
        assert any(line.startswith(f"% \\{name}: ") for line in comments)
    text = macros([values(load("gpt2"), "zh")], "zh")
    assert r"\newcommand{\symparamsGptTwoRounded}{1.24 亿}" in text
    assert "% \\symparamsGptTwoCount: gpt2 的整个模型：参数量，每三位一组" in text
    kinds = {entry.kind for entry in values(load("bloom")).entries}
    assert kinds == {"closed_form", "closed_form_blocks"}


def test_every_form_of_the_values_says_the_same_with_all_digits():
    found = [values(load(name)) for name in ("gpt2", "deepseek-v3")]
    data = json.loads(as_json(found))
    assert yaml.safe_load(as_yaml(found)) == data
    assert data["gpt2"]["components"]["attention"]["digits"] == "28348416"
    assert data["deepseek_v3"]["active"]["count"] == "37,552,282,624"
    assert data["gpt2"]["closed_form"].startswith("$12Lh^{2} + ")
    # 2^53 is passed by far: no reader loses a digit.
    model = load("llama", V=32_000, h=10**6, L=1_000, n_heads=1_000, d_ff=10**7)
    digits = json.loads(as_json([values(model)]))["llama"]["digits"]
    assert int(digits) == model.count() > 2**53
    for word in ("no", "Yes", "null", "1_1", "on", "模型"):
        assert list(yaml.safe_load(as_yaml([Values(word, (QuotedValue(("count",), "1", ""),))]))) == [word]


@given(st.text(min_size=1), st.text())
def test_yaml_reads_back_any_text(name, text):
    found = [Values(name, (QuotedValue(("count",), text, ""),))]
    if not as_key(name):
        with pytest.raises(OptionError, match="no letter or digit"):
            as_yaml(found)
    else:
        assert yaml.safe_load(as_yaml(found)) == {as_key(name): {"count": text}}


def test_names_that_clash_are_an_error_in_components_too():
    for names, message in [
        (("gpt2", "gpt2"), "'gpt2' is named twice: name it once."),
        (("a-b", "a_b"), "'AB' would stand for 'a-b' and for 'a_b': give each a file of its own, with a prefix of its own."),
        (("--",), "'--' has no letter or digit for a name: rename it."),
    ]:
        with pytest.raises(OptionError) as caught:
            macros([Values(name, ()) for name in names])
        assert str(caught.value) == message
    tree = block(active=linear(h, h), layer_1=linear(h, h), layer1=linear(h, h))
    mine = Architecture("mine", title="Mine", source="", tree=tree)
    with pytest.raises(OptionError, match="'symparamsMineLayerOneCount' would stand for"):
        macros([values(load(mine, h=4))])


def test_the_ending_decides_and_nothing_is_written_where_one_is_wrong(cli, tmp_path):
    for ending in ("tex", "yml", "yaml", "json"):
        file = tmp_path / f"_variables.{ending}"
        assert cli(f"macros llama-2-7b -o {file}").code == 0
        text = file.read_text(encoding="utf-8")
        if ending == "tex":
            assert r"\newcommand{\symparamsLlamaTwoSevenBCount}{6{,}738{,}415{,}616}" in text
        else:
            assert yaml.safe_load(text)["llama_2_7b"]["count"] == "6,738,415,616"
    file = tmp_path / "counts.tex"
    file.write_text("as it was")
    assert cli(f"macros gpt2 blom -o {file}").code == 2
    assert file.read_text() == "as it was"


def test_mistakes(cli):
    for line, message in [
        ("macros", "Missing argument 'TARGET...'. For example: symparams macros gpt2 llama-7b -o counts.tex"),
        ("macros gpt2 --prefix a1", "--prefix 'a1' cannot begin a TeX command: write only letters, as in symparams."),
        (
            "macros gpt2 --prefix endash",
            "--prefix 'endash': LaTeX reserves commands that begin with \\end: choose another prefix.",
        ),
        ("macros gpt2 --yaml --prefix a", "--prefix is for commands of LaTeX: leave it out beside --yaml."),
        ("macros gpt2 -o a.csv", "No kind ends in '.csv', as 'a.csv' does: end in .tex, .yml, .yaml, .json, or name the kind."),
        ("macros gpt2 --json -o a.tex", "--json contradicts 'a.tex', which asks for latex: change one of the two."),
        ("macros gpt2 --json --yaml", "Only one format at a time: choose --yaml or --json."),
    ]:
        assert cli(line) == (2, "", f"symparams: {message}\n")


PAPER = r"""\documentclass[twocolumn]{article}
\usepackage{amsmath}
\input{counts}
\sloppy
\begin{document}
%s
\end{document}
"""


def test_a_paper_takes_them_in(compile_document, cli, tmp_path):
    """A two-column article that uses every command, in text and in a formula, has no overfull box."""
    line = f"macros gpt2 bert-base-uncased mixtral-8x7b --notation hf -o {tmp_path / 'counts.tex'}"
    assert cli(line).code == 0
    names = [name for name, _ in DEFINED.findall((tmp_path / "counts.tex").read_text(encoding="utf-8"))]
    used = [
        rf"\noindent A model has \{name}{{}} of them." + rf" It is $N = \{name}$." * name.endswith("Count") for name in names
    ]
    code, log = compile_document("en", PAPER % "\n\n".join(used))
    assert (code, "Overfull" in log) == (0, False)
    code, log = compile_document("en", PAPER % r"\input{counts}")
    assert (code, "symparamsGptTwoCount already defined" in log) == (1, True)


CACHE = "--quantity kv-cache --set b=1 --set t=8192 --dtype bf16"


def test_commands_yaml_and_json(cli):
    defined = dict(DEFINED.findall(cli(f"macros llama-3-8b gpt2 {CACHE}").out))
    assert defined["symparamsLlamaThreeEightBKvCacheCount"] == "1{,}073{,}741{,}824"
    assert defined["symparamsLlamaThreeEightBKvCacheDigits"] == "1073741824"
    assert defined["symparamsLlamaThreeEightBKvCacheRounded"] == "1.07 GB"
    assert defined["symparamsGptTwoKvCacheClosedForm"] == r"\ensuremath{2btLhe}"
    assert defined["symparamsGptTwoKvCacheAttentionShare"] == r"100.00\%"
    line = "macros gpt2 --quantity forward-flops --set b=1 --set s=128"
    data = json.loads(cli(f"{line} --json").out)
    assert yaml.safe_load(cli(f"{line} --yaml").out) == data
    assert data["gpt2"]["forward_flops"]["count"] == "32,228,179,968"
    assert data["gpt2"]["forward_flops"]["components"]["feed_forward"]["digits"] == "14495514624"
    data = json.loads(cli("macros gpt2 --quantity forward-flops --json --lang zh").out)
    assert set(data["gpt2"]["forward_flops"]) == {"closed_form", "closed_form_blocks", "components"}
