"""SVG of a drawing: what stands in the file, read by an XML parser as any browser reads it."""

from __future__ import annotations

from dataclasses import replace
from xml.etree.ElementTree import Element, fromstring

from symparams import draw
from symparams.drawings.architecture import architecture
from symparams.drawings.marks import Box, Cells, Drawing, Face, Mark, Operation, Rectangle, Stroke, Text, TextPiece, Tint, Wire
from symparams.expressions.nodes import Dimension, Number
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.symbols import d_ff, h
from symparams.formats import find
from symparams.formats.format import Look

GPT2 = architecture("gpt2")
LANG = "{http://www.w3.org/XML/1998/namespace}lang"
NAMESPACE = "{http://www.w3.org/2000/svg}"
HOSTILE = "</script><b onclick='x'>\u202eevil\u202c \"]]>&amp; --> \x00\x1b %_#$~^{}\\input{x}"


def read(written: str) -> Element:
    """The root of a file that was written here."""
    return fromstring(written)  # noqa: S314 - it is our own


def drawn(*marks: Mark, look: Look = Look(), **drawing: object) -> Element:  # noqa: B008 - a frozen record
    picture = Drawing("mine", "mine", "A picture.", "en", 240, 100, marks, NOTATIONS["hidden"])
    return read(svg(replace(picture, **drawing), look))


def svg(drawing: Drawing, look: Look = Look()) -> str:  # noqa: B008 - a frozen record
    draw = find("svg").draw
    assert draw is not None
    return draw(drawing, look)


def of(root: Element, kind: str) -> list[Element]:
    return list(root.iter(NAMESPACE + kind))


def said(root: Element) -> list[str]:
    """Each text as a reader copies it."""
    return ["".join(text.itertext()) for text in of(root, "text")]


def line(*pieces: TextPiece) -> Text:
    return Text(10, 20, pieces)


def test_a_screen_reader_reads_a_title_a_description_and_each_part() -> None:
    root = read(svg(GPT2))
    assert (root.get("role"), root.get(LANG), root.get("viewBox")) == (
        "img",
        "en",
        f"0 0 {round(GPT2.width, 2):g} {round(GPT2.height, 2):g}",
    )
    title, description = root[0], root[1]
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}" == "gpt2-title gpt2-desc"
    assert (title.text, description.text) == ("gpt2: 124,439,808 parameters", GPT2.description)
    assert read(draw("gpt2", language="zh")).get(LANG) == "zh-Hans"
    parts = {part: group[0].text for group in of(root, "g") if (part := group.get("data-part"))}
    assert parts["decoder.feed_forward.up"] == "up: h × d_ff + d_ff = 2,362,368"


def test_a_formula_is_copied_and_printed_in_the_letters_of_the_drawing():
    texts = {"Query, key, value", "h × 3h + 3h = 1,771,776", "dff × h + h = 2,360,064", "4h² + 4h = 2,362,368"}
    assert texts <= set(said(read(svg(GPT2))))
    spans = of(drawn(line(TextPiece(d_ff * h + d_ff * 2, Face.FORMULA))), "tspan")
    assert [span.get("dy") for span in spans] == [None, "1.6", "-1.6", None, None, None, "1.6", "-1.6"]
    root = drawn(line(TextPiece(h * d_ff, Face.FORMULA)), letters=NOTATIONS["hf"])
    assert said(root) == ["hidden_size × intermediate_size"]


def test_a_formula_is_set_letter_by_letter():
    for piece, spans in [
        (TextPiece(h * d_ff, Face.FORMULA), [("i", "h"), ("m", " × "), ("i", "d"), ("s", "ff")]),
        (TextPiece(d_ff * h, Face.FORMULA), [("i", "d"), ("s", "ff"), ("m", " × "), ("i", "h")]),
        (TextPiece(Dimension("lambda") ** 12, Face.FORMULA), [("i", "λ"), ("m", "¹²")]),
        (TextPiece(Dimension("hidden_size") * h, Face.FORMULA), [("m", "hidden"), ("s", "size"), ("m", " × "), ("i", "h")]),
        (TextPiece(Number(12) * Number(7_087_872), Face.COUNT), [("t-count", "12 × 7,087,872")]),
        (TextPiece("+ ", Face.FORMULA), [("m", "+ ")]),
    ]:
        text = of(drawn(line(piece)), "text")[0]
        set_as = [(span.get("class"), span.text) for span in text] or [(text.get("class"), text.text)]
        assert set_as == spans


