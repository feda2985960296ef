"""A plot on the sheet of a derivation: its source in LaTeX, SVG elsewhere, a caption, or a line that says why it has none."""

from __future__ import annotations

import re

import pytest

from symparams import compare, derive, render
from symparams.formats.rendering import preamble
from tests.refusals import refusal

SHARES = "From 28,628 tokens on, the pairs of tokens take half of the FLOPs of llama-3-8b or more."
NEEDED = "\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.16}\n"
SHOWN = [
    ("parameters", {}, "llama-3-8b: area = parameters."),
    ("forward_flops", {"b": 1, "s": 512}, "Where the FLOPs of llama-3-8b go: shares of the forward pass, b = 1."),
    ("training_flops", {}, "Where the FLOPs of llama-3-8b go: shares of the training, b = 1."),
    ("kv_cache", {"dtype": "fp8", "b": 2}, "Memory to run, over the context: weights + KV cache, b = 2, fp8."),
    ("weight_memory", {"e": 2}, "Memory to run, over the context: weights + KV cache, b = 1, e = 2."),
    ("activations", {"dtype": "bf16", "s": 64, "b": 1}, "Memory of the activations over b: s = 64, bf16."),
    ("training_memory", {"b": 1, "s": 64}, "Memory to train llama-3-8b: AdamW, BF16 with FP32 master weights, "
     "eager attention, s = 64."),
]  # fmt: skip


def caption(quantity, given, language="en"):
    sheet = render(derive("llama-3-8b", quantity=quantity, **given), "latex", with_plot=True, language=language)
    [told] = re.findall(r"\\footnotesize (.*?)\\end\{minipage\}", sheet)
    return re.sub(r"[${}]|\\,", "", told)


@pytest.mark.parametrize(("quantity", "given", "line"), SHOWN)
def test_each_quantity_has_its_plot_with_a_caption(quantity, given, line):
    assert caption(quantity, given).startswith(line)
    assert caption(quantity, given, "zh").isascii() is False


def test_each_format_holds_it_as_it_can():
    derived = derive("llama-3-8b", quantity="forward_flops")
    latex = render(derived, "latex", with_plot=True, label="eq:l")
    assert latex.index(NEEDED) < latex.index("\\begin{document}") < latex.index("\\begin{axis}")
    assert "\\label{eq:l:plot}" in latex
    markdown = render(derived, "markdown", with_plot=True)
    assert re.search(r"^<figure>\n<svg .*</svg>\n</figure>\n```\n\nWhere the FLOPs", markdown, re.DOTALL | re.MULTILINE)
    typst = render(derived, "typst", with_plot=True)
    assert "image(bytes(" in typst
    assert "<text" not in typst
    assert "pgfplots" not in render(derived, "latex")
    assert preamble(with_plot=True) == preamble() + NEEDED


def test_a_page_holds_it_in_every_language_without_a_style_that_its_policy_stops():
    page = render(derive("llama-3-8b", quantity="forward_flops"), "html", with_plot=True)
    plots = re.findall(r'<figure class="plot" lang="([^"]*)"( hidden)?>(.*?)</figure>', page, re.DOTALL)
    assert [(tag, hidden) for tag, hidden, _ in plots] == [("en", ""), ("zh-Hans", " hidden")]
    ids = [found for *_, drawn in plots for found in re.findall(r'\bid="([^"]*)"', drawn)]
    assert len(ids) == len(set(ids))
    for *_, drawn in plots:
        assert not re.search(r" style=|<style", drawn)
        assert 'font-family="' in drawn
        assert {f"#{name}" for name in ids} >= set(re.findall(r"url\((#[^)]*)\)", drawn)) | set(
            re.findall(r'href="([^"]*)"', drawn)
        )
    assert '.plot [fill="#c97a1e"]{fill:#B4690F;}' in page


@pytest.mark.parametrize(("answer", "kind", "line"), [
    (lambda: derive("gpt2", quantity="lora", r=8), "latex",
     "There is no plot of lora for a sheet: leave out with_plot, or derive parameters, FLOPs or memory."),
    (lambda: derive("bert-base-uncased", quantity="weight_memory"), "latex", "bert-base-uncased has no KV cache"),
    (lambda: derive("llama"), "latex", "llama is a family"),
    (lambda: compare("gpt2", "bloom-560m"), "latex",
     "A plot shows one model, and one quantity of it: leave out with_plot."),
    (lambda: compare("gpt2", "bloom-560m"), "html", "A plot on a page shows one model: leave out with_plot, or name one."),
    (lambda: derive("gpt2"), "text", "text cannot use with_plot, which is for html, latex, markdown, pdf, png, typst:"),
])  # fmt: skip
def test_what_has_no_plot_says_so_in_a_line(answer, kind, line):
    assert refusal(render, answer(), kind, with_plot=True).startswith(line)


def test_bars_of_which_one_is_nearly_all_name_the_treemap(cli):
    told = "symparams: one part is 97.4% of it: plot treemap deepseek-v3 shows the others larger\n"
    assert cli("draw deepseek-v3 --bars --svg").err == told
    assert cli("draw gpt2 --bars --svg").err == ""
