"""How pictures look, and pictures as a file of their own: one or several, each under its title.

On a page they have its colours, and their own where they are alone.
"""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from finplan.pictures.plot import WIDTH, Piece, box, join_pieces, label, tag

_VARIABLE = re.compile(r"var\(--([a-z]+), (#[0-9a-f]{6})\)")

DARK = {
    "paper": "#14181b",
    "ink": "#e4e7e5",
    "soft": "#9aa5ab",
    "line": "#2b3237",
    "essential": "#6bb1da",
    "discretionary": "#cf94d3",
    "income": "#6ecf9b",
    "over": "#f28b82",
}
"""The colours of a picture alone where the person has it dark; by day those of `picture.css`."""


@cache
def style() -> str:
    """The style of pictures on a page, which may set the colours."""
    return Path(__file__).with_name("picture.css").read_text(encoding="utf-8")


@cache
def style_alone() -> str:
    """The style of pictures in a file of their own, also for programs that know no variables."""
    by_day = _VARIABLE.sub(lambda match: match[2], style())
    by_night = _VARIABLE.sub(lambda match: DARK[match[1]], style())
    return f"{by_day}@media (prefers-color-scheme: dark) {{\n{by_night}}}\n"


_TITLE, _GAP = 30.0, 14.0

_DRAWN = re.compile(
    r'<svg id="picture-(?P<name>[a-z-]+)" class="picture" viewBox="0 0 \d+ (?P<height>[\d.]+)"[^<>]*>'
    r'<title id="[a-z-]+">(?P<title>[^<]*)</title>(?:(?!<svg ).)*?</svg>',
    re.DOTALL,
)
"""A picture as `Picture.svg` writes it. A text cannot look like one, since it holds no `<`."""


def drawn_in(page: str) -> dict[str, re.Match[str]]:
    """The pictures that stand in a page, by name, in their order."""
    return {match["name"]: match for match in _DRAWN.finditer(page)}


def sheet(title: str, drawn: Sequence[re.Match[str]]) -> bytes:
    """A file of SVG with pictures that were found in a page; it loads nothing."""
    pieces: list[Piece] = []
    y = 0.0
    for match in drawn:
        pieces.append(label(match["title"], 8, y + 20, class_="strong"))
        height = float(match["height"])
        placed = match[0].replace(
            "<svg ", f'<svg y="{y + _TITLE:g}" width="{WIDTH}" height="{height:g}" ', 1
        )
        pieces.append(Piece(placed))
        y += _TITLE + height + _GAP
    file = tag(
        "svg",
        tag("title", title),
        tag("style", Piece(style_alone())),
        box(0, 0, WIDTH, y, "paper"),
        join_pieces(pieces),
        xmlns="http://www.w3.org/2000/svg",
        class_="picture",
        viewBox=f"0 0 {WIDTH} {y:g}",
        width=2 * WIDTH,
        height=2 * y,
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{file}\n'.encode()
