"""What is drawn where a person wants no colours."""

from collections.abc import Iterable

from rich.color import Color as TerminalColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

_NONE = Style(color=TerminalColor.default(), bgcolor=TerminalColor.default())
_TURNED = _NONE + Style(reverse=True)


class Colourless(LineFilter):
    """Leaves every colour out; what stood on one of the `marking` colours is turned round instead.

    Textual's own way leaves greys on a ground of its own, which is neither the person's ground nor
    tells on a terminal without colours what is marked.
    """

    def __init__(self, marking: Iterable[str]) -> None:
        super().__init__()
        self._marking = frozenset(Color.parse(each).rgb for each in marking)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        """The pieces of a line without their colours."""
        return [
            Segment(text, _NONE if style is None else style + self._instead_of(style), control)
            for text, style, control in segments
        ]

    def _instead_of(self, style: Style) -> Style:
        ground = style.bgcolor
        if ground is None or ground.triplet is None:
            return _NONE
        return _TURNED if tuple(ground.triplet) in self._marking else _NONE
