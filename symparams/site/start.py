"""The start page: what the tool does, in one screen, and all models, to be searched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar

from symparams.architectures import architecture
from symparams.derivations.derivation import derive
from symparams.expressions.printing.mathml import escape
from symparams.formats.drawing import draw
from symparams.models.load import load
from symparams.records import frozen
from symparams.sheets.document import Document, Section
from symparams.sheets.whole import sheet_of
from symparams.site.frame import VERSION, Edition, Files, Frame, section_of
from symparams.site.records import KINDS, SCHEMA, as_said, read_all
from symparams.site.shown import example

LIMITS = (10**8, 10**9, 10**10, 10**11)  # between the sizes that one chooses from


def pages(names: Sequence[str], edition: Edition, folder: str) -> Files:
    """Return the start page."""
    return StartPage("index", edition, tuple(read_all(names, folder))).render()


@frozen
class StartPage(Frame):
    """The start page."""

    template: ClassVar[str] = "start"
    scripts: ClassVar[Sequence[str]] = ("site/site",)

    records: Sequence[dict[str, Any]]

    @cached_property
    def document(self) -> Document:
        """The sheet of the example."""
        return sheet_of(derive(load(example())), self.language)

    @cached_property
    def total(self) -> Section:
        """The total of the example."""
        section = section_of(self.document, "total")
        assert section is not None
        return section

    @property
    def example_name(self) -> str:
        """The name of the example."""
        return example()

    @property
    def has_example(self) -> bool:
        """True if the example has a page."""
        return any(each["name"] == example() for each in self.records)

    @cached_property
    def bar(self) -> str:
        """The shares of the example as a bar."""
        return str(draw(example(), "svg", language=self.language, bars=True, with_title=False))

    @property
    def drawings(self) -> Sequence[str]:
        return (self.bar,)

    @property
    def families(self) -> list[tuple[str, str]]:
        """The families that there are models of, each with its title."""
        names = dict.fromkeys(str(each["family"]) for each in self.records)
        return sorted(((name, escape(architecture(name).title)) for name in names), key=lambda pair: pair[1].lower())

    @property
    def rows(self) -> Iterator[dict[str, Any]]:
        """The records, with the titles of their families, the newest first."""
        titles = dict(self.families)
        for each in sorted(self.records, key=lambda each: (-(each["year"] or 0), each["family"], each["parameters"])):
            said = " ".join([str(each["parameters"]), *(as_said(claim["claimed"]) for claim in each["claims"])])
            yield {**each, "title": titles[each["family"]], "said": escape(said)}

    @property
    def citation(self) -> str:
        """How to cite the counts, as BibTeX."""
        fields = {
            "title": "Parameter counts of transformers",
            "author": "{The symparams developers}",
            "version": VERSION,
            "note": f"counts.json, schema {SCHEMA}, MIT license",
        }
        return "@misc{symparams-counts,\n" + "".join(f"  {key} = {{{text}}},\n" for key, text in fields.items()) + "}"

    @property
    def kinds(self) -> Iterator[tuple[str, str]]:
        """The kinds that there are models of."""
        known = {each["kind"] for each in self.records}
        return ((kind, self.word(f"kinds.{kind}")) for kind in KINDS if kind in known)

    @property
    def attentions(self) -> Iterator[tuple[str, str]]:
        """The kinds of attention that there are, in the order of the models."""
        known = dict.fromkeys(kind for each in self.records for kind in each["attention"])
        return ((kind, self.known(f"compare.kinds.{kind}")) for kind in known)

    @property
    def years(self) -> list[int]:
        """The years that there are models of."""
        return sorted({each["year"] for each in self.records if each["year"]}, reverse=True)

    @property
    def sizes(self) -> Iterator[tuple[str, str]]:
        """Sizes to choose from: the bounds, and what that is called."""
        for least, most in zip((0, *LIMITS), (*LIMITS, 0), strict=True):
            key = "below" if not least else "between" if most else "above"
            bounds = {"least": self.rounded(least or 1), "most": self.rounded(most or 1)}
            yield f"{least}-{most or ''}", self.word(f"sizes.{key}", **bounds)
