"""The page of a sheet without live numbers: what was compared or explained, in one language, without a script."""

from __future__ import annotations

from functools import cached_property

from symparams.formats.format import Options
from symparams.formats.rendering import environment
from symparams.formats.sheet import Sheet
from symparams.models.model import Model
from symparams.pages.page import MARKUP, hash_of, styles
from symparams.sheets.chosen import called
from symparams.sheets.document import Document


def sheet_page(document: Document) -> str:
    """Return the page of a document."""
    text = environment().get_template("html/sheet.j2").render(page=SheetPage(document))
    return text.lstrip("\n")


class SheetPage:
    """The values that the template of a page reads."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.sheet = Sheet(document, MARKUP, Options())

    @property
    def tag(self) -> str:
        """The language as a browser knows it."""
        return str(self.sheet.head["tag"])

    @property
    def title(self) -> str:
        """The title of the document, or what its tables are called in a paper, or else the model that it is about."""
        titles = [self.document.title, *(section.caption for section in self.document.sections)]
        model = getattr(self.document.subject, "model", None)
        titles += [called(model)] if isinstance(model, Model) else []
        return self.sheet.text(next((title for title in titles if title is not None), None))

    @cached_property
    def style(self) -> str:
        """The styles."""
        return styles("html/page", "html/sheet")

    @property
    def policy(self) -> str:
        """The content security policy of the page: this style, and nothing else."""
        style = hash_of(self.style)
        return f"default-src 'none'; style-src '{style}'; base-uri 'none'; form-action 'none'"
