"""Every Typst sheet compiles without a warning, and no line is wider than its page; a fragment stands in any paper.

Documents of one head are bound into one, which the compiler reads once; each complaint names its sheet.
"""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
import typst

from symparams import derive, load, render
from symparams.expressions.nodes import Labelled, Minimum, Number, Power, Product, Quotient, Size
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.printing.nodes import Remark, Scaled, Strong
from symparams.expressions.printing.typst import STRUT, TypstPrinter, escape, letter_of
from symparams.expressions.symbols import L, h, n_heads
from symparams.formats.rendering import preamble
from symparams.formats.typst.compiler import chosen_font
from symparams.sheets.catalogue import catalogue

from .conftest import DRAWN, FEW, IN_CHINESE, MOST_OF, derivation, fragments, of_targets, sheets

LEAST_HIGH = 40 + 765 / 4  # points: below the margin a quarter of a page
# A display or a table that is wider than its column, which TeX calls overfull, and the fragment that it is in.
STRICT = """
#let told(it) = place(layout(size => {
  let wide = measure(it).width - size.width
  if wide > 0.1pt [#metadata((complaint: repr(it.func()) + " too wide by " + repr(wide))) <told>]
}))
#let strict(it) = { told(it); it }
#show math.equation.where(block: true): strict
#show table: strict
"""
END = "#place(context [#metadata((page: here().page(), high: here().position().y / 1pt)) <told>])"


def begin(name: str) -> str:
    """Return what tells in a source that a fragment begins, and takes no room."""
    return f'#place[#metadata((fragment: "{name}")) <told>]\n'


@cache
def fonts() -> typst.Fonts:
    return typst.Fonts()


def compiler(source: str, language: str) -> typst.Compiler:
    """Return the compiler of a source, with the font that the language has on this machine."""
    font = chosen_font(catalogue(language).head["typst.fonts"], {font.family for font in fonts().fonts()})
    return typst.Compiler(source.encode(), font_paths=fonts(), sys_inputs=font)


def read(source, language="en"):
    """The compiler's warnings and what is too wide, and where each fragment ends.

    A character without a glyph is an error of PDF/A-2b.
    """
    source = STRICT + source
    _, warnings = compiler(source, language).compile_with_warnings(format="pdf", pdf_standards=["a-2b"], timestamp=0)
    complaints, fragment, ends = [warning.message for warning in warnings], "the document", []
    for fact in json.loads(compiler(source, language).query("<told>", field="value")):
        fragment = fact.get("fragment", fragment)
        complaints += [f"{fragment}: {fact['complaint']}"] if "complaint" in fact else []
        ends += [{"name": fragment, **fact}] if "page" in fact else []
    return complaints, ends


# A formula, and how Typst reads it.
FORMULAS = [
    (3 * (h * h + h), "3 times (h times h + h)"),
    (Size(Product((Number(12), L, Power(h, 2)))), "12 L h^2"),
    (Size(Product((n_heads, h))), 'n_"heads" thin h'),
    (Size(Product((Number(1024), h))), '"1,024"h'),  # a space would be seen
    (Power(h, 12), "h^12"),
    (Quotient(h, n_heads), r'h \/ n_"heads"'),
    (Strong(Number(109_482_240)), 'bold("109,482,240")'),
    (Labelled(h * h, "query, key"), f'underbrace(h times h{STRUT}, "query, key")'),
    (Labelled(h, '"\\'), rf'underbrace(h{STRUT}, "\"\\")'),
    (Minimum((h, L)), "min(h, L)"),
    (Scaled(Number(109).value, 0, " million"), '"109 million"'),
    (Remark(h, "tied"), 'h "(tied)"'),
]
# A letter said in LaTeX.
LETTERS = [
    ("h", "h"),
    (r"d_{\text{ff,dec}}", 'd_"ff,dec"'),
    (r"\text{max}_{\text{pos}}", '"max"_"pos"'),
    (r"\mathrm{hidden\_size}", '"hidden_size"'),
    (r"\alpha_{2}", 'alpha_"2"'),
    (r"\epsilon", "epsilon.alt"),
    (r"\varphi", "phi"),
    (r"\input{/etc/passwd}", '"its name"'),  # no letter that is known here
    (r"\read", '"its name"'),
]
ESCAPED = [
    ("feed-forward, v1.5", "feed-forward, v1.5"),
    ("the token's, the layers' x", "the token's, the layers' x"),
    ("'a' \"b\"", r"\'a' \"b\""),
    ("a -- b - c", r"a \-\- b \- c"),
    ("#x $y$ *z* _u_ `v` <w> @k [l] ~ \\", r"\#x \$y\$ \*z\* \_u\_ \`v\` \<w\> \@k \[l\] \~ \\"),
    ("// no comment, nor /* this */ https://a.b", r"\/\/ no comment, nor \/\* this \*\/ https:\/\/a.b"),
    ("1. no list", r"1\. no list"),
    ("= no heading", r"\= no heading"),
    ("and so on...", r"and so on\.\.\."),
]


