"""Display: what a notebook shows of a value, and what a data frame takes of it.

A sheet stands above the model that it is about, and is asked for here only when a notebook shows the model: the one import
from below to above that is not for a type.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, KeysView, Mapping
from typing import TYPE_CHECKING, Any


class Record:
    """A row of a table: a mapping from columns to values, as pandas.DataFrame, polars.DataFrame and dict take it.

    No subclass is a dataclass: of these, data frames take the fields.
    """

    @property
    def columns(self) -> Mapping[str, Any]:
        """The row by column."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.columns.items())})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment] # as of any mapping

    def __getitem__(self, column: str) -> Any:
        return self.columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def keys(self) -> KeysView[str]:
        """Return the names of the columns."""
        return self.columns.keys()


Mapping.register(Record)


class Displayed:
    """A value that a notebook shows as HTML, Markdown and LaTeX, a model as a drawing too; its repr stays short."""

    if not TYPE_CHECKING:  # a checker of types would take any attribute

        def __getattr__(self, name: str) -> Any:
            """AttributeError, which says what to write in place of an attribute that there is not."""
            own = type(self)
            # What Python, pickle and IPython ask of any value; and what there is, but not yet, as while a value is copied.
            if name.startswith("_") or hasattr(own, name) or name in getattr(own, "__dataclass_fields__", ()):
                raise AttributeError(f"{own.__name__!r} object has no attribute {name!r}")
            from symparams.formats.attributes import lack

            raise AttributeError(lack(self, name))

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        """The value by media type, of those in ``include`` if there are any, and without those in ``exclude``."""
        from symparams.formats.notebook import bundle

        shown = bundle(self)
        return {kind: text for kind, text in shown.items() if kind in (include or shown) and kind not in (exclude or ())}


class DisplayedBuiltin(Displayed):
    """The first base of a list or a text, of which IPython would print all in one way."""

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(self._repr_mimebundle_(include={"text/plain"})["text/plain"])


class RenderedText(DisplayedBuiltin, str):
    """A text in a format: a notebook shows a picture, Markdown or a page as that, any other text as it is written."""

    media_type: str

    def __new__(cls, text: str, media_type: str) -> RenderedText:
        """The text, with the media type of its format."""
        rendered = super().__new__(cls, text)
        rendered.media_type = media_type
        return rendered

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override] # a str is made of its text alone
        return str(self), self.media_type


class TypesetPages(DisplayedBuiltin, list[bytes]):
    """Files of pages: a notebook shows pictures as such, and a PDF where it can."""

    def __init__(self, files: Iterable[bytes], media_type: str) -> None:
        super().__init__(files)
        self.media_type = media_type
