"""How Sphinx makes the pages; build.py calls it, once in each language."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx import search
from sphinx.application import Sphinx
from sphinx.search.zh import SearchChinese

import symparams

project = html_title = "symparams"
version = release = symparams.__version__
author = "The symparams developers"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
templates_path = ["."]

html_theme = "furo"
html_copy_source = html_show_sourcelink = html_show_copyright = False
html_sidebars = {
    "**": [f"sidebar/{part}.html" for part in ("brand", "search", "scroll-start", "navigation")]
    + ["links.html", "sidebar/scroll-end.html"]
}
html_favicon = "icon.svg"
html_static_path = ["style.css"]
html_css_files = ["style.css"]

myst_enable_extensions = ["dollarmath", "html_image"]
myst_heading_anchors = 3
myst_url_schemes = {"http": None, "https": None, "page": {"url": "{{path}}#{{fragment}}"}}  # page: of the other language
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
nitpick_ignore_regex = [("py:.*", ".*")]  # types of others, and our own that are not public
smartquotes = False  # a quote in the help of a command is to be pasted
pygments_style, pygments_dark_style = "a11y-light", "a11y-dark"


class Chinese(SearchChinese):
    """The words of a Chinese text: its pairs of characters, which need no dictionary; a query is split in the same way."""

    language_name = "English"  # of the stemmer: Sphinx 9.0 looks for one called ChineseStemmer, which there is not
    js_splitter_code = r"""
function splitQuery(query) {
  return query.match(/[\p{Script=Han}]+|[\p{L}\p{N}_]+/gu)?.flatMap((word) =>
    /\p{Script=Han}/u.test(word) && word.length > 2 ? [...word].slice(1).map((sign, i) => [...word][i] + sign) : [word]) ?? [];
}
"""

    def split(self, input: str) -> list[str]:  # noqa: A002 - Sphinx's name
        words: list[str] = []
        for word in re.findall(r"[\u4e00-\u9fff]+|[^\W\u4e00-\u9fff]+", input):
            is_chinese = len(word) > 1 and word[0] >= "\u4e00"
            words += [word[i : i + 2] for i in range(len(word) - 1)] if is_chinese else [word]
        return words


search.languages["zh"] = Chinese


def mathml(translator: Any, node: nodes.math | nodes.math_block) -> None:
    """A formula as MathML, which browsers set without a script."""
    text = tex2mathml(node.astext().replace(r"\textbf", r"\text"), as_block=isinstance(node, nodes.math_block))
    # docutils sets what stands below a word under it, as below a limit: max_pos is a letter
    translator.body.append(re.sub(r"<munder>(\s*<m\w+ movablelimits.*?)</munder>", r"<msub>\1</msub>", text, flags=re.DOTALL))
    raise nodes.SkipNode


FOR_KEYS = (
    ("furo_navigation_tree", 'role="heading"', 'role="heading" aria-level="2"'),
    ("body", "<pre", '<pre tabindex="0"'),
    ("body", 'class="table-wrapper', 'tabindex="0" class="table-wrapper'),
)


def accessible(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Say the level of headings in the sidebar and what a page is about; let keys scroll a block wider than the page."""
    for part, old, new in FOR_KEYS:
        if part in context:
            context[part] = context[part].replace(old, new)
    if first := re.search("</h1>.*?<p>(.*?)</p>", context.get("body", ""), re.DOTALL):
        about = " ".join(re.sub("<[^>]+>", "", first[1]).split()).replace('"', "&quot;")
        context["metatags"] += f'<meta name="description" content="{about}">'


def setup(app: Sphinx) -> None:
    """Tell Sphinx what is added to it here."""
    app.connect("html-page-context", accessible, priority=900)  # after the theme
    app.add_html_math_renderer("mathml", (mathml, None), (mathml, None))


html_math_renderer = "mathml"
