"""Choosing one of all categories by typing a part of its name."""

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.fuzzy import Matcher
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from finplan.model.category import CategoryChoice
from finplan.tui.drawing.lines import FAINT, styled

LINES = {"essential": "essential", "discretionary": "discretionary", "not_spending": "no spending"}

Foresees = Callable[[str], Awaitable[str]]
"""Says in a sentence what choosing a category would move."""


class CategoryDialog(ModalScreen[str | None]):
    """Answers the id of a category, None for none.

    `about` says what it is for, `first` is what stands first, `foresees` what each would move.
    """

    BINDINGS: ClassVar = [
        Binding("escape", "dismiss(None)", "Back"),
        Binding("down", "move(1)", "Down", show=False, priority=True),
        Binding("up", "move(-1)", "Up", show=False, priority=True),
    ]

    def __init__(
        self,
        about: str,
        choices: Sequence[CategoryChoice],
        first: Sequence[str] = (),
        foresees: Foresees | None = None,
    ) -> None:
        super().__init__()
        self._about = about
        self._foresees = foresees
        ranks = {name: place for place, name in enumerate(first)}
        self._choices = sorted(choices, key=lambda each: ranks.get(each.category, len(ranks)))

    def compose(self) -> ComposeResult:
        """A line to type in, what fits it, and what the one that is marked would move."""
        with Vertical(classes="dialog"):
            yield Static(styled(self._about, "bold"))
            yield Input(placeholder="Type a part of its name")
            yield OptionList(id="choices")
            yield Static(id="foreseen")

    def on_mount(self) -> None:
        """Show all of them."""
        self._fill("")

    @on(Input.Changed)
    def _narrow(self, typed: Input.Changed) -> None:
        self._fill(typed.value.strip())

    @on(Input.Submitted)
    def _take(self) -> None:
        options = self.query_one("#choices", OptionList)
        if options.highlighted is not None and options.option_count:
            self.dismiss(options.get_option_at_index(options.highlighted).id)

    @on(OptionList.OptionSelected)
    def _choose(self, chosen: OptionList.OptionSelected) -> None:
        self.dismiss(chosen.option_id)

    @on(OptionList.OptionHighlighted)
    def _mark(self, marked: OptionList.OptionHighlighted) -> None:
        if marked.option_id is not None:
            self._foresee(marked.option_id)

    def action_move(self, step: int) -> None:
        """Mark the next one or the one before, while the line keeps the keys."""
        options = self.query_one("#choices", OptionList)
        if options.option_count:
            options.highlighted = ((options.highlighted or 0) + step) % options.option_count

    @work(exclusive=True, group="foresee")
    async def _foresee(self, category: str) -> None:
        if self._foresees is None:
            return
        said = await self._foresees(category)
        self.query_one("#foreseen", Static).update(styled(said, FAINT))

    def _fill(self, typed: str) -> None:
        options = self.query_one("#choices", OptionList)
        options.clear_options()
        matcher = Matcher(typed)
        found = [
            (matcher.match(f"{each.label} {each.category}") if typed else 1.0, each)
            for each in self._choices
        ]
        best = sorted((each for each in found if each[0] > 0), key=lambda each: -each[0])
        options.add_options(Option(_told(each), id=each.category) for _, each in best)
        if best:
            options.highlighted = 0
        else:
            self.query_one("#foreseen", Static).update(
                styled("No category is called so; `finplan categories add NAME` makes one.", FAINT)
            )


def _told(choice: CategoryChoice) -> Content:
    own = ", your own" if choice.custom else ""
    return Content.assemble(styled(choice.label), styled(f"  {LINES[choice.line]}{own}", FAINT))
