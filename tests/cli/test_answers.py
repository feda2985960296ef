"""The command line as others script against it: arguments to output, which fits the terminal, a pipe or the width asked for."""

from __future__ import annotations

import json
import sys

from symparams import __version__, architectures, published_models
from symparams.atlas import kinds
from symparams.expressions.printing.metric import columns
from symparams.sheets.catalogue import catalogue

GPT2 = "12·L·h² + 13·L·h + V·h + max_pos·h + 2·h"

ONE_LINE = [
    ("count gpt2", "124439808"),
    ("count gpt2 --without tying", "163037184"),
    ("count gpt2 --shared each", "163037184"),
    ("count bert-base-uncased --without pooler --with mlm_head", "109514298"),
    ("count bloom --set V=100 --set h=8 --set L=2", "2576"),  # 12·2·64 + 13·2·8 + 100·8 + 4·8
    ("count bloom --set vocab_size=100 --set hidden_size=8 --set n_layer=2", "2576"),
    ("count bloom --set V=100 --set h=8 --set L=2 --set d_ff=3*h+1", "2338"),
    ("count --expr 12*L*h**2+13*L*h --set L=2 --set h=8", "1744"),
    ("count --expr 3*(h*h+h) --set h=768", "1771776"),
    ("count --expr 2+2", "4"),
    ("count gpt2 --quantity lora --lora c_attn --set rank=8", "294912"),  # 12 layers, 8·(768 + 3·768)
    ("count gpt2 --quantity kv-cache --set batch=1 --set context=8 --dtype bf16", "294912"),  # 12 layers, 2·8·768·2
    ("formula gpt2", GPT2),
    ("formula gpt2 --latex", r"12Lh^{2} + 13Lh + Vh + \text{max}_{\text{pos}}\,h + 2h"),
    ("formula gpt2 --markdown --flavor github", r"$`12Lh^{2} + 13Lh + Vh + \text{max}_{\text{pos}}\,h + 2h`$"),
    ("formula bloom --set d_ff=3*h --set h=8", "10·L·h² + 12·L·h + V·h + 4·h"),
    ("formula bloom --set d_ff=24 --set h=8", "4·L·h² + 2·L·h·d_ff + 9·L·h + V·h + L·d_ff + 4·h"),
    ("formula bloom --notation bert", "12·L·H² + 13·L·H + V·H + 4·H"),
    ("formula bloom --without biases", "12·L·h² + 4·L·h + V·h + 4·h"),
    ("formula bloom --symbol h=d", "12·L·d² + 13·L·d + V·d + 4·d"),
    ("formula bloom --symbol h=d_model --latex --without lm_head --without biases",
     r"12L\,d_{\text{model}}^{2} + 4L\,d_{\text{model}} + V\,d_{\text{model}} + 4d_{\text{model}}"),
    ("formula --expr 3*(h*h+h)", "3·h² + 3·h"),
    ("--version", f"symparams {__version__}"),
]  # fmt: skip


def test_a_command_that_answers_in_one_line(cli):
    for arguments, line in ONE_LINE:
        assert cli(arguments) == (0, f"{line}\n", ""), arguments


