"""The line at the top: the screens there are, which one is open, and how many questions wait."""

from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from finplan.tui.places import PLACES, Place


class Navigation(Static):
    """Names each screen with its key; a click opens it."""

    DEFAULT_CSS = "Navigation { dock: top; height: 1; background: $panel; }"

    questions: reactive[int] = reactive(0)

    def __init__(self, here: str) -> None:
        super().__init__(id="navigation")
        self._here = here

    def render(self) -> Content:
        """The screens beside each other; names are shortened to the keys where there is no room."""
        room = self.content_size.width
        told = Content("").join(self._entry(each) for each in PLACES)
        if told.cell_length > room:
            told = Content("").join(self._entry(each, short=True) for each in PLACES)
        return told

    def watch_questions(self) -> None:
        """Draw the number anew."""
        self.refresh()

    def _entry(self, place: Place, *, short: bool = False) -> Content:
        is_here = place.name == self._here
        name = place.title[:4] if short and not is_here else place.title
        waits = f" {self.questions}" if place.name == "tasks" and self.questions else ""
        style = (
            "bold $block-cursor-foreground on $block-cursor-background"
            if is_here
            else "$foreground"
        )
        return Content.from_markup(
            f"[@click=app.open('{place.name}')][{style}] [dim]{place.key}[/dim] {name}"
            f"[$text-warning]{waits}[/] [/][/]"
        )
