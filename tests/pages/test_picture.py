"""The picture of a page: every part of a tree once, counts that come to the total, blocks that lead to their steps and back."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from symparams import Architecture, architectures, block, linear, load, render, symbols
from symparams.components.kinds import Role
from symparams.components.walks import leaves
from symparams.pages.picture import LAYERS, PASSED, PictureEntry, entries
from symparams.pages.sheets import Sheets
from tests.pages import test_browser
from tests.pages.cases import FAMILIES, SWEPT, content_of

TARGETS = {"picture": 6, "frame": 3}  # where these stand in an entry
NOTES = 5
opened = test_browser.opened  # the fixture


@cache
def sheets_of(family: str) -> Sheets:
    """The sheets of a family's page."""
    return Sheets(load(family))


def drawn(sheets: Sheets, setting: int, kind: str) -> dict[str, tuple]:
    """The parts of a kind at a setting, by path."""
    places = sheets.at(setting)
    return {key[1]: sheets.pool.parts.entries[place] for key, place in places.items() if key[0] == kind}


def paths_of(entry: PictureEntry) -> list[str]:
    """The paths of the leaf layers that a part of the picture counts."""
    path, component = entry.part.path, entry.part.component
    around = path.rpartition(".")[0] if component.role is Role.PARALLEL else path
    return [f"{around}.{leaf.path}".strip(".") for leaf in leaves(component) if leaf.component.tensors]


def test_every_part_with_parameters_is_drawn_once():
    for family in architectures():
        model = load(family)
        for present in (model.present, frozenset(model.features), frozenset()):
            tree = replace(model, present=present).tree
            shown = Counter(path for entry in entries(tree) for path in paths_of(entry))
            assert shown == Counter(leaf.path for leaf in leaves(tree) if leaf.component.tensors), family


def test_a_box_says_what_it_reads_of_the_layers_or_in_whose_place_it_stands():
    for family, path, said in [
        ("xlnet", "embeddings.mask_embedding", ["page.picture.in_place", "drawing.inputs.predicted_tokens"]),
        ("vit", "embeddings.mask_token", ["page.picture.in_place", "drawing.inputs.masked_patches"]),
        ("llava", "projector.input_projection", ["drawing.reads.patches_before_the_last_norm"]),
        ("vit", "embeddings.patch_embedding", []),
    ]:
        sheets = sheets_of(family)
        [notes] = [
            entry[NOTES] for place, entry in drawn(sheets, (1 << sheets.switches) - 1, "picture").items() if place == path
        ]
        pool = sheets.pool.sentences.entries
        terms = [(number, [value[1] for _, value in terms]) for _, number, terms in notes]
        assert [pool[each] for number, inner in terms for each in (number, *inner)] == said


def test_what_follows_a_head_that_leads_nowhere_reads_what_comes_into_it():
    sheets = sheets_of("gemma3")
    everything = drawn(sheets, (1 << sheets.switches) - 1, "picture")
    flows = {path: entry[-1] for path, entry in everything.items()}
    assert [path for path, flow in flows.items() if flow & PASSED] == ["image_encoder.attention_pooling.probe"]
    assert [path for path, flow in flows.items() if flow & LAYERS] == ["projector.rms_norm"]


@pytest.mark.xdist_group("page")
@pytest.mark.parametrize("family", [*FAMILIES, *(pytest.param(name, marks=pytest.mark.sweep) for name in SWEPT)])
def test_each_block_leads_to_what_there_is(family):
    """As the page opens, with no switch on, and with all."""
    page = content_of(family)
    pool, parts, switches = page["pool"], page["parts"], len(page["features"]) + len(page["deciding"])

    def at(setting, kind):
        chosen = ((key, of[sum((setting >> switch & 1) << place for place, switch in enumerate(on))])
                  for key, on, of in parts[kind])  # fmt: skip
        return {key[1]: pool[place] for key, place in chosen if place >= 0}

    for setting in (sheets_usual(page), 0, (1 << switches) - 1):
        for number, view in enumerate(page["views"]):
            sections = at(setting, f"section {view}")
            blocks = [page["blocks"][block] for _, held, _, _ in sections.values() for block in held]
            there = {"total", *(name.split("#")[0] for name in sections), *(block[3] for block in blocks if block[0] == "item")}
            for kind in ("picture", "frame"):
                for path, entry in at(setting, kind).items():
                    targets = entry[TARGETS[kind]]
                    assert (targets[number] or targets[0]) in there, (view, path)


def sheets_usual(page):
    """The setting of the switches with which a page opens: its features, and every relation as it is."""
    [own, *_] = page["presets"]
    features = [name for name, *_ in page["features"]]
    held = [*(name in own["on"] for name in features), *(True for _ in page["deciding"])]
    return sum(is_on << switch for switch, is_on in enumerate(held))


