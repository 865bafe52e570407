"""The line above the keys: how old the data are, what waits, and whether the daemon answers."""

from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from finplan.tui.drawing.lines import CAUTION, FAINT, KEY, ends, styled


class Standing(Static):
    """Says at the left what a person should know now, and at the right whose money this is."""

    DEFAULT_CSS = "Standing { height: 1; padding: 0 1; }"

    stands: reactive[str] = reactive("")
    warning: reactive[str] = reactive("")
    whose: reactive[str] = reactive("")

    def render(self) -> Content:
        """A warning goes before what is only good to know."""
        left = styled(self.warning, CAUTION) if self.warning else styled(self.stands, FAINT)
        right = Content.assemble(
            styled(f"{self.whose}  ", FAINT), styled("?", KEY), " keys  ", styled("q", KEY), " quit"
        )
        return ends(left, right, self.content_size.width)
