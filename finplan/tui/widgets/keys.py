"""The line at the bottom: the keys of what is open, and what each does."""

from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen

from finplan.tui.drawing.lines import KEY, styled
from finplan.tui.widgets.entries import EntryLine


class KeyLine(EntryLine):
    """Names the keys that are shown, the first of those that do the same; a click presses it.

    Those without room are left out; `?` has all of them.

    Textual has a Footer, of a widget for each key that are all made anew with each screen that opens;
    what a screen shows would wait for it.
    """

    DEFAULT_CSS = "KeyLine { background: $panel; }"

    def on_mount(self) -> None:
        """Draw anew whenever other keys are heeded."""
        self.screen.bindings_updated_signal.subscribe(self, self._draw_anew)

    def entries(self) -> list[Content]:
        """The keys that have room, each with what it does."""
        entries, room = [], self.content_size.width
        for each in self._shown():
            key = styled(self.app.get_key_display(each), KEY)
            entry = Content.assemble(" ", key, " ", styled(each.description), " ")
            room -= entry.cell_length
            if room < 0:
                break
            entries.append(entry)
        return entries

    def take(self, place: int) -> None:
        """Press the key at this place."""
        self.app.simulate_key(self._shown()[place].key)

    def _shown(self) -> list[Binding]:
        by_action: dict[str, Binding] = {}
        for each in self.screen.active_bindings.values():
            if each.binding.show:
                by_action.setdefault(each.binding.action, each.binding)
        return [*by_action.values()]

    def _draw_anew(self, _screen: Screen[object]) -> None:
        self.refresh()
