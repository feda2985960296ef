"""Mistakes: each is one line on standard error that says what, where, and what would be right; exit code 2."""

from __future__ import annotations

import subprocess
import sys

from symparams.answers.synonyms import synonyms
from symparams.cli.commands import COMMANDS
from symparams.cli.parser import Parsed, parse

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
    (["compare", "gpt2", "bloom-560m", "--only", "shares"],
     "This sheet has no section 'shares': choose one of counts, components, kinds, dimensions, closed-form,"),
    (["derive", "gpt2", "--only", "kinds"],
     "This sheet has no section 'kinds': choose one of closed-form, dimensions, derivation, shares, conventions."),
    (["compare", "gpt2", "bloom", "--offline"], "'gpt2' is not on the hub: leave out --offline"),
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
        ("--width 85", "'85' is no width of a drawing: write a number with cm, mm, in or pt, as in 8.5cm."),
        ("--width -3cm --pdf", "'-3cm' is no width of a drawing: write a number with cm, mm, in or pt, as in 8.5cm."),
        ("--width 0cm --tikz", "A drawing is from 1 cm to 200 cm wide, not '0cm': write one between."),
        ("--width 3000mm", "A drawing is from 1 cm to 200 cm wide, not '3000mm': write one between."),
        ("--text --width 8.5cm", "--width '8.5cm' is not a width of a page: write one from 40 to 10,000."),
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
     NO_H.format(f"'{'9' * 30}…'") + "The number '99999999999999999999…' has 1,000 digits: write at most 40."),
    (["count", "gpt2", "--set", "h=V"],
     "d_head = h/n_heads is not an integer for h = 50257, n_heads = 12: choose values that divide."),
    (["count", "gpt2", "--set", "d_head=7"], "d_head = 7 contradicts d_head = h/n_heads = 64: leave it out."),
    (["count", "gpt2", "--set", "h=d_ff"], "gpt2 has no value for d_ff (used in decoder.feed_forward.up): give --set d_ff=…"),
    (["verify", "qwen3-30b-a3b", "--with", "dense_layers"], "qwen3-30b-a3b has no value for L_dense (used in"),
    (["count", "gpt2", "h=1024"], "'h=1024' is not an argument of count. Did you mean --set h=1024?"),
    (["derive", "gpt2", "--format", "latex"], "derive has no option '--format'. Did you mean '--latex'?"),
    # What is written for what is meant: the line that is right stands in the error.
    *((line.split(), told) for line, told in (
        ("gpt2", "'gpt2' is a model, not a command. Did you mean symparams derive gpt2?"),
        ("gpt2 count --set h=960", "'gpt2' is a model, not a command. Did you mean symparams count gpt2 --set h=960?"),
        ("help derive", "No such command 'help'. Did you mean symparams derive --help?"),
        ("version", "No such command 'version'. Did you mean symparams --version?"),
        ("kv-cache gpt2", "No such command 'kv-cache'. Did you mean symparams memory gpt2 --context 1024?"),
        ("kv gpt2 bf16 1k 8x80GB",
         "No such command 'kv'. Did you mean symparams memory gpt2 --context 1Ki --dtype bf16 --fits 8x80GB?"),
        ("vram gpt2 24GB", "No such command 'vram'. Did you mean symparams memory gpt2 --fits 24GB?"),
        ("train gpt2 --seq-len 512", "No such command 'train'. Did you mean symparams memory gpt2 --context 512 --training?"),
        ("training-flops gpt2 15T",
         "No such command 'training-flops'. Did you mean symparams flops gpt2 --training --tokens 15T --context 1024?"),
        ("params gpt2 --set h=960", "No such command 'params'. Did you mean symparams count gpt2 --set h=960?"),
        ("diff gpt2 bloom-560m", "No such command 'diff'. Did you mean symparams compare gpt2 bloom-560m?"),
        ("lora gpt2", "No such command 'lora'. Did you mean symparams count gpt2 --quantity lora?"),
        ("memory gpt2 1k", "'1k' is not an argument of memory. Did you mean --context 1Ki?"),
        ("memory gpt2 24GB", "'24GB' is not an argument of memory. Did you mean --fits 24GB?"),
        ("memory gpt2 --fits 24 GB", "'GB' is not an argument of memory. Did you mean --fits '24 GB'?"),
        ("memory gpt2 --fits a100", "'a100' is not a memory size: write a number and a unit, 12GB (10^9 bytes) or 12GiB"),
        ("memory gpt2 --gpus 8", "memory has no option '--gpus': --fits 8x80GB names the number of boards, too."),
        ("memory gpt2 --training --lora c_attn",
         "memory has no option --lora, which is for count, formula, derive, compare, plot, explain, solve, macros: symparams "
         "count gpt2 --quantity training-memory --recipe bf16_fp32_master --lora q_proj,v_proj --set r=8 counts it."),
        ("memory --lora q/v gpt2",
         "memory has no option --lora, which is for count, formula, derive, compare, plot, explain, solve, macros: symparams "
         "count gpt2 --quantity"),
        (f"count {'/' * 2_000} --training",
         "count has no option --training, which is for memory, flops: symparams memory TARGET answers."),
        (f"show gpt2 h={'9' * 5_000}", f"'h={'9' * 58}…' is not an argument of show. Leave it out."),
        (f"--{'x' * 5_000} list", f"No such option: --{'x' * 78}"),
        (f"worksheet gpt2 --seed {'9' * 5_000}", f"--seed '{'9' * 60}…' is not a whole number of at most 40 digits"),
        ("memory gpt2 --bf16", "memory has no option '--bf16'. Did you mean --dtype bf16?"),
        *((f"flops gpt2 {options}",
           "'15T' is not an argument of flops. Did you mean symparams flops gpt2 --training --tokens 15T --context 1024?")
          for options in ("15T", "--training 15T")),
        ("time gpt2 2T 8xl4",
         "No such command 'time'. Did you mean symparams flops gpt2 --training --tokens 2T --context 1024 --on 8xl4?"),
        ("flops gpt2 --gpus 8", "flops has no option '--gpus': --on 8xh100-sxm names the number of boards, too."),
        ("flops gpt2 --seq-len 9", "flops has no option '--seq-len': --tokens 1024 counts a prompt, --context 1024 one token"),
        ("flops 7B", "'7B' is a number of parameters, and FLOPs depend on the layers: name a model, such as llama-3-8b."),
        ("count gpt2 --flops", "count has no option '--flops': symparams flops gpt2 answers."),
        ("count gpt2 --context 9", "count has no option --context, which is for memory, flops: symparams memory gpt2"),
        ("count gpt2 --quantity kv-cache --context 9", "count has no option '--context'. Did you mean --set context=9?"),
        ("count mixtral-8x7b active", "'active' is not an argument of count: symparams derive mixtral-8x7b --only active"),
        ("memory gpt2 kv-cache", "'kv-cache' is not an argument of memory. Did you mean --context?"),
        ("memory gpt2 --dtype 4bit", "Unknown number type '4bit'. Known: fp4, int4, nf4, mxfp4, nvfp4."),
        ("memory llama3.1", "Unknown architecture or model 'llama3.1'. Did you mean 'llama-3.1-8b' or "),
        ("why gpt2", "No such command 'why'. Did you mean symparams explain gpt2 117M?"),
        ("explain 6.7B llama-7b", "'6.7B' is a number, and the model comes first: symparams explain llama-7b 6.7B."),
        ("explain gpt2 117M 124M",
         "'124M' is not an argument of explain. It takes one number: ask about the other with symparams explain gpt2 124M."),
        ("explain qwen3-30b-a3b 30B-A3B", "'30B-A3B' holds several numbers: explain each by itself, 30B and 3B."),
        ("explain qwen3-30b-a3b A3B", "'A3B' is not a parameter count: write 3B."),
        ("quiz moe", "'moe' is a chapter, not a model: write --chapter mixtures."),
        ("quiz --chapter poetry",
         "Unknown chapter 'poetry'. Known: embeddings, attention, gqa, feed-forward, norms and 12 more, which 'symparams "),
        ("flops gpt2 --days", "flops has no option '--days': --on 8xh100-sxm adds the hours of a run."),
        ("flops gpt2 --tokens 9 --on l4 --mfu 50", "--utilisation '50' is not a share of the peak: write 50% or 0.5."),
        ("quiz kv-cache", "'kv-cache' is a chapter, not a model: write --chapter cache."),
        ("explain gpt2 117 million", "'million' is not an argument of explain. Did you mean '117 million'?"),
        ("derive gpt2 --zh", "derive has no option '--zh'. Did you mean --lang zh?"),
        ("latex gpt2", "No such command 'latex'. Did you mean symparams derive gpt2 --latex?"),
        ("prams gpt2", "No such command 'prams'. Known: list, show, discover, count, formula and "),
        ("--lang zh derive gpt2", "--lang belongs behind its command. Did you mean symparams derive gpt2 --lang zh?"),
        ("-help", "No such option: -help. Did you mean '--help'?"),
        ("count gpt2 -help", "count has no option '-help'. Did you mean '--help'?"),
        ("count gpt2 --set h 960", "'960' is not an argument of count. Did you mean --set h=960?"),
        ("count gpt2 --set h:960", "--set 'h:960' is not of the form NAME=VALUE: write --set h=960."),
        ("count gpt2 --set h=960,L=12", "--set 'h=960,L=12' is not of the form NAME=VALUE: write --set h=960 --set L=12."),
        ("count gpt2 --hidden_size 960", "count has no option '--hidden_size'. Did you mean --set hidden_size=960?"),
        ("count gpt2 -h=960", "count has no option '-h'. Did you mean --set h=960?"),
        ("count gpt2 --no-tying", "count has no option '--no-tying'. Did you mean --without tying?"),
        ("count gpt2 --with-biases", "count has no option '--with-biases'. Did you mean --with biases?"),
        ("count gpt2 --set layers=9",
         "GPT-2 has no dimension 'layers'. Did you mean 'num_hidden_layers' or 'num_layers' or 'n_layers'?"),
        ("count gpt2 --quantity kv", "Unknown quantity 'kv'. Did you mean 'kv-cache'?"),
        ("derive gpt2 --md", "derive has no option '--md'. Did you mean '--markdown'?"),
        ("derive gpt2 --format md", "derive has no option '--format'. Did you mean '--markdown'?"),
        ("derive gpt2 --out x.pdf", "derive has no option '--out'. Did you mean '--output'?"),
        ("derive gpt2 --verbose", "derive has no option '--verbose'. Known: --expr, --set, --with, "),
        ("derive gpt2 zh", "'zh' is not an argument of derive. Did you mean --lang zh?"),
        ("derive gpt2 latex", "'latex' is not an argument of derive. Did you mean --latex?"),
        ("memory gpt2 bf16", "'bf16' is not an argument of memory. Did you mean --dtype bf16?"),
        ("count gpt2 kv-cache", "'kv-cache' is not an argument of count. Did you mean --quantity kv-cache?"),
        ("count gpt2 bloom",
         "'bloom' is not an argument of count. It takes one model; symparams compare puts several beside one another."),
        ("count gpt2 --d_ff 4*h", "count has no option '--d_ff'. Did you mean --set d_ff='4*h'?"),
        ("derive gpt2 --lang", "Option '--lang' requires an argument. Language of the sentences: en or zh."),
        ("solve gpt2 --total 7B --for h --multiple-of 1.5", "'1.5' is not a whole number: write one of at most 40 digits."),
        ("solve gpt2 --for h L --total 7B", "'L' is not an argument of solve. Did you mean --for h,L?"),
        ("explain gpt2", "Missing argument 'CLAIMED'. For example: symparams explain deepseek-v3 685B"),
        ("count xyzzy", "Unknown architecture or model 'xyzzy'. Known: albert, "),
        ("count https://huggingface.co/Qwen/Qwen3-8B/tree/main",
         "'https://huggingface.co/Qwen/Qwen3-8B/tree/main' is an address: write hf:Qwen/Qwen3-8B for the model on the hub."),
        ("count https://example.com/a/b", "'https://example.com/a/b' is an address: save its config.json and give that,"),
        ("count model.safetensors",
         "'model.safetensors' holds weights, and a count starts from sizes: give the config.json beside it."),
        ("count nowhere.json", "Cannot read 'nowhere.json': No such file or directory. Give a config.json or the folder"),
    )),
    (["count", "--expr", "+".join(f"x{i}" for i in range(700))],
     "expression has no value for x0, x1, x2, x3, x4 and 695 more (used in the formula): "
     "give --set x0=… --set x1=… --set x2=… --set x3=… --set x4=… and 695 more."),
    (["derive", "gpt2", "--fmt=json"], "derive has no option '--fmt'. Did you mean '--json'?"),
    (["count", "gpt2", "--set", "h"], "--set 'h' is not of the form NAME=VALUE: write --set h=1024."),
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
    (["derive"], "Name a target, such as gpt2 or a config.json; 'symparams list' prints all families and models."),
    (["derive", "bloom", "--latex", "--markdown"], "Only one format at a time: choose --latex or --markdown."),
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
    (["memory", "7B", "--set", "h=3"], "A number of parameters has no dimensions"),
    (["derive", "bloom", "--columns", "two"], "Unknown number of columns 'two'. Known: 1, 2."),
    (["count", "gpt2", "--set"], "Option '--set' requires an argument"),
    (["count", "/" + "x" * 5_000], "Cannot read"),
    (["count", "gpt2", "\x1b[31m", "\udcff", "x" * 1_000],
     "'\N{REPLACEMENT CHARACTER}[31m' is not an argument of count. Leave it out."),
    (["show"], "Missing argument 'TARGET'"),
    (["lisst"], "No such command 'lisst'. Did you mean 'list'?"),
    (["solve", "gpt2", "--total", "7B"], "Missing option '--for'. For example: symparams solve llama-7b --total 7e9 --for h"),
    (["solve", "gpt2", "--total", "7B", "--for", "n_heads"], "n_heads does not occur in the count of gpt2, which depends on"),
    (["solve", "gpt2", "--total", "7B", "--for", "h", "--between", "h=5"],
     "--between 'h=5' is not a range: write h=512..8192, or h/L=64..128 for a ratio"),
    (["solve", "gpt2", "--total", "7B", "--for", "h", "--between", "h=1..x"], "--between 'h=1..x' is not a range: "),
    (["solve", "gpt2", "--total", "7B", "--for", "h", "--between", "h=1.5..9"], "h between 1.5 and 9.0: write whole numbers."),
    (["solve", "gpt2", "--total", "7B", "--for", "h", "--between", "h/(L+1)=1..9"], "Expression 'h/(L+1)' divides by a sum"),
    (["solve", "gpt2", "--total", "7B", "--for", "h", "--set", "h=9"], "h is solved for, so it cannot have a value"),
    (["count", "gpt2", "--set", "d_ff=roundup(8*h/3)"],
     "d_ff = 'roundup(8*h/3)' is not a positive integer or an expression such as 4*h. Expression 'roundup(8*h/3)' rounds up "
     "without a multiple: write roundup(8*h/3, 256)."),
    *((["count", "gpt2", "--set", f"d_ff={size}"],
       f"d_ff = '{size}' is not a positive integer or an expression such as 4*h. Expression '{size}' has an unexpected {told}")
      for size, told in (
          ("8h/3", "'h' at character 2: write '*' between two factors: 8*h."),
          ("2.67*h", "'.' at character 2: write 267/100 for 2.67."),
          ("8*h//3", "'/' at character 5: to round down write floor(8*h/3)."),
          ("ceil(8*h/3, 256)", "',' at character 11: roundup alone takes two, a size and what it is a multiple of: roundup("),
    )),
    (["count", ""], "The target is empty: name a model, as in gpt2, or give a config.json."),
    (["count", "gpt2", "--set", "d_ff=round_up(8*h/3, 256)"],
     "d_ff = 'round_up(8*h/3, 256)' is not a positive integer or an expression such as 4*h. Expression 'round_up(8*h/3, 256)' "
     "names the unknown symbol 'round_up'. Did you mean 'roundup'?"),
    (["solve", "gpt2", "--total", "7B", "--for", "h", "--between", "V=1..5"], "between names V, which is not solved for"),
    (["solve", "gpt2", "--total", "7B", "--for", "L", "--multiple-of", "4"], "L is not a width: name the dimension"),
    (["solve", "gpt2", "--total", "7B", "--for", "h", "--multiple-of", "x"], "--multiple-of 'x' is not a multiple: "),
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
    (["memory", "7B", "--json", "--lang", "zh"], "memory --json has no sentences: leave out --lang."),
    (["derive", "--expr", "h*h", "--view", "kind"], "A bare formula has no parts to group: leave out --view beside --expr."),
    (["derive", "--expr", "h*h", "--attention", "fused"],
     "A bare formula has no attention: leave out --attention beside --expr."),
    (["derive", "--expr", "h*h", "--view", "nonsense"], "Unknown view 'nonsense'. Known: module, kind, weights."),
    (["derive", "--expr", "h*h", "--attention", "zzz"], "Unknown attention 'zzz'. Known: fused, per-head, eager, flash."),
    (["derive", "--expr", "h", "--symbolic"],
     "A bare formula has no values to leave out: leave out --symbolic beside --expr."),
    (["count", "--expr", "h", "--shared", "each"], "A bare formula has no shared tensors: leave out --shared beside --expr."),
    (["derive", "gpt2", "--symbolic", "--set", "h=8"],
     "--symbolic leaves out all values, so --set 'h=8' has no effect: leave out one of the two."),
    (["count", "gpt2", "-o", "count.tex"],
     "count answers in text and json, not in latex, as 'count.tex' asks: give it another ending."),
    (["derive", "gpt2", "--latex", "-o", "sheet.md"],
     "--latex contradicts 'sheet.md', which asks for markdown: change one of the two."),
    (["derive", "gpt2", "-o", "sheet.docx"],
     "No format ends in '.docx', as 'sheet.docx' does: end in .json, .tex, .md, .pdf, .png, .txt, .typ, .html, or "),
    (["derive", "mamba", "--attention", "per-head"], "mamba has no attention: leave out --attention."),
    (["--show-completion", "tcsh"], "No completion for the shell 'tcsh'. Known: bash, zsh, fish."),
]  # fmt: skip