# How a sheet begins, or what it has in it.
SHEETS = [
    ("derive gpt2", f"How many parameters does gpt2 have?\n\n    N = {GPT2} = 124,439,808 ≈ 124 million\n"),
    ("derive bloom", "    N = 12·L·h² + 13·L·h + V·h + 4·h\n\n"),
    ("derive bloom --latex --lang zh", "ctex"),
    ("derive bloom --latex --fragment", "% Needs \\usepackage{amsmath"),
    ("derive bloom --markdown", "\n$$\n\\boxed{"),
    ("derive bloom --markdown --flavor github", "\n```math\n\\boxed{"),
    ("derive bloom --notation gpt3", "d_model"),
    ("derive bloom --attention fused", "(h × 3·h + 3·h) [query, key, value] + (h × h + h) [output]"),
    ("derive bloom --attention per-head", "n_heads × "),
    ("derive bloom --set h=8 --set n_heads=2", "head size"),
    (
        "derive --expr 3*(h*h+h) --set h=768",
        "    N = 3 × (h × h + h) = 3·h² + 3·h\n      = 3 × (768 × 768 + 768) = 1,771,776\n",
    ),
    ("derive --expr h*h --latex", "N &= h \\times h"),
    ("show bloom", "lm_head                (h, V)            0, shares embeddings.token_embedding\n"),
    ("show bloom", "\n+ tying: "),
    ("show bloom --without tying", "\n- tying: "),
    ("show llama-3-8b --names hf", "│  │  ├─ query           (n_heads·d_head, h)\n"),
    ("show llama-3-8b --names hf", "model.layers.{i}.self_attn.k_proj.weight\n"),
    ("show gpt2 --names hf", "│  │  │  ├─ weight        (h, 3·h)      transformer.h.{i}.attn.c_attn.weight\n"),
    ("show gpt2 --names hf", "└─ lm_head                              shares embeddings.token_embedding\n"),
    ("show deepseek-v3 --names hf --json", '"model.layers.{i}.mlp.shared_experts.up_proj.weight"'),
    ("show t5-small --names hf --json", '"decoder.block.{i}.layer.1.EncDecAttention.q.weight"'),
    ("memory 7B", "28,000,000,000"),  # four bytes for each parameter
    ("memory 7B --dtype int4", "3,500,000,000"),
    ("solve gpt2 --total 7B --for h", "h ≈ 6,795.846591"),
    ("derive bloom-560m --with-memory", "\nMemory of the weights\n"),
]


def test_a_command_whose_answer_holds(cli):
    for arguments, part in SHEETS:
        code, out, err = cli(arguments)
        assert part in out, arguments
        assert (code, err) == (0, ""), arguments


def test_memory_in_which_no_number_type_fits_is_exit_code_1(cli):
    asked = ("--fits 12GB", "--fits 12GB --dtype fp32", "--fits 1GiB")
    assert [cli(f"memory 7B {options}").code for options in asked] == [0, 1, 1]


def test_list_names_every_target_and_is_data(cli):
    by_hand, discovered = cli("list").out.split("\n\n")
    listed = [line.split(":")[0].strip() for line in by_hand.splitlines()]
    assert sorted(listed) == sorted([*architectures(), *published_models()])
    assert discovered.splitlines()[0].startswith("Discovered in transformers, not written by hand")
    assert " ".join(discovered.split()).endswith("checked: " + ", ".join(kinds()))
    assert cli("list Bert").out.splitlines()[:2] == [
        "bert: BERT (Devlin et al., 2019, arXiv:1810.04805)",
        "    bert-base-uncased",
    ]
    [family] = json.loads(cli("list gpt2 --json").out)["architectures"]
    assert family == {
        "name": "gpt2",
        "title": "GPT-2",
        "source": "Radford et al., 2019, Language Models are Unsupervised Multitask Learners",
        "models": ["gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl"],
    }


def test_count_and_formula_as_json_and_back(cli):
    assert json.loads(cli("count bloom --json --without lm_head --set V=100 --set h=8 --set L=2").out) == {
        "schema": 1,
        "kind": "count",
        "target": "bloom",
        "quantity": "parameters",
        "unit": "parameters",
        "closed_form": "12*L*h**2 + 13*L*h + V*h + 4*h",
        "value": 2576,
        "features": {"lm_head": False, "tying": True, "biases": True, "classifier": False, "classifier_bias": False},
        "dimensions": {"L": 2, "V": 100, "h": 8, "n_heads": None, "d_head": None, "d_ff": 32},
    }
    formula = json.loads(cli("formula bloom --json").out)
    assert (formula["by_blocks"], formula["latex"]) == ("V*h + 4*h + L*(12*h**2 + 13*h)", "12Lh^{2} + 13Lh + Vh + 4h")
    # The closed form of a sheet is itself an --expr, with the sheet's dimensions as its values.
    for target in ["bloom-1b4-zh", "--expr 12*L*h**2 --set L=2 --set h=3"]:
        sheet = json.loads(cli(f"derive {target} --json").out)
        used = {name: value for name, value in sheet["dimensions"].items() if name in ("L", "V", "h")}
        given = [f"--set={name}={value}" for name, value in used.items()]
        assert cli(["count", "--expr", sheet["closed_form"], *given]).out == f"{sheet['value']}\n"