# In a browser.
GEOMETRY = """
const near = 0.6, wrong = [], svg = document.querySelector("#picture svg"), all = [...svg.querySelectorAll("text")];
const boxes = all.map((text) => text.getBBox()), whole = { x: 0, y: 0, width: 240, height: svg.viewBox.baseVal.height };
const isWithin = (from, length, start, room) => from >= start - near && from + length <= start + room + near;
const holds = (a, b) => isWithin(b.x, b.width, a.x, a.width) && isWithin(b.y, b.height, a.y, a.height);
const isOver = (a, b, by) => Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > near
  && Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > by;
all.forEach((text, i) => {
  const rect = text.parentNode === svg ? null : text.parentNode.querySelector("rect"); // words between boxes have none
  if (!holds(rect ? rect.getBBox() : whole, boxes[i])) wrong.push(`${text.textContent} is outside its box`);
  boxes.slice(0, i).forEach((other, j) => {
    if (isOver(boxes[i], other, 4)) wrong.push(`${text.textContent} is over ${all[j].textContent}`);
  });
});
const rects = [...svg.querySelectorAll(".blk")].map((each) => each.getBBox());
rects.forEach((a, i) => rects.slice(0, i).forEach((b) => {
  if (isOver(a, b, near)) wrong.push(`boxes at ${a.y} and ${b.y} overlap`);
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
# From what to what the lines lead that go beside the parts.
AROUND = """
const svg = document.querySelector("#picture svg"), all = [...svg.querySelectorAll("text")];
const rects = [...svg.querySelectorAll(".grp, svg > a > .blk")].map((each) => each.getBBox());
const called = ({ y }) => all.find((text) => text.getBBox().y >= y).textContent;
const lines = [...svg.querySelectorAll(".ln")].map((each) => each.getBBox()).filter(({ x }) => x < 0);
const near = (one, other) => Math.abs(one - other) < 1;
return lines.map(({ y, height }) => [
  called(rects.find((rect) => near(rect.y + rect.height, y))),
  called(rects.find((rect) => rect.y + rect.height > y + height)),
]);
"""
# Between which groups the words stand that these take turns.
IN_TURN = """
const svg = document.querySelector("#picture svg"), words = [...svg.querySelectorAll("text.m")];
const titles = [...svg.querySelectorAll("text.t")], place = (text) => Number(text.getAttribute("y"));
return words.map((word) => {
  const below = titles.findIndex((title) => place(title) > place(word));
  return [titles[below - 1].textContent, titles[below].textContent];
});
"""
LED = [
    ("llava", [["One encoder layer", "Projector"], ["Projector", "One decoder layer"]]),
    ("clip", [["Final LayerNorm", "Similarity head"]]),
    ("t5-small", []),
]
BLOCKS = "return [...document.querySelectorAll('#picture a')].map((a) => a.id)"
SAID = "return document.getElementById(arguments[0]).textContent"
SIDES = "return [...document.querySelectorAll('#picture .c')].map((each) => each.textContent)"
DRAWN = ("bert-base-uncased", "llama-3-8b", "deepseek-v3", "t5-small", "llava")
in_browser = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


class TestInABrowser:
    """What the browser draws."""

    pytestmark = in_browser

    @pytest.mark.parametrize("target", DRAWN)
    def test_no_text_stands_outside_its_box_or_over_another(self, opened, target):
        page = opened(target)
        names = page.run("return [...document.querySelectorAll('#sizes input')].map((field) => field.name)")
        large = "&".join(f"{name}={10**29 if name in ('V', 'L') else 64}" for name in names if name != "d_head")
        for state in ("#lang=en", "#lang=zh", f"#lang=en&{large}", f"#lang=zh&{large}"):
            page.go(state)
            assert page.run(GEOMETRY) == [], state
        page.silent()

    @pytest.mark.parametrize("target", ["bert-base-uncased", "deepseek-v3"])
    def test_a_block_leads_to_its_step_and_back(self, opened, target):
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

    def test_only_layers_of_one_group_take_turns(self, opened):
        page = opened("jamba-v0.1")
        sublayers = [["One attention sublayer", "One Mamba sublayer"], ["One feed-forward sublayer", "One MoE sublayer"]]
        assert page.run(IN_TURN) == sublayers
        page.press("input[name=moe_layers]")
        assert page.run(IN_TURN) == sublayers[:1]
        page.silent()

    @pytest.mark.parametrize(("target", "led"), LED)
    def test_what_leads_past_the_parts_between_goes_beside_them(self, opened, target, led):
        page = opened(target)
        assert page.run(AROUND) == led
        page.silent()

    def test_it_follows_what_is_typed_and_ticked(self, opened):
        page = opened("bert-base-uncased")
        assert "23,440,896 parameters" in page.run(SAID, "d-embeddings.token_embedding")
        assert page.run(SAID, "d-total").endswith("Total109 M")
        page.type("V", "1000")
        assert "768,000 parameters" in page.run(SAID, "d-embeddings.token_embedding")
        assert page.run(SAID, "d-embeddings.token_embedding").endswith("768 k")
        page.type("L", "24")
        assert page.run(SAID, "d-encoder").endswith("× 24")
        before = set(page.run(BLOCKS))
        page.press("input[name=pooler]")
        page.press("input[name=mlm_head]")
        after = set(page.run(BLOCKS))
        assert before - after == {"d-pooler"}
        assert after - before >= {"d-mlm_head", "d-mlm_head.transform", "d-mlm_head.output"}
        page.press("[data-lang=zh]")
        assert page.run(SAID, "d-embeddings.token_embedding").endswith("76.8 万")
        page.type("h", "7")
        assert page.count == ""
        assert page.run(SIDES) == ["× L", "—"], "no counts of what cannot be"
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
