"""A region of a screen that is drawn anew for the columns that it has."""

from collections.abc import Callable

from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from finplan.tui.drawing.lines import EMPTY, height

Drawing = Callable[[int], Content]
"""Draws something for so many columns."""


class DrawnRegion(Widget):
    """Shows a drawing, as high as it comes out; it is drawn once for a width."""

    DEFAULT_CSS = "DrawnRegion { height: auto; width: 1fr; }"

    drawing: reactive[Drawing | None] = reactive(None, layout=True, always_update=True)
    _drawn: tuple[Drawing, int, Content] | None = None

    def render(self) -> Content:
        """The drawing for the width that there is."""
        return self._at(self.content_size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As many lines as the drawing has."""
        return 0 if self.drawing is None else height(self._at(width))

    def _at(self, width: int) -> Content:
        drawing = self.drawing
        if drawing is None:
            return EMPTY
        if self._drawn is None or self._drawn[:2] != (drawing, width):
            self._drawn = (drawing, width, drawing(width))
        return self._drawn[2]
