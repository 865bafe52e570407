"""Pictures as a file of their own: one or several below each other, each under its title."""

import re
from collections.abc import Sequence

from finplan.pictures.picture import WIDTH
from finplan.pictures.style import style_alone
from finplan.pictures.svg import Piece, box, joined, label, tag

_TITLE, _GAP = 30.0, 14.0

_DRAWN = re.compile(
    r'<svg id="picture-(?P<name>[a-z-]+)" class="picture" viewBox="0 0 \d+ (?P<height>[\d.]+)"[^<>]*>'
    r'<title id="[a-z-]+">(?P<title>[^<]*)</title>(?:(?!<svg ).)*?</svg>',
    re.DOTALL,
)
"""A picture as `Picture.svg` writes it. A text cannot look like one, since it holds no `<`."""


def drawn_in(page: str) -> dict[str, re.Match[str]]:
    """The pictures that stand in a page, by name, in their order."""
    return {found["name"]: found for found in _DRAWN.finditer(page)}


def sheet(title: str, drawn: Sequence[re.Match[str]]) -> bytes:
    """A file of SVG with pictures that were found in a page; it loads nothing."""
    pieces: list[Piece] = []
    y = 0.0
    for found in drawn:
        pieces.append(label(found["title"], 8, y + 20, class_="strong"))
        height = float(found["height"])
        placed = found[0].replace(
            "<svg ", f'<svg y="{y + _TITLE:g}" width="{WIDTH}" height="{height:g}" ', 1
        )
        pieces.append(Piece(placed))
        y += _TITLE + height + _GAP
    file = tag(
        "svg",
        tag("title", title),
        tag("style", Piece(style_alone())),
        box(0, 0, WIDTH, y, "paper"),
        joined(pieces),
        xmlns="http://www.w3.org/2000/svg",
        class_="picture",
        viewBox=f"0 0 {WIDTH} {y:g}",
        width=2 * WIDTH,
        height=2 * y,
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{file}\n'.encode()
