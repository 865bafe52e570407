"""Elements of SVG that are well-formed whatever text stands in them, and numbers as they are written.

Names of payees and banks are written by strangers. They get into a picture only through `tag`.
"""

import re
import unicodedata
from collections.abc import Iterable
from html import escape

from finplan.model.characters import visible

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML may hold, however they are written."""


class Piece(str):
    """A text that is SVG, made by the functions of this module."""

    __slots__ = ()


def tag(name: str, /, *children: str | None, **attributes: str | float | None) -> Piece:
    """One element with its children; what is None is left out, and a text is escaped.

    An attribute's underscore at the end is dropped and any other becomes a hyphen.
    """
    opened = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(_text(child) for child in children if child is not None)
    return Piece(f"<{name}{opened}>{inside}</{name}>" if inside else f"<{name}{opened}/>")


def joined(pieces: Iterable[Piece | None]) -> Piece:
    """Several pieces one after the other."""
    return Piece("".join(piece for piece in pieces if piece is not None))


def number(size: float) -> str:
    """A coordinate to a hundredth, without noughts that say nothing."""
    written = f"{size:.2f}".rstrip("0").rstrip(".")
    return "0" if written in {"-0", ""} else written


_SIGN, _WIDE_SIGN = 7.0, 11.5
"""How wide a figure or a usual letter is in a wide font, and a letter that fills a square."""


def width_of(text: str) -> float:
    """About how wide a text of eleven units is drawn, rather too wide than too narrow."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return _WIDE_SIGN * wide + _SIGN * (len(text) - wide)


def fitting(text: str, room: float) -> str:
    """As much of a name as there is room for; where something is cut off, an ellipsis says so."""
    text = visible(text)
    if width_of(text) <= room:
        return text
    while text and width_of(text) + _SIGN > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def label(
    content: str, x: float, y: float, *, anchor: str = "start", class_: str | None = None
) -> Piece:
    """A text at a point, set apart so that its direction of writing moves nothing beside it."""
    return tag(
        "text",
        content,
        x=x,
        y=y,
        text_anchor=None if anchor == "start" else anchor,
        class_=class_,
        unicode_bidi=None if content.isascii() else "isolate",
    )


def box(x: float, y: float, width: float, height: float, class_: str) -> Piece:
    """A rectangle."""
    return tag("rect", x=x, y=y, width=width, height=height, class_=class_)


def stroke(x1: float, y1: float, x2: float, y2: float, class_: str) -> Piece:
    """A straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def _attribute(value: str | float) -> str:
    return _text(value) if isinstance(value, str) else number(value)


def _text(content: str) -> str:
    if isinstance(content, Piece):
        return content
    return escape(_NOT_XML.sub("", visible(content)))
