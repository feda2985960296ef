"""Mistakes: each is one line on standard error that says what, where, and what would be right; exit code 2."""

from __future__ import annotations

import subprocess
import sys

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
    (["compare", "gpt2"],
     "A comparison takes two models or more: name another one, as in 'gpt2' and 'llama-2-7b'."),
    (["compare"], "Missing argument 'TARGET...'."),
    (["compare", "gpt2", "bloom", "--offline"], "'gpt2' is not on the hub: leave out --offline, which is for hf:OWNER/NAME."),
    (["show", "gpt3", "--names", "hf"], "The tensor names of GPT-3 in the transformers library are not known."),
    (["show", "gpt2", "--names", "hg"], "Unknown names 'hg'. Known: tree, hf."),
    (["count", "gpt2", "--names", "hf"], "count has no option --names, which is for show: leave it out."),
    *((["draw", "gpt2", *options.split()], told) for options, told in (
        ("--symbolic --labels count",
         "gpt2 without values has no counts, so labels 'count' would show nothing: give values, or leave out labels."),
        ("--bars --detail blocks",
         "--detail goes with the picture, not with --bars: leave out --detail."),
        ("--bars --no-legend",
         "--no-legend goes with the picture, not with --bars: leave out --no-legend."),
        ("--bars --pdf --labels none", "--labels goes with the picture, not with --bars: leave out --labels."),
        ("--text --labels none",
         "--text cannot use --labels, which is for --pdf, --png, --svg, --tikz, --typst: leave out --labels or change the"),
        ("--text --notation hf",
         "--text cannot use --notation, which is for --pdf, --png, --svg, --tikz, --typst: leave out --notation or change the"),
        ("--bars --symbolic", "--symbolic leaves out the numbers of --bars: leave out --symbolic."),
    )),
    (["formula", "two\nlines"], "Unknown architecture or model 'two\N{REPLACEMENT CHARACTER}lines'. Known: "),
    (["count", "\x1b[31mred"], "Unknown architecture or model '\N{REPLACEMENT CHARACTER}[31mred'. Known: "),
    (["count", "x" * 100_000], f"Unknown architecture or model '{'x' * 60}…'. Known: "),
    (["count", "bloom", "--set", "foo=3"], "BLOOM has no dimension 'foo'. Known: L, V, h, n_heads, d_head, d_ff, n_labels."),
    (["count", "bloom", "--set", "n_head_s=3"], "BLOOM has no dimension 'n_head_s'. Did you mean 'n_heads'"),
    (
        ["count", "bloom", "--with", "pooler"],
        "BLOOM has no feature 'pooler'. Known: lm_head, tying, biases, classifier, classifier_bias.",
    ),
    (["count", "gpt2", "--with", "tying", "--without", "tying"],
     "The feature 'tying' is both included and excluded: choose one."),
    (["count", "gpt2", "--set", "h=0"], "h = '0' must be a positive integer: h counts something."),
    (["count", "gpt2", "--set", "h=1.5"],
     NO_H.format("'1.5'") + f"Expression '1.5' has an unexpected '.' at character 2: {GRAMMAR}"),
    (["count", "gpt2", "--set", "h="], NO_H.format("''") + f"The expression is empty: {GRAMMAR}"),
    (["count", "gpt2", "--set", "h=" + "9" * 1_000],
     NO_H.format(f"'{'9' * 30}…'") + "The number '99999999999999999999…' has 1,000 digits; 40 is the most that is read."),
    (["count", "gpt2", "--set", "h=V"],
     "d_head = h/n_heads is not an integer for h = 50257, n_heads = 12: choose values that divide."),
    (["count", "gpt2", "--set", "d_head=7"], "d_head = 7 contradicts d_head = h/n_heads = 64: leave it out."),
    (["count", "gpt2", "--set", "h=d_ff"], "gpt2 has no value for d_ff (used in decoder.feed_forward.up): give --set d_ff=…"),
    (["count", "gpt2", "h=1024"], "'h=1024' is not an argument of count. Did you mean --set h=1024?"),
    (["derive", "gpt2", "--format", "latex"], "derive has no option '--format'. Did you mean '--latex'?"),
    (["derive", "gpt2", "--fmt=json"], "derive has no option '--fmt'. Did you mean '--json'?"),
    (["count", "gpt2", "--set", "h"], "--set 'h' is not NAME=VALUE: write --set h=1024."),
    (["count", "gpt2", "--set", "h=3", "--set", "h=4"], "'h' is given twice: set it once."),
    (["count", "gpt2", "--set", "h=3", "--set", "hidden_size=4"], "h is given twice, once as 'hidden_size': give it once."),
    (["count", "bloom", "--set", "h=8"],
     "bloom has no value for V (used in embeddings.token_embedding), L (used in decoder.attention_norm): "
     "give --set V=… --set L=…, or name a published model."),
    (["count", "--expr", "h*V", "--set", "h=8"], "expression has no value for V "),
    (["count", "--expr", "h/2", "--set", "h=7"], "h/2 is not an integer for h = 7: choose values that divide."),
    (["derive", "--expr", "h(2)"],
     "Expression 'h(2)' has an unexpected '(' at character 2: a symbol cannot be called; "
     "for a product write '*' before the '('."),
    (["derive", "bloom", "--expr", "h"], "Give a target or --expr, not both: leave out 'bloom' or --expr."),
    (["derive", "--expr", "h", "--with", "pooler"], "A bare formula has no features: leave out --with and --without."),
    (["derive"], "Name a target: an architecture or a published model; 'symparams list' names them all."),
    (["derive", "bloom", "--latex", "--markdown"], "One format at a time: choose --latex or --markdown."),
    (["derive", "bloom", "--lang", "fr"], "Unknown language 'fr'. Known: en, zh."),
    (["derive", "bloom", "--view", "upside-down"], "Unknown view 'upside-down'. Known: module, kind, weights."),
    (["derive", "bloom", "--attention", "sliced"], "Unknown attention 'sliced'. Known: fused, per-head, eager, flash."),
    (["derive", "bloom", "--notation", "brt"], "Unknown notation 'brt'. Did you mean 'bert'"),
    (["derive", "bloom", "--markdown", "--flavor", "vanilla"], "Unknown flavor 'vanilla'. Known: pandoc, github."),
    (["count", "gpt2", "--shared", "twice"], "Unknown way to count shared tensors 'twice'. Known: own, each."),
    (["formula", "bloom", "--symbol", "foo=x"], "No dimension 'foo' to rename. Known: V, h, L, "),
    (["formula", "bloom", "--symbol", "h=d", "--symbol", "hidden_size=e"], "h is given twice"),
    (["memory", "7BB"], "Unknown architecture or model '7BB'. Known: "),
    (["memory", "7B", "--fits", "12"],
     "'12' is not a memory size: write a number and a unit, 12GB (10^9 bytes) or 12GiB (2^30)."),
    (["memory", "7B", "--set", "h=3"], "A count has no dimensions to set"),
    (["derive", "bloom", "--columns", "two"], "Unknown number of columns 'two'. Known: 1, 2."),
    (["count", "gpt2", "--set"], "Option '--set' requires an argument"),
    (["count", "/" + "x" * 5_000], "Cannot read"),
    (["count", "gpt2", "\x1b[31m", "\udcff", "x" * 1_000],
     "'\N{REPLACEMENT CHARACTER}[31m' is not an argument of count. Leave it out."),
    (["show"], "Missing argument 'TARGET'"),
    (["lisst"], "No such command 'lisst'. Did you mean 'list'?"),
    (["solve", "gpt2", "--total", "7B"], "Missing option '--for'."),
    (["solve", "gpt2", "--total", "7B", "--for", "n_heads"], "n_heads does not occur in the count of gpt2, which is over L, V"),
    (["solve", "gpt2", "--total", "7B", "--for", "h", "--between", "h=5"],
     "--between 'h=5' is not DIM=LOW..HIGH: write h=512..8192, or h/L=64..128 for a ratio"),
    (["solve", "gpt2", "--total", "7B", "--for", "h", "--between", "h=1..x"], "--between 'h=1..x' is not DIM=LOW..HIGH: "),
    (["solve", "gpt2", "--total", "7B", "--for", "h", "--between", "h=1.5..9"], "h between 1.5 and 9.0: write whole numbers."),
    (["solve", "gpt2", "--total", "7B", "--for", "h", "--between", "h/(L+1)=1..9"], "Expression 'h/(L+1)' divides by a sum"),
    (["solve", "gpt2", "--total", "7B", "--for", "h", "--set", "h=9"], "h is solved for: give it no value."),
    (["count", "gpt2", "--set", "d_ff=roundup(8*h/3)"],
     "d_ff = 'roundup(8*h/3)' is not a positive integer or an expression such as 4*h. Expression 'roundup(8*h/3)' rounds up to "
     "no multiple: write roundup(8*h/3, 256)."),
    (["count", "gpt2", "--set", "d_ff=round_up(8*h/3, 256)"],
     "d_ff = 'round_up(8*h/3, 256)' is not a positive integer or an expression such as 4*h. Expression 'round_up(8*h/3, 256)' "
     "names the unknown symbol 'round_up'. Did you mean 'roundup'?"),
    (["solve", "gpt2", "--total", "7B", "--for", "h", "--between", "V=1..5"], "between speaks of V, which is not solved for"),
    (["solve", "gpt2", "--total", "7B", "--for", "L", "--multiple-of", "4"], "L is no width: name what is to be a multiple"),
    (["solve", "gpt2", "--total", "7B", "--for", "h", "--multiple-of", "x"], "--multiple-of 'x' is no multiple: "),
    (["solve", "gpt2", "--total", "7B", "--for", "h", "--top", "0"], "--top '0' is not a number of solutions: write one from"),
    (["solve", "gpt2", "--total", "7B", "--for", "L,h", "--between", "h=1000..1001"],
     "No multiple of 12 lies between 1000 and 1001: give other bounds for h."),
    (["memory", "0"], "'0' is not a parameter count: write a positive one (7B, 6738415616)."),
    (["list", "brt"], "Unknown architecture 'brt'. Did you mean 'bert' or 'bart' or 'mbart'?"),
    (["derive", "bloom", "--view=modul"], "Unknown view 'modul'. Did you mean 'module'?"),
    (["count", "gpt2", "--latex"], "count has no option --latex, which is for show, formula, derive, "),
    (["--bogus"], "No such option: --bogus"),
    # What the users call a dimension is never the name of a parameter of ours.
    *((["count", "gpt2", "--set", f"{name}=5"], f"GPT-2 has no dimension '{name}'. Known: L, V, max_pos, h, ")
      for name in ("target", "include", "exclude", "text", "self", "values", "architecture", "__class__")),
    *((["count", "--expr", "h", "--set", f"{name}=5"], f"The expression has no dimension '{name}'. ")
      for name in ("target", "include", "exclude", "text", "values", "__class__")),
    (["formula", "--expr", "h", "--set", "h=3"],
     "The closed form of a bare formula holds its symbols: leave out --set, or write 'derive' or 'count'."),
    # An option that the format, the target or the command cannot use.
    (["derive", "bloom", "-o", "sheet.json", "--columns", "2"], "--json cannot use --columns, "),
    (["memory", "7B", "--json", "--lang", "zh"], "memory --json says nothing in a language: leave out --lang."),
    (["derive", "--expr", "h*h", "--view", "kind"], "A bare formula has no parts to group: leave out --view beside --expr."),
    (["derive", "--expr", "h*h", "--attention", "fused"],
     "A bare formula has no attention: leave out --attention beside --expr."),
    (["derive", "--expr", "h*h", "--view", "nonsense"], "Unknown view 'nonsense'. Known: module, kind, weights."),
    (["derive", "--expr", "h*h", "--attention", "zzz"], "Unknown attention 'zzz'. Known: fused, per-head, eager, flash."),
    (["derive", "--expr", "h", "--symbolic"],
     "A bare formula is symbols alone until --set: leave out --symbolic beside --expr."),
    (["count", "--expr", "h", "--shared", "each"], "A bare formula has no shared tensors: leave out --shared beside --expr."),
    (["derive", "gpt2", "--symbolic", "--set", "h=8"],
     "--symbolic leaves all values out, so --set 'h=8' would do nothing: leave out one of the two."),
    (["count", "gpt2", "-o", "count.tex"],
     "count answers in text and json, not in latex, as 'count.tex' asks: give it another ending."),
    (["derive", "gpt2", "--latex", "-o", "sheet.md"],
     "--latex contradicts 'sheet.md', which asks for markdown: change one of the two."),
    (["derive", "gpt2", "-o", "sheet.docx"],
     "No format ends in '.docx', as 'sheet.docx' does: end in .json, .tex, .md, .pdf, .png, .txt, .typ, .html, or "),
    (["derive", "mamba", "--attention", "per-head"], "mamba has no attention to write in a way: leave out --attention."),
    (["--show-completion", "tcsh"], "No completion for the shell 'tcsh'. Known: bash, zsh, fish."),
]  # fmt: skip


def test_a_mistake_is_one_line_on_stderr(mistake):
    for arguments, message in MISTAKES:
        assert mistake(arguments).startswith(message), ascii(" ".join(arguments)[:60])


def test_a_mistake_leaves_no_traceback_and_exit_code_2():
    done = subprocess.run([sys.executable, "-m", "symparams", "count", "blom"], capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr == b"symparams: Unknown architecture or model 'blom'. Did you mean 'bloom'?\n"