def test_the_keys_of_the_sentences_of_a_sheet(cli):
    """What is printed is TOML, and each sentence is the catalogue's own."""
    for line, language, key in (
        ("derive gpt2 --keys", "en", "notes.fused_attention.biased"),
        ("derive gpt2 --keys --lang zh --brief", "zh", "costs.parameters.blocks"),
        ("derive gpt2 --keys --quantity kv-cache", "en", "costs.kv_cache.what"),
    ):
        said = dict(row.split(" = ", 1) for row in cli(line).out.splitlines())
        entries = catalogue(language).entries
        assert {name: entries[name] for name in said} == {name: json.loads(text) for name, text in said.items()}
        assert key in said
    assert cli("derive gpt2 --keys --latex").err == "symparams: --keys prints keys, not a sheet: leave out --keys or --latex.\n"


def test_the_ending_of_a_file_chooses_the_format_where_none_is_named(cli, tmp_path):
    endings = {"sheet.tex": "latex", "sheet.md": "markdown", "sheet.JSON": "json", "sheet.txt": "text", "sheet": "text"}
    for name, kind in endings.items():
        assert cli(["formula", "gpt2", "-o", str(tmp_path / name)]) == (0, "", "")
        assert (tmp_path / name).read_text(encoding="utf-8") == cli(f"formula gpt2 --{kind}").out
    assert cli(["formula", "gpt2", "--latex", "-o", str(tmp_path / "formula.ltx")]) == (0, "", "")
    assert (tmp_path / "formula.ltx").read_text() == cli("formula gpt2 --latex").out


def test_a_terminal_is_shown_bars_and_told_how_to_write_the_drawing_and_a_pipe_gets_svg(cli, monkeypatch):
    how = "symparams: add -o {}.svg to write the drawing, or --svg to print its source\n"
    bars, svg = cli("draw gpt2 --text").out, cli("draw gpt2").out
    assert svg.startswith("<svg ")
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda stream: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    for command, out, name in [
        ("draw gpt2", bars, "gpt2"),
        ("draw bloom", "", "bloom"),  # which has no numbers for bars
        ("draw gpt2 --labels none", "", "gpt2"),  # which bars have not
    ]:
        assert cli(command) == (0, out, how.format(name)), command
    assert cli("draw gpt2 --svg").out == cli("draw gpt2 -o -").out == svg


# A command on a config that names no class, and whose note it is where there are several models.
NOTED = [
    ("draw {}", ""),
    ("draw {} --bars --text", ""),
    ("derive {} --html", ""),
    ("formula {}", ""),
    ("count {}", ""),
    ("count {} --quantity weight-memory --dtype bf16", ""),
    ("macros {}", ""),
    ("compare {} gpt2 --relative --svg", "mine: "),
]


def test_which_class_is_assumed_is_told_on_standard_error_beside_the_answer(cli, tmp_path, monkeypatch):
    monkeypatch.setattr("symparams.pages.page.page", lambda *_, **__: "<!DOCTYPE html>\n")  # which takes seconds to make
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "config.json").write_text(
        '{"model_type": "gpt2", "n_embd": 8, "n_head": 2, "n_layer": 1, "vocab_size": 9, "n_positions": 4}'
    )
    for command, whose in NOTED:
        code, out, err = cli(command.format(folder))
        assert (code, bool(out)) == (0, True), command
        assert err == f"symparams: {whose}the config names no class, so this is the base model, GPT2Model\n", command


def widest(text: str) -> int:
    return max(map(columns, text.splitlines()))


def test_a_sheet_is_as_wide_as_the_terminal_a_pipe_or_what_is_asked_for(cli, monkeypatch, mistake):
    for width in [60, 80, 132]:
        monkeypatch.setenv("COLUMNS", str(width))
        with monkeypatch.context() as terminal:
            terminal.setattr(type(sys.stdout), "isatty", lambda stream: True, raising=False)
            assert widest(cli("derive bert-base-uncased").out) <= width
    monkeypatch.setenv("COLUMNS", "200")
    assert widest(cli("derive deepseek-v3").out) <= 80
    assert widest(cli("derive bert-base-uncased --width 60").out) <= 60
    for width in ("40", "10000"):
        assert cli(f"derive --expr h*V --width {width}").code == 0
    for width in ("3", "39", "10001"):
        told = f"--width '{width}' is not a width of a page: write one from 40 to 10,000."
        assert mistake(f"derive --expr h*V --width {width}") == told
