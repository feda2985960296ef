"""The picture of a page: draw's own, true of whatever is typed and ticked, with parts that lead to their steps and back."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest

from symparams import Architecture, block, derive, linear, load, render, symbols
from symparams.components.walks import components, is_within, leaves
from symparams.drawings.context import DrawingContext
from symparams.expressions.written import evaluate
from symparams.models.model import Model
from symparams.pages.colours import colours
from symparams.pages.data import as_json
from symparams.pages.features import FeatureSwitches
from symparams.quantities.parameters import PARAMETERS
from tests.pages import test_browser
from tests.pages.cases import FAMILIES, SWEPT, content_of
from tests.sweeps import swept

opened = test_browser.opened  # the fixture
MOST_BYTES = 30_000
DRAWN, MASK, PLACED = 0, 1, 6  # where these stand in a drawing


@cache
def pictures_of(target: str) -> dict:
    """The drawings of a page."""
    return content_of(target)["pictures"]


def parts_of(pictures: dict, drawing: list) -> dict[str, list]:
    """The parts of a drawing by path: what each counts, and where it leads."""
    places: list[int] = []
    for place in drawing[PLACED]:
        places += [place] if place >= 0 else range(places[-1] + 1, places[-1] + 1 - place)
    about = [pictures["parts"][mark[3]] for mark in (pictures["marks"][place] for place in places) if len(mark) > 3]
    return {pictures["steps"][part[0]][0]: part for part in about}


@pytest.mark.xdist_group("page")
def test_all_drawings_of_a_page_are_small():
    pictures = pictures_of("llama-3-8b")
    assert len(as_json(pictures).encode()) < MOST_BYTES
    assert {drawing[DRAWN] for drawing in pictures["drawings"]} == {0, 1}


@pytest.mark.xdist_group("page")
@pytest.mark.parametrize("family", swept(["bert", "llama", "t5", "vit"], FAMILIES))
def test_there_is_a_drawing_of_each_published_model_and_of_each_class_of_the_library(family):
    page, model = content_of(family), load(family)
    switches = FeatureSwitches.of(model)
    kinds = ({feature.name for feature in kind.features} for kind in model.library.classes.values())
    for present in (
        *(set(preset["on"]) for preset in page["presets"]),
        *(model.present - model.library.by_class | has for has in kinds),
    ):
        setting = switches.setting(frozenset(present))
        assert any(not (setting ^ mask) & ~free for _, mask, free, *_ in page["pictures"]["drawings"]), sorted(present)


@pytest.mark.xdist_group("page")
@pytest.mark.parametrize("family", swept((*FAMILIES, *SWEPT), FAMILIES))
def test_every_part_with_parameters_is_drawn_and_leads_to_what_there_is(family):
    page, pictures, switches = content_of(family), pictures_of(family), FeatureSwitches.of(load(family))
    relations = ((1 << len(page["deciding"])) - 1) << switches.number

    def at(setting, kind):
        chosen = ((key, of[sum((setting >> switch & 1) << place for place, switch in enumerate(on))])
                  for key, on, of in page["parts"][kind])  # fmt: skip
        return {key[1]: page["pool"][place] for key, place in chosen if place >= 0}

    for drawing in pictures["drawings"]:
        parts = parts_of(pictures, drawing)
        present = switches.present(drawing[MASK])
        model = load(family, include=sorted(present), exclude=sorted(load(family).features.keys() - present))
        for leaf in leaves(model.tree):
            assert not leaf.component.tensors or any(is_within(leaf.path, path) for path in parts), (leaf.path, drawing[:3])
        for number, view in enumerate(page["views"]):
            sections = at(drawing[MASK] | relations, f"section {view}")
            blocks = [page["blocks"][block] for _, held, *_ in sections.values() for block in held]
            there = {"total", *(name.split("#")[0] for name in sections), *(block[3] for block in blocks if block[0] == "item")}
            for path, (step, *_) in parts.items():
                _, first, *others = pictures["steps"][step]
                assert ([first, *others][number] or first) in there, (view, path)


@pytest.mark.xdist_group("page")
def test_each_row_of_the_shares_has_the_colour_of_its_parts():
    page = content_of("mixtral")
    kinds, pool = page["kinds"], page["pool"]
    shares = {key[1]: [pool[place][0] for place in of if place >= 0] for key, _, of in page["parts"]["share"]}
    coloured = {name: {kinds["rows"][str(place)] for place in places} for name, places in shares.items()}
    assert coloured["attention"] == {kinds["parts"]["decoder.attention"]} == {"attention"}
    assert coloured["rms_norms"] == {kinds["parts"]["final_norm"]} == {"norm"}
    assert all(f"--kind-{kind}:" in colours() for kind in kinds["rows"].values())


# In a browser.
GEOMETRY = """
const near = 1, wrong = [], svg = document.querySelector("#picture svg"), all = [...svg.querySelectorAll("text")];
const boxOf = (each) => each.getBoundingClientRect();
for (const text of all) {
  const rect = text.parentNode.querySelector("rect"), held = boxOf(text), room = boxOf(rect ?? svg);
  if (held.left < room.left - near || held.right > room.right + near) wrong.push(`${text.textContent} is outside its box`);
}
all.forEach((text, i) => all.slice(0, i).forEach((other) => {
  const [a, b] = [boxOf(text), boxOf(other)];
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top), most = 0.55 * Math.min(a.height, b.height);
  if (across > near && down > most) wrong.push(`${text.textContent} is over ${other.textContent}`);
}));
return all.length < 3 ? ["too little is drawn"] : wrong;
"""
LOST = """
const [links, places] = arguments;
const at = (link) => document.getElementById(decodeURIComponent(link.getAttribute("href").slice(1)));
return [...document.querySelectorAll(links)].filter((link) => !at(link)?.matches(places)).map((link) => link.outerHTML);
"""
CLICK = "document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))"
VIEWS = "return [...document.querySelector('#view').options].map(({ value }) => value)"
PARTS = """
const textsOf = (link, selector) => [...link.querySelectorAll(selector)].map((each) => each.textContent);
const links = [...document.querySelectorAll("#picture a")];
return links.map((link) => [link.dataset.part, ...textsOf(link, "title"), textsOf(link, ".t-count")]);
"""
SAID = "return document.getElementById(arguments[0]).querySelector('title').textContent"
SHOWN = "return [...document.getElementById(arguments[0]).querySelectorAll('text')].map((each) => each.textContent).join(' | ')"
BLOCKS = "return [...document.querySelectorAll('#picture a')].map((a) => a.id)"
TEXT = "return document.querySelector('#picture svg').textContent"
UNTRUE = "return document.querySelector('#picture').matches('.untrue')"


def told(model: Model) -> dict[str, tuple[int, int | None]]:
    """What each part of a model has in all, and the number of its box."""
    context = DrawingContext(derive(model))
    found = {}
    for path, component in components(model.tree):
        within = [leaf for leaf in model.leaves if is_within(leaf.path, path)]
        if path and within:
            found[path] = evaluate(PARAMETERS.over(within), model.values), context.step(path, component).count
    return found


def numbers(text: str) -> list[int]:
    """The numbers with all of their digits in a text."""
    return [] if "≈" in text else [int(digits.replace(",", "")) for digits in re.findall(r"\d[\d,]*", text)]


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
class TestInABrowser:
    """What the browser draws."""

    @pytest.mark.parametrize("target", ["bert-base-uncased", "llama-3-8b", "mixtral-8x7b", "t5-small", "llava-1.5-7b-hf"])
    def test_its_numbers_are_those_of_python(self, opened, target):
        page, chance = opened(target), Random(target)  # noqa: S311 - sizes of a test
        for _ in range(3):
            names = [d.name for d in load(target).values if d.name.startswith(("V", "L", "d_ff")) and "vision" not in d.name]
            many = {name: chance.randint(1, 10 ** chance.randint(2, 9)) for name in names}
            page.go("#" + "&".join(f"{name}={value}" for name, value in many.items()))
            assert not page.run(UNTRUE)
            known = told(load(target, **many))
            parts = page.run(PARTS)
            assert len(parts) > 5
            for path, title, counts in parts:
                every, one = known.get(path, (0, None))
                said = numbers(title.rpartition(": ")[2].split(" parameters")[0]) or [0]
                product = said[0] * (said[1] if "×" in title else 1)
                assert product == every or path.endswith("experts"), (path, title)  # whose router stands by itself
                shown = [number for text in counts if text.strip().startswith("=") for number in numbers(text)]
                assert one is None or {*shown} <= {one, every}, (path, counts)
        page.silent()

    @pytest.mark.parametrize("target", ["bert-base-uncased", "llama-3-8b", "deepseek-v3", "t5-small", "llava"])
    def test_no_text_stands_outside_its_box_or_over_another(self, opened, target):
        page = opened(target)
        names = page.run("return [...document.querySelectorAll('#sizes input')].map((field) => field.name)")
        large = "&".join(f"{name}={10**29}" for name in names if name.startswith(("V", "d_ff")))
        for state in ("lang=en", "lang=zh", "notation=hf", "lang=zh&notation=megatron", f"lang=en&{large}", f"lang=zh&{large}"):
            page.go(f"#{state}")
            assert page.run(GEOMETRY) == [], state
        page.silent()

    @pytest.mark.parametrize("target", ["bert-base-uncased", "deepseek-v3"])
    def test_a_part_leads_to_its_step_and_back(self, opened, target):
        page = opened(target)
        for view in page.run(VIEWS):
            page.go(f"#view={view}")
            assert page.run(LOST, "#picture a", "#derivation *") == [], view
            assert page.run(LOST, ".back:not([hidden])", "#picture a") == [], view
            assert page.run("return document.querySelectorAll('.back:not([hidden])').length") > 3
        page.go("#theme=dark")
        page.run(CLICK, "#picture a[id$=attention]")
        assert page.run("return document.activeElement.matches('.step.here[id$=attention]')")
        page.run(CLICK, ".step.here .back")
        assert page.run("return document.activeElement.id").endswith("attention")
        assert page.run("return document.activeElement.matches('#picture a')")
        assert "theme=dark" in page.address, "the address keeps the state"
        page.silent()

    def test_it_follows_what_is_typed_and_ticked(self, opened):
        page = opened("bert-base-uncased")
        assert "23,440,896 parameters" in page.run(SAID, "d-embeddings.token_embedding")
        page.type("V", "1000")
        assert "768,000 parameters" in page.run(SAID, "d-embeddings.token_embedding")
        assert page.run(SHOWN, "d-embeddings.token_embedding").endswith(" | V × h = 768,000")
        page.type("L", "24")
        assert "L = 24" in page.run(SHOWN, "d-encoder")
        before = set(page.run(BLOCKS))
        page.press("input[name=pooler]")
        assert before - set(page.run(BLOCKS)) == {"d-pooler"}
        page.press("[data-lang=zh]")
        assert page.run(SHOWN, "d-embeddings.token_embedding") == "词嵌入 | V × h = 768,000"
        page.type("h", "7")
        assert page.wait("return document.body.matches('.stale')")
        assert page.run(SHOWN, "d-embeddings.token_embedding") == "词嵌入 | V × h = 768,000", "as before, since 7 cannot be"
        page.silent()

    def test_it_is_never_a_false_picture(self, opened):
        page = opened("mixtral-8x7b")
        assert "32 query heads share 8 key-value heads" in page.run(TEXT).replace("queryheads", "query heads")
        for state, is_untrue in {
            "#n_kv_heads=16": False, "#n_experts=16": True, "#without=lm_head": False, "#without=lm_head&with=tying": False,
            "#without=lm_head&with=classifier&n_labels=3": False, "#with=tying&with=classifier&n_labels=3": True,
        }.items():  # fmt: skip
            page.go(state)
            assert page.run(UNTRUE) == is_untrue, state
            assert bool(page.text("#untrue")) == is_untrue
        page.go("#n_kv_heads=32")
        assert "causal attention, 32 heads" in page.run(TEXT)
        assert "Attention (GQA)" not in page.run(TEXT)
        page.go("#d_head=64")
        assert page.run(SHOWN, "d-decoder.attention").endswith("20,971,520"), "not 2h², which is another number now"
        assert "h²" not in page.run(SHOWN, "d-decoder.attention")
        page.silent()

    def test_of_another_quantity_a_part_tells_its_share(self, opened):
        page = opened("llama-3-8b")
        page.go("#quantity=kv-cache&b=1&t=100")
        assert page.run(LOST, "#picture a", "#derivation *") == []
        assert page.run(SHOWN, "d-decoder.attention") == "Attention (GQA) |  | 100.00%"
        out = page.run("return [...document.querySelectorAll('#picture a.out')].map((link) => link.dataset.part)")
        assert {"lm_head", "decoder.feed_forward", "embeddings.token_embedding"} <= {*out}
        assert "decoder.attention.query" not in out, "of which the quantity tells nothing by itself"
        page.silent()

    def test_a_long_name_of_ones_own_is_broken(self, opened, tmp_path):
        name = "a_part_that_no_catalogue_knows_" + "x" * 28
        own = Architecture("own", tree=block(**{name: 3 * block(name, **{name: linear(symbols.h, symbols.h)})}))
        page = opened("bert-base-uncased")
        file = tmp_path / "own.html"
        file.write_text(render(load(own, h=3), "html"), encoding="utf-8")
        page.browser.get(file.as_uri())
        assert page.run(GEOMETRY) == []
        page.silent()
