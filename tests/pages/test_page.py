"""The file of a page: what it says without script, and what its policy lets happen."""

from __future__ import annotations

import json
import re
from base64 import b64encode, b85decode
from dataclasses import replace
from functools import cache
from hashlib import sha256
from zlib import compress, decompress

import pytest

from symparams import Architecture, block, compare, derive, linear, load, render, residual, symbols
from symparams.errors import OptionError
from symparams.models.model import Origin
from symparams.models.sources import member
from symparams.pages.data import as_json
from tests.pages.cases import page_of

pytestmark = pytest.mark.xdist_group("page")
HOSTILE = "</script><script>alert(1)</script><!-- ]]> \" ' & \\input{x} \N{RIGHT-TO-LEFT OVERRIDE}"


@cache
def mamba() -> str:
    """The page of mamba-130m, which is made at once."""
    return render("mamba-130m", "html")


OWN = Architecture("own", tree=block(net=linear(symbols.h, symbols.d_ff)), models={"own-1": {symbols.h: 2, symbols.d_ff: 5}})


@cache
def small(language="en"):
    """The page of a family with one matrix."""
    return render(load(OWN), "html", language=language)


def unpacked(page):
    """The data of a page, its styles and its runtime, as the browser unpacks them."""
    [packed] = re.findall(r'id="packed">(.*?)</script>', page)
    return decompress(b85decode(packed.replace(",", "<"))).decode().split("\n", 2)


def script_of(page):
    """The runtime within a page."""
    return unpacked(page)[2]


def text_of(page):
    """What a page says without script."""
    return re.sub(r"<(script|style)\b.*?</\1>|<[^>]+>", "", page, flags=re.DOTALL)


def data_of(page):
    """What the runtime reads."""
    return json.loads(unpacked(page)[0])


def test_the_page_reads_without_script_and_counts():
    for said in ("How many parameters does mamba-130m have?", "129,135,360", "38,615,040", "Where the parameters are"):
        assert said in text_of(mamba())
    assert re.findall(r'data-count="(.*?)"', mamba()) == ["129135360"]
    assert re.findall(r'data-count="(.*?)"', small()) == [""]
    page, asked = render(load("mamba-130m", L=3, h=1536), "html", language="zh"), "mamba-130m（h = 1,536、L = 3）有多少参数？"
    assert f"<title>{asked}</title>" in page
    assert f'<h1 id="h-title">{asked}</h1>' in page


def test_the_policy_names_the_script_and_the_style_by_their_hashes_and_nothing_else_runs():
    [policy] = re.findall(r'Content-Security-Policy" content="(.*?)"', mamba())
    [style] = re.findall(r"<style>(.*?)</style>", mamba(), re.DOTALL)
    [loader] = re.findall(r"<script>(.*?)</script>", mamba(), re.DOTALL)
    hashes = [
        f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in (loader, *unpacked(mamba())[:0:-1], style)
    ]
    runs = f"script-src {hashes[0]} {hashes[1]}; style-src {hashes[3]} {hashes[2]}"
    assert policy == f"default-src 'none'; {runs}; base-uri 'none'; form-action 'none'"
    for page in (mamba(), small("zh")):
        runs = page + script_of(page)
        assert not re.search(r"\beval\(|new Function|innerHTML \+=|document\.write|import\(|fetch\(|XMLHttpRequest", runs)
        markup = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
        assert not re.search(r'\s(style|on\w+|src)="', markup)


def test_the_runtime_and_the_bytes_are_the_same():
    assert script_of(mamba()) == script_of(small()) == script_of(small("zh"))
    again = small.__wrapped__()
    assert again == small()
    assert 60_000 < len(mamba().encode()) < 160_000


def test_comments_and_indentation_stay_in_the_templates():
    [style] = re.findall(r"<style>(.*?)</style>", mamba(), re.DOTALL)
    assert not re.search(r"^[ \t]|^//|[ \t]// |[ \t]/\*.*\*/$", f"{script_of(mamba())}\n{style}", re.MULTILINE)
    assert "https:" in script_of(mamba()), "what only begins like a comment stays"
    assert not re.search(r"[,;:{}]\s|\s[{}]", style)


