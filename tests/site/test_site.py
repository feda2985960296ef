"""The site: it works from a folder, asks nobody, says the same in every language, and is made anew only where it changed."""

from __future__ import annotations

import csv
import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from symparams.models.counts import kept
from symparams.site import shown
from symparams.site.building import MANIFEST, chosen, sitemap
from symparams.site.comparisons import pairs
from symparams.site.frame import Edition, Frame, Place
from symparams.site.records import as_said
from tests.site.conftest import MODELS, built

pytestmark = pytest.mark.xdist_group("site")


class Page(HTMLParser):
    """The links and the ids of a page, and what it would load."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links, self.ids, self.loads, self.policy = list[str](), set[str](), list[str](), ""
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given["id"]} if "id" in given else set()
        self.links += [given["href"]] if tag == "a" and "href" in given else []
        self.loads += [given[name] for name in ("src", "srcset", "action", "data", "style") if name in given]
        self.loads += [given["href"]] if tag in ("base", "image") or given.get("rel", "") == "stylesheet" else []
        self.policy = given["content"] if given.get("http-equiv") == "Content-Security-Policy" else self.policy


@cache
def pages(site: Path) -> dict[Path, Page]:
    """Each page of a site but the live ones, which have tests of their own."""
    return {file: Page(file) for file in sorted(site.rglob("*.html")) if file.parent.name != "live"}


def test_every_link_leads_somewhere_and_every_page_is_reached(site):
    read, reached = pages(site), {site / "index.html"}
    for file, page in read.items():
        for link in page.links:
            path, _, mark = link.partition("#")
            if path.startswith("https://"):
                continue
            assert not path.startswith("/")
            target = (file.parent / path).resolve() if path else file
            assert target.is_file(), f"{file}: {link}"
            reached.add(target)
            assert not mark or "=" in mark or mark in (read[target] if target in read else Page(target)).ids, f"{file}: {link}"
    assert set(read) <= reached


def test_no_page_loads_anything_or_may(site):
    for file, page in pages(site).items():
        assert page.loads == [], file
        assert page.policy.startswith("default-src 'none'; ")
        assert not re.search(r"https?:|\*|'unsafe|'self'", page.policy)
        assert "url(" not in file.read_text(encoding="utf-8").partition("</style>")[0]


def test_both_languages_have_the_same_pages(site):
    ours = {file.relative_to(site) for file in pages(site)}
    chinese = {path.relative_to("zh") for path in ours if path.parts[0] == "zh"}
    assert chinese == {path for path in ours if path.parts[0] != "zh"}
    assert '<html lang="zh-Hans">' in (site / "zh" / "models" / f"{MODELS[0]}.html").read_text(encoding="utf-8")


def test_a_search_engine_tells_the_pages_apart(site):
    """Each page has a title and a description that no other has, and names itself and the page of the other language."""
    told = set()
    for file in pages(site):
        head = file.read_text(encoding="utf-8").partition("<style>")[0]
        [(title, description)] = re.findall('<title>(.+)</title>\n<meta name="description" content="([^"<>]+)">', head)
        told.add((title, description))
        ways = re.findall('<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">', head)
        assert {tag for tag, _ in ways} == {"en", "zh-Hans"}
        assert file in {(file.parent / way).resolve() for _, way in ways}
    assert len(told) == len(pages(site))


@pytest.mark.parametrize(
    ("claimed", "said"),
    [(685_000_000_000, "685B"), (1_500_000_000, "1.5B"), (117_000_000, "117M"), (108_891_648, "108.891648M"), ("37B", "37B")],
)
def test_a_figure_is_searched_as_people_write_it(claimed, said):
    assert as_said(claimed) == said


@pytest.mark.parametrize(
    ("language", "name", "way"),
    [("en", "questions/gqa", "../docs/index.html"), ("zh", "questions", "../docs/zh/index.html")],
)
def test_every_page_leads_to_the_documentation_in_its_language(language, name, way):
    assert Frame(name, Edition(language, ("en", "zh"), Place("docs"))).docs == way


def test_a_site_with_an_address_tells_search_engines_those_of_its_pages_in_each_language():
    page = Frame("models/gpt2", Edition("zh", ("en", "zh"), Place(url="https://example.org/m/")))
    assert page.address() == "https://example.org/m/zh/models/gpt2.html"
    assert dict(page.translations) == {"en": "https://example.org/m/models/gpt2.html", "zh-Hans": page.address()}
    assert dict(Frame("models/gpt2", Edition("zh", ("en", "zh"))).translations) == {
        "en": "../../models/gpt2.html", "zh-Hans": "gpt2.html",
    }  # fmt: skip
    listed = sitemap("https://example.org/m/", ["zh/models/gpt2.html", "live/gpt2.html", "sheets/gpt2.pdf", "index.html"])
    assert re.findall(r"<loc>(.*)</loc>", listed.decode()) == [
        "https://example.org/m/index.html", "https://example.org/m/zh/models/gpt2.html",
    ]  # fmt: skip


@pytest.mark.parametrize("address", ["example.org", "ftp://example.org", "https://a b", 'https://a/"', "https://a/?q=1"])
def test_what_is_no_address_is_refused_before_a_page_is_made(mistake, tmp_path, address):
    assert mistake(["site", "-o", str(tmp_path / "site"), "--url", address]).endswith(
        "is no address of a site: write one such as https://example.org/models/."
    )
    assert not (tmp_path / "site").exists()


def test_the_second_build_writes_nothing_and_a_lost_page_alone_is_made_again(site):
    before = {file: file.stat().st_mtime_ns for file in site.rglob("*.*")}
    assert built(site).made == 0
    assert {file: file.stat().st_mtime_ns for file in site.rglob("*.*")} == before
    lost = site / "zh" / "questions" / "gqa.html"
    lost.unlink()
    assert built(site).made == 1
    changed = {file for file in site.rglob("*.*") if file.stat().st_mtime_ns != before[file]}
    assert changed == {lost, site / MANIFEST}


def test_the_counts_are_those_that_are_kept(site):
    known = {each.name: each for each in kept()}
    table = json.loads((site / "counts.json").read_text(encoding="utf-8"))
    assert [model["name"] for model in table["models"]] == list(MODELS)
    for model in table["models"]:
        each = known[model["name"]]
        assert (model["family"], model["parameters"], model["sizes"]) == (each.family, each.parameters, each.sizes)
        assert f"{each.parameters:,}" in (site / "models" / f"{each.name}.html").read_text(encoding="utf-8")
    with (site / "counts.csv").open(encoding="utf-8", newline="") as file:
        assert [int(row["parameters"]) for row in csv.DictReader(file)] == [known[name].parameters for name in MODELS]


def test_every_comparison_is_of_published_models():
    assert pairs(chosen(())) == shown.pairs()


def test_a_mistake_is_one_line(mistake, tmp_path):
    assert mistake(f"site -o {tmp_path} --only gpt").startswith("Unknown published model 'gpt'. Did you mean 'gpt2'")
    assert mistake(f"site -o {tmp_path} --lang fr").startswith("Unknown language 'fr'.")
    (tmp_path / "taken").write_text("")
    for place in ("taken", "taken/site"):
        assert mistake(f"site -o {tmp_path / place}").endswith("it is a file, or in one. Name one that you may write to.")
    assert mistake(f"site -o {tmp_path} --jobs 0") == "--jobs '0' is not a number of processes: write one from 1 to 256."