def test_formulas_letters_and_text_as_typst_reads_them():
    for formula, printed in FORMULAS:
        assert TypstPrinter(NOTATIONS["hidden"])(formula) == printed
    for latex, printed in LETTERS:
        assert letter_of(latex, "its name") == printed
    for text, escaped in ESCAPED:
        assert escape(text) == escaped
    assert read("\n\n".join(escaped for _, escaped in ESCAPED))[0] == []


def test_numbers_of_a_table_stand_right_and_letters_in_the_middle():
    sides = re.findall(r"align: \((.*)\),", render(derivation("gpt2"), "typst"))
    assert sides == ["center, left, left, right", "left, left, right, right", "left, left, right"]


def test_a_term_in_a_sentence_and_a_row_of_several_lines_stay_whole():
    sheet = render(derivation("deepseek-v3"), "typst", columns=2)
    assert '#box($n_"heads" thin (d_"nope" + d_"rope" + d_"v")$);' in sheet
    assert '#box($h times n_"experts"$);' in sheet
    [row] = re.findall(r"\[\$V\$\].*\n.*vocab_size.*", sheet)
    assert "rowspan: 2, breakable: false" in sheet[: sheet.index(row)].rpartition("\n")[2]


def test_what_is_too_wide_is_told_with_its_fragment():
    wide = "#set page(width: 100pt, margin: 20pt)\n" + begin("bloom") + "$ x times x times x times x times x $\n"
    [[complaint], _] = read(wide)
    assert complaint.startswith("bloom: equation too wide by ")


@pytest.mark.parametrize(
    ("language", "found"),
    [
        ("en", lambda: of_targets("typst", "en", ["deepseek-v3"])),  # what others have: test_pages
        pytest.param("en", lambda: sheets("typst", "en", FEW, FEW), marks=pytest.mark.sweep),
        pytest.param("zh", lambda: sheets("typst", "zh", IN_CHINESE, IN_CHINESE), marks=pytest.mark.tex),
    ],
    ids=["few", "all", "zh"],
)
def test_every_sheet_compiles_and_ends_well(language, found, request):
    """Nothing is too wide; no last page is three quarters empty; a brief is one page; others have at most the stated number."""
    if language == "zh":
        request.getfixturevalue("chinese_font")
    bound = {}
    for name, document in found():
        head, _, body = document.partition("\n\n")
        head = "\n".join(line for line in head.splitlines() if not line.startswith("#set document"))
        bound.setdefault(head, []).append(f"{begin(name)}{body}{END}")
    most = MOST_OF | {f"{target} brief": 1 for target in FEW}
    most |= {f"{target} drawn": pages for target, pages in DRAWN.items()}
    for head, bodies in bound.items():
        complaints, ends = read("\n".join([head, "", "\n#pagebreak()\n".join(bodies)]), language)
        assert (complaints, len(ends)) == ([], len(bodies))
        before = 0
        for name, page, high in ((end["name"], end["page"], end["high"]) for end in ends):
            assert page - before <= most.get(name, page), name
            assert not (name.endswith(("whole", "drawn")) and page - before > 1 and high < LEAST_HIGH), name
            before = page


@pytest.mark.parametrize(
    ("columns", "chosen"),
    [
        (2, {"few": IN_CHINESE[:1], "varied": (), "ways": ("weights",)}),
        *(pytest.param(columns, {}, marks=pytest.mark.sweep) for columns in (1, 2)),
    ],
    ids=["few", "one column", "two columns"],
)
def test_a_paper_can_include_a_fragment(columns: int, chosen: dict[str, tuple[str, ...]]) -> None:
    """The paper's columns are as narrow as those of a LaTeX article."""
    width = {1: 345, 2: 200}[columns] + 40
    page = f'#set page(width: {width}pt, margin: 20pt)\n#set text(size: 10pt, font: "New Computer Modern")\n'
    parts = fragments("typst", "en", columns, **chosen)
    bodies = [begin(name) + part for name, part in parts]
    assert read(page + preamble("en", "typst") + "#pagebreak()\n".join(bodies))[0] == []


def test_a_paper_refers_to_its_equations_and_tables():
    """Each has a label under the prefix, which ``@`` finds; the title is as deep as it is told to be."""
    fragment = render(derive(load("bloom")), "typst", standalone=False, label="eq:bloom", heading_level=3)
    source = f"{fragment}\nBy @eq:bloom:attention and @eq:bloom:total, see @eq:bloom:dimensions.\n"
    assert "\n=== How many parameters does BLOOM have?\n" in fragment
    assert "\n==== Dimensions\n" in fragment
    assert read(source)[0] == []
    part = render(derive(load("bloom")), "typst", only="closed-form", standalone=False)
    assert part.endswith("$ N = 12 L h^2 + 13 L h + V h + 4 h $\n])\n]\n"), "a part alone has nothing around it"
