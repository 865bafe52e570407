"""A region of a screen that is drawn anew for the columns that it has."""

from collections.abc import Callable

from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from finplan.tui.drawing.lines import EMPTY, height

Drawing = Callable[[int], Content]
"""Draws something for so many columns."""


class Drawn(Widget):
    """Shows a drawing, as high as it comes out."""

    DEFAULT_CSS = "Drawn { height: auto; width: 1fr; }"

    drawing: reactive[Drawing | None] = reactive(None, layout=True, always_update=True)

    def render(self) -> Content:
        """The drawing for the width that there is."""
        return EMPTY if self.drawing is None else self.drawing(self.content_size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As many lines as the drawing has."""
        return 0 if self.drawing is None else height(self.drawing(width))
