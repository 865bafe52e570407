"""The lines above the keys: a notice, what was just done, how the figures stand, whether it answers."""

from typing import NamedTuple

from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from finplan.tui.drawing.lines import CAUTION, FAINT, KEY, ends, height, page, styled, wrapped


class Remark(NamedTuple):
    """A sentence on what was just done, and its style."""

    sentence: str
    style: str


NO_REMARK = Remark("", "")


class StandingLine(Widget):
    """Says what was just done; below, at the left how the figures stand, at the right the way on.

    Above all stands what the daemon tells on every screen, until it is over.
    """

    DEFAULT_CSS = "StandingLine { height: auto; padding: 0 1; }"

    stands: reactive[str] = reactive("")
    warning: reactive[str] = reactive("")
    whose: reactive[str] = reactive("")
    notice: reactive[str] = reactive("", layout=True)
    remark: reactive[Remark] = reactive(NO_REMARK, layout=True)

    def render(self) -> Content:
        """The lines for the width that there is."""
        return self._drawn(self.content_size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """One line, and those of a notice and a remark."""
        return height(self._drawn(width))

    def _drawn(self, width: int) -> Content:
        said = (
            wrapped(self.remark.sentence, width, self.remark.style) if self.remark.sentence else []
        )
        notice = wrapped(self.notice, width, CAUTION) if self.notice else []
        # A warning goes before what is only good to know.
        left = styled(self.warning, CAUTION) if self.warning else styled(self.stands, FAINT)
        right = Content.assemble(
            styled(f"{self.whose}  ", FAINT), styled("?", KEY), " keys  ", styled("q", KEY), " quit"
        )
        return page([*notice, *said, ends(left, right, width)])
