"""The elements of a page of HTML, their attributes, and its text: what of a stranger's names has become markup."""

from __future__ import annotations

from html.parser import HTMLParser


class Elements(HTMLParser):
    """``Elements("<p class=x>y</p>")`` has the names {"p"}, the attributes {"class"} and the text "y"."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data
