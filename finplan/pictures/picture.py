"""A picture: what is drawn, what it is called, what it says, and the same in figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from finplan.pictures.svg import Piece, tag

WIDTH = 360
"""How wide every picture is, so that its text is as large as the page's on a telephone."""


class Figures(NamedTuple):
    """What a picture shows, in figures: heads and rows of as many texts."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing `WIDTH` wide with its name, its title, and a sentence or two for who cannot see it."""

    name: str
    title: str
    said: str
    height: float
    drawing: Piece
    figures: Figures

    def svg(self) -> Piece:
        """The picture as an element."""
        prefix = f"picture-{self.name}"
        return tag(
            "svg",
            tag("title", self.title, id=f"{prefix}-title"),
            tag("desc", self.said, id=f"{prefix}-said"),
            self.drawing,
            id=prefix,
            class_="picture",
            viewBox=f"0 0 {WIDTH} {self.height:g}",
            role="img",
            aria_labelledby=f"{prefix}-title {prefix}-said",
        )
