"""Pieces of a page as a tree of plain values, which a view builds of elements and texts.

A view never parses HTML: what a stranger wrote reaches it as a text, and becomes one.
"""

from html.parser import HTMLParser
from typing import Any

from finplan.daemon.surfaces.pages.markup import Markup

Tree = list[Any]
"""An element: its name, its attributes by name, and its children; a text is a string."""

_VOID = frozenset({"br", "input"})
_AS_WRITTEN = {"viewbox": "viewBox", "preserveaspectratio": "preserveAspectRatio"}
"""Attributes of SVG whose case matters, by how a parser of HTML tells them."""


def tree_of(markup: Markup) -> Tree:
    """The children of a page's piece."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    return reader.root[2:]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root: Tree = ["", {}]
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open.append(self._add(tag, attrs))
        if tag in _VOID:
            self._open.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._add(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag, "Markup is well-formed."

    def handle_data(self, data: str) -> None:
        self._open[-1].append(data)

    def _add(self, tag: str, attrs: list[tuple[str, str | None]]) -> Tree:
        made: Tree = [tag, {_AS_WRITTEN.get(name, name): value or "" for name, value in attrs}]
        self._open[-1].append(made)
        return made
