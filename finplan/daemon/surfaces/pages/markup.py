"""HTML that is safe by construction: whatever is not markup already is text, and is escaped.

Names of payees and banks are written by strangers. They get into a page only as a child or an attribute
of an element made here, so that nobody has to remember to escape them.
"""

import unicodedata
from html import escape


class Markup(str):
    """A text that is HTML, made by the functions of this module."""

    __slots__ = ()


_VOID = frozenset({"br", "input", "link", "meta"})
_UNWANTED = frozenset({"Cc", "Cs"})
"""Control characters and halves of characters, which have no place in a page."""

_DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""Bidirectional characters that turn round what stands after them."""


def text(content: str) -> Markup:
    """Escape a text; what is already markup stays as it is."""
    if isinstance(content, Markup):
        return content
    return Markup(escape(content if content.isprintable() else _seen(content)))


def _seen(content: str) -> str:
    kept = (
        " " if unicodedata.category(sign) in _UNWANTED else sign
        for sign in content
        if unicodedata.bidirectional(sign) not in _DIRECTIONS
    )
    return "".join(kept)


def element(name: str, /, *children: str | None, **attributes: str | int | bool | None) -> Markup:
    """One element with its children, of which None are left out.

    An attribute's underscore at the end is dropped and any other becomes a hyphen: `class_`,
    `aria_label`. True stands for an attribute without a value; False and None leave it out.
    """
    opened = "".join([name, *(_attribute(*each) for each in attributes.items())])
    if name in _VOID:
        return Markup(f"<{opened}>")
    inside = "".join(text(child) for child in children if child is not None)
    return Markup(f"<{opened}>{inside}</{name}>")


def joined(*parts: str | None) -> Markup:
    """Several pieces one after the other."""
    return Markup("".join(text(part) for part in parts if part is not None))


def _attribute(name: str, value: str | int | bool | None) -> str:
    if value is None or value is False:
        return ""
    outside = name.rstrip("_").replace("_", "-")
    return f" {outside}" if value is True else f' {outside}="{text(str(value))}"'
