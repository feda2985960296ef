"""What a notebook shows: a model as its drawing and a table, other answers as their sheets, and reprs that stay short."""

from __future__ import annotations

import pickle
import re
from base64 import b64decode

import pytest
from IPython.core.formatters import DisplayFormatter

from symparams import (
    Architecture,
    Dimension,
    block,
    compare,
    derive,
    derive_expression,
    embedding,
    explain,
    load,
    render,
    solve,
    worksheet,
)
from symparams.display import Displayed
from symparams.formats.drawing import draw
from tests.markup import Elements

MODEL = load("gpt2")
PICTURE = re.compile(r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]*)">\n')
SHEET = {"text/plain", "text/markdown", "text/latex"}


@pytest.fixture(scope="module")
def values() -> dict[str, tuple[object, set[str]]]:
    """A value of each kind that a notebook may be handed, and the media types in which it is shown."""
    return {
        "model": (MODEL, SHEET | {"text/html", "image/svg+xml"}),
        "family": (load("mixtral"), SHEET | {"text/html", "image/svg+xml"}),
        "derivation": (derive(MODEL), SHEET),
        "formula": (derive_expression("12*L*h**2", h=8), SHEET),
        "explanations": (explain(MODEL, 163_037_184), SHEET),
        "none": (explain(MODEL, 1), SHEET),
        "plan": (MODEL.memory(1024), SHEET),
        "comparison": (compare("gpt2", "bert-base-uncased"), SHEET),
        "worksheet": (worksheet(MODEL), SHEET),
        "svg": (draw(MODEL), {"text/plain", "text/html", "image/svg+xml"}),
        "bars": (draw(MODEL, "text"), {"text/plain"}),
        "page": (render("mamba", "html"), {"text/plain", "text/html"}),
        "markdown": (render(MODEL, "markdown"), {"text/plain", "text/markdown"}),
        "latex": (render(MODEL, "latex"), {"text/plain"}),
    }


def shown(value: object) -> dict[str, str]:
    """What IPython hands to the front end."""
    data, _ = DisplayFormatter().format(value)
    return data


@pytest.mark.xdist_group("notebook")
def test_a_front_end_finds_what_it_shows(values):
    for name, (value, kinds) in values.items():
        data = shown(value)
        assert set(data) == kinds, name
        assert all(data.values()), name
    page = Elements(shown(values["page"][0])["text/html"])
    assert (page.names, page.attributes & {"sandbox", "srcdoc"}) == ({"iframe"}, {"sandbox", "srcdoc"})


def test_a_model_is_a_small_table_and_what_was_chosen():
    data = shown(MODEL)
    assert data["text/plain"] == "Model('gpt2', 124,439,808 parameters)"
    for kind, row in (
        ("text/html", "<tr><td>$h$</td><td>hidden size</td><td><code>n_embd</code></td><td>$768$</td></tr>"),
        ("text/markdown", "| $h$ | hidden size | `n_embd` | $768$ |\n"),
        ("text/latex", "$h$ & hidden size & \\texttt{n\\_\\allowbreak{}embd} & $768$ \\\\\n"),
    ):
        assert row in data[kind]
        assert "12Lh^{2} + 13Lh + Vh + \\text{max}_{\\text{pos}}\\,h + 2h" in data[kind]
        assert "124{,}439{,}808" in data[kind]
        assert len(PICTURE.sub("", data[kind])) < 2_000
    assert "Without the pooler." in shown(load("bert-base-uncased", exclude=["pooler"]))["text/html"]


def test_a_model_is_its_drawing_which_disturbs_no_other():
    data = shown(MODEL)
    [(name, written)] = PICTURE.findall(data["text/html"])
    assert (name, b64decode(written).decode()) == ("gpt2", data["image/svg+xml"])
    assert data["image/svg+xml"] == draw(MODEL)
    assert '<rect class="paper"' in data["image/svg+xml"]  # so that letters are read on a dark page, too
    # An image has its styles and ids for itself.
    assert PICTURE.sub("", data["text/html"]).count("<style") == PICTURE.sub("", data["text/html"]).count(" id=") == 0


def test_a_text_in_a_format_is_shown_as_that_and_stays_a_text():
    """Nobody is shown 20 KB of SVG; what is read as text has its lines."""
    drawn = draw(MODEL)
    data = shown(drawn)
    assert data["text/plain"] == f"image/svg+xml, {len(drawn):,} characters"
    [(_, written)] = PICTURE.findall(data["text/html"] + "\n")
    assert data["image/svg+xml"] == b64decode(written).decode() == drawn
    for text in (render(MODEL), render(MODEL, "latex"), render(MODEL, "markdown"), draw(MODEL, "tikz"), draw(MODEL, "text")):
        assert shown(text)["text/plain"] == text
    assert shown(render(MODEL, "markdown", flavor="github")).keys() == {"text/plain"}  # its formulas are code to a notebook
    again = pickle.loads(pickle.dumps(drawn))  # noqa: S301 - our own
    assert isinstance(drawn, str)
    assert (again, shown(again)) == (drawn, data)


def test_a_derivation_is_its_sheet_and_explanations_are_what_the_command_says(cli):
    for asked in [{"view": "kind"}, {"quantity": "kv_cache", "b": 1, "t": 4, "e": 2}]:
        derivation = derive("gpt2", **asked)
        data = shown(derivation)
        assert data["text/markdown"] == render(derivation, "markdown")
        assert data["text/latex"] == render(derivation, "latex", standalone=False)
    data = shown(explain("gpt2", 163_037_184))
    assert data["text/plain"] + "\n" == cli("explain gpt2 163037184").out
    assert shown(solve("gpt2", "7B", "h"))["text/plain"] + "\n" == cli("solve gpt2 --total 7B --for h").out
    assert "124{,}439{,}808 + 38{,}597{,}376 = 163{,}037{,}184" in data["text/markdown"]
    explanations = explain(MODEL, 163_037_184)
    assert isinstance(explanations, list)
    assert [explanation.result for explanation in explanations] == [163_037_184]
    assert explain(MODEL, 1) == []


def test_nothing_of_a_users_own_is_taken_for_html(tmp_path):
    letter = Dimension("x", r"<img src=x onerror=alert(1)>")
    page = Elements(shown(load(Architecture("own", embeddings=block(table=embedding(letter, 3))), x=2))["text/html"])
    assert page.names == {"img", "p", "b", "table", "tr", "th", "td"}
    assert page.attributes == {"alt", "src"}
    assert "$<img src=x onerror=alert(1)>$" in page.text
    folder = tmp_path / "<script>alert(1)<"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "gpt2"}', encoding="utf-8")
    page = Elements(shown(load(folder))["text/html"])
    assert page.names == {"img", "p", "b", "table", "tr", "th", "td", "code"}
    assert "<script>alert(1)<" in page.text


@pytest.mark.xdist_group("notebook")
def test_a_repr_is_short_and_media_types_can_be_asked_for(values):
    kept = [value for value, _ in values.values() if not isinstance(value, str)]
    for value in (*kept, derive(MODEL).total, explain(MODEL, 163_037_184)[0]):
        assert len(repr(value)) < 300
        assert "\n" not in repr(value)
    assert list(MODEL._repr_mimebundle_(include={"text/latex"})) == ["text/latex"]
    assert "text/html" not in MODEL._repr_mimebundle_(exclude={"text/html"})
    assert Displayed()._repr_mimebundle_().keys() == {"text/plain"}