def test_the_colours_are_those_of_the_reader_or_of_one_theme_and_reach_nothing_else():
    sheets = {theme: of(drawn(look=Look(theme=theme)), "style")[0].text or "" for theme in ("auto", "light", "dark")}
    assert ["prefers-color-scheme" in sheet for sheet in sheets.values()] == [True, False, False]
    assert ".symparams.dark text{fill:#F2F5F8}" in sheets["dark"]
    assert "#F2F5F8" not in sheets["light"]
    assert of(drawn(), "rect")[0].get("class") == "paper"
    assert of(drawn(look=Look(background=False)), "rect") == []
    sheet = of(read(svg(GPT2)), "style")[0].text or ""
    rules = [rule for rule in sheet.replace("@media (prefers-color-scheme:dark){", "").split("}") if "{" in rule]
    selectors = [selector for rule in rules for selector in rule.split("{")[0].split(",")]
    assert selectors
    assert all(selector.strip().startswith(".symparams ") for selector in selectors)
    assert not {"var(", "marker", "baseline-shift", "url(", "@import"} & set(sheet.split())


def test_wires_cards_cells_and_operations():
    root = drawn(Wire(((10, 90), (30, 90), (30, 20)), Stroke.TIED, dot=True))
    way, head = of(root, "path")
    assert (way.get("class"), way.get("d")) == ("wire tied", "M10 90L27 90Q30 90 30 87L30 22.6")
    assert (head.get("class"), head.get("d")) == ("tip", "M30 20L28.3 23.6L31.7 23.6Z")
    assert [dot.get("cx") for dot in of(root, "circle")] == ["10"]
    cards = of(drawn(Box(Rectangle(10, 10, 50, 20), Tint.ATTENTION, (), "query", "query", cards=3)), "rect")[1:]
    assert [(card.get("class"), card.get("x"), card.get("y")) for card in cards] == [
        ("attention card", "14", "6"), ("attention card", "12", "8"), ("attention", "10", "10")
    ]  # fmt: skip
    idle, active = of(drawn(Cells(0, 0, 1.5, 0.5, 2, 4, frozenset({2}))), "path")
    assert idle.get("d") == "M0 0h1.5v1.5h-1.5zM2 0h1.5v1.5h-1.5zM2 2h1.5v1.5h-1.5z"
    assert active.get("d") == "M0 2h1.5v1.5h-1.5z"
    plus, times = of(drawn(Operation(50, 50, "+"), Operation(50, 50, "×")), "path")
    assert plus.get("d") == "M47.8 50H52.2M50 52.2V47.8"
    assert times.get("d") == "M48.32 51.68L51.68 48.32M48.32 48.32L51.68 51.68"


def test_a_long_word_is_shrunk() -> None:
    text = of(drawn(replace(line(TextPiece("a", Face.NAME)), scale=0.9)), "text")[0]
    assert (text.get("transform"), text.get("x")) == ("translate(10 20) scale(0.900)", None)


def test_two_drawings_in_one_page_share_no_id() -> None:
    ids = [element.get("id") for name in ("gpt2", "7b <x>") for element in drawn(name=name).iter() if element.get("id")]
    assert ids == ["gpt2-title", "gpt2-desc", "drawing-7b--x--title", "drawing-7b--x--desc"]


def test_what_is_hostile_is_shown_and_never_markup() -> None:
    box = Box(Rectangle(0, 0, 9, 9), Tint.HEAD, (line(TextPiece(HOSTILE, Face.NAME)),), HOSTILE, HOSTILE)
    written = svg(replace(GPT2, name=HOSTILE, title=HOSTILE, description=HOSTILE, marks=(box,)))
    root = read(written)
    shown = HOSTILE.replace("\u202e", "\ufffd").replace("\u202c", "\ufffd").replace("\x00", "\ufffd").replace("\x1b", "\ufffd")
    assert {root[0].text, root[1].text, *said(root), of(root, "g")[0].get("data-part")} == {shown}
    assert {element.tag.removeprefix(NAMESPACE) for element in root.iter()} == {
        "svg", "title", "desc", "style", "rect", "g", "text"
    }  # fmt: skip
    assert [part for part in ("</script>", "]]>", "\u202e") if part in written] == []