@pytest.mark.sweep
@pytest.mark.parametrize("target", ["deepseek_v3", "jamba", "gemma3"])
def test_so_are_the_largest(target):
    assert len(b64encode(compress(as_json(page_of(target)).encode()))) + len(small().encode()) < 250_000


@pytest.mark.sweep
def test_the_page_of_a_model_of_the_usual_size_is_light():
    assert len(render("llama-3-8b", "html").encode()) <= 160_000


def test_the_page_has_every_sentence_that_its_script_asks_for_by_a_key():
    asked = set(re.findall(r'said\("([a-z_.]+)"\)', script_of(small())))
    assert len(asked) > 5
    assert asked <= data_of(small())["models"][0]["sentences"].keys()


def test_a_hostile_name_is_text():
    own = Architecture("own", title=HOSTILE[:-1], source=HOSTILE[:-1], tree=OWN.tree)
    page = render(replace(load(own, h=3), origin=Origin(HOSTILE, HOSTILE)), "html")
    assert "<script>alert" not in page
    assert page.count("</script>") == 2
    assert "<script>alert" not in script_of(page)
    assert data_of(page)["models"][0]["presets"][0]["target"][:-1] == HOSTILE[:-1]


def test_a_page_that_an_ending_asks_for_says_which_class_is_assumed(cli, tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "mamba"}', encoding="utf-8")
    assert cli(["derive", str(tmp_path), "-o", str(tmp_path / "page.html")]).code == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    said = "The config names no class, so this is the base model, MambaModel."
    assert f'<p id="chosen">{said}</p>' in page
    own, *others = data_of(page)["models"][0]["presets"]
    assert own["assumed"] == [said, "配置没有注明模型类，这里按基础模型 MambaModel 计算。"]
    assert not any("assumed" in other for other in others)


def test_a_page_of_several_models_or_of_a_quantity():
    other = Architecture("other", tree=OWN.tree)
    page = render(compare(member("own-1", OWN, OWN.models["own-1"]), load(other, h=3)), "html")
    assert [model["presets"][0]["target"] for model in data_of(page)["models"]] == ["own-1", "other"]
    assert page.index("How do the parameter counts of own-1 and other differ?") < page.index('<div id="tabs"')
    page = render(derive(member("own-1", OWN, OWN.models["own-1"]), quantity="weight_memory", dtype="fp16"), "html")
    assert re.findall(r'data-count="(.*?)"', page) == [str(2 * (2 * 5 + 5))]
    assert "How much memory do the weights of own-1 take?" in text_of(page)


def test_what_has_no_page_is_refused(mistake):
    with pytest.raises(OptionError, match="The HTML page cannot compute training_memory of llama-3-8b: choose another"):
        render(derive("llama-3-8b", quantity="training_memory", b=1, s=8, recipe="bf16"), "html")
    for line, said in [
        ("derive --expr 4*h --html", "A bare formula has no HTML page: name a model, or choose another format."),
        ("derive bert --view kind --html", "The HTML page computes a model part by part: leave out --view."),
        ("compare gpt2 gpt2 --html", "Two models of the page have the same name: leave one of them out."),
    ]:
        assert said in mistake(line)


def test_a_page_opens_with_a_switch_as_it_was_chosen():
    """With activations worked out anew, training takes a forward pass more."""
    own = Architecture("own", tree=block(layers=symbols.L * block("layer", residual(net=linear(symbols.h, symbols.h)))))
    model, given = load(own, L=2, h=4), {"b": 1, "s": 8}
    counts = [model.measure("training_flops", checkpoint=chosen, **given) for chosen in (True, False)]
    for chosen, count in zip((True, False), counts, strict=True):
        page = render(derive(model, quantity="training_flops", checkpoint=chosen, **given), "html")
        assert f"{count:,}" in text_of(page)
    assert counts[0] > counts[1]