def test_a_mistake_is_one_line_on_stderr(mistake):
    for arguments, message in MISTAKES:
        assert mistake(arguments).startswith(message), ascii(" ".join(arguments)[:60])


def test_the_synonyms_of_an_option_are_taken(cli):
    spelled = cli("memory gpt2 --seq-len 512 --users=2 --gpu rtx4090 --precision int8")
    assert spelled == cli("memory gpt2 --context 512 --batch=2 --fits rtx-4090 --dtype int8")
    assert cli("memory gpt2 --fits 4090") == cli("memory gpt2 --fits rtx-4090")
    assert cli("memory gpt2 --fits 8xH100") == cli("memory gpt2 --fits 8x80GB")  # PCIe and SXM alike
    assert cli("memory gpt2 --fits 80gb") == cli("memory gpt2 --fits 80GB")  # no board of this size in particular
    assert cli("flops gpt2 --prompt 512 --on l4 --mfu 50%") == cli("flops gpt2 --tokens 512 --on l4 --utilisation 50%")
    assert cli("questions gpt2 --chapter KV-cache --level easy") == cli("questions gpt2 --chapter cache --level warm-up")


def test_an_option_and_its_synonym_are_not_two_values(mistake):
    for line, both in [
        ("memory gpt2 --context 8 --seq-len 16", "--context and --seq-len both give --context"),
        ("memory gpt2 --max-model-len=8 --kv 16 --training", "--max-model-len and --kv both give --context"),
        ("flops gpt2 --prompt 8 --tokens 16", "--prompt and --tokens both give --tokens"),
    ]:
        assert mistake(line) == f"{both}: leave out one of the two."


def test_what_a_synonym_stands_for_is_there_and_the_synonym_is_not():
    for line in dict.fromkeys(synonyms("commands").values()):
        assert isinstance(parse(line.split()), Parsed), line
    for name in ("memory", "flops", "quiz"):
        flags = {flag for option in COMMANDS[name].signature for flag in option.flags}
        assert flags >= {f"--{meant.replace('_', '-')}" for meant in synonyms(name).values()}, name
        assert flags.isdisjoint(f"--{word.replace('_', '-')}" for word in synonyms(name)), name
    assert COMMANDS.keys().isdisjoint(synonyms("commands"))
    for noun in ("chapter", "level"):
        known = [{*option.choices()} for option in COMMANDS["quiz"].signature if option.noun == noun]
        assert all(names >= {*synonyms(noun).values()} and names.isdisjoint(synonyms(noun)) for names in known)


def test_a_mistake_leaves_no_traceback_and_exit_code_2():
    done = subprocess.run([sys.executable, "-m", "symparams", "count", "blom"], capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr == b"symparams: Unknown architecture or model 'blom'. Did you mean 'bloom'?\n"
