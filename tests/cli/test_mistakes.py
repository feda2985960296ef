"""Mistakes: each is one line on standard error that says what, where, and what would be right; exit code 2."""

from __future__ import annotations

import subprocess
import sys

import pytest

GRAMMAR = "an expression holds integers, known symbols, + - * / ** and parentheses."
NO_H = "h = {} is not a positive integer or an expression such as 4*h. "

# The arguments, and how the one line on stderr goes on after "symparams: ".
MISTAKES = [
    (["count", "blom"], "Unknown architecture or model 'blom'. Did you mean 'bloom'?"),
    (["derive", "bert-base-uncasd"], "Unknown architecture or model 'bert-base-uncasd'. Did you mean 'bert-base-uncased'"),
    (["count", "bert-base"],
     "Unknown architecture or model 'bert-base'. Did you mean 'bert-base-uncased' or 'bert-base-cased' "
     "or 'bert-base-multilingual-cased'?"),
    *((["count", written], f"Unknown architecture or model '{written}'. Did you mean '{meant}'") for written, meant in (
        ("llama3-8b", "llama-3-8b"), ("LLAMA2-7b", "llama-2-7b"), ("bert_base_uncased", "bert-base-uncased"),
        ("gpt2-small", "gpt2"), ("Llama-2-7b-hf", "llama-2-7b"), ("Qwen2.5-7B-Instruct", "qwen2.5-7b"),
        ("t5-xxl", "flan-t5-xxl"), ("mistral-7b", "mistral-7b-v0.1' or 'mistral-7b-v0.3"),
    )),
    (["count", "BLOM"], "Unknown architecture or model 'BLOM'. Did you mean 'bloom'?"),
    (["show", "gpt3", "--names", "hf"], "The tensor names of GPT-3 in the transformers library are not known."),
    (["show", "gpt2", "--names", "hg"], "Unknown names 'hg'. Known: tree, hf."),
    (["count", "gpt2", "--names", "hf"], "count has no option --names, which is for show: leave it out."),
    (["show", "xyzzy"], "Unknown architecture or model 'xyzzy'. Known: albert, bart, bert, bloom, "),
    (["formula", "two\nlines"], "Unknown architecture or model 'two\N{REPLACEMENT CHARACTER}lines'. Known: "),
    (["count", "\x1b[31mred"], "Unknown architecture or model '\N{REPLACEMENT CHARACTER}[31mred'. Known: "),
    (["count", "x" * 100_000], f"Unknown architecture or model '{'x' * 60}…'. Known: "),
    (["count", "bloom", "--set", "foo=3"], "BLOOM has no dimension 'foo'. Known: L, V, h, n_heads, d_head, d_ff, n_labels."),
    (["count", "bloom", "--set", "max_pos=3"],
     "BLOOM has no dimension 'max_pos'. Known: L, V, h, n_heads, d_head, d_ff, n_labels."),
    (["count", "bloom", "--set", "n_head_s=3"], "BLOOM has no dimension 'n_head_s'. Did you mean 'n_heads'"),
    (
        ["count", "bloom", "--with", "pooler"],
        "BLOOM has no feature 'pooler'. Known: lm_head, tying, biases, classifier, classifier_bias.",
    ),
    (["count", "bert", "--without", "poler"], "BERT has no feature 'poler'. Did you mean 'pooler'?"),
    (["count", "gpt2", "--with", "tying", "--without", "tying"],
     "The feature 'tying' is both included and excluded: choose one."),
    (["count", "gpt2", "--set", "h=-768"], "h = '-768' must be a positive integer: h counts something."),
    (["count", "gpt2", "--set", "h=0"], "h = '0' must be a positive integer: h counts something."),
    (["count", "gpt2", "--set", "h=1.5"],
     NO_H.format("'1.5'") + f"Expression '1.5' has an unexpected '.' at character 2: {GRAMMAR}"),
    (["count", "gpt2", "--set", "h=wide"],
     NO_H.format("'wide'") + "Expression 'wide' names the unknown symbol 'wide'. "),
    (["count", "gpt2", "--set", "h="], NO_H.format("''") + f"The expression is empty: {GRAMMAR}"),
    (["count", "gpt2", "--set", "h=" + "9" * 1_000],
     NO_H.format(f"'{'9' * 30}…'") + "The number '99999999999999999999…' has 1,000 digits; 40 is the most that is read."),
    (["count", "gpt2", "--set", "h=V"],
     "d_head = h/n_heads is not an integer for h = 50257, n_heads = 12: choose values that divide."),
    (["count", "gpt2", "--set", "h=767"],
     "d_head = h/n_heads is not an integer for h = 767, n_heads = 12: choose values that divide."),
    (["count", "gpt2", "--set", "d_head=7"], "d_head = 7 contradicts d_head = h/n_heads = 64: leave it out."),
    (["count", "gpt2", "--set", "h=d_ff"], "No value follows for h: h needs d_ff. Give an integer for one of them."),
    (["count", "gpt2", "--set", "h"], "--set 'h' is not NAME=VALUE: write --set h=1024."),
    (["count", "gpt2", "--set", "=3"], "--set '=3' is not NAME=VALUE: write --set h=1024."),
    (["count", "gpt2", "--set", "h=3", "--set", "h=4"], "'h' is given twice: set it once."),
    (["count", "gpt2", "--set", "h=3", "--set", "hidden_size=4"], "h is given twice, once as 'hidden_size': give it once."),
    (["count", "bloom", "--set", "h=8"],
     "bloom has no value for V (used in embeddings.token_embedding), L (used in decoder.attention_norm): "
     "give --set V=… --set L=…, or name a published model."),
    (["count", "--expr", "h*V", "--set", "h=8"], "expression has no value for V "),
    (["count", "--expr", "h/2", "--set", "h=7"], "h/2 is not an integer for h = 7: choose values that divide."),
    (["count", "--expr", ""], f"The expression is empty: {GRAMMAR}"),
    (["derive", "--expr", "exp(h)"], "Expression 'exp(h)' has an unexpected '(' at character 4: a symbol cannot be called; "),
    (["derive", "--expr", "h(2)"],
     "Expression 'h(2)' has an unexpected '(' at character 2: a symbol cannot be called; "
     "for a product write '*' before the '('."),
    (["derive", "--expr", "h.__class__"], f"Expression 'h.__class__' has an unexpected '.' at character 2: {GRAMMAR}"),
    (["derive", "--expr", "'h'"], f"Expression ''h'' has an unexpected ''' at character 1: {GRAMMAR}"),
    (["formula", "--expr", "__import__('os')"], "Expression '__import__('os')' has an unexpected '(' at character 11: "),
    (["formula", "--expr", "9**9**9"],
     "Expression '9**9**9' has a power of a power; write one exponent, an integer up to 16."),
    (["count", "--expr", "(" * 1_000 + "h" + ")" * 1_000],
     f"Expression '{'(' * 60}…' is nested deeper than 50 levels; write it flatter."),
    (["count", "--expr", "1/0"], ""),
    (["formula", "--expr", "h/0"], ""),
    (["derive", "--expr", "h/(0*V)", "--set", "h=3"], ""),
    (["derive", "--expr", "h**1_"], ""),
    (["count", "--expr", "/".join("h" * 2_000)], ""),
    (["derive", "bloom", "--expr", "h"], "Give a target or --expr, not both: leave out 'bloom' or --expr."),
    (["derive", "--expr", "h", "--with", "pooler"], "A bare formula has no features: leave out --with and --without."),
    (["derive"], "Name a target: an architecture or a published model; 'symparams list' names them all."),
    (["count"], "Name a target: an architecture or a published model; 'symparams list' names them all."),
    (["formula"], "Name a target: an architecture or a published model; 'symparams list' names them all."),
    (["derive", "bloom", "--latex", "--markdown"], "One format at a time: choose --latex or --markdown."),
    (["formula", "bloom", "--json", "--text"], "One format at a time: choose --json or --text."),
    (["derive", "bloom", "--lang", "fr"], "Unknown language 'fr'. Known: en, zh."),
    (["derive", "bloom", "--view", "upside-down"], "Unknown view 'upside-down'. Known: module, kind, weights."),
    (["derive", "bloom", "--attention", "sliced"], "Unknown attention 'sliced'. Known: fused, per-head."),
    (["derive", "bloom", "--columns", "3"], "Unknown number of columns '3'. Known: 1, 2."),
    (["derive", "bloom", "--notation", "brt"], "Unknown notation 'brt'. Did you mean 'bert'"),
    (["derive", "bloom", "--markdown", "--flavor", "vanilla"], "Unknown flavor 'vanilla'. Known: pandoc, github."),
    (["count", "gpt2", "--shared", "twice"], "Unknown way to count shared tensors 'twice'. Known: own, each."),
    (["formula", "bloom", "--symbol", "h=V"], "The symbol 'V' would stand for V and for h: rename one."),
    (["formula", "bloom", "--symbol", "h=N"],
     "The symbol 'N' would stand for the number of parameters and for h: rename one."),
    (["formula", "bloom", "--symbol", "h=\\input{x}", "--latex"], "'\\input{x}' is not a symbol: write a letter, "),
    (["formula", "bloom", "--symbol", "foo=x"], "No dimension 'foo' to rename. Known: V, h, L, "),
    (["formula", "bloom", "--symbol", "h"], "--symbol 'h' is not NAME=VALUE: write --symbol h=d."),
    (["formula", "bloom", "--symbol", "h=d", "--symbol", "hidden_size=e"], "h is given twice"),
    (["memory", "7BB"], "Unknown architecture or model '7BB'. Known: "),
    (["memory", "7B", "--fits", "12"],
     "'12' is not a memory size: write a number and a unit, 12GB (10^9 bytes) or 12GiB (2^30)."),
    (["memory", "7B", "--fits", "-1GB"], "'-1GB' is not a memory size: "),
    (["memory", "7B", "--dtype", "fp64"], "Unknown number type 'fp64'. Did you mean 'fp16'?"),
    (["memory", "7B", "--set", "h=3"], "A count has no dimensions to set"),
    (["memory", "7B", "--with", "tying"], "A count has no dimensions to set and no features"),
    (["memory", "bloom", "--fits", "1GB"], "bloom has no value for V (used in embeddings.token_embedding), h "),
    (["derive", "bloom", "--xyz"], "derive has no option '--xyz'. Known: --expr, --set, "),
    (["derive", "bloom", "--columns", "two"], "Unknown number of columns 'two'. Known: 1, 2."),
    (["count", "gpt2", "--set"], "Option '--set' requires an argument"),
    (["count", "gpt2", "gpt3"], "Got unexpected extra argument"),
    (["count", "/" + "x" * 5_000], "Cannot read"),
    (["count", "gpt2", "\x1b[31m", "\udcff", "x" * 1_000], "Got unexpected extra argument"),
    (["show"], "Missing argument 'TARGET'"),
    (["lisst"], "No such command 'lisst'. Did you mean 'list'?"),
    (["memory", "0"], "'0' is no parameter count: write a positive one (7B, 6738415616)."),
    (["list", "brt"], "Unknown architecture 'brt'. Did you mean 'bert' or 'bart' or 'mbart'?"),
    (["derive", "bloom", "--view=modul"], "Unknown view 'modul'. Did you mean 'module'?"),
    (["derive", "--bloom"], "derive has no option '--bloom'. "),
    (["count", "gpt2", "--latex"], "count has no option --latex, which is for show, formula, derive, "),
    (["count", "gpt2", "--lang", "zh"], "count has no option --lang, which is for show, derive, explain, "),
    (["--bogus"], "No such option: --bogus"),
    # What the users call a dimension is never the name of a parameter of ours.
    *((["count", "gpt2", "--set", f"{name}=5"], f"GPT-2 has no dimension '{name}'. Known: L, V, max_pos, h, ")
      for name in ("target", "include", "exclude", "text", "self", "values", "architecture", "__class__")),
    *((["count", "--expr", "h", "--set", f"{name}=5"], f"The expression has no dimension '{name}'. ")
      for name in ("target", "include", "exclude", "text", "values", "__class__")),
    (["formula", "--expr", "h", "--set", "h=3"],
     "The closed form of a bare formula holds its symbols: leave out --set, or write 'derive' or 'count'."),
    (["formula", "bloom", "--symbol", "target=x"], "No dimension 'target' to rename. "),
    # An option that the format, the target or the command cannot use.
    (["derive", "bloom", "--fragment", "--markdown"],
     "--markdown cannot use --fragment, which is for --latex: leave out --fragment or change the format."),
    (["derive", "bloom", "--standalone"], "--text cannot use --standalone, which is for --latex: "),
    (["derive", "bloom", "--flavor", "github"], "--text cannot use --flavor, which is for --markdown: "),
    (["formula", "bloom", "--latex", "--flavor", "pandoc"], "--latex cannot use --flavor, which is for --markdown: "),
    (["derive", "bloom", "--json", "--columns", "2"],
     "--json cannot use --columns, which is for --latex, --markdown, --text: "),
    (["derive", "bloom", "-o", "sheet.json", "--columns", "2"], "--json cannot use --columns, "),
    (["memory", "7B", "--json", "--lang", "zh"], "memory --json says nothing in a language: leave out --lang."),
    (["derive", "--expr", "h*h", "--view", "kind"], "A bare formula has no parts to group: leave out --view beside --expr."),
    (["derive", "--expr", "h*h", "--attention", "fused"],
     "A bare formula has no attention: leave out --attention beside --expr."),
    (["derive", "--expr", "h*h", "--view", "nonsense"], "Unknown view 'nonsense'. Known: module, kind, weights."),
    (["derive", "--expr", "h*h", "--attention", "zzz"], "Unknown attention 'zzz'. Known: fused, per-head."),
    (["derive", "bloom", "--json", "--flavor", "nonsense"], "Unknown flavor 'nonsense'. Known: pandoc, github."),
    (["memory", "7B", "--json", "--lang", "fr"], "Unknown language 'fr'. Known: en, zh."),
    (["derive", "--expr", "h", "--symbolic"],
     "A bare formula is symbols alone until --set: leave out --symbolic beside --expr."),
    (["count", "--expr", "h", "--shared", "each"], "A bare formula has no shared tensors: leave out --shared beside --expr."),
    (["derive", "gpt2", "--symbolic", "--set", "h=8"],
     "--symbolic leaves all values out, so --set 'h=8' would do nothing: leave out one of the two."),
    (["count", "gpt2", "-o", "count.tex"],
     "count answers in text and json, not in latex, as 'count.tex' asks: give it another ending."),
    (["count", "gpt2", "--text", "-o", "count.tex"], "count answers in text and json, not in latex, as 'count.tex' asks: "),
    (["derive", "gpt2", "--latex", "-o", "sheet.md"],
     "--latex contradicts 'sheet.md', which asks for markdown: change one of the two."),
    (["derive", "gpt2", "--text", "-o", "sheet.TEX"], "--text contradicts 'sheet.TEX', which asks for latex: "),
    (["derive", "gpt2", "-o", "sheet.docx"],
     "No format ends in '.docx', as 'sheet.docx' does: end in .json, .tex, .md, .txt, or name the format."),
    (["count", "gpt2", "-o", "count.csv"], "No format ends in '.csv', as 'count.csv' does: end in .json, .txt, or name "),
    (["derive", "mamba", "--attention", "per-head"], "mamba has no attention to write in a way: leave out --attention."),
    (["--show-completion", "tcsh"], "No completion for the shell 'tcsh'. Known: bash, zsh, fish."),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=[ascii(" ".join(arguments)[:60]) for arguments, _ in MISTAKES])
def test_a_mistake_is_one_line_on_stderr(arguments, message, mistake):
    assert mistake(arguments).startswith(message)


def test_a_mistake_leaves_no_traceback_and_exit_code_2():
    done = subprocess.run([sys.executable, "-m", "symparams", "count", "blom"], capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr == b"symparams: Unknown architecture or model 'blom'. Did you mean 'bloom'?\n"
